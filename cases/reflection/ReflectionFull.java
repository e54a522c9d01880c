// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
/*
 * @test id=reflection
 * @summary chains of Method.invoke, newInstance and proxies: the JDK's frames between the program's
 * @key full randomness
 * @library /lib/jtreg
 * @run driver/timeout=1000 RunCase reflection full
 */

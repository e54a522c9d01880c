// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
/*
 * @test id=chain
 * @summary chains of calls whose methods are interpreted, compiled by C1 or C2, and inlined, at random
 * @key full randomness
 * @library /lib/jtreg
 * @run driver/timeout=3000 RunCase chain full
 */

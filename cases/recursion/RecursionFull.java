// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
/*
 * @test id=recursion
 * @summary the same few methods on each other: prologues, epilogues, virtual and bridge calls
 * @key full randomness
 * @library /lib/jtreg
 * @run driver/timeout=3000 RunCase recursion full
 */

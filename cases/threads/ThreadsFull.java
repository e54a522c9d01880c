// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
/*
 * @test id=threads
 * @summary thousands of short-lived threads: walks at the edges of a thread's life
 * @key full randomness
 * @library /lib/jtreg
 * @run driver/timeout=1000 RunCase threads full
 */

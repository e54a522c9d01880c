// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
/*
 * @test id=deep
 * @summary stacks of 2,000 to 2,800 frames that go down and up at all depths
 * @key full randomness
 * @library /lib/jtreg
 * @run driver/timeout=1000 RunCase deep full
 */

// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
/*
 * @test id=biased
 * @summary monitors whose bias is revoked, in bulk or one by one, while they are held
 * @key full randomness
 * @requires jdk.version.major >= 8 & jdk.version.major <= 17
 * @library /lib/jtreg
 * @run driver/timeout=1000 RunCase biased full
 */
/*
 * @test id=monitors
 * @summary contended and recursive monitors, wait and notify, ReentrantLock
 * @key full randomness
 * @library /lib/jtreg
 * @run driver/timeout=1000 RunCase monitors full
 */

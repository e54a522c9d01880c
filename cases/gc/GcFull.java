// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
/*
 * @test id=barriers-zgc
 * @summary barriers that call the VM, and methods that stop at their entry, under ZGC
 * @key full randomness
 * @requires jdk.version.major >= 17
 * @library /lib/jtreg
 * @run driver/timeout=1000 RunCase barriers-zgc full
 */
/*
 * @test id=barriers-shenandoah
 * @summary barriers that call the VM, and methods that stop at their entry, under Shenandoah
 * @key full randomness
 * @requires jdk.version.major >= 17
 * @library /lib/jtreg
 * @run driver/timeout=1000 RunCase barriers-shenandoah full
 */
/*
 * @test id=gc
 * @summary allocation and collections in a small heap: barriers, safepoints, moved objects
 * @key full randomness
 * @library /lib/jtreg
 * @run driver/timeout=3000 RunCase gc full
 */

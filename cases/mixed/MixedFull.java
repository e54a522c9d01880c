// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
/*
 * @test id=mixed
 * @summary an ordinary program that does a little of everything, the load of the benchmarks
 * @key full randomness
 * @library /lib/jtreg
 * @run driver/timeout=3000 RunCase mixed full
 */
/*
 * @test id=relocation
 * @summary compiled code that is moved to the hot code heap while frames of it stand
 * @key full randomness
 * @requires jdk.version.major >= 27
 * @library /lib/jtreg
 * @run driver/timeout=1000 RunCase relocation full
 */
/*
 * @test id=notraces
 * @summary an ordinary program whose exceptions have no stack traces
 * @key full randomness
 * @library /lib/jtreg
 * @run driver/timeout=1000 RunCase notraces full
 */
/*
 * @test id=tracedepth
 * @summary does the JVM's limit of stack traces, 2 frames, limit walks too?
 * @key full randomness
 * @library /lib/jtreg
 * @run driver/timeout=1000 RunCase tracedepth full
 */
/*
 * @test id=tracedepth-none
 * @summary no limit of stack traces (release 8 took it for no frames at all, and refused all walks)
 * @key full randomness
 * @requires jdk.version.major >= 11
 * @library /lib/jtreg
 * @run driver/timeout=1000 RunCase tracedepth-none full
 */

// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
/*
 * @test id=checkjni
 * @summary Java to C and back while the JVM checks each JNI call
 * @key full randomness
 * @library /lib/jtreg
 * @run driver/timeout=1000 RunCase checkjni full
 */
/*
 * @test id=jni
 * @summary Java to C to Java and back, over many levels, with exceptions pending across C
 * @key full randomness
 * @library /lib/jtreg
 * @run driver/timeout=1000 RunCase jni full
 */

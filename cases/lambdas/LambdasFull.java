// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
/*
 * @test id=lambdas
 * @summary lambdas, method references, streams and method handles: hidden frames and linkers
 * @key full randomness
 * @library /lib/jtreg
 * @run driver/timeout=1000 RunCase lambdas full
 */

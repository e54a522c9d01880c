// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
/*
 * @test id=intrinsics
 * @summary array copies, checksums, digests and strings: stubs of the VM in the place of methods
 * @key full randomness
 * @library /lib/jtreg
 * @run driver/timeout=1000 RunCase intrinsics full
 */

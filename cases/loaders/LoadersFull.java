// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
/*
 * @test id=loaders
 * @summary classes loaded, used and unloaded by loaders of many kinds: method ids that come and go
 * @key full randomness
 * @library /lib/jtreg
 * @run driver/timeout=1000 RunCase loaders full
 */

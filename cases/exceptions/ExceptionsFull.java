// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
/*
 * @test id=exceptions
 * @summary exceptions through many frames, constructors, static initialisers and finally
 * @key full randomness
 * @library /lib/jtreg
 * @run driver/timeout=3000 RunCase exceptions full
 */

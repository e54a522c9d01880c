// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

package jtreg;

/** A test that throws this has been skipped: jtreg knows the class by its name. */
public final class SkippedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public SkippedException(String why) {
        super(why);
    }
}

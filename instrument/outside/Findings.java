// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
import java.util.Map;
import java.util.TreeMap;

/** The differences found, of which the first are printed at once, and counts of things compared. */
final class Findings {
    private static final int PRINTED_MAX = 20;

    long classes;
    long rewrittenClasses;
    long methods;
    long refusedMethods;
    long instructions;
    long differences;
    /** Counts of the things that were compared, or could not be, by name. */
    final Map<String, Long> counts = new TreeMap<>();

    private String where = "";

    /** Sets the place of the next differences. */
    void at(String place) {
        where = place;
    }

    void count(String what, long by) {
        if (by != 0) counts.merge(what, by, Long::sum);
    }

    void differ(String what) {
        differences++;
        if (differences <= PRINTED_MAX) System.out.println(where + ": " + what);
        if (differences == PRINTED_MAX) System.out.println("(further differences are only counted)");
    }

    /** Names and counts something that could not be checked. */
    void skip(String what) {
        System.out.println(where + ": " + what);
        count("skipped", 1);
    }

    /** Reports a difference at an original bytecode index. */
    void differ(int bci, String what) {
        differ("bci " + bci + ": " + what);
    }
}

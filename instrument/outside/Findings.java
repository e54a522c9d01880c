// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
import java.util.Map;
import java.util.TreeMap;

/** What was found and what was looked at. The first differences are printed as they come. */
final class Findings {
    private static final int PRINTED_MAX = 20;

    long classes;
    long rewrittenClasses;
    long methods;
    long refusedMethods;
    long instructions;
    long differences;
    /** What the checks compared or could not, by name. */
    final Map<String, Long> counts = new TreeMap<>();

    private String where = "";

    /** Says what the next differences are in. */
    void at(String place) {
        where = place;
    }

    void count(String what, long by) {
        if (by != 0) counts.merge(what, by, Long::sum);
    }

    void differ(String what) {
        differences++;
        if (differences <= PRINTED_MAX) System.out.println(where + ": " + what);
        if (differences == PRINTED_MAX) System.out.println("(further differences are counted only)");
    }

    /** What could not be looked at: named and counted. */
    void skip(String what) {
        System.out.println(where + ": " + what);
        count("skipped", 1);
    }

    /** A difference at an original bytecode index. */
    void differ(int bci, String what) {
        differ("bci " + bci + ": " + what);
    }
}

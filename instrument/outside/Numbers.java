// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * The statements of plumbline instrument: the numbers in OUT.map, the refusals (standard error), and
 * the counts (--report). The classes must show all of them, and nothing else.
 */
final class Numbers {
    private final Map<Integer, String> numbers = new HashMap<>();
    private final Map<String, Integer> refused = new HashMap<>();
    private final Map<String, Long> report = new HashMap<>();

    Numbers(Path map, Path refusals, Path counts) throws IOException {
        // The map holds names as bytes, which are not always valid UTF-8.
        try (BufferedReader in = Files.newBufferedReader(map, StandardCharsets.ISO_8859_1)) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                int space = line.indexOf(' ');
                Integer number = Integer.valueOf(line.substring(0, space));
                if (numbers.put(number, line.substring(space + 1)) != null)
                    throw new IOException(map + " has " + number + " twice");
            }
        }
        for (String line : Files.readAllLines(refusals, StandardCharsets.ISO_8859_1)) {
            String[] words = line.split(" ", 3);
            if (words[0].equals("refused")) refused.merge(words[2], 1, Integer::sum);
        }
        for (String line : Files.readAllLines(counts, StandardCharsets.ISO_8859_1)) {
            String[] words = line.split(" +");
            if (words[1].indexOf('.') < 0) report.put(words[0], Long.valueOf(words[1]));
        }
    }

    /** The name of a method as the map writes it. */
    static String key(String owner, Shape.Member method) {
        return escape(owner.replace('/', '.')) + "." + escape(method.name) + " "
            + escape(method.descriptor);
    }

    /** Modified UTF-8 (JVMS 4.4.7), one character a byte; escapes characters that would break a line. */
    private static String escape(String name) {
        StringBuilder out = new StringBuilder(name.length());
        for (char c : name.toCharArray()) {
            if (c == 0 || c > 0x7ff) {
                if (c == 0) out.append((char) 0xc0);
                else out.append((char) (0xe0 | c >> 12)).append((char) (0x80 | c >> 6 & 0x3f));
                out.append((char) (0x80 | c & 0x3f));
            } else if (c > 0x7f) {
                out.append((char) (0xc0 | c >> 6)).append((char) (0x80 | c & 0x3f));
            } else if (c <= ' ' || c == '\\' || c == 0x7f) {
                out.append(String.format("\\x%02x", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.toString();
    }

    /** Whether the map gives the method this number; takes the number out. */
    boolean take(int number, String key) {
        return numbers.remove(number, key);
    }

    /** Whether a method, or a class by its path, was refused; takes the refusal out. */
    boolean takeRefused(String key) {
        if (!refused.containsKey(key)) return false;
        refused.computeIfPresent(key, (name, count) -> count == 1 ? null : count - 1);
        return true;
    }

    /** Reports every statement that the classes did not show. */
    void checkLeft(Findings findings, long excluded) {
        numbers.forEach((number, key) -> findings.differ(key + " with number " + number + " was not found"));
        refused.forEach((key, of) -> findings.differ(key + " was refused, but was not found"));
        check(findings, "classes", findings.classes);
        check(findings, "classes_rewritten", findings.rewrittenClasses);
        check(findings, "classes_excluded", excluded);
        check(findings, "methods_rewritten", findings.methods);
        check(findings, "methods_refused", findings.refusedMethods);
    }

    private void check(Findings findings, String name, long found) {
        if (report.getOrDefault(name, -1L) != found)
            findings.differ(name + ": reported " + report.get(name) + ", found " + found);
    }
}

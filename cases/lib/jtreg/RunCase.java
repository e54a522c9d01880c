// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import jtreg.SkippedException;

/**
 * One case as a jtreg test: has {@code plumbline validate} run it on the JDK under test, and passes
 * or fails as validate does. So both always agree, and the whole report of a failure is in the test's
 * scratch directory, under {@code validate}. A busy machine is no reason to fail: a run that judged
 * too little is repeated for longer ({@code --more-time}).
 *
 * <pre>
 *     driver RunCase CASE quick|full           in the modes of that preset, for its seconds
 *     driver RunCase CASE CRASH|HANG           passes if every row has that verdict
 * </pre>
 *
 * Properties, given to jtreg: {@code plumbline.seed} (default 1), {@code plumbline.seconds} and
 * {@code plumbline.modes} (default: those of the preset). Other VM and Java options of jtreg's become
 * the case's.
 */
public final class RunCase {
    private static final String PROPERTY = "-Dplumbline.";
    private static final Pattern VERDICT = Pattern.compile("\"verdict\": \"([A-Z_]+)\"");

    private final String name;
    private final String kind;
    private final boolean full;
    private final List<String> vmOptions = new ArrayList<>();
    private String seed = "1";
    private String seconds;
    private String modes;

    private RunCase(String name, String kind) {
        this.name = name;
        this.kind = kind;
        full = kind.equals("full");
    }

    public static void main(String[] args) throws Exception {
        RunCase test = new RunCase(args[0], args[1]);
        test.take(System.getProperty("test.vm.opts", ""));
        test.take(System.getProperty("test.java.opts", ""));
        test.judge();
    }

    /** Keeps our properties; all other options of jtreg's become the case's. */
    private void take(String options) {
        for (String option : options.trim().split("\\s+")) {
            if (option.startsWith(PROPERTY + "seed=")) seed = value(option);
            else if (option.startsWith(PROPERTY + "seconds=")) seconds = value(option);
            else if (option.startsWith(PROPERTY + "modes=")) modes = value(option);
            else if (!option.isEmpty()) vmOptions.add(option);
        }
    }

    private static String value(String option) {
        return option.substring(option.indexOf('=') + 1);
    }

    private void judge() throws Exception {
        System.out.println("plumbline.seed " + seed + " (again: jtreg " + PROPERTY + "seed=" + seed + ")");
        Path out = Paths.get("validate").toAbsolutePath();
        List<String> lines = new ArrayList<>();
        int status = run(command(out), lines);
        String verdict = lines.isEmpty() ? "plumbline printed nothing" : lines.get(lines.size() - 1);
        TreeSet<String> rows = verdicts(out.resolve("results.json"));
        if (kind.equals("CRASH") || kind.equals("HANG")) {
            if (rows.size() == 1 && rows.contains(kind)) return;
            throw new RuntimeException("not " + kind + ": " + verdict);
        }
        if (status == 0) return;
        if (status == 4 && rows.size() == 1 && rows.contains("SKIP")) throw new SkippedException(verdict);
        throw new RuntimeException(verdict + " (exit status " + status + ", seed " + seed + ")");
    }

    private List<String> command(Path out) throws IOException {
        List<String> command = new ArrayList<>();
        add(command, executable(), "validate", "--jdk", jdk(), "--cases", name, "--seed", seed);
        add(command, "--jobs", "1", "--more-time", "yes", "--out", out.toString());
        if (full) add(command, "--preset", "full");
        if (seconds != null) add(command, "--seconds", seconds);
        if (modes != null) add(command, "--modes", modes);
        if (kind.equals("HANG") && modes == null) add(command, "--modes", "tiered");
        if (!vmOptions.isEmpty()) add(command, "--vm-options", String.join(" ", vmOptions));
        add(command, "--timeout", Long.toString(limit()));
        return command;
    }

    private static void add(List<String> command, String... words) {
        for (String word : words) command.add(word);
    }

    /** The time limit of validate for a JVM, times jtreg's factor. */
    private long limit() {
        double factor = Double.parseDouble(System.getProperty("test.timeout.factor", "1"));
        double wanted = seconds != null ? Double.parseDouble(seconds) : full ? 6 : 3.5;
        return Math.round((kind.equals("HANG") ? 10 + 3 * wanted : 60 + 3 * wanted) * factor);
    }

    /** The JDK under test, which also runs this driver. */
    private static String jdk() {
        String home = System.getProperty("test.jdk", System.getProperty("java.home"));
        return new File(home).getPath();
    }

    /**
     * Where make built plumbline: in the directory of -nativepath, or beside this suite, to which
     * the test root may be a link. OpenJDK's make gives a -nativepath of its own.
     */
    private static String executable() throws IOException {
        String path = System.getProperty("test.nativepath", "");
        File file = new File(path, "plumbline");
        if (!path.isEmpty() && file.canExecute()) return file.getPath();
        Path root = Paths.get(System.getProperty("test.root", ".")).toRealPath();
        File beside = new File(root.getParent().toFile(), "plumbline");
        if (beside.isFile() && beside.canExecute()) return beside.getPath();
        throw new IllegalStateException("neither " + file + " nor " + beside + " is there: make builds it; -nativepath:DIR names its directory");
    }

    /** Runs the command, prints its output, and keeps the lines that are not blank. */
    private static int run(List<String> command, List<String> lines) throws IOException, InterruptedException {
        System.out.println(String.join(" ", command));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        Thread end = new Thread(process::destroy); // it must not outlive this JVM, which jtreg may end
        Runtime.getRuntime().addShutdownHook(end);
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line; (line = reader.readLine()) != null; ) {
                System.out.println(line);
                if (!line.trim().isEmpty()) lines.add(line.trim());
            }
        }
        int status = process.waitFor();
        Runtime.getRuntime().removeShutdownHook(end);
        return status;
    }

    /** The verdicts of the rows. The last verdict in the file belongs to the whole report. */
    private static TreeSet<String> verdicts(Path results) throws IOException {
        TreeSet<String> rows = new TreeSet<>();
        if (!Files.exists(results)) return rows;
        String text = new String(Files.readAllBytes(results), StandardCharsets.UTF_8);
        Matcher matcher = VERDICT.matcher(text.substring(0, Math.max(0, text.lastIndexOf("\"verdict\""))));
        while (matcher.find()) rows.add(matcher.group(1));
        return rows;
    }
}

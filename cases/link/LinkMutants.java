// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.RandomAccessFile;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Links odd classes bare and rewritten by the instrumenter, and reports the differences (make
 * check-mutants). Not a case.
 *
 * <p>Arguments: {@code seeds DIRECTORY COUNT CLASSES} writes COUNT small classes of the JDK's own image,
 * and those of the directory CLASSES, if they link in a loader of their own. {@code link OUTCOMES COUNT
 * DIRECTORY} reads the records of instrument/fuzz/mutants from standard input. OUTCOMES is a file with
 * two bytes for each class: its outcome bare and rewritten. It outlives a JVM that dies of a class: the
 * next JVM, started with the same arguments and input, goes on behind that class. DIRECTORY receives the
 * classes of which only the original links.
 *
 * <p>To ask for a class's declared fields or methods makes HotSpot link it: that verifies the class, and
 * runs none of its code.
 */
public final class LinkMutants {
    /** The outcome of a class; the order is that of the file. */
    private enum Outcome {
        NOT_REACHED, STARTED, LINKED, VERIFY_ERROR, FORMAT_ERROR, VERSION_ERROR, NO_CLASS, CHANGE_ERROR, LINKAGE_ERROR,
        OTHER, REFUSED, KILLED_THE_JVM
    }

    private static final Outcome[] OUTCOMES = Outcome.values();
    private static final int HANG_SECONDS = 20;
    /** JVM killed by the watchdog. */
    private static final int STATUS_HANG = 9;
    private static final int SHOWN_MAX = 10;
    private static final int SEED_SIZE_MIN = 700;
    private static final int SEED_SIZE_MAX = 6000;

    private final MappedByteBuffer outcomes;
    private final Path saved;
    private final Map<String, Integer> pairs = new TreeMap<>();
    private final Map<String, int[]> changes = new TreeMap<>();
    private final Map<String, Integer> refusals = new TreeMap<>();
    private int linked;
    private int records;
    private int findings;
    private String message = "";
    private volatile long progress;

    private LinkMutants(MappedByteBuffer outcomes, Path saved) {
        this.outcomes = outcomes;
        this.saved = saved;
    }

    public static void main(String[] arguments) throws IOException {
        if (arguments[0].equals("seeds")) {
            Path directory = Paths.get(arguments[1]);
            writeSeeds(directory, Integer.parseInt(arguments[2]));
            copySeeds(directory, Paths.get(arguments[3]));
            return;
        }
        int count = Integer.parseInt(arguments[2]);
        try (RandomAccessFile file = new RandomAccessFile(arguments[1], "rw")) {
            MappedByteBuffer outcomes = file.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, 2L * count);
            LinkMutants run = new LinkMutants(outcomes, Paths.get(arguments[3]));
            run.watch();
            try (DataInputStream in = new DataInputStream(new BufferedInputStream(System.in, 1 << 20))) {
                run.readAll(in, count);
            }
            System.exit(run.report(System.out, count) ? 0 : 1);
        }
    }

    // ---- Linking ------------------------------------------------------------------------------

    /** Defines one class; its parent loads all others. */
    private static final class OneClass extends ClassLoader {
        OneClass() {
            super(LinkMutants.class.getClassLoader());
        }

        Class<?> define(byte[] bytes) {
            return defineClass(null, bytes, 0, bytes.length);
        }
    }

    private Outcome link(byte[] bytes) {
        message = "";
        try {
            Class<?> made = new OneClass().define(bytes);
            made.getDeclaredFields();
            made.getDeclaredMethods();
            return Outcome.LINKED;
        } catch (Throwable problem) {
            message = String.valueOf(problem);
            return outcomeOf(problem);
        }
    }

    private static Outcome outcomeOf(Throwable problem) {
        if (problem instanceof VerifyError) return Outcome.VERIFY_ERROR;
        if (problem instanceof UnsupportedClassVersionError) return Outcome.VERSION_ERROR;
        if (problem instanceof ClassFormatError) return Outcome.FORMAT_ERROR;
        if (problem instanceof NoClassDefFoundError) return Outcome.NO_CLASS;
        if (problem instanceof IncompatibleClassChangeError) return Outcome.CHANGE_ERROR;
        return problem instanceof LinkageError ? Outcome.LINKAGE_ERROR : Outcome.OTHER;
    }

    private Outcome outcome(int place) {
        return OUTCOMES[outcomes.get(place)];
    }

    /** Links the class, unless an earlier JVM linked it or died of it. */
    private Outcome linkOnce(int place, byte[] bytes) {
        if (outcome(place) == Outcome.STARTED) outcomes.put(place, (byte) Outcome.KILLED_THE_JVM.ordinal());
        if (outcome(place) != Outcome.NOT_REACHED) return outcome(place);
        outcomes.put(place, (byte) Outcome.STARTED.ordinal());
        Outcome outcome = link(bytes);
        outcomes.put(place, (byte) outcome.ordinal());
        return outcome;
    }

    // ---- Records ------------------------------------------------------------------------------

    private void readAll(DataInputStream in, int count) throws IOException {
        for (; records < count; records++) {
            progress++;
            String name = in.readUTF();
            String changed = in.readUTF();
            String refused = in.readUTF();
            byte[] bare = readBytes(in);
            byte[] rewritten = readBytes(in);
            look(name, changed, refused, bare, rewritten);
        }
    }

    private static byte[] readBytes(DataInputStream in) throws IOException {
        byte[] bytes = new byte[in.readInt()];
        in.readFully(bytes);
        return bytes;
    }

    private void look(String name, String changed, String refused, byte[] bare, byte[] rewritten) throws IOException {
        Outcome before = linkOnce(2 * records, bare);
        String messageBefore = message;
        message = "";
        Outcome after = Outcome.REFUSED;
        // A class that kills the JVM bare is not tried again.
        if (before == Outcome.KILLED_THE_JVM) after = Outcome.NOT_REACHED;
        else if (rewritten.length > 0) after = linkOnce(2 * records + 1, rewritten);
        add(pairs, before + " " + after);
        count(before, changed);
        if (before == Outcome.LINKED && !refused.isEmpty()) countRefusals(name, refused, bare, rewritten);
        if (before == Outcome.KILLED_THE_JVM) {
            System.out.println("the JVM died of the original (no finding of ours): " + name + "\n  changes: " + changed);
            save(name, bare, rewritten);
        }
        boolean differs = before != after && after != Outcome.REFUSED && before != Outcome.KILLED_THE_JVM;
        if (!differs) return;
        boolean finding = before == Outcome.LINKED || after == Outcome.KILLED_THE_JVM;
        if (finding && ++findings <= SHOWN_MAX) {
            System.out.println("only the original links: " + name + ": " + after + "\n  changes: " + changed + "\n  "
                    + message.replace("\n", "\n  "));
            save(name, bare, rewritten);
        } else if (!finding && pairs.get(before + " " + after) <= 2) {
            System.out.println("otherwise rewritten: " + name + ": " + firstLine(messageBefore) + " -> "
                    + (after == Outcome.LINKED ? "links" : firstLine(message)));
            save(name, bare, rewritten);
        }
    }

    private static String firstLine(String text) {
        int end = text.indexOf('\n');
        return end < 0 ? text : text.substring(0, end);
    }

    private void save(String name, byte[] bare, byte[] rewritten) throws IOException {
        String number = name.substring(0, name.indexOf(' '));
        Files.write(saved.resolve(number + "-bare.class"), bare);
        Files.write(saved.resolve(number + "-rewritten.class"), rewritten);
    }

    private static void add(Map<String, Integer> counts, String key) {
        Integer old = counts.get(key);
        counts.put(key, old == null ? 1 : old + 1);
    }

    private void count(Outcome before, String changed) {
        boolean links = before == Outcome.LINKED;
        if (links) linked++;
        for (String change : changed.split(" ")) {
            int[] counts = changes.get(change);
            if (counts == null) changes.put(change, counts = new int[2]);
            counts[0]++;
            if (links) counts[1]++;
        }
    }

    /** A class that links and is left alone is no finding. The first of each reason is kept for inspection. */
    private void countRefusals(String name, String refused, byte[] bare, byte[] rewritten) throws IOException {
        for (String reason : refused.split(" ")) {
            add(refusals, reason);
            if (refusals.get(reason) == 1) save(name, bare, rewritten);
            if (refusals.get(reason) == 1) System.out.println("refused for " + reason + ": " + name);
        }
    }

    // ---- The report ---------------------------------------------------------------------------

    private boolean report(PrintStream out, int count) {
        out.println("mutants " + records + ", bare they link: " + linked + "; only bare: " + findings);
        for (Map.Entry<String, Integer> pair : pairs.entrySet())
            out.println("  bare, rewritten: " + pair.getKey() + " " + pair.getValue());
        for (Map.Entry<String, Integer> refusal : refusals.entrySet())
            out.println("  links bare, refused (the class or a method): " + refusal.getKey() + " " + refusal.getValue());
        boolean weak = false;
        StringBuilder shares = new StringBuilder();
        for (Map.Entry<String, int[]> change : changes.entrySet())
            shares.append(' ').append(change.getKey()).append(' ').append(change.getValue()[1]).append('/')
                    .append(change.getValue()[0]);
        out.println("  link bare, by change:" + shares);
        // A check of classes that no JVM accepts would mean nothing.
        if (linked < 0.3 * count) {
            out.println("too few mutants link: the check says too little");
            weak = true;
        }
        return findings == 0 && !weak;
    }

    /** Ends the JVM when a class keeps it busy. */
    private void watch() {
        Thread watchdog = new Thread(() -> {
            long seen = -1;
            while (seen != progress) {
                seen = progress;
                try {
                    Thread.sleep(1000L * HANG_SECONDS);
                } catch (InterruptedException interrupted) {
                    return;
                }
            }
            System.out.println("hang: record " + (seen - 1));
            Runtime.getRuntime().halt(STATUS_HANG);
        });
        watchdog.setDaemon(true);
        watchdog.start();
    }

    // ---- Seeds --------------------------------------------------------------------------------

    private static byte[] bytesOf(String name) throws IOException {
        try (InputStream in = ClassLoader.getSystemResourceAsStream(name.replace('.', '/') + ".class")) {
            if (in == null) return new byte[0];
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            byte[] part = new byte[8192];
            for (int got; (got = in.read(part)) > 0; ) all.write(part, 0, got);
            return all.toByteArray();
        }
    }

    /** Every n-th class, in the order of a hash of the names, which is the same everywhere. */
    private static void writeSeeds(Path directory, int count) throws IOException {
        List<String> names = LinkClasses.imageNames();
        names.sort((a, b) -> Integer.compare(a.hashCode() * 0x9e3779b1, b.hashCode() * 0x9e3779b1));
        LinkMutants linker = new LinkMutants(null, null);
        int written = 0;
        for (String name : names) {
            if (written == count) break;
            // The JVM does not verify reflection's accessors (subclasses of MagicAccessorImpl).
            boolean barred = name.startsWith("java.") || name.contains(".reflect.");
            byte[] bytes = barred ? new byte[0] : bytesOf(name);
            if (bytes.length < SEED_SIZE_MIN || bytes.length > SEED_SIZE_MAX || linker.link(bytes) != Outcome.LINKED) continue;
            Files.write(directory.resolve(name + ".class"), bytes);
            written++;
        }
        if (written < count) throw new EOFException("only " + written + " classes of the image link by themselves");
    }

    private static void copySeeds(Path directory, Path classes) throws IOException {
        LinkMutants linker = new LinkMutants(null, null);
        try (DirectoryStream<Path> files = Files.newDirectoryStream(classes)) {
            for (Path file : files) {
                byte[] bytes = Files.readAllBytes(file);
                if (linker.link(bytes) == Outcome.LINKED) Files.write(directory.resolve(file.getFileName()), bytes);
            }
        }
    }
}

// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Enumeration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.util.Textifier;
import org.objectweb.asm.util.TraceClassVisitor;

/**
 * Reads the output of plumbline instrument with independent readers: ASM, and the JDK's own readers of
 * jars and images. Without the insertions, every class must be the same as before.
 *
 * usage: CheckReader IN OUT REFUSALS REPORT. IN and OUT are those given to plumbline instrument, with
 * OUT.map beside OUT. REFUSALS is its standard error, REPORT its standard output with --report.
 */
public final class CheckReader {
    /** At most one in so many methods may be refused. */
    private static final int REFUSED_SHARE = 100;

    private final Findings findings = new Findings();
    private final Numbers numbers;
    private long excluded;
    private long unread;

    private CheckReader(Numbers numbers) {
        this.numbers = numbers;
    }

    // ---- One class -----------------------------------------------------------------------------

    /** The code of each method of a class; null for a method without code. */
    private static List<Code> codes(Shape shape) {
        List<Code> codes = new ArrayList<>();
        Iterator<Shape.Member> members = shape.methods.iterator();
        shape.reader.accept(new ClassVisitor(Opcodes.ASM9) {
            @Override
            public MethodVisitor visitMethod(int access, String name, String descriptor,
                                             String signature, String[] exceptions) {
                Shape.Member member = members.next();
                codes.add(member.codeAt == 0 ? null : new Code(shape, member));
                return codes.get(codes.size() - 1);
            }
        }, ClassReader.EXPAND_FRAMES);
        return codes;
    }

    /** Everything that ASM reads of a class except its code, as text. */
    private static String textOutsideCode(Shape shape) {
        StringWriter text = new StringWriter();
        PrintWriter out = new PrintWriter(text);
        shape.reader.accept(new TraceClassVisitor(null, new Textifier(), out), ClassReader.SKIP_CODE);
        out.flush();
        return text.toString();
    }

    private void compareMethod(Shape before, Code was, Code is, int number, Shape.Member method,
                               Constructors constructors) {
        findings.methods++;
        findings.instructions += was.instructions.size();
        Alignment alignment = new Alignment(was, is, number, findings);
        if (!alignment.align()) return;
        int next = new Tables(alignment, before.major, findings).compare();
        if (next < 0) return;
        new Cover(alignment, before.major, findings)
            .compare(next, before.reader.getClassName(), method, constructors);
    }

    /** Whether a method was refused and is unchanged. (A bad class may have several of one name.) */
    private boolean refused(Shape before, Shape after, int i, String key) {
        if (!before.sameCode(before.methods.get(i), after, after.methods.get(i))) return false;
        if (!numbers.takeRefused(key)) return false;
        findings.refusedMethods++;
        return true;
    }

    /** Checks the number of added entries against instrument/README.md. */
    private void comparePools(Shape before, Shape after, int large, int methods) {
        int added = after.reader.getItemCount() - before.reader.getItemCount();
        int fixed = before.major < Opcodes.V1_6 ? 12 : 15;
        // A refused method has a number, too.
        if (added < fixed + large || added > fixed + methods)
            findings.differ(added + " constant-pool entries added, not " + (fixed + large));
    }

    private void compareRewritten(Shape before, Shape after) {
        String outside = before.differenceOutsideCode(after);
        if (outside != null) findings.differ("differs outside code: " + outside);
        if (!textOutsideCode(before).equals(textOutsideCode(after)))
            findings.differ("ASM reads a difference outside code");
        List<Code> were = codes(before);
        List<Code> are = codes(after);
        if (were.size() != are.size()) return; // already reported
        String owner = before.reader.getClassName();
        boolean verified = before.major >= Opcodes.V1_6;
        Constructors constructors = verified ? new Constructors(before.reader) : null;
        int large = 0;
        int withCode = 0;
        for (int i = 0; i < were.size(); i++) {
            if (were.get(i) == null) continue;
            withCode++;
            String key = Numbers.key(owner, before.methods.get(i));
            findings.at(key);
            if (refused(before, after, i, key)) continue;
            int number = are.get(i).firstNumber();
            if (number > Short.MAX_VALUE) large++;
            if (!numbers.take(number, key))
                findings.differ("begins with number " + number
                                + ", which the map does not give it; and it was not refused");
            else compareMethod(before, were.get(i), are.get(i), number, before.methods.get(i),
                               constructors);
        }
        findings.at(owner);
        comparePools(before, after, large, withCode);
    }

    /** Checks a class that is unchanged: refused, excluded, or without code. */
    private void compareBare(String path, Shape before) {
        String owner = before.reader.getClassName();
        if (numbers.takeRefused(path)) {
            findings.count("classes refused", 1);
            return;
        }
        long withCode = before.methods.stream().filter(method -> method.codeAt != 0).count();
        long refused = before.methods.stream()
            .filter(method -> method.codeAt != 0 && numbers.takeRefused(Numbers.key(owner, method)))
            .count();
        findings.refusedMethods += refused;
        if (withCode == 0 || refused == withCode) findings.count("classes without rewritten code", 1);
        else excluded++;
    }

    /** Compares one class; `path` names it as plumbline does. */
    private void compareClass(String path, byte[] original, byte[] rewritten) {
        findings.classes++;
        findings.at(path);
        Shape before;
        try {
            before = new Shape(original);
            codes(before);
        } catch (RuntimeException e) {
            findings.skip("ASM cannot read the original: " + e);
            unread++;
            return;
        }
        try {
            if (Arrays.equals(original, rewritten)) {
                compareBare(path, before);
            } else {
                findings.rewrittenClasses++;
                compareRewritten(before, new Shape(rewritten));
            }
        } catch (RuntimeException e) {
            findings.differ("cannot be compared: " + e + " at " + e.getStackTrace()[0]);
        }
    }

    // ---- All classes ---------------------------------------------------------------------------

    private static byte[] read(ZipFile jar, ZipEntry entry) throws IOException {
        try (InputStream in = jar.getInputStream(entry)) {
            return in.readAllBytes();
        }
    }

    private void compareJars(Path in, Path out) throws IOException {
        try (ZipFile before = new ZipFile(in.toFile()); ZipFile after = new ZipFile(out.toFile())) {
            Enumeration<? extends ZipEntry> theirs = after.entries();
            Enumeration<? extends ZipEntry> all = before.entries();
            while (all.hasMoreElements()) {
                ZipEntry entry = all.nextElement();
                ZipEntry their = theirs.hasMoreElements() ? theirs.nextElement() : null;
                findings.at(entry.getName());
                if (their == null || !their.getName().equals(entry.getName())) {
                    findings.differ("the rewritten jar has another entry here: " + their);
                    return;
                }
                byte[] bytes = read(before, entry);
                byte[] rewritten = read(after, their);
                if (entry.getName().endsWith(".class")) compareClass(entry.getName(), bytes, rewritten);
                else if (!Arrays.equals(bytes, rewritten)) findings.differ("is not a class, but was changed");
            }
            if (theirs.hasMoreElements()) findings.differ("more entries than before");
        }
    }

    private void compareFile(String path, byte[] original, Path out) throws IOException {
        Path rewritten = out.resolve(path);
        if (Files.exists(rewritten)) compareClass(path, original, Files.readAllBytes(rewritten));
        else findings.differ(path + ": not written");
    }

    /** Compares the classes of JDK 8. */
    private void compareRuntimeJar(Path in, Path out) throws IOException {
        try (ZipFile before = new ZipFile(in.toFile())) {
            Enumeration<? extends ZipEntry> all = before.entries();
            while (all.hasMoreElements()) {
                ZipEntry entry = all.nextElement();
                if (entry.getName().endsWith(".class"))
                    compareFile(entry.getName(), read(before, entry), out);
            }
        }
    }

    /** Compares the classes of a later JDK, read by that JDK's own reader (lib/jrt-fs.jar). */
    private void compareImage(Path home, Path out) throws IOException {
        Map<String, String> options = Map.of("java.home", home.toString());
        try (FileSystem image = FileSystems.newFileSystem(URI.create("jrt:/"), options)) {
            Path modules = image.getPath("/modules");
            try (Stream<Path> files = Files.walk(modules)) {
                for (Iterator<Path> all = files.iterator(); all.hasNext();) {
                    Path file = all.next();
                    if (file.toString().endsWith(".class"))
                        compareFile(modules.relativize(file).toString(), Files.readAllBytes(file), out);
                }
            }
        }
    }

    private void compareAll(Path in, Path out) throws IOException {
        Path runtimeJar = in.resolve("jre/lib/rt.jar");
        if (!Files.isDirectory(in)) compareJars(in, out);
        else if (Files.exists(in.resolve("lib/modules"))) compareImage(in, out);
        else compareRuntimeJar(Files.exists(runtimeJar) ? runtimeJar : in.resolve("lib/rt.jar"), out);
        findings.at("in total");
        // Refused methods are not compared. In real classes there are hardly any.
        if (findings.refusedMethods * REFUSED_SHARE > findings.methods + findings.refusedMethods)
            findings.differ(findings.refusedMethods + " methods refused");
        if (Files.isDirectory(out)) {
            try (Stream<Path> written = Files.walk(out)) {
                long files = written.filter(Files::isRegularFile).count();
                if (files != findings.classes) findings.differ(files + " files written");
            }
        }
        // If ASM could not read a class, the totals cannot agree.
        if (unread == 0) numbers.checkLeft(findings, excluded);
    }

    public static void main(String[] args) throws IOException {
        Path in = Path.of(args[0]);
        Path out = Path.of(args[1]);
        CheckReader check =
            new CheckReader(new Numbers(Path.of(args[1] + ".map"), Path.of(args[2]), Path.of(args[3])));
        check.compareAll(in, out);
        Findings found = check.findings;
        found.count("classes excluded", check.excluded);
        found.count("methods refused", found.refusedMethods);
        System.out.println(in + ": " + found.classes + " classes, " + found.methods + " methods, "
                           + found.instructions + " instructions compared, " + found.differences
                           + " differences " + found.counts);
        if (found.instructions == 0) System.out.println(in + ": nothing was compared");
        System.exit(found.differences > 0 || found.instructions == 0 ? 1 : 0);
    }
}

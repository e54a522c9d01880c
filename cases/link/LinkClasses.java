// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/**
 * Links every class of the JDK's own run-time image, or of the given jars, and writes one line for
 * each: its origin, its name and its outcome. Not a case: the proof that rewritten classes verify compares
 * these lines with and without the agent (make check-classes, check-jars).
 *
 * <p>Arguments: the file to write, then jars; without jars the run-time image (before JDK 9: every jar of
 * the JDK). Each jar has a loader of its own, which sees the other jars, too, and then the jars of the
 * property link.path: a class may need them to link, but they are not linked.
 */
public final class LinkClasses {
    private final PrintStream out;
    private int classes, linked;

    private LinkClasses(PrintStream out) {
        this.out = out;
    }

    public static void main(String[] arguments) throws IOException {
        List<String> jars = Arrays.asList(arguments).subList(1, arguments.length);
        LinkClasses work;
        try (PrintStream out = new PrintStream(arguments[0], "UTF-8")) {
            work = new LinkClasses(out);
            if (!jars.isEmpty()) work.linkJars(jars);
            else if (System.getProperty("sun.boot.class.path") != null) work.linkJdk8();
            else work.linkImage();
        }
        System.out.println("classes " + work.classes + " linked " + work.linked);
        System.exit(work.linked > 0 ? 0 : 1);
    }

    /** The name of the class in an entry of a jar or of the image; null if there is none to link. */
    static String className(String path) {
        if (!path.endsWith(".class") || path.endsWith("module-info.class")) return null;
        if (path.startsWith("META-INF/")) return null; // versions of a multi-release jar
        return path.substring(0, path.length() - ".class".length()).replace('/', '.');
    }

    private void linkJars(List<String> jars) throws IOException {
        String more = System.getProperty("link.path", "");
        for (String jar : jars) {
            List<String> path = new ArrayList<>(Collections.singletonList(jar));
            path.addAll(jars);
            path.addAll(Arrays.asList(more.split(File.pathSeparator)));
            linkJar(jar, loader(path));
        }
    }

    /** The jars of the boot class path, of the extensions, and those of the JDK that no loader knows. */
    private void linkJdk8() throws IOException {
        ClassLoader system = ClassLoader.getSystemClassLoader();
        for (String file : System.getProperty("sun.boot.class.path").split(File.pathSeparator))
            if (Files.isRegularFile(Paths.get(file))) linkJar(file, system);
        for (String directory : System.getProperty("java.ext.dirs").split(File.pathSeparator))
            for (String jar : jarsOf(Paths.get(directory))) linkJar(jar, system);
        List<String> tools = jarsOf(Paths.get(System.getProperty("java.home"), "..", "lib"));
        ClassLoader loader = loader(tools);
        for (String jar : tools) linkJar(jar, loader);
    }

    private void linkImage() throws IOException {
        link("image", imageNames(), ClassLoader.getSystemClassLoader());
    }

    /** All classes of the modules of the JVM that runs this; before JDK 9, of its boot class path. */
    static List<String> imageNames() throws IOException {
        List<String> names = new ArrayList<>();
        String boot = System.getProperty("sun.boot.class.path");
        if (boot != null) {
            for (String file : boot.split(File.pathSeparator))
                if (Files.isRegularFile(Paths.get(file))) addJar(file, names);
            return names;
        }
        Path modules = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules");
        try (Stream<Path> all = Files.walk(modules)) {
            all.filter(path -> path.getNameCount() > 2)
                    .forEach(path -> addName(path.subpath(2, path.getNameCount()).toString(), names));
        }
        return names;
    }

    private static List<String> jarsOf(Path directory) throws IOException {
        List<String> jars = new ArrayList<>();
        if (!Files.isDirectory(directory)) return jars;
        try (Stream<Path> files = Files.list(directory)) {
            files.map(Path::toString).filter(file -> file.endsWith(".jar")).sorted().forEach(jars::add);
        }
        return jars;
    }

    private static ClassLoader loader(List<String> files) throws IOException {
        List<URL> urls = new ArrayList<>();
        for (String file : files)
            if (!file.isEmpty()) urls.add(new File(file).toURI().toURL());
        return new URLClassLoader(urls.toArray(new URL[0]));
    }

    private static void addName(String path, List<String> names) {
        String name = className(path);
        if (name != null) names.add(name);
    }

    private static void addJar(String file, List<String> names) throws IOException {
        try (JarFile jar = new JarFile(file)) {
            for (JarEntry entry : Collections.list(jar.entries())) addName(entry.getName(), names);
        }
    }

    private void linkJar(String file, ClassLoader loader) throws IOException {
        List<String> names = new ArrayList<>();
        addJar(file, names);
        link(new File(file).getName(), names, loader);
    }

    private void link(String from, List<String> names, ClassLoader loader) {
        Collections.sort(names);
        for (String name : names) {
            String problem = link(name, loader);
            classes++;
            if (problem == null) linked++;
            out.println(from + " " + name + (problem == null ? " linked" : " " + problem));
        }
    }

    /**
     * The error's class, or null. Messages are left out: they name hidden classes, addresses and bcis. If
     * several classes are missing, the first one named differs from run to run, because HotSpot sorts
     * methods by the addresses of their names.
     */
    private static String link(String name, ClassLoader loader) {
        try {
            Class.forName(name, false, loader).getDeclaredMethods();
            return null;
        } catch (Throwable problem) {
            return problem.getClass().getName();
        }
    }
}

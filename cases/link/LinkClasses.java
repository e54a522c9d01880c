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
import java.util.Collections;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/**
 * Links every class of the JDK's own run-time image, or of the jars that are given, and writes one line
 * for each: what became of it. Not a case: the proof that rewritten classes verify compares what this
 * says with and without the agent (make check-classes).
 *
 * <p>Arguments: the file to write, then jars; without jars it is the run-time image.
 */
public final class LinkClasses {
    private LinkClasses() {
    }

    public static void main(String[] arguments) throws IOException {
        List<String> names = new ArrayList<>();
        ClassLoader loader = ClassLoader.getSystemClassLoader();
        if (arguments.length > 1) {
            URL[] urls = new URL[arguments.length - 1];
            for (int i = 1; i < arguments.length; i++) {
                urls[i - 1] = new File(arguments[i]).toURI().toURL();
                addJar(arguments[i], names);
            }
            loader = new URLClassLoader(urls, loader);
        } else {
            addImage(names);
        }
        Collections.sort(names);
        int linked = 0;
        try (PrintStream out = new PrintStream(arguments[0], "UTF-8")) {
            for (String name : names) {
                String problem = link(name, loader);
                if (problem == null) linked++;
                out.println(name + (problem == null ? " linked" : " " + problem));
            }
        }
        System.out.println("classes " + names.size() + " linked " + linked);
        System.exit(linked > 0 ? 0 : 1);
    }

    /** The error's class, or null. Messages are left out: they name hidden classes and addresses. */
    private static String link(String name, ClassLoader loader) {
        try {
            Class.forName(name, false, loader).getDeclaredMethods();
            return null;
        } catch (Throwable problem) {
            return problem.getClass().getName();
        }
    }

    private static void addName(String path, List<String> names) {
        if (!path.endsWith(".class") || path.endsWith("module-info.class")) return;
        if (path.startsWith("META-INF/")) return; // versions of a multi-release jar
        names.add(path.substring(0, path.length() - ".class".length()).replace('/', '.'));
    }

    private static void addJar(String file, List<String> names) throws IOException {
        try (JarFile jar = new JarFile(file)) {
            for (JarEntry entry : Collections.list(jar.entries())) addName(entry.getName(), names);
        }
    }

    /** All classes of the image of the JVM that runs this. */
    static List<String> imageNames() throws IOException {
        List<String> names = new ArrayList<>();
        addImage(names);
        return names;
    }

    /** The modules of the image; before JDK 9 the jars of the boot class path. */
    private static void addImage(List<String> names) throws IOException {
        String boot = System.getProperty("sun.boot.class.path");
        if (boot != null) {
            for (String file : boot.split(File.pathSeparator))
                if (Files.isRegularFile(Paths.get(file))) addJar(file, names);
            return;
        }
        Path modules = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules");
        try (Stream<Path> all = Files.walk(modules)) {
            all.filter(path -> path.getNameCount() > 2)
                    .forEach(path -> addName(path.subpath(2, path.getNameCount()).toString(), names));
        }
    }
}

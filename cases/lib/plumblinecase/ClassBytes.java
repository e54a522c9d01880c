// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

package plumblinecase;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The class files of the case itself, for cases that define classes. */
public final class ClassBytes {
    private ClassBytes() {}

    /** The class file of a class on the class path, by its binary name. */
    public static byte[] of(String name) {
        String file = "/" + name.replace('.', '/') + ".class";
        try (InputStream in = ClassBytes.class.getResourceAsStream(file)) {
            if (in == null) throw new Case.Wrong("no class file " + file);
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            byte[] part = new byte[8192];
            for (int n = in.read(part); n >= 0; n = in.read(part)) bytes.write(part, 0, n);
            return bytes.toByteArray();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /**
     * The same class under another name of the same length. Every occurrence of the old name in the
     * bytes is replaced, so the old name must have no other meaning there.
     */
    public static byte[] renamed(byte[] bytes, String from, String to) {
        byte[] old = from.getBytes(StandardCharsets.US_ASCII);
        byte[] fresh = to.getBytes(StandardCharsets.US_ASCII);
        Case.equal(old.length, fresh.length, "length of the new name");
        byte[] result = bytes.clone();
        for (int at = 0; at + old.length <= result.length; at++) {
            if (startsAt(result, at, old)) System.arraycopy(fresh, 0, result, at, fresh.length);
        }
        return result;
    }

    private static boolean startsAt(byte[] bytes, int at, byte[] part) {
        for (int i = 0; i < part.length; i++) {
            if (bytes[at + i] != part[i]) return false;
        }
        return true;
    }
}

// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/**
 * Counts the classes of jars: by class-file version, the methods that have code, and those of them that
 * have subroutines (jsr). Prints a line for each jar. Not a case: make check-jars shows with it which
 * classes the proof covered.
 *
 * <p>It parses class files by itself: an error of the rewriter's parser cannot hide in its counts.
 */
public final class ClassCensus {
    // Bytes of each instruction from its opcode on (JVMS 6.5); 0 for the switches and wide.
    private static final String LENGTHS = ""
            + "1111111111111111" + "2323322222111111" + "1111111111111111" + "1111112222211111"
            + "1111111111111111" + "1111111111111111" + "1111111111111111" + "1111111111111111"
            + "1111311111111111" + "1111111113333333" + "3333333332001111" + "1133333335532311"
            + "3311043355";
    // Bytes of a constant-pool entry behind its tag (JVMS 4.4).
    private static final int[] POOL_LENGTHS = {0, 0, 0, 4, 4, 8, 8, 2, 2, 4, 4, 4, 4, 0, 0, 3, 2, 4, 4, 2, 2};
    private static final int IINC = 0x84, JSR = 0xa8, TABLESWITCH = 0xaa, LOOKUPSWITCH = 0xab, WIDE = 0xc4,
            JSR_W = 0xc9;

    private final Map<Integer, Integer> versions = new TreeMap<>();
    private int classes, methods, subroutines;

    public static void main(String[] jars) throws IOException {
        for (String file : jars) {
            ClassCensus census = new ClassCensus();
            try (JarFile jar = new JarFile(file)) {
                for (JarEntry entry : Collections.list(jar.entries()))
                    if (LinkClasses.className(entry.getName()) != null)
                        census.count(bytes(jar.getInputStream(entry)));
            }
            System.out.println(file + " " + census);
        }
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("classes " + classes + " methods " + methods + " jsr " + subroutines
                + " versions");
        for (Map.Entry<Integer, Integer> version : versions.entrySet())
            text.append(' ').append(version.getKey()).append(':').append(version.getValue());
        return text.toString();
    }

    private static byte[] bytes(InputStream in) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] buffer = new byte[8192];
        for (int n; (n = in.read(buffer)) > 0;) out.write(buffer, 0, n);
        return out.toByteArray();
    }

    private void count(byte[] bytes) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        in.readInt();
        in.readUnsignedShort();
        int major = in.readUnsignedShort();
        String[] pool = pool(in);
        in.skipBytes(6);
        in.skipBytes(2 * in.readUnsignedShort());
        members(in, pool); // fields have no Code
        members(in, pool);
        classes++;
        versions.merge(major, 1, Integer::sum);
    }

    /** The Utf8 entries, which name attributes. */
    private static String[] pool(DataInputStream in) throws IOException {
        String[] pool = new String[in.readUnsignedShort()];
        for (int i = 1; i < pool.length; i++) {
            int tag = in.readUnsignedByte();
            if (tag == 1) pool[i] = in.readUTF();
            else in.skipBytes(POOL_LENGTHS[tag]);
            if (tag == 5 || tag == 6) i++; // a long or a double takes two places
        }
        return pool;
    }

    private void members(DataInputStream in, String[] pool) throws IOException {
        for (int left = in.readUnsignedShort(); left > 0; left--) {
            in.skipBytes(6);
            for (int attributes = in.readUnsignedShort(); attributes > 0; attributes--) {
                boolean code = "Code".equals(pool[in.readUnsignedShort()]);
                byte[] attribute = new byte[in.readInt()];
                in.readFully(attribute);
                if (code) countCode(attribute);
            }
        }
    }

    private void countCode(byte[] attribute) {
        methods++;
        int length = int32(attribute, 4);
        for (int at = 0; at < length; at += instruction(attribute, 8 + at, at)) {
            int opcode = attribute[8 + at] & 0xff;
            if (opcode != JSR && opcode != JSR_W) continue;
            subroutines++;
            return;
        }
    }

    private static int instruction(byte[] code, int at, int bci) {
        int opcode = code[at] & 0xff;
        int operands = 4 - bci % 4; // of a switch: the opcode and its padding
        switch (opcode) {
            case TABLESWITCH:
                return operands + 12 + 4 * (int32(code, at + operands + 8) - int32(code, at + operands + 4) + 1);
            case LOOKUPSWITCH:
                return operands + 8 + 8 * int32(code, at + operands + 4);
            case WIDE:
                return (code[at + 1] & 0xff) == IINC ? 6 : 4;
            default:
                return LENGTHS.charAt(opcode) - '0';
        }
    }

    private static int int32(byte[] bytes, int at) {
        return (bytes[at] & 0xff) << 24 | (bytes[at + 1] & 0xff) << 16 | (bytes[at + 2] & 0xff) << 8 | bytes[at + 3] & 0xff;
    }
}

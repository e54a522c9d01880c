// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Label;
import org.objectweb.asm.Opcodes;

/**
 * A class file, and the places of its Code attributes. ASM reads the constant pool and the contents of
 * the attributes. This class walks over the members only for facts that ASM hides: the bytes that are
 * not code, and the form of an instruction that has several (ldc_w, wide, goto_w).
 */
final class Shape {
    /** A label that knows its bci even if ASM does not visit it. */
    static final class At extends Label {
        final int bci;

        At(int bci) {
            this.bci = bci;
        }
    }

    private static final class Reader extends ClassReader {
        Reader(byte[] bytes) {
            super(bytes);
        }

        @Override
        protected Label readLabel(int bytecodeOffset, Label[] labels) {
            if (labels[bytecodeOffset] == null) labels[bytecodeOffset] = new At(bytecodeOffset);
            return labels[bytecodeOffset];
        }
    }

    /** A method. codeAt is the start of the Code attribute's content; 0 if there is none. */
    static final class Member {
        final String name;
        final String descriptor;
        int codeAt;
        int codeEnd;

        Member(String name, String descriptor) {
            this.name = name;
            this.descriptor = descriptor;
        }
    }

    private static final int MAJOR_AT = 6;
    /** max_stack, max_locals and code_length come before the code. */
    private static final int CODE_HEAD = 8;

    final byte[] bytes;
    final ClassReader reader;
    final int major;
    final List<Member> methods = new ArrayList<>();

    Shape(byte[] original) {
        bytes = original.clone();
        major = (bytes[MAJOR_AT] & 0xff) << 8 | bytes[MAJOR_AT + 1] & 0xff;
        // ASM refuses newer versions because of their number alone; the format is the same.
        if (major > Opcodes.V17) {
            bytes[MAJOR_AT] = 0;
            bytes[MAJOR_AT + 1] = Opcodes.V17;
        }
        reader = new Reader(bytes);
        walk();
    }

    private void walk() {
        char[] buffer = new char[reader.getMaxStringLength()];
        int at = reader.header + 6;
        at += 2 + 2 * reader.readUnsignedShort(at); // the interfaces
        int fields = reader.readUnsignedShort(at);
        at += 2;
        for (int i = 0; i < fields; i++) at = walkAttributes(at + 6, null, buffer);
        int count = reader.readUnsignedShort(at);
        at += 2;
        for (int i = 0; i < count; i++) {
            Member method =
                new Member(reader.readUTF8(at + 2, buffer), reader.readUTF8(at + 4, buffer));
            methods.add(method);
            at = walkAttributes(at + 6, method, buffer);
        }
        at = walkAttributes(at, null, buffer);
        if (at != bytes.length) throw new IllegalArgumentException("bytes after the end of the class");
    }

    private int walkAttributes(int start, Member method, char[] buffer) {
        int at = start + 2;
        for (int left = reader.readUnsignedShort(start); left > 0; left--) {
            int end = at + 6 + reader.readInt(at + 2);
            if (method != null && "Code".equals(reader.readUTF8(at, buffer))) {
                method.codeAt = at + 6;
                method.codeEnd = end;
            }
            at = end;
        }
        return at;
    }

    int codeLength(Member method) {
        return reader.readInt(method.codeAt + 4);
    }

    /** The code's byte at a bytecode index. */
    int codeByte(Member method, int bci) {
        return bytes[method.codeAt + CODE_HEAD + bci] & 0xff;
    }

    boolean sameCode(Member method, Shape other, Member theirs) {
        return Arrays.equals(bytes, method.codeAt, method.codeEnd,
                             other.bytes, theirs.codeAt, theirs.codeEnd);
    }

    private boolean sameBytes(int from, int to, Shape other, int theirFrom, int theirTo) {
        return Arrays.equals(bytes, from, to, other.bytes, theirFrom, theirTo);
    }

    /** The first difference outside Code attributes, or null. Added constant-pool entries are none. */
    String differenceOutsideCode(Shape other) {
        final int firstEntry = 10;
        if (!sameBytes(0, 8, other, 0, 8) || major != other.major) return "version";
        if (other.bytes.length < reader.header || other.reader.getItemCount() < reader.getItemCount()
            || !sameBytes(firstEntry, reader.header, other, firstEntry, reader.header))
            return "the constant pool's old entries";
        if (methods.size() != other.methods.size()) return "number of methods";
        int at = reader.header;
        int theirs = other.reader.header;
        for (int i = 0; i < methods.size(); i++) {
            Member method = methods.get(i);
            Member their = other.methods.get(i);
            if ((method.codeAt == 0) != (their.codeAt == 0)) return "methods with code";
            if (method.codeAt == 0) continue;
            // Up to and including the attribute's name; its length belongs to the code.
            if (!sameBytes(at, method.codeAt - 4, other, theirs, their.codeAt - 4))
                return "bytes before the code of " + method.name + method.descriptor;
            at = method.codeEnd;
            theirs = their.codeEnd;
        }
        return sameBytes(at, bytes.length, other, theirs, other.bytes.length)
            ? null : "bytes after the last method's code";
    }
}

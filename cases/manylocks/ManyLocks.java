// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;

import plumblinecase.Case;

/**
 * Method: an interpreted method locks one object 100 to 900 times, without leaving, and calls up. No
 * source in Java looks like that with so many, so the class is written here: aload_1, monitorenter,
 * over and over. Each lock takes two words of an interpreted frame. It has the VM make some arrays,
 * so that walks begin in that frame, too. On top methods call each other for a while. CompileCommand keeps the method in the interpreter in all modes.
 *
 * <p>Expected: frame::is_interpreted_frame_valid refuses a sender of more than 1024 words and eight
 * for each word of max_stack: it compares words with a limit that was meant as bytes. So `truncated`
 * at a frame with more than some 520 locks, in all modes and releases, and no error with fewer
 * (findings.md, 18).
 */
public final class ManyLocks extends Case {
    private static final int[] FEW = {100, 300, 480}, MANY = {580, 700, 900};
    private static final int FRAMES = 30, TURNS = 20;
    /** To take so many locks takes a tenth of that. */
    private static final long ABOVE_NS = 500_000;
    private static final String NAME = "ManyLocksHeld";

    /** What the written class calls; Held is what it is. */
    public interface Up {
        int up();
    }

    private final class Above implements Up {
        @Override
        public int up() {
            return above();
        }
    }

    public interface Held {
        int hold(Object lock, Up up);
    }

    private final Held[] few = make(FEW), many = make(MANY);
    private final Object lock = new Object();
    private int rounds;

    public static void main(String[] args) {
        Case.run(ManyLocks::new);
    }

    @Override
    protected void unit() {
        Held[] held = below(2) == 0 ? few : many;
        int frames = between(0, FRAMES);
        rounds = 0;
        int result = down(frames, held[below(held.length)], new Above());
        equal(frames + rounds, result, "frames below and rounds above");
        check(!Thread.holdsLock(lock), "the lock is free again");
    }

    private int down(int frames, Held held, Up up) {
        return frames == 0 ? held.hold(lock, up) : 1 + down(frames - 1, held, up);
    }

    private int above() {
        check(Thread.holdsLock(lock), "the lock is held");
        for (long end = System.nanoTime() + ABOVE_NS; System.nanoTime() < end; rounds++) {
            int frames = between(1, FRAMES);
            equal(frames * TURNS, recur(frames, TURNS), "turns above");
        }
        return rounds;
    }

    private static int recur(int frames, int turns) {
        int sum = turn(turns);
        return frames == 1 ? sum : sum + recur(frames - 1, turns);
    }

    private static int turn(int turns) {
        int sum = 0;
        for (int i = 0; i < turns; i++) sum += one(i);
        return sum;
    }

    private static int one(int n) {
        return mix(n) != 42 ? 1 : 0;
    }

    // ---- The class that holds locks

    private static final class Loader extends ClassLoader {
        Loader() {
            super(ManyLocks.class.getClassLoader());
        }

        Held make(byte[] bytes) throws ReflectiveOperationException {
            Class<?> made = defineClass(NAME, bytes, 0, bytes.length);
            return (Held)made.getDeclaredConstructor().newInstance();
        }
    }

    private static Held[] make(int[] counts) {
        Held[] made = new Held[counts.length];
        try {
            for (int i = 0; i < counts.length; i++) made[i] = new Loader().make(classFile(counts[i]));
        } catch (IOException | ReflectiveOperationException failure) {
            throw new IllegalStateException(failure);
        }
        return made;
    }

    private static final int RELEASE_8 = 52, PUBLIC = 1, SUPER = 0x20;
    private static final int UTF8 = 1, CLASS = 7, METHOD = 10, INTERFACE_METHOD = 11, NAME_AND_TYPE = 12;
    private static final int ALOAD_0 = 0x2a, ALOAD_1 = 0x2b, ALOAD_2 = 0x2c, ILOAD_3 = 0x1d, ISTORE_3 = 0x3e;
    private static final int IRETURN = 0xac, RETURN = 0xb1, INVOKESPECIAL = 0xb7, INVOKEINTERFACE = 0xb9;
    private static final int MONITORENTER = 0xc2, MONITOREXIT = 0xc3;
    private static final int ICONST_1 = 0x04, MULTIANEWARRAY = 0xc5, POP = 0x57;
    /** Arrays of two dimensions that a call makes with its locks held: each is made by the VM. */
    private static final int ARRAYS = 400;

    /** The entries of the constant pool, by number: texts, classes by name, and pairs of entries. */
    private static final String[] TEXTS = {"<init>", "()V", "hold",
        "(Ljava/lang/Object;LManyLocks$Up;)I", "up", "()I", "Code"};
    private static final String[] CLASSES = {
        NAME, "java/lang/Object", "ManyLocks$Held", "ManyLocks$Up", "[[I"};
    private static final int INIT = 1, INIT_TYPE = 2, HOLD = 3, HOLD_TYPE = 4, UP = 5, UP_TYPE = 6, CODE = 7;
    private static final int THIS = 9, OBJECT = 11, HELD = 13, UP_CLASS = 15, INTS = 17; // each behind its name
    private static final int OBJECT_INIT = 19, UP_UP = 21;                    // each behind its pair
    private static final int ENTRIES = 22;

    private static void text(DataOutputStream out, String text) throws IOException {
        out.writeByte(UTF8);
        out.writeUTF(text);
    }

    private static void pair(DataOutputStream out, int kind, int first, int second) throws IOException {
        out.writeByte(kind);
        out.writeShort(first);
        out.writeShort(second);
    }

    private static void pool(DataOutputStream out) throws IOException {
        out.writeShort(ENTRIES);
        for (String text : TEXTS) text(out, text);
        for (int i = 0; i < CLASSES.length; i++) {
            text(out, CLASSES[i]);
            out.writeByte(CLASS);
            out.writeShort(THIS - 1 + 2 * i);
        }
        pair(out, NAME_AND_TYPE, INIT, INIT_TYPE);
        pair(out, METHOD, OBJECT, OBJECT_INIT - 1);
        pair(out, NAME_AND_TYPE, UP, UP_TYPE);
        pair(out, INTERFACE_METHOD, UP_CLASS, UP_UP - 1);
    }

    private static void method(DataOutputStream out, int name, int type, byte[] code) throws IOException {
        out.writeShort(PUBLIC);
        out.writeShort(name);
        out.writeShort(type);
        out.writeShort(1); // attribute
        out.writeShort(CODE);
        out.writeInt(2 + 2 + 4 + code.length + 2 + 2);
        out.writeShort(2); // words of operands
        out.writeShort(4); // locals
        out.writeInt(code.length);
        out.write(code);
        out.writeShort(0); // handlers
        out.writeShort(0); // attributes
    }

    /** Locks so often, makes arrays, r = up.up(), unlocks so often, returns r. */
    private static byte[] hold(int locks) {
        ByteArrayOutputStream code = new ByteArrayOutputStream();
        for (int i = 0; i < locks; i++) {
            code.write(ALOAD_1);
            code.write(MONITORENTER);
        }
        int[] array = {ICONST_1, ICONST_1, MULTIANEWARRAY, 0, INTS, 2, POP};
        for (int i = 0; i < ARRAYS; i++)
            for (int part : array) code.write(part);
        int[] call = {ALOAD_2, INVOKEINTERFACE, 0, UP_UP, 1, 0, ISTORE_3};
        for (int part : call) code.write(part);
        for (int i = 0; i < locks; i++) {
            code.write(ALOAD_1);
            code.write(MONITOREXIT);
        }
        code.write(ILOAD_3);
        code.write(IRETURN);
        return code.toByteArray();
    }

    private static byte[] classFile(int locks) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(0xCAFEBABE);
        out.writeInt(RELEASE_8);
        pool(out);
        out.writeShort(PUBLIC | SUPER);
        out.writeShort(THIS);
        out.writeShort(OBJECT);
        out.writeShort(1);
        out.writeShort(HELD);
        out.writeShort(0); // fields
        out.writeShort(2); // methods
        byte[] init = {ALOAD_0, (byte)INVOKESPECIAL, 0, OBJECT_INIT, (byte)RETURN};
        method(out, INIT, INIT_TYPE, init);
        method(out, HOLD, HOLD_TYPE, hold(locks));
        out.writeShort(0); // attributes
        return bytes.toByteArray();
    }
}

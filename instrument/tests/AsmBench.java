// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.BufferedInputStream;
import java.io.FileInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodTooLargeException;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * The reference for make bench-instrument: ASM makes the same insertions (push first, pop before every
 * return, caught in handlers, a handler over everything), from memory to memory, in its quickest way.
 * Frames stay compressed, the constant pool is copied, and nothing is computed. ASM does less work than
 * Plumbline's rewriter: it covers only the part of a constructor after super(), splits no ranges, and
 * inserts a caught into handlers that release a monitor, too.
 *
 * usage: AsmBench CLASSES PASSES. CLASSES is the file that plumbline bench-instrument wrote.
 */
public final class AsmBench {
    private static final String RUNTIME = "plumbline/Trace";
    /** ASM refuses newer versions because of their number alone. */
    private static final int VERSION_MAX = Opcodes.V17;

    private static int number;
    private static int refused;

    private AsmBench() {}

    private static final class Method extends MethodVisitor {
        private final int id;
        private final boolean frames;
        private final boolean constructor;
        private final Set<Label> handlers = new HashSet<>();
        private final Label start = new Label();
        private final Label end = new Label();
        private boolean caughtNext;
        private boolean initialized;
        private int news;

        Method(MethodVisitor next, int id, boolean frames, boolean constructor) {
            super(Opcodes.ASM9, next);
            this.id = id;
            this.frames = frames;
            this.constructor = constructor;
        }

        private void call(String name) {
            if (id <= Short.MAX_VALUE) super.visitIntInsn(Opcodes.SIPUSH, id);
            else super.visitLdcInsn(id);
            super.visitMethodInsn(Opcodes.INVOKESTATIC, RUNTIME, name, "(I)V", false);
        }

        private void before() {
            if (!caughtNext) return;
            caughtNext = false;
            call("caught");
        }

        @Override
        public void visitTryCatchBlock(Label from, Label to, Label handler, String type) {
            handlers.add(handler);
            super.visitTryCatchBlock(from, to, handler, type);
        }

        @Override
        public void visitCode() {
            super.visitCode();
            call("push");
            if (!constructor) super.visitLabel(start);
            initialized = !constructor;
        }

        @Override
        public void visitLabel(Label label) {
            super.visitLabel(label);
            if (handlers.contains(label)) caughtNext = true;
        }

        @Override
        public void visitInsn(int opcode) {
            before();
            if (opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN) call("pop");
            super.visitInsn(opcode);
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
            before();
            super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
            if (initialized || opcode != Opcodes.INVOKESPECIAL || !name.equals("<init>") || news-- > 0) return;
            initialized = true;
            super.visitLabel(start);
        }

        @Override
        public void visitTypeInsn(int opcode, String type) {
            before();
            if (opcode == Opcodes.NEW) news++;
            super.visitTypeInsn(opcode, type);
        }

        @Override
        public void visitIntInsn(int opcode, int operand) {
            before();
            super.visitIntInsn(opcode, operand);
        }

        @Override
        public void visitVarInsn(int opcode, int variable) {
            before();
            super.visitVarInsn(opcode, variable);
        }

        @Override
        public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
            before();
            super.visitFieldInsn(opcode, owner, name, descriptor);
        }

        @Override
        public void visitJumpInsn(int opcode, Label label) {
            before();
            super.visitJumpInsn(opcode, label);
        }

        @Override
        public void visitLdcInsn(Object value) {
            before();
            super.visitLdcInsn(value);
        }

        @Override
        public void visitIincInsn(int variable, int increment) {
            before();
            super.visitIincInsn(variable, increment);
        }

        @Override
        public void visitMaxs(int maxStack, int maxLocals) {
            if (initialized) {
                super.visitLabel(end);
                super.visitTryCatchBlock(start, end, end, null);
                if (frames)
                    super.visitFrame(Opcodes.F_FULL, 0, new Object[0], 1, new Object[] {"java/lang/Throwable"});
                call("caught");
                call("pop");
                super.visitInsn(Opcodes.ATHROW);
            }
            super.visitMaxs(Math.max(maxStack + 1, 2), maxLocals);
        }
    }

    private static final class Rewriter extends ClassVisitor {
        private boolean frames;
        private boolean bare;

        Rewriter(ClassVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public void visit(int version, int access, String name, String signature, String parent, String[] interfaces) {
            frames = (version & 0xFFFF) >= Opcodes.V1_6;
            bare = name.equals("java/lang/Object");
            super.visit(version, access, name, signature, parent, interfaces);
        }

        @Override
        public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] thrown) {
            MethodVisitor next = super.visitMethod(access, name, descriptor, signature, thrown);
            if ((access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE)) != 0) return next;
            return new Method(next, ++number, frames, !bare && name.equals("<init>"));
        }
    }

    private static byte[] rewrite(byte[] bytes) {
        ClassReader reader = new ClassReader(bytes);
        ClassWriter writer = new ClassWriter(reader, 0);
        reader.accept(new Rewriter(writer), 0);
        return writer.toByteArray();
    }

    private static List<byte[]> load(String file) throws IOException {
        List<byte[]> classes = new ArrayList<>();
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(new FileInputStream(file)))) {
            while (true) {
                byte[] bytes = new byte[in.readInt()];
                in.readFully(bytes);
                if (bytes[7] > VERSION_MAX) bytes[7] = VERSION_MAX;
                classes.add(bytes);
            }
        } catch (EOFException end) {
            return classes;
        }
    }

    private static double pass(List<byte[]> classes) {
        long written = 0;
        number = refused = 0;
        long start = System.nanoTime();
        for (byte[] bytes : classes) {
            try {
                written += rewrite(bytes).length;
            } catch (MethodTooLargeException e) {
                refused++;
            }
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        if (written == 0) throw new IllegalStateException("nothing was rewritten");
        return seconds;
    }

    public static void main(String[] args) throws IOException {
        List<byte[]> classes = load(args[0]);
        double[] warm = new double[Integer.parseInt(args[1])];
        double cold = pass(classes);
        // The first half warms up.
        for (int i = 0; i < warm.length; i++) pass(classes);
        for (int i = 0; i < warm.length; i++) warm[i] = pass(classes);
        Arrays.sort(warm);
        System.out.printf("classes %d%nmethods %d%nrefused %d%n", classes.size(), number, refused);
        System.out.printf(java.util.Locale.ROOT, "cold_seconds %.4f%nwarm_seconds %.4f%n", cold, warm[warm.length / 2]);
    }
}

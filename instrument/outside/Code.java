// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.Attribute;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.TypePath;

/** One method's code as ASM reads it, with bytecode indexes for positions. */
final class Code extends MethodVisitor {
    private static final int WIDE = 196;
    private static final int GOTO_W = 200;
    private static final int JSR_W = 201;

    static final class Instruction {
        final int bci;
        /** ASM's opcode: iload_1 and wide iload are ILOAD, goto_w is GOTO, ldc_w is LDC. */
        final int opcode;
        /** The opcode in the class file; 196 for a wide instruction. */
        final int form;
        /** Its operands, with constant-pool entries resolved. */
        final List<Object> operands;
        /** Bytecode indexes of the targets; in a switch the default comes first. */
        final int[] targets;

        Instruction(int bci, int opcode, int form, List<Object> operands, int... targets) {
            this.bci = bci;
            this.opcode = opcode;
            this.form = form;
            this.operands = operands;
            this.targets = targets;
        }

        boolean isReturn() {
            return opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN;
        }

        boolean isSwitch() {
            return opcode == Opcodes.TABLESWITCH || opcode == Opcodes.LOOKUPSWITCH;
        }

        boolean isIf() {
            return opcode >= Opcodes.IFEQ && opcode <= Opcodes.IF_ACMPNE
                || opcode == Opcodes.IFNULL || opcode == Opcodes.IFNONNULL;
        }

        boolean isWideJump() {
            return form == GOTO_W || form == JSR_W;
        }

        boolean fallsThrough() {
            return !(isReturn() || isSwitch() || opcode == Opcodes.GOTO || opcode == Opcodes.ATHROW
                     || opcode == Opcodes.RET);
        }

        @Override
        public String toString() {
            String text = "opcode " + form;
            if (!operands.isEmpty()) text += " " + operands;
            return targets.length > 0 ? text + " to " + Arrays.toString(targets) : text;
        }
    }

    /** An entry of the exception table. */
    static final class Range {
        final int start;
        final int end;
        final int handler;
        final String type;

        Range(int start, int end, int handler, String type) {
            this.start = start;
            this.end = end;
            this.handler = handler;
            this.type = type;
        }

        @Override
        public String toString() {
            return "[" + start + ", " + end + ") to " + handler + " of " + type;
        }
    }

    /** A `new` that a frame names. */
    static final class New {
        final int bci;

        New(int bci) {
            this.bci = bci;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof New && ((New) other).bci == bci;
        }

        @Override
        public int hashCode() {
            return bci;
        }

        @Override
        public String toString() {
            return "new at " + bci;
        }
    }

    static final class Frame {
        final int bci;
        final List<Object> locals;
        final List<Object> stack;

        Frame(int bci, List<Object> locals, List<Object> stack) {
            this.bci = bci;
            this.locals = locals;
            this.stack = stack;
        }

        @Override
        public String toString() {
            return bci + " " + locals + " " + stack;
        }
    }

    /** A type annotation on code. Its target type says what the positions are. */
    static final class Note {
        final int typeReference;
        final int[] positions;
        final List<Object> rest;

        Note(int typeReference, List<Object> rest, int... positions) {
            this.typeReference = typeReference;
            this.positions = positions;
            this.rest = rest;
        }

        @Override
        public String toString() {
            return "0x" + Integer.toHexString(typeReference) + " at " + Arrays.toString(positions)
                + " " + rest;
        }
    }

    private final Shape shape;
    private final Shape.Member member;
    private final int length;
    private int next; // where the next instruction begins
    private boolean inCode;

    final List<Instruction> instructions = new ArrayList<>();
    final List<Range> ranges = new ArrayList<>();
    final List<Frame> frames = new ArrayList<>();
    /** Pairs of bytecode index and line. */
    final List<int[]> lines = new ArrayList<>();
    /** {name, descriptor, signature, index} of each variable, and its range. */
    final List<List<Object>> variables = new ArrayList<>();
    final List<int[]> variableRanges = new ArrayList<>();
    final List<Note> instructionNotes = new ArrayList<>();
    final List<Note> catchNotes = new ArrayList<>();
    final List<Note> variableNotes = new ArrayList<>();
    /** Attributes that ASM does not know. */
    final List<String> attributes = new ArrayList<>();
    int maxStack;
    int maxLocals;

    Code(Shape shape, Shape.Member member) {
        super(Opcodes.ASM9);
        this.shape = shape;
        this.member = member;
        length = shape.codeLength(member);
    }

    /** The number with which the code begins; 0 if there is none. */
    int firstNumber() {
        Instruction first = instructions.get(0);
        boolean loads = first.opcode == Opcodes.SIPUSH || first.opcode == Opcodes.LDC;
        return loads && first.operands.get(0) instanceof Integer ? (Integer) first.operands.get(0) : 0;
    }

    int length() {
        return length;
    }

    private static int bci(Label label) {
        return ((Shape.At) label).bci;
    }

    // ---- Instructions --------------------------------------------------------------------------

    private int form() {
        return shape.codeByte(member, next);
    }

    private void add(int size, int opcode, List<Object> operands, int... targets) {
        instructions.add(new Instruction(next, opcode, form(), operands, targets));
        next += size;
    }

    @Override
    public void visitCode() {
        inCode = true;
    }

    @Override
    public void visitInsn(int opcode) {
        add(1, opcode, List.of());
    }

    @Override
    public void visitIntInsn(int opcode, int operand) {
        add(opcode == Opcodes.SIPUSH ? 3 : 2, opcode, List.of(operand));
    }

    @Override
    public void visitVarInsn(int opcode, int index) {
        int size = form() == WIDE ? 4 : form() == opcode ? 2 : 1;
        add(size, opcode, List.of(index));
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
        add(3, opcode, List.of(type));
    }

    @Override
    public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
        add(3, opcode, List.of(owner, name, descriptor));
    }

    @Override
    public void visitMethodInsn(int opcode, String owner, String name, String descriptor,
                                boolean isInterface) {
        add(opcode == Opcodes.INVOKEINTERFACE ? 5 : 3, opcode,
            List.of(owner, name, descriptor, isInterface));
    }

    @Override
    public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap,
                                       Object... arguments) {
        add(5, Opcodes.INVOKEDYNAMIC, List.of(name, descriptor, bootstrap, exact(arguments)));
    }

    @Override
    public void visitJumpInsn(int opcode, Label target) {
        boolean wide = form() == GOTO_W || form() == JSR_W;
        add(wide ? 5 : 3, opcode, List.of(), bci(target));
    }

    @Override
    public void visitLdcInsn(Object value) {
        add(form() == Opcodes.LDC ? 2 : 3, Opcodes.LDC, List.of(exact(value)));
    }

    @Override
    public void visitIincInsn(int index, int increment) {
        add(form() == WIDE ? 6 : 3, Opcodes.IINC, List.of(index, increment));
    }

    private static int[] targets(Label fallback, Label[] labels) {
        int[] targets = new int[labels.length + 1];
        targets[0] = bci(fallback);
        for (int i = 0; i < labels.length; i++) targets[i + 1] = bci(labels[i]);
        return targets;
    }

    @Override
    public void visitTableSwitchInsn(int low, int high, Label fallback, Label... labels) {
        int size = ((next + 4) & ~3) - next + 12 + 4 * labels.length;
        add(size, Opcodes.TABLESWITCH, List.of(low, high), targets(fallback, labels));
    }

    @Override
    public void visitLookupSwitchInsn(Label fallback, int[] keys, Label[] labels) {
        int size = ((next + 4) & ~3) - next + 8 + 8 * labels.length;
        List<Object> operands = new ArrayList<>();
        for (int key : keys) operands.add(key);
        add(size, Opcodes.LOOKUPSWITCH, operands, targets(fallback, labels));
    }

    @Override
    public void visitMultiANewArrayInsn(String descriptor, int dimensions) {
        add(4, Opcodes.MULTIANEWARRAY, List.of(descriptor, dimensions));
    }

    /** Compares floating-point numbers by their bits: NaNs may differ, and 0.0 differs from -0.0. */
    private static Object exact(Object value) {
        if (value instanceof Float)
            return "float bits " + Float.floatToRawIntBits((Float) value);
        if (value instanceof Double)
            return "double bits " + Double.doubleToRawLongBits((Double) value);
        if (!(value instanceof Object[])) return value;
        List<Object> all = new ArrayList<>();
        for (Object each : (Object[]) value) all.add(exact(each));
        return all;
    }

    // ---- References to instructions ------------------------------------------------------------

    @Override
    public void visitLabel(Label label) {
        if (bci(label) != next)
            throw new IllegalStateException("the checker is at " + next + ", ASM at " + bci(label));
    }

    @Override
    public void visitLineNumber(int line, Label start) {
        lines.add(new int[] {bci(start), line});
    }

    @Override
    public void visitTryCatchBlock(Label start, Label end, Label handler, String type) {
        ranges.add(new Range(bci(start), bci(end), bci(handler), type));
    }

    @Override
    public void visitLocalVariable(String name, String descriptor, String signature, Label start,
                                   Label end, int index) {
        variables.add(Arrays.asList(name, descriptor, signature, index));
        variableRanges.add(new int[] {bci(start), bci(end)});
    }

    private static List<Object> types(int count, Object[] types) {
        List<Object> result = new ArrayList<>(count);
        for (int i = 0; i < count; i++)
            result.add(types[i] instanceof Label ? new New(bci((Label) types[i])) : types[i]);
        return result;
    }

    @Override
    public void visitFrame(int type, int localCount, Object[] locals, int stackCount,
                           Object[] stack) {
        frames.add(new Frame(next, types(localCount, locals), types(stackCount, stack)));
    }

    @Override
    public AnnotationVisitor visitInsnAnnotation(int typeReference, TypePath path,
                                                 String descriptor, boolean visible) {
        Values values = new Values();
        int bci = instructions.get(instructions.size() - 1).bci;
        instructionNotes.add(new Note(typeReference, rest(path, descriptor, visible, values), bci));
        return values;
    }

    @Override
    public AnnotationVisitor visitTryCatchAnnotation(int typeReference, TypePath path,
                                                     String descriptor, boolean visible) {
        Values values = new Values();
        catchNotes.add(new Note(typeReference, rest(path, descriptor, visible, values)));
        return values;
    }

    @Override
    public AnnotationVisitor visitLocalVariableAnnotation(int typeReference, TypePath path,
                                                          Label[] start, Label[] end, int[] index,
                                                          String descriptor, boolean visible) {
        Values values = new Values();
        List<Object> rest = rest(path, descriptor, visible, values);
        int[] positions = new int[2 * start.length];
        for (int i = 0; i < start.length; i++) {
            positions[2 * i] = bci(start[i]);
            positions[2 * i + 1] = bci(end[i]);
            rest.add(index[i]);
        }
        variableNotes.add(new Note(typeReference, rest, positions));
        return values;
    }

    private static List<Object> rest(TypePath path, String descriptor, boolean visible,
                                     Values values) {
        List<Object> rest = new ArrayList<>();
        Collections.addAll(rest, Objects.toString(path), descriptor, visible, values);
        return rest;
    }

    @Override
    public void visitAttribute(Attribute attribute) {
        if (inCode) attributes.add(attribute.type); // otherwise it belongs to the method
    }

    @Override
    public void visitMaxs(int stack, int locals) {
        maxStack = stack;
        maxLocals = locals;
        if (next != length)
            throw new IllegalStateException("the checker ended at " + next + " of " + length);
    }
}

// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.Opcodes;

/** Checks the catch-all handlers: the instructions that they cover, and their frames. */
final class Cover {
    private static final int HANDLER_LENGTH = 13;
    private static final int FRAMES_SINCE = 50;
    private static final int NOBODY = -1;
    /** The home in a frame that holds no uninitialized `this`. */
    private static final int NO_HOME = -1;

    private final Alignment alignment;
    private final Code before;
    private final Code after;
    private final int major;
    private final Findings findings;
    /** By index of a rewritten instruction: the number of the handler that covers it, or NOBODY. */
    private final int[] by;
    /** By handler: the local that holds the uninitialized `this`. */
    private final List<Integer> homes = new ArrayList<>();

    Cover(Alignment alignment, int major, Findings findings) {
        this.alignment = alignment;
        this.before = alignment.before;
        this.after = alignment.after;
        this.major = major;
        this.findings = findings;
        by = new int[after.instructions.size()];
    }

    /** Checks everything. `first` is the index of the first exception table entry of the handlers. */
    void compare(int first, String owner, Shape.Member method, Constructors constructors) {
        if (!readRanges(first)) return;
        readFrames();
        boolean constructor = method.name.equals("<init>");
        if (constructor && owner.equals("java/lang/Object")) {
            if (alignment.handlerCount != 0) findings.differ("Object's constructor has a handler");
        } else if (constructor && major >= FRAMES_SINCE && !oneOverEverything()) {
            compareConstructor(constructors.initialization(method));
        } else {
            if (alignment.handlerCount != 1)
                findings.differ(alignment.handlerCount + " catch-all handlers instead of 1");
            for (int i = 2; i < by.length; i++)
                if (alignment.kinds[i] != Alignment.Kind.HANDLER) want(i, isReturn(i) ? NOBODY : 0);
        }
    }

    private boolean isReturn(int i) {
        return after.instructions.get(i).isReturn();
    }

    private void want(int i, int handler) {
        if (by[i] != handler)
            findings.differ(alignment.originalBci(i), alignment.kinds[i] + " at rewritten bci "
                            + after.instructions.get(i).bci + " is covered by catch-all "
                            + by[i] + ", not " + handler + " (-1: none)");
    }

    private boolean readRanges(int first) {
        Arrays.fill(by, NOBODY);
        for (int i = first; i < after.ranges.size(); i++) {
            Code.Range range = after.ranges.get(i);
            int offset = range.handler - alignment.handlersAt;
            int from = alignment.indexes[range.start];
            int to = alignment.indexes[range.end];
            if (offset < 0 || offset % HANDLER_LENGTH != 0 || range.type != null || from < 0
                || to <= from) {
                findings.differ("exception table entry " + range
                                + " belongs neither to the program nor to a catch-all handler");
                return false;
            }
            for (int at = from; at < to; at++) {
                Alignment.Kind kind = alignment.kinds[at];
                if (by[at] != NOBODY || kind == Alignment.Kind.PUSH || kind == Alignment.Kind.HANDLER)
                    findings.differ(alignment.originalBci(at),
                                    kind + " is covered wrongly or twice by catch-all " + range);
                by[at] = offset / HANDLER_LENGTH;
            }
        }
        return true;
    }

    /** Reads the frames of the handlers, which are the last frames. */
    private void readFrames() {
        if (major < FRAMES_SINCE) return;
        Set<Integer> seen = new HashSet<>();
        for (int i = 0; i < alignment.handlerCount; i++) {
            int index = after.frames.size() - alignment.handlerCount + i;
            Code.Frame frame = index < 0 ? null : after.frames.get(index);
            int bci = alignment.handlersAt + i * HANDLER_LENGTH;
            int home = frame == null ? NO_HOME : frame.locals.size() - 1;
            List<Object> locals = new ArrayList<>(Collections.nCopies(Math.max(home, 0), Opcodes.TOP));
            if (home != NO_HOME) locals.add(Opcodes.UNINITIALIZED_THIS);
            if (frame == null || frame.bci != bci || !frame.locals.equals(locals)
                || !frame.stack.equals(List.of("java/lang/Throwable")) || !seen.add(home))
                findings.differ("the frame of catch-all handler " + i + " is wrong: " + frame);
            homes.add(home);
        }
        if (alignment.handlerCount > 0 && homes.get(0) != NO_HOME)
            findings.differ("the first catch-all handler's frame has locals");
    }

    // ---- Constructors --------------------------------------------------------------------------

    /** Whether one handler covers all, as in a class of version 50 for the type-inferring verifier. */
    private boolean oneOverEverything() {
        if (major != FRAMES_SINCE || alignment.handlerCount != 1) return false;
        for (int i = 2; i < by.length; i++) {
            boolean code = alignment.kinds[i] != Alignment.Kind.HANDLER && !isReturn(i);
            if (code && by[i] != 0) return false;
        }
        findings.count("constructors covered as a whole", 1);
        return true;
    }

    private void compareConstructor(Constructors.Initialization initialization) {
        if (initialization == null) {
            findings.skip("ASM cannot analyze the constructor");
            return;
        }
        BitSet uninitialized = initialization.uninitialized;
        findings.count("constructors followed", 1);
        for (int i = 2; i < by.length; i++) {
            Alignment.Kind kind = alignment.kinds[i];
            int owner = alignment.owners[i];
            if (kind == Alignment.Kind.HANDLER) continue;
            if (isReturn(i) || kind == Alignment.Kind.ORIGINAL && initialization.calls.get(owner)) {
                want(i, NOBODY);
            } else if (uninitialized.get(owner)) {
                compareUninitialized(i);
            } else if (initialization.reached.get(owner)) {
                want(i, 0);
            } else {
                findings.count("dead instructions of constructors", 1);
            }
        }
    }

    /** Before super(), an instruction that may throw needs a handler whose frame has `this`. */
    private void compareUninitialized(int i) {
        int bci = alignment.originalBci(i);
        Alignment.Kind kind = alignment.kinds[i];
        if (by[i] == NOBODY) {
            boolean call = kind != Alignment.Kind.NOP && kind != Alignment.Kind.ORIGINAL;
            if (call || mayThrow(after.instructions.get(i)))
                findings.differ(bci, kind + " before super() is not covered");
        } else if (homes.get(by[i]) == NO_HOME) {
            findings.differ(bci, kind + " before super() is covered by the handler for code after it");
        } else {
            findings.count("instructions covered before super()", 1);
        }
    }

    private static boolean mayThrow(Code.Instruction instruction) {
        int opcode = instruction.opcode;
        if (opcode >= Opcodes.IALOAD && opcode <= Opcodes.SALOAD) return true;
        if (opcode >= Opcodes.IASTORE && opcode <= Opcodes.SASTORE) return true;
        switch (opcode) {
        case Opcodes.LDC: // may load classes and resolve
        case Opcodes.IDIV:
        case Opcodes.LDIV:
        case Opcodes.IREM:
        case Opcodes.LREM: return true;
        default: return opcode >= Opcodes.GETSTATIC && opcode <= Opcodes.MULTIANEWARRAY;
        }
    }
}

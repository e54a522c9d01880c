// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.Opcodes;

/**
 * Matches the instructions of the rewritten code with those of the original, in one walk over both.
 * Every expected insertion must be in its place, and every other instruction must be the original one.
 */
final class Alignment {
    /** The kinds of instructions in the rewritten code. */
    enum Kind { PUSH, CAUGHT, POP, NOP, ORIGINAL, HANDLER }

    private static final String RUNTIME = "plumbline/Trace";
    private static final int CALL_LENGTH = 6;
    private static final int LDC_W = 19;
    /** The reach of a 16-bit branch; the rewriter does not use -32768. */
    private static final int REACH = 32767;

    final Code before;
    final Code after;
    final int number;
    private final Findings findings;
    private final Set<Integer> caughts = new HashSet<>();

    /** By original bci: the new bci of the insertions before an instruction, and of the instruction. */
    final int[] start;
    final int[] own;
    /** By index of a rewritten instruction. */
    final Kind[] kinds;
    /** The index of the original instruction that it is or precedes; -1 for a catch-all handler. */
    final int[] owners;
    /** By bytecode index of the rewritten code: the instruction's index, or -1 if none begins there. */
    final int[] indexes;
    int handlersAt;
    int handlerCount;

    private int at; // the next rewritten instruction
    private boolean lost;

    Alignment(Code before, Code after, int number, Findings findings) {
        this.before = before;
        this.after = after;
        this.number = number;
        this.findings = findings;
        start = filled(before.length() + 1);
        own = filled(before.length() + 1);
        kinds = new Kind[after.instructions.size()];
        owners = filled(kinds.length);
        indexes = filled(after.length() + 1);
        for (int i = 0; i < kinds.length; i++) indexes[after.instructions.get(i).bci] = i;
        indexes[after.length()] = kinds.length;
        for (Code.Range range : before.ranges)
            if (!releasesMonitor(range.handler)) caughts.add(range.handler);
    }

    private static int[] filled(int length) {
        int[] array = new int[length];
        Arrays.fill(array, -1);
        return array;
    }

    /** Whether straight-line code from a handler's start has a monitorexit before any monitorenter. */
    private boolean releasesMonitor(int handler) {
        for (int i = indexBefore(handler); i < before.instructions.size(); i++) {
            Code.Instruction instruction = before.instructions.get(i);
            if (instruction.opcode == Opcodes.MONITOREXIT) return true;
            if (instruction.opcode == Opcodes.MONITORENTER || !instruction.fallsThrough()) return false;
        }
        return false;
    }

    /** The index of the first original instruction at or behind a bytecode index. */
    private int indexBefore(int bci) {
        int low = 0;
        int high = before.instructions.size();
        while (low < high) {
            int middle = (low + high) / 2;
            if (before.instructions.get(middle).bci < bci) low = middle + 1;
            else high = middle;
        }
        return low;
    }

    /** Whether a call of caught is inserted before an original instruction. */
    boolean catches(int bci) {
        return caughts.contains(bci);
    }

    boolean hasInsertedCalls() {
        if (!caughts.isEmpty()) return true;
        return before.instructions.stream().anyMatch(Code.Instruction::isReturn);
    }

    /** Matches everything. False if the instructions do not fit; then nothing else can be compared. */
    boolean align() {
        call("push", Kind.PUSH, 0);
        List<Code.Instruction> originals = before.instructions;
        for (int i = 0; i < originals.size() && !lost; i++) {
            Code.Instruction original = originals.get(i);
            start[original.bci] = here();
            if (catches(original.bci)) call("caught", Kind.CAUGHT, i);
            if (original.isReturn()) call("pop", Kind.POP, i);
            if (original.isSwitch()) nops(i);
            own[original.bci] = here();
            original(i);
        }
        handlersAt = start[before.length()] = own[before.length()] = here();
        int from = at;
        while (at < kinds.length && !lost) {
            call("caught", Kind.HANDLER, -1);
            call("pop", Kind.HANDLER, -1);
            if (!lost) same(Opcodes.ATHROW, List.of(), Kind.HANDLER, -1);
            handlerCount++;
        }
        if (lost) return false;
        if (here() != handlersAt + handlerCount * (2 * CALL_LENGTH + 1))
            return lose("a catch-all handler is not 13 bytes long");
        findings.count("inserted instructions", from - originals.size() + 5L * handlerCount);
        for (int i = 0; i < originals.size(); i++) checkTargets(originals.get(i));
        return true;
    }

    private int here() {
        return at < kinds.length ? after.instructions.get(at).bci : after.length();
    }

    private boolean lose(String what) {
        findings.differ("rewritten bci " + here() + ": " + what
                        + (at < kinds.length ? ", but there is " + after.instructions.get(at) : ""));
        lost = true;
        return false;
    }

    private void take(Kind kind, int owner) {
        kinds[at] = kind;
        owners[at++] = owner;
    }

    private void same(int form, List<Object> operands, Kind kind, int owner) {
        Code.Instruction there = at < kinds.length ? after.instructions.get(at) : null;
        if (there != null && there.form == form && there.operands.equals(operands)) take(kind, owner);
        else lose("no " + kind + ": opcode " + form + " " + operands
                  + (owner >= 0 ? " before original bci " + before.instructions.get(owner).bci : ""));
    }

    private void call(String name, Kind kind, int owner) {
        int load = number <= Short.MAX_VALUE ? Opcodes.SIPUSH : LDC_W;
        if (!lost) same(load, List.of(number), kind, owner);
        if (!lost) same(Opcodes.INVOKESTATIC, List.of(RUNTIME, name, "(I)V", false), kind, owner);
    }

    /** Matches the nops before a switch, which keep its distance from a multiple of four. */
    private void nops(int i) {
        int bci = before.instructions.get(i).bci;
        for (int left = (bci - here()) & 3; left > 0 && !lost; left--)
            same(Opcodes.NOP, List.of(), Kind.NOP, i);
    }

    private static int inverted(int opcode) {
        switch (opcode) {
        case Opcodes.IFEQ: return Opcodes.IFNE;
        case Opcodes.IFNE: return Opcodes.IFEQ;
        case Opcodes.IFLT: return Opcodes.IFGE;
        case Opcodes.IFGE: return Opcodes.IFLT;
        case Opcodes.IFGT: return Opcodes.IFLE;
        case Opcodes.IFLE: return Opcodes.IFGT;
        case Opcodes.IF_ICMPEQ: return Opcodes.IF_ICMPNE;
        case Opcodes.IF_ICMPNE: return Opcodes.IF_ICMPEQ;
        case Opcodes.IF_ICMPLT: return Opcodes.IF_ICMPGE;
        case Opcodes.IF_ICMPGE: return Opcodes.IF_ICMPLT;
        case Opcodes.IF_ICMPGT: return Opcodes.IF_ICMPLE;
        case Opcodes.IF_ICMPLE: return Opcodes.IF_ICMPGT;
        case Opcodes.IF_ACMPEQ: return Opcodes.IF_ACMPNE;
        case Opcodes.IF_ACMPNE: return Opcodes.IF_ACMPEQ;
        case Opcodes.IFNULL: return Opcodes.IFNONNULL;
        case Opcodes.IFNONNULL: return Opcodes.IFNULL;
        default: return -1;
        }
    }

    private void original(int i) {
        if (lost) return;
        Code.Instruction original = before.instructions.get(i);
        Code.Instruction there = at < kinds.length ? after.instructions.get(at) : null;
        boolean subroutine = original.opcode == Opcodes.JSR || original.opcode == Opcodes.RET;
        if (subroutine) findings.count("jsr and ret", 1);
        boolean jumps = original.targets.length > 0 && !original.isSwitch();
        boolean grown = there != null && jumps && there.form != original.form;
        if (grown) {
            grown(original, there, i);
        } else if (there == null || there.form != original.form || there.opcode != original.opcode
                   || !there.operands.equals(original.operands)
                   || there.targets.length != original.targets.length) {
            lose("no original instruction of bci " + original.bci + ": " + original);
        } else {
            take(Kind.ORIGINAL, i);
        }
    }

    /** Matches a widened branch, whose target 16 bits no longer reach. */
    private void grown(Code.Instruction original, Code.Instruction there, int i) {
        findings.count("widened branches", 1);
        if (!original.isIf()) {
            if (there.opcode == original.opcode && there.isWideJump()) take(Kind.ORIGINAL, i);
            else lose("no original branch of bci " + original.bci + ": " + original);
            return;
        }
        if (there.form != inverted(original.opcode) || there.targets[0] != there.bci + 8) {
            lose("no inverted branch of bci " + original.bci + ": " + original);
            return;
        }
        take(Kind.ORIGINAL, i);
        Code.Instruction jump = at < kinds.length ? after.instructions.get(at) : null;
        if (jump != null && jump.opcode == Opcodes.GOTO && jump.isWideJump()) take(Kind.ORIGINAL, i);
        else lose("no goto_w behind the inverted branch of bci " + original.bci);
    }

    /** A jump must lead to the insertions before the same instruction. */
    private void checkTargets(Code.Instruction original) {
        if (original.targets.length == 0) return;
        Code.Instruction there = after.instructions.get(indexes[own[original.bci]]);
        boolean wide = there.form != original.form;
        Code.Instruction jump = wide && original.isIf()
            ? after.instructions.get(indexes[own[original.bci]] + 1) : there;
        for (int i = 0; i < original.targets.length; i++)
            if (jump.targets[i] != start[original.targets[i]])
                findings.differ(original.bci, "target " + i + " was " + original.targets[i] + ", should be "
                                + start[original.targets[i]] + ", but is " + jump.targets[i]);
        if (wide) checkDistance(original, Math.abs(start[original.targets[0]] - there.bci));
    }

    private void checkDistance(Code.Instruction original, int distance) {
        // When another branch grows, a switch may need up to three nops fewer.
        long slack = 3 * before.instructions.stream().filter(Code.Instruction::isSwitch).count();
        if (distance <= REACH - slack)
            findings.differ(original.bci, "the branch is widened, but its distance is only " + distance);
    }

    /** The new bci of debug information that began or ended at an original bytecode index. */
    int debug(int bci) {
        if (bci == 0) return 0;
        if (start[bci] >= 0) return start[bci];
        int inside = before.instructions.get(indexBefore(bci) - 1).bci;
        return own[inside] + bci - inside;
    }

    /** The original bci to which a rewritten instruction belongs. */
    int originalBci(int index) {
        int owner = index < owners.length ? owners[index] : -1;
        return owner < 0 ? before.length() : before.instructions.get(owner).bci;
    }
}

// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.objectweb.asm.TypeReference;

/** Checks the tables that refer to code: each original entry, moved, must equal the rewritten one. */
final class Tables {
    private static final int FRAMES_SINCE = 50;

    private final Alignment alignment;
    private final Code before;
    private final Code after;
    private final int major;
    private final Findings findings;
    /** By original exception table entry: the index of its first rewritten part. */
    private final int[] parts;

    Tables(Alignment alignment, int major, Findings findings) {
        this.alignment = alignment;
        this.before = alignment.before;
        this.after = alignment.after;
        this.major = major;
        this.findings = findings;
        parts = new int[before.ranges.size()];
    }

    /** Compares everything; returns the index of the first exception table entry after the program's. */
    int compare() {
        int next = compareRanges();
        compareLines();
        compareVariables();
        compareFrames();
        compareNotes("annotation of an instruction", before.instructionNotes, after.instructionNotes);
        compareNotes("annotation of a variable", before.variableNotes, after.variableNotes);
        compareNotes("annotation of a catch", before.catchNotes, after.catchNotes);
        compareLimits();
        findings.count("attributes of code dropped", before.attributes.size());
        if (!after.attributes.isEmpty())
            findings.differ("unknown attributes of code were kept: " + after.attributes);
        return next;
    }

    private void compareLimits() {
        int stack = Math.max(2, before.maxStack + (alignment.hasInsertedCalls() ? 1 : 0));
        if (after.maxStack != stack)
            findings.differ("max_stack is " + after.maxStack + ", not " + stack);
        if (after.maxLocals != before.maxLocals)
            findings.differ("max_locals is " + after.maxLocals + ", not " + before.maxLocals);
    }

    // ---- The program's exception ranges --------------------------------------------------------

    private int compareRanges() {
        int next = 0;
        findings.count("exception ranges", before.ranges.size());
        for (int i = 0; i < before.ranges.size(); i++) {
            parts[i] = next;
            next = compareRange(before.ranges.get(i), next);
            if (next < 0) {
                findings.differ("exception table entry " + i + " " + before.ranges.get(i)
                                + " was not split correctly: " + after.ranges);
                return -1;
            }
        }
        return next;
    }

    /** Follows the parts of an entry; returns the index after the last, or -1 if they do not fit. */
    private int compareRange(Code.Range range, int first) {
        int handler = alignment.start[range.handler];
        int end = alignment.start[range.end];
        int reached = alignment.start[range.start];
        BitSet covered = new BitSet();
        int next = first;
        do {
            if (next == after.ranges.size()) return -1;
            Code.Range part = after.ranges.get(next++);
            boolean same = part.handler == handler
                && (part.type == null ? range.type == null : part.type.equals(range.type));
            if (!same || part.start < reached || part.start >= part.end || part.end > end) return -1;
            int to = alignment.indexes[part.end];
            int from = alignment.indexes[part.start];
            if (from < 0 || to < 0) return -1;
            covered.set(from, to);
            reached = part.end;
        } while (reached < end);
        compareCovered(range, covered);
        return next;
    }

    private void compareCovered(Code.Range range, BitSet covered) {
        int end = alignment.indexes[alignment.start[range.end]];
        for (int i = alignment.indexes[alignment.start[range.start]]; i < end; i++) {
            Alignment.Kind kind = alignment.kinds[i];
            if (kind == Alignment.Kind.NOP) continue; // cannot throw
            int bci = alignment.originalBci(i);
            boolean wanted = kind == Alignment.Kind.ORIGINAL
                || kind == Alignment.Kind.CAUGHT && range.handler > bci;
            if (covered.get(i) != wanted)
                findings.differ(bci, kind + " is " + (wanted ? "not " : "") + "covered by " + range);
        }
    }

    // ---- Lines, variables, annotations ---------------------------------------------------------

    private void compareLines() {
        findings.count("lines", before.lines.size());
        if (before.lines.size() != after.lines.size())
            findings.differ(before.lines.size() + " lines, now " + after.lines.size());
        for (int i = 0; i < Math.min(before.lines.size(), after.lines.size()); i++) {
            int[] was = before.lines.get(i);
            int[] is = after.lines.get(i);
            if (is[0] != alignment.debug(was[0]) || is[1] != was[1])
                findings.differ(was[0], "line " + was[1] + " at " + alignment.debug(was[0])
                                + " became line " + is[1] + " at " + is[0]);
        }
    }

    private void compareVariables() {
        findings.count("variables", before.variables.size());
        if (before.variables.size() != after.variables.size())
            findings.differ(before.variables.size() + " variables, now " + after.variables.size());
        for (int i = 0; i < Math.min(before.variables.size(), after.variables.size()); i++) {
            int[] was = before.variableRanges.get(i);
            int[] is = after.variableRanges.get(i);
            int[] wanted = {alignment.debug(was[0]), alignment.debug(was[1])};
            if (!Arrays.equals(is, wanted)
                || !before.variables.get(i).equals(after.variables.get(i)))
                findings.differ(was[0], "variable " + before.variables.get(i) + " in "
                                + Arrays.toString(wanted) + " became " + after.variables.get(i)
                                + " in " + Arrays.toString(is));
        }
    }

    private Code.Note moved(Code.Note note) {
        int type = note.typeReference;
        int[] positions = note.positions.clone();
        int sort = new TypeReference(type).getSort();
        if (sort == TypeReference.EXCEPTION_PARAMETER) {
            int index = new TypeReference(type).getTryCatchBlockIndex();
            type = TypeReference.newTryCatchReference(parts[index]).getValue();
        } else if (sort == TypeReference.LOCAL_VARIABLE || sort == TypeReference.RESOURCE_VARIABLE) {
            for (int i = 0; i < positions.length; i++) positions[i] = alignment.debug(positions[i]);
        } else {
            for (int i = 0; i < positions.length; i++) positions[i] = alignment.own[positions[i]];
        }
        return new Code.Note(type, note.rest, positions);
    }

    private void compareNotes(String what, List<Code.Note> were, List<Code.Note> are) {
        findings.count("type annotations", were.size());
        if (were.size() != are.size())
            findings.differ(what + ": " + were.size() + " before, now " + are.size());
        for (int i = 0; i < Math.min(were.size(), are.size()); i++) {
            Code.Note wanted = moved(were.get(i));
            Code.Note is = are.get(i);
            if (is.typeReference != wanted.typeReference || !is.rest.equals(wanted.rest)
                || !Arrays.equals(is.positions, wanted.positions))
                findings.differ(what + ": was " + were.get(i) + ", should be " + wanted + ", but is " + is);
        }
    }

    // ---- Frames --------------------------------------------------------------------------------

    private List<Object> moved(List<Object> types) {
        List<Object> result = new ArrayList<>(types.size());
        for (Object type : types)
            result.add(type instanceof Code.New
                       ? new Code.New(alignment.own[((Code.New) type).bci]) : type);
        return result;
    }

    private void compareFrames() {
        // In older versions the JVM ignores frames.
        List<Code.Frame> were = major < FRAMES_SINCE ? List.of() : before.frames;
        List<Code.Frame> are = after.frames;
        int handlers = major < FRAMES_SINCE ? 0 : alignment.handlerCount;
        findings.count("frames", were.size());
        if (are.size() != were.size() + handlers)
            findings.differ(were.size() + " frames and " + handlers + " of catch-all handlers, now "
                            + are.size());
        for (int i = 0; i < Math.min(were.size(), are.size()); i++) {
            Code.Frame was = were.get(i);
            Code.Frame is = are.get(i);
            Code.Frame wanted =
                new Code.Frame(alignment.start[was.bci], moved(was.locals), moved(was.stack));
            if (is.bci != wanted.bci || !is.locals.equals(wanted.locals)
                || !is.stack.equals(wanted.stack))
                findings.differ(was.bci, "frame " + wanted + " became " + is);
        }
    }
}

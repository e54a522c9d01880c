// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import plumblinecase.Case;

/**
 * Method: a compiled method gives its frame back before it returns, and between the two a walker
 * can take the stack pointer for that of the whole frame. Four methods call each other in random
 * order, 1 to 6 deep, without inlining. They differ only in the number of longs that they must keep
 * over their calls: frames of four sizes, 16 bytes apart (C1 and C2 align them so), lie on each
 * other in all orders. The youngest calls String.indexOf. The methods do so little that much of the
 * time is spent entering and leaving them.
 *
 * <p>Expected: at the `pop rbp` between `add rsp` and the return, traces that lack the caller:
 * certainly where the callee's frame is 16 bytes larger than the caller's, by chance elsewhere
 * (hazards A1, A13; findings.md, 3).
 */
public final class FrameSize extends Case {
    private static final int FRAMES = 6;
    private static final int CALLS = 400;
    private static final String TEXT = "abcdefgh";

    public static void main(String[] args) {
        Case.run(FrameSize::new);
    }

    @Override
    protected void unit() {
        long seed = next();
        int frames = between(1, FRAMES);
        for (int i = 0; i < CALLS; i++) {
            equal(frames + 1, call(frames, seed >>> (i & 31)), "frames that came back");
        }
    }

    /** The JDK's methods are not instrumented: their exits do not follow a call of Trace.pop. */
    private static int found(String text, long seed) {
        int at = (int)(seed & 7);
        return text.indexOf('a' + at) == at ? 1 : 0;
    }

    private static int call(int frames, long seed) {
        switch ((int)(seed & 3)) {
        case 0: return two(frames, seed);
        case 1: return four(frames, seed);
        case 2: return six(frames, seed);
        default: return eight(frames, seed);
        }
    }

    private static int two(int frames, long seed) {
        if (frames == 0) return found(TEXT, seed);
        int below;
        switch ((int)(seed >>> 2 & 3)) {
        case 0: below = two(frames - 1, seed >>> 2); break;
        case 1: below = four(frames - 1, seed >>> 2); break;
        case 2: below = six(frames - 1, seed >>> 2); break;
        default: below = eight(frames - 1, seed >>> 2); break;
        }
        return below + 1;
    }

    private static int four(int frames, long seed) {
        if (frames == 0) return found(TEXT, seed);
        long a = seed * 3, b = seed ^ 5;
        int below;
        switch ((int)(seed >>> 2 & 3)) {
        case 0: below = two(frames - 1, seed >>> 2); break;
        case 1: below = four(frames - 1, seed >>> 2); break;
        case 2: below = six(frames - 1, seed >>> 2); break;
        default: below = eight(frames - 1, seed >>> 2); break;
        }
        return a == b + 1 && a == b ? 0 : below + 1;
    }

    private static int six(int frames, long seed) {
        if (frames == 0) return found(TEXT, seed);
        long a = seed * 3, b = seed ^ 5, c = seed + 7, d = seed - 9;
        int below;
        switch ((int)(seed >>> 2 & 3)) {
        case 0: below = two(frames - 1, seed >>> 2); break;
        case 1: below = four(frames - 1, seed >>> 2); break;
        case 2: below = six(frames - 1, seed >>> 2); break;
        default: below = eight(frames - 1, seed >>> 2); break;
        }
        return a == b + c + d && b == c + 1 && c == d && d == a ? 0 : below + 1;
    }

    private static int eight(int frames, long seed) {
        if (frames == 0) return found(TEXT, seed);
        long a = seed * 3, b = seed ^ 5, c = seed + 7, d = seed - 9, e = seed * 11, f = seed ^ 13;
        int below;
        switch ((int)(seed >>> 2 & 3)) {
        case 0: below = two(frames - 1, seed >>> 2); break;
        case 1: below = four(frames - 1, seed >>> 2); break;
        case 2: below = six(frames - 1, seed >>> 2); break;
        default: below = eight(frames - 1, seed >>> 2); break;
        }
        return a == b + c + d + e + f && b == c + 1 && c == d && d == e && e == f && f == a
            ? 0
            : below + 1;
    }
}

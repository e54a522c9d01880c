// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import plumblinecase.Case;

/**
 * Method: compiled code asks the VM for work it does not do itself, and the VM makes an exception:
 * for a copy that fails its store check, an array of negative length, null. The exception's
 * constructor is Java. The VM calls it, and a stub of C1's or C2's runtime called the VM, at depths
 * of 1 to 60. Nothing else takes much time.
 *
 * <p>Expected: on HotSpot up to 27, in C1's and C2's code, traces that end where the VM called
 * (hazard E3; findings.md, 1). None of them in the interpreter, which has no stubs (but those of
 * finding 4).
 */
public final class UpStubs extends Case {
    private static final int FRAMES = 60;

    private final Object[] mixed = {"text", "text", Integer.valueOf(1)};
    private final String[] strings = new String[3];
    private final int[] none = null;

    public static void main(String[] args) {
        Case.run(UpStubs::new);
    }

    @Override
    protected void unit() {
        int frames = between(1, FRAMES);
        for (int kind = 0; kind < THROWN.length; kind++) {
            check(caught(kind, frames) == THROWN[kind], "arrived: " + THROWN[kind]);
        }
    }

    private static final Class<?>[] THROWN = {
        ArrayStoreException.class, NegativeArraySizeException.class, NullPointerException.class};

    private Class<?> caught(int kind, int frames) {
        try {
            down(kind, frames);
            return null;
        } catch (RuntimeException caught) {
            return caught.getClass();
        }
    }

    private int down(int kind, int frames) {
        if (frames > 0) return 1 + down(kind, frames - 1);
        switch (kind) {
        case 0: return copy(mixed.length);
        case 1: return make(-mixed.length).length;
        default: return read(none);
        }
    }

    private int copy(int length) {
        System.arraycopy(mixed, 0, strings, 0, length);
        return length;
    }

    private static int[] make(int length) {
        return new int[length];
    }

    private static int read(int[] from) {
        return from.length;
    }
}

// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import java.lang.ref.WeakReference;
import java.util.zip.CRC32;
import plumblinecase.Case;

/**
 * Method: the interpreter has entries that do a whole method's work and make no frame: for sines,
 * logarithms and powers, for a step of CRC-32, for Reference.get(). On aarch64 the caller's address
 * is in a register alone meanwhile: in lr, or in one that the entry keeps it in while it calls a
 * function. The methods of Math and CRC32 are never compiled and no intrinsic replaces their calls
 * (the case's CompileCommand and DisableIntrinsic), so that interpreted and compiled callers use the
 * entries, 1 to 40 frames deep; those of Reference.get() are interpreted. Each result is held
 * against a law of arithmetic.
 *
 * <p>Expected: no mismatch in an entry itself whose caller is interpreted and keeps its frame. Where
 * the caller is compiled, an interpreter's frame that is not made yet (findings.md, 5). In C++
 * without a frame that the entry called, the interpreted caller is missing (findings.md, 4).
 */
public final class LeafEntries extends Case {
    private static final int FRAMES = 40;
    private static final int TURNS = 12;

    private final CRC32 crc = new CRC32();
    private final byte[] one = new byte[1];
    private final WeakReference<Object> weak = new WeakReference<>(this);

    public static void main(String[] args) {
        Case.run(LeafEntries::new);
    }

    @Override
    protected void unit() {
        int frames = between(1, FRAMES);
        equal((frames + 1L) * 4 * TURNS, down(frames, below(1000) * 0.001), "results that were right");
    }

    /** Counts the results that are right. */
    private long down(int frames, double x) {
        long right = waves(x) + powers(x + 1) + checksum(frames) + gets();
        return frames == 0 ? right : right + down(frames - 1, x + 0.01);
    }

    private static boolean near(double a, double b) {
        return Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a));
    }

    private static long waves(double x) {
        long right = 0;
        for (int i = 0; i < TURNS; i++) {
            double sine = Math.sin(x + i), cosine = Math.cos(x + i);
            if (near(1, sine * sine + cosine * cosine) && near(sine, Math.tan(x + i) * cosine)) right++;
        }
        return right;
    }

    private static long powers(double x) {
        long right = 0;
        for (int i = 0; i < TURNS; i++) {
            double logarithm = Math.log(x + i);
            if (near(x + i, Math.exp(logarithm)) && near((x + i) * (x + i), Math.pow(x + i, 2))
                && near(x + i, Math.pow(10, Math.log10(x + i)))) right++;
        }
        return right;
    }

    /** A byte alone, and the same byte as an array: one entry each. */
    private long checksum(int value) {
        long right = 0;
        for (int i = 0; i < TURNS; i++) {
            one[0] = (byte)(value + i);
            crc.reset();
            crc.update(one[0]);
            long alone = crc.getValue();
            crc.reset();
            crc.update(one, 0, 1);
            if (crc.getValue() == alone) right++;
        }
        return right;
    }

    private long gets() {
        long right = 0;
        for (int i = 0; i < TURNS; i++)
            if (weak.get() == this) right++;
        return right;
    }
}

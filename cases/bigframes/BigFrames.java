// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import plumblinecase.Case;

/**
 * Method: three methods call each other in random order, 1 to 12 deep: one with 250 arguments,
 * which passes them on rotated by one place; one with 320 longs that are alive over its call; and a
 * small one between. The sums of the results show whether anything was lost.
 *
 * <p>Expected: no mismatch except those of the epilogue (hazard A1; findings.md, 3). Frames of two
 * to six kilobytes are larger than a page, so compiled code touches several pages below itself.
 * They are also larger than `frame::is_interpreted_frame_valid` allows between rbp and sp, unless
 * it counts the method's own locals.
 */
public final class BigFrames extends Case {
    private static final int FRAMES = 12;
    private static final int ARGUMENTS = 250;
    private static final int LOCALS = 320;

    private long kinds; // the next methods: two bits a level

    public static void main(String[] args) {
        Case.run(BigFrames::new);
    }

    @Override
    protected void unit() {
        int frames = between(1, FRAMES);
        kinds = next();
        int seed = below(1000);
        equal(expected(frames, seed), down(frames, seed), "sum of what came back");
    }

    private long expected(int frames, int seed) {
        long sum = 0;
        for (int level = frames; level > 0; level--) sum += expectedOf(kind(level), seed);
        return sum;
    }

    private static long expectedOf(int kind, int seed) {
        long sum = 0;
        if (kind == 0) return ARGUMENTS * (long)seed + ARGUMENTS * (ARGUMENTS - 1) / 2;
        if (kind != 1) return 1;
        for (int i = 0; i < LOCALS; i++) sum ^= mix(seed + i);
        return sum;
    }

    private int kind(int level) {
        return (int)(kinds >>> 2 * level & 3);
    }

    private long down(int level, int seed) {
        if (level == 0) return 0;
        switch (kind(level)) {
        case 0: return first(level, seed);
        case 1: return locals(level, seed);
        default: return 1 + down(level - 1, seed);
        }
    }

    // ---- Arguments: the seed and its successors, each level turns them twice

    private int level; // not an argument: there are enough of them
    private boolean turned;

    private long first(int level, int n) {
        this.level = level;
        turned = false;
        return arguments(
            n, n + 1, n + 2, n + 3, n + 4, n + 5, n + 6, n + 7, n + 8, n + 9, n + 10, n + 11,
            n + 12, n + 13, n + 14, n + 15, n + 16, n + 17, n + 18, n + 19, n + 20, n + 21, n + 22,
            n + 23, n + 24, n + 25, n + 26, n + 27, n + 28, n + 29, n + 30, n + 31, n + 32, n + 33,
            n + 34, n + 35, n + 36, n + 37, n + 38, n + 39, n + 40, n + 41, n + 42, n + 43, n + 44,
            n + 45, n + 46, n + 47, n + 48, n + 49, n + 50, n + 51, n + 52, n + 53, n + 54, n + 55,
            n + 56, n + 57, n + 58, n + 59, n + 60, n + 61, n + 62, n + 63, n + 64, n + 65, n + 66,
            n + 67, n + 68, n + 69, n + 70, n + 71, n + 72, n + 73, n + 74, n + 75, n + 76, n + 77,
            n + 78, n + 79, n + 80, n + 81, n + 82, n + 83, n + 84, n + 85, n + 86, n + 87, n + 88,
            n + 89, n + 90, n + 91, n + 92, n + 93, n + 94, n + 95, n + 96, n + 97, n + 98, n + 99,
            n + 100, n + 101, n + 102, n + 103, n + 104, n + 105, n + 106, n + 107, n + 108,
            n + 109, n + 110, n + 111, n + 112, n + 113, n + 114, n + 115, n + 116, n + 117,
            n + 118, n + 119, n + 120, n + 121, n + 122, n + 123, n + 124, n + 125, n + 126,
            n + 127, n + 128, n + 129, n + 130, n + 131, n + 132, n + 133, n + 134, n + 135,
            n + 136, n + 137, n + 138, n + 139, n + 140, n + 141, n + 142, n + 143, n + 144,
            n + 145, n + 146, n + 147, n + 148, n + 149, n + 150, n + 151, n + 152, n + 153,
            n + 154, n + 155, n + 156, n + 157, n + 158, n + 159, n + 160, n + 161, n + 162,
            n + 163, n + 164, n + 165, n + 166, n + 167, n + 168, n + 169, n + 170, n + 171,
            n + 172, n + 173, n + 174, n + 175, n + 176, n + 177, n + 178, n + 179, n + 180,
            n + 181, n + 182, n + 183, n + 184, n + 185, n + 186, n + 187, n + 188, n + 189,
            n + 190, n + 191, n + 192, n + 193, n + 194, n + 195, n + 196, n + 197, n + 198,
            n + 199, n + 200, n + 201, n + 202, n + 203, n + 204, n + 205, n + 206, n + 207,
            n + 208, n + 209, n + 210, n + 211, n + 212, n + 213, n + 214, n + 215, n + 216,
            n + 217, n + 218, n + 219, n + 220, n + 221, n + 222, n + 223, n + 224, n + 225,
            n + 226, n + 227, n + 228, n + 229, n + 230, n + 231, n + 232, n + 233, n + 234,
            n + 235, n + 236, n + 237, n + 238, n + 239, n + 240, n + 241, n + 242, n + 243,
            n + 244, n + 245, n + 246, n + 247, n + 248, n + 249);
    }

    private long arguments(
        int a0, int a1, int a2, int a3, int a4, int a5, int a6, int a7, int a8, int a9, int a10,
        int a11, int a12, int a13, int a14, int a15, int a16, int a17, int a18, int a19, int a20,
        int a21, int a22, int a23, int a24, int a25, int a26, int a27, int a28, int a29, int a30,
        int a31, int a32, int a33, int a34, int a35, int a36, int a37, int a38, int a39, int a40,
        int a41, int a42, int a43, int a44, int a45, int a46, int a47, int a48, int a49, int a50,
        int a51, int a52, int a53, int a54, int a55, int a56, int a57, int a58, int a59, int a60,
        int a61, int a62, int a63, int a64, int a65, int a66, int a67, int a68, int a69, int a70,
        int a71, int a72, int a73, int a74, int a75, int a76, int a77, int a78, int a79, int a80,
        int a81, int a82, int a83, int a84, int a85, int a86, int a87, int a88, int a89, int a90,
        int a91, int a92, int a93, int a94, int a95, int a96, int a97, int a98, int a99, int a100,
        int a101, int a102, int a103, int a104, int a105, int a106, int a107, int a108, int a109,
        int a110, int a111, int a112, int a113, int a114, int a115, int a116, int a117, int a118,
        int a119, int a120, int a121, int a122, int a123, int a124, int a125, int a126, int a127,
        int a128, int a129, int a130, int a131, int a132, int a133, int a134, int a135, int a136,
        int a137, int a138, int a139, int a140, int a141, int a142, int a143, int a144, int a145,
        int a146, int a147, int a148, int a149, int a150, int a151, int a152, int a153, int a154,
        int a155, int a156, int a157, int a158, int a159, int a160, int a161, int a162, int a163,
        int a164, int a165, int a166, int a167, int a168, int a169, int a170, int a171, int a172,
        int a173, int a174, int a175, int a176, int a177, int a178, int a179, int a180, int a181,
        int a182, int a183, int a184, int a185, int a186, int a187, int a188, int a189, int a190,
        int a191, int a192, int a193, int a194, int a195, int a196, int a197, int a198, int a199,
        int a200, int a201, int a202, int a203, int a204, int a205, int a206, int a207, int a208,
        int a209, int a210, int a211, int a212, int a213, int a214, int a215, int a216, int a217,
        int a218, int a219, int a220, int a221, int a222, int a223, int a224, int a225, int a226,
        int a227, int a228, int a229, int a230, int a231, int a232, int a233, int a234, int a235,
        int a236, int a237, int a238, int a239, int a240, int a241, int a242, int a243, int a244,
        int a245, int a246, int a247, int a248, int a249) {
        if (!turned) {
            turned = true;
            return arguments(
                a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19,
            a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30, a31, a32, a33, a34, a35, a36,
            a37, a38, a39, a40, a41, a42, a43, a44, a45, a46, a47, a48, a49, a50, a51, a52, a53,
            a54, a55, a56, a57, a58, a59, a60, a61, a62, a63, a64, a65, a66, a67, a68, a69, a70,
            a71, a72, a73, a74, a75, a76, a77, a78, a79, a80, a81, a82, a83, a84, a85, a86, a87,
            a88, a89, a90, a91, a92, a93, a94, a95, a96, a97, a98, a99, a100, a101, a102, a103,
            a104, a105, a106, a107, a108, a109, a110, a111, a112, a113, a114, a115, a116, a117,
            a118, a119, a120, a121, a122, a123, a124, a125, a126, a127, a128, a129, a130, a131,
            a132, a133, a134, a135, a136, a137, a138, a139, a140, a141, a142, a143, a144, a145,
            a146, a147, a148, a149, a150, a151, a152, a153, a154, a155, a156, a157, a158, a159,
            a160, a161, a162, a163, a164, a165, a166, a167, a168, a169, a170, a171, a172, a173,
            a174, a175, a176, a177, a178, a179, a180, a181, a182, a183, a184, a185, a186, a187,
            a188, a189, a190, a191, a192, a193, a194, a195, a196, a197, a198, a199, a200, a201,
            a202, a203, a204, a205, a206, a207, a208, a209, a210, a211, a212, a213, a214, a215,
            a216, a217, a218, a219, a220, a221, a222, a223, a224, a225, a226, a227, a228, a229,
            a230, a231, a232, a233, a234, a235, a236, a237, a238, a239, a240, a241, a242, a243,
            a244, a245, a246, a247, a248, a249, a0);
        }
        long below = down(level - 1, a249);
        return below +
            a0 + a1 + a2 + a3 + a4 + a5 + a6 + a7 + a8 + a9 + a10 + a11 + a12 + a13 + a14 + a15 +
            a16 + a17 + a18 + a19 + a20 + a21 + a22 + a23 + a24 + a25 + a26 + a27 + a28 + a29 +
            a30 + a31 + a32 + a33 + a34 + a35 + a36 + a37 + a38 + a39 + a40 + a41 + a42 + a43 +
            a44 + a45 + a46 + a47 + a48 + a49 + a50 + a51 + a52 + a53 + a54 + a55 + a56 + a57 +
            a58 + a59 + a60 + a61 + a62 + a63 + a64 + a65 + a66 + a67 + a68 + a69 + a70 + a71 +
            a72 + a73 + a74 + a75 + a76 + a77 + a78 + a79 + a80 + a81 + a82 + a83 + a84 + a85 +
            a86 + a87 + a88 + a89 + a90 + a91 + a92 + a93 + a94 + a95 + a96 + a97 + a98 + a99 +
            a100 + a101 + a102 + a103 + a104 + a105 + a106 + a107 + a108 + a109 + a110 + a111 +
            a112 + a113 + a114 + a115 + a116 + a117 + a118 + a119 + a120 + a121 + a122 + a123 +
            a124 + a125 + a126 + a127 + a128 + a129 + a130 + a131 + a132 + a133 + a134 + a135 +
            a136 + a137 + a138 + a139 + a140 + a141 + a142 + a143 + a144 + a145 + a146 + a147 +
            a148 + a149 + a150 + a151 + a152 + a153 + a154 + a155 + a156 + a157 + a158 + a159 +
            a160 + a161 + a162 + a163 + a164 + a165 + a166 + a167 + a168 + a169 + a170 + a171 +
            a172 + a173 + a174 + a175 + a176 + a177 + a178 + a179 + a180 + a181 + a182 + a183 +
            a184 + a185 + a186 + a187 + a188 + a189 + a190 + a191 + a192 + a193 + a194 + a195 +
            a196 + a197 + a198 + a199 + a200 + a201 + a202 + a203 + a204 + a205 + a206 + a207 +
            a208 + a209 + a210 + a211 + a212 + a213 + a214 + a215 + a216 + a217 + a218 + a219 +
            a220 + a221 + a222 + a223 + a224 + a225 + a226 + a227 + a228 + a229 + a230 + a231 +
            a232 + a233 + a234 + a235 + a236 + a237 + a238 + a239 + a240 + a241 + a242 + a243 +
            a244 + a245 + a246 + a247 + a248 + a249;
    }

    // ---- Locals

    private long locals(int level, int seed) {
        long
            v0 = mix(seed + 0), v1 = mix(seed + 1), v2 = mix(seed + 2), v3 = mix(seed + 3),
            v4 = mix(seed + 4), v5 = mix(seed + 5), v6 = mix(seed + 6), v7 = mix(seed + 7),
            v8 = mix(seed + 8), v9 = mix(seed + 9), v10 = mix(seed + 10), v11 = mix(seed + 11),
            v12 = mix(seed + 12), v13 = mix(seed + 13), v14 = mix(seed + 14), v15 = mix(seed + 15),
            v16 = mix(seed + 16), v17 = mix(seed + 17), v18 = mix(seed + 18), v19 = mix(seed + 19),
            v20 = mix(seed + 20), v21 = mix(seed + 21), v22 = mix(seed + 22), v23 = mix(seed + 23),
            v24 = mix(seed + 24), v25 = mix(seed + 25), v26 = mix(seed + 26), v27 = mix(seed + 27),
            v28 = mix(seed + 28), v29 = mix(seed + 29), v30 = mix(seed + 30), v31 = mix(seed + 31),
            v32 = mix(seed + 32), v33 = mix(seed + 33), v34 = mix(seed + 34), v35 = mix(seed + 35),
            v36 = mix(seed + 36), v37 = mix(seed + 37), v38 = mix(seed + 38), v39 = mix(seed + 39),
            v40 = mix(seed + 40), v41 = mix(seed + 41), v42 = mix(seed + 42), v43 = mix(seed + 43),
            v44 = mix(seed + 44), v45 = mix(seed + 45), v46 = mix(seed + 46), v47 = mix(seed + 47),
            v48 = mix(seed + 48), v49 = mix(seed + 49), v50 = mix(seed + 50), v51 = mix(seed + 51),
            v52 = mix(seed + 52), v53 = mix(seed + 53), v54 = mix(seed + 54), v55 = mix(seed + 55),
            v56 = mix(seed + 56), v57 = mix(seed + 57), v58 = mix(seed + 58), v59 = mix(seed + 59),
            v60 = mix(seed + 60), v61 = mix(seed + 61), v62 = mix(seed + 62), v63 = mix(seed + 63),
            v64 = mix(seed + 64), v65 = mix(seed + 65), v66 = mix(seed + 66), v67 = mix(seed + 67),
            v68 = mix(seed + 68), v69 = mix(seed + 69), v70 = mix(seed + 70), v71 = mix(seed + 71),
            v72 = mix(seed + 72), v73 = mix(seed + 73), v74 = mix(seed + 74), v75 = mix(seed + 75),
            v76 = mix(seed + 76), v77 = mix(seed + 77), v78 = mix(seed + 78), v79 = mix(seed + 79),
            v80 = mix(seed + 80), v81 = mix(seed + 81), v82 = mix(seed + 82), v83 = mix(seed + 83),
            v84 = mix(seed + 84), v85 = mix(seed + 85), v86 = mix(seed + 86), v87 = mix(seed + 87),
            v88 = mix(seed + 88), v89 = mix(seed + 89), v90 = mix(seed + 90), v91 = mix(seed + 91),
            v92 = mix(seed + 92), v93 = mix(seed + 93), v94 = mix(seed + 94), v95 = mix(seed + 95),
            v96 = mix(seed + 96), v97 = mix(seed + 97), v98 = mix(seed + 98), v99 = mix(seed + 99),
            v100 = mix(seed + 100), v101 = mix(seed + 101), v102 = mix(seed + 102),
            v103 = mix(seed + 103), v104 = mix(seed + 104), v105 = mix(seed + 105),
            v106 = mix(seed + 106), v107 = mix(seed + 107), v108 = mix(seed + 108),
            v109 = mix(seed + 109), v110 = mix(seed + 110), v111 = mix(seed + 111),
            v112 = mix(seed + 112), v113 = mix(seed + 113), v114 = mix(seed + 114),
            v115 = mix(seed + 115), v116 = mix(seed + 116), v117 = mix(seed + 117),
            v118 = mix(seed + 118), v119 = mix(seed + 119), v120 = mix(seed + 120),
            v121 = mix(seed + 121), v122 = mix(seed + 122), v123 = mix(seed + 123),
            v124 = mix(seed + 124), v125 = mix(seed + 125), v126 = mix(seed + 126),
            v127 = mix(seed + 127), v128 = mix(seed + 128), v129 = mix(seed + 129),
            v130 = mix(seed + 130), v131 = mix(seed + 131), v132 = mix(seed + 132),
            v133 = mix(seed + 133), v134 = mix(seed + 134), v135 = mix(seed + 135),
            v136 = mix(seed + 136), v137 = mix(seed + 137), v138 = mix(seed + 138),
            v139 = mix(seed + 139), v140 = mix(seed + 140), v141 = mix(seed + 141),
            v142 = mix(seed + 142), v143 = mix(seed + 143), v144 = mix(seed + 144),
            v145 = mix(seed + 145), v146 = mix(seed + 146), v147 = mix(seed + 147),
            v148 = mix(seed + 148), v149 = mix(seed + 149), v150 = mix(seed + 150),
            v151 = mix(seed + 151), v152 = mix(seed + 152), v153 = mix(seed + 153),
            v154 = mix(seed + 154), v155 = mix(seed + 155), v156 = mix(seed + 156),
            v157 = mix(seed + 157), v158 = mix(seed + 158), v159 = mix(seed + 159),
            v160 = mix(seed + 160), v161 = mix(seed + 161), v162 = mix(seed + 162),
            v163 = mix(seed + 163), v164 = mix(seed + 164), v165 = mix(seed + 165),
            v166 = mix(seed + 166), v167 = mix(seed + 167), v168 = mix(seed + 168),
            v169 = mix(seed + 169), v170 = mix(seed + 170), v171 = mix(seed + 171),
            v172 = mix(seed + 172), v173 = mix(seed + 173), v174 = mix(seed + 174),
            v175 = mix(seed + 175), v176 = mix(seed + 176), v177 = mix(seed + 177),
            v178 = mix(seed + 178), v179 = mix(seed + 179), v180 = mix(seed + 180),
            v181 = mix(seed + 181), v182 = mix(seed + 182), v183 = mix(seed + 183),
            v184 = mix(seed + 184), v185 = mix(seed + 185), v186 = mix(seed + 186),
            v187 = mix(seed + 187), v188 = mix(seed + 188), v189 = mix(seed + 189),
            v190 = mix(seed + 190), v191 = mix(seed + 191), v192 = mix(seed + 192),
            v193 = mix(seed + 193), v194 = mix(seed + 194), v195 = mix(seed + 195),
            v196 = mix(seed + 196), v197 = mix(seed + 197), v198 = mix(seed + 198),
            v199 = mix(seed + 199), v200 = mix(seed + 200), v201 = mix(seed + 201),
            v202 = mix(seed + 202), v203 = mix(seed + 203), v204 = mix(seed + 204),
            v205 = mix(seed + 205), v206 = mix(seed + 206), v207 = mix(seed + 207),
            v208 = mix(seed + 208), v209 = mix(seed + 209), v210 = mix(seed + 210),
            v211 = mix(seed + 211), v212 = mix(seed + 212), v213 = mix(seed + 213),
            v214 = mix(seed + 214), v215 = mix(seed + 215), v216 = mix(seed + 216),
            v217 = mix(seed + 217), v218 = mix(seed + 218), v219 = mix(seed + 219),
            v220 = mix(seed + 220), v221 = mix(seed + 221), v222 = mix(seed + 222),
            v223 = mix(seed + 223), v224 = mix(seed + 224), v225 = mix(seed + 225),
            v226 = mix(seed + 226), v227 = mix(seed + 227), v228 = mix(seed + 228),
            v229 = mix(seed + 229), v230 = mix(seed + 230), v231 = mix(seed + 231),
            v232 = mix(seed + 232), v233 = mix(seed + 233), v234 = mix(seed + 234),
            v235 = mix(seed + 235), v236 = mix(seed + 236), v237 = mix(seed + 237),
            v238 = mix(seed + 238), v239 = mix(seed + 239), v240 = mix(seed + 240),
            v241 = mix(seed + 241), v242 = mix(seed + 242), v243 = mix(seed + 243),
            v244 = mix(seed + 244), v245 = mix(seed + 245), v246 = mix(seed + 246),
            v247 = mix(seed + 247), v248 = mix(seed + 248), v249 = mix(seed + 249),
            v250 = mix(seed + 250), v251 = mix(seed + 251), v252 = mix(seed + 252),
            v253 = mix(seed + 253), v254 = mix(seed + 254), v255 = mix(seed + 255),
            v256 = mix(seed + 256), v257 = mix(seed + 257), v258 = mix(seed + 258),
            v259 = mix(seed + 259), v260 = mix(seed + 260), v261 = mix(seed + 261),
            v262 = mix(seed + 262), v263 = mix(seed + 263), v264 = mix(seed + 264),
            v265 = mix(seed + 265), v266 = mix(seed + 266), v267 = mix(seed + 267),
            v268 = mix(seed + 268), v269 = mix(seed + 269), v270 = mix(seed + 270),
            v271 = mix(seed + 271), v272 = mix(seed + 272), v273 = mix(seed + 273),
            v274 = mix(seed + 274), v275 = mix(seed + 275), v276 = mix(seed + 276),
            v277 = mix(seed + 277), v278 = mix(seed + 278), v279 = mix(seed + 279),
            v280 = mix(seed + 280), v281 = mix(seed + 281), v282 = mix(seed + 282),
            v283 = mix(seed + 283), v284 = mix(seed + 284), v285 = mix(seed + 285),
            v286 = mix(seed + 286), v287 = mix(seed + 287), v288 = mix(seed + 288),
            v289 = mix(seed + 289), v290 = mix(seed + 290), v291 = mix(seed + 291),
            v292 = mix(seed + 292), v293 = mix(seed + 293), v294 = mix(seed + 294),
            v295 = mix(seed + 295), v296 = mix(seed + 296), v297 = mix(seed + 297),
            v298 = mix(seed + 298), v299 = mix(seed + 299), v300 = mix(seed + 300),
            v301 = mix(seed + 301), v302 = mix(seed + 302), v303 = mix(seed + 303),
            v304 = mix(seed + 304), v305 = mix(seed + 305), v306 = mix(seed + 306),
            v307 = mix(seed + 307), v308 = mix(seed + 308), v309 = mix(seed + 309),
            v310 = mix(seed + 310), v311 = mix(seed + 311), v312 = mix(seed + 312),
            v313 = mix(seed + 313), v314 = mix(seed + 314), v315 = mix(seed + 315),
            v316 = mix(seed + 316), v317 = mix(seed + 317), v318 = mix(seed + 318),
            v319 = mix(seed + 319);
        long below = down(level - 1, seed);
        return below + (
            v0 ^ v1 ^ v2 ^ v3 ^ v4 ^ v5 ^ v6 ^ v7 ^ v8 ^ v9 ^ v10 ^ v11 ^ v12 ^ v13 ^ v14 ^ v15 ^
            v16 ^ v17 ^ v18 ^ v19 ^ v20 ^ v21 ^ v22 ^ v23 ^ v24 ^ v25 ^ v26 ^ v27 ^ v28 ^ v29 ^
            v30 ^ v31 ^ v32 ^ v33 ^ v34 ^ v35 ^ v36 ^ v37 ^ v38 ^ v39 ^ v40 ^ v41 ^ v42 ^ v43 ^
            v44 ^ v45 ^ v46 ^ v47 ^ v48 ^ v49 ^ v50 ^ v51 ^ v52 ^ v53 ^ v54 ^ v55 ^ v56 ^ v57 ^
            v58 ^ v59 ^ v60 ^ v61 ^ v62 ^ v63 ^ v64 ^ v65 ^ v66 ^ v67 ^ v68 ^ v69 ^ v70 ^ v71 ^
            v72 ^ v73 ^ v74 ^ v75 ^ v76 ^ v77 ^ v78 ^ v79 ^ v80 ^ v81 ^ v82 ^ v83 ^ v84 ^ v85 ^
            v86 ^ v87 ^ v88 ^ v89 ^ v90 ^ v91 ^ v92 ^ v93 ^ v94 ^ v95 ^ v96 ^ v97 ^ v98 ^ v99 ^
            v100 ^ v101 ^ v102 ^ v103 ^ v104 ^ v105 ^ v106 ^ v107 ^ v108 ^ v109 ^ v110 ^ v111 ^
            v112 ^ v113 ^ v114 ^ v115 ^ v116 ^ v117 ^ v118 ^ v119 ^ v120 ^ v121 ^ v122 ^ v123 ^
            v124 ^ v125 ^ v126 ^ v127 ^ v128 ^ v129 ^ v130 ^ v131 ^ v132 ^ v133 ^ v134 ^ v135 ^
            v136 ^ v137 ^ v138 ^ v139 ^ v140 ^ v141 ^ v142 ^ v143 ^ v144 ^ v145 ^ v146 ^ v147 ^
            v148 ^ v149 ^ v150 ^ v151 ^ v152 ^ v153 ^ v154 ^ v155 ^ v156 ^ v157 ^ v158 ^ v159 ^
            v160 ^ v161 ^ v162 ^ v163 ^ v164 ^ v165 ^ v166 ^ v167 ^ v168 ^ v169 ^ v170 ^ v171 ^
            v172 ^ v173 ^ v174 ^ v175 ^ v176 ^ v177 ^ v178 ^ v179 ^ v180 ^ v181 ^ v182 ^ v183 ^
            v184 ^ v185 ^ v186 ^ v187 ^ v188 ^ v189 ^ v190 ^ v191 ^ v192 ^ v193 ^ v194 ^ v195 ^
            v196 ^ v197 ^ v198 ^ v199 ^ v200 ^ v201 ^ v202 ^ v203 ^ v204 ^ v205 ^ v206 ^ v207 ^
            v208 ^ v209 ^ v210 ^ v211 ^ v212 ^ v213 ^ v214 ^ v215 ^ v216 ^ v217 ^ v218 ^ v219 ^
            v220 ^ v221 ^ v222 ^ v223 ^ v224 ^ v225 ^ v226 ^ v227 ^ v228 ^ v229 ^ v230 ^ v231 ^
            v232 ^ v233 ^ v234 ^ v235 ^ v236 ^ v237 ^ v238 ^ v239 ^ v240 ^ v241 ^ v242 ^ v243 ^
            v244 ^ v245 ^ v246 ^ v247 ^ v248 ^ v249 ^ v250 ^ v251 ^ v252 ^ v253 ^ v254 ^ v255 ^
            v256 ^ v257 ^ v258 ^ v259 ^ v260 ^ v261 ^ v262 ^ v263 ^ v264 ^ v265 ^ v266 ^ v267 ^
            v268 ^ v269 ^ v270 ^ v271 ^ v272 ^ v273 ^ v274 ^ v275 ^ v276 ^ v277 ^ v278 ^ v279 ^
            v280 ^ v281 ^ v282 ^ v283 ^ v284 ^ v285 ^ v286 ^ v287 ^ v288 ^ v289 ^ v290 ^ v291 ^
            v292 ^ v293 ^ v294 ^ v295 ^ v296 ^ v297 ^ v298 ^ v299 ^ v300 ^ v301 ^ v302 ^ v303 ^
            v304 ^ v305 ^ v306 ^ v307 ^ v308 ^ v309 ^ v310 ^ v311 ^ v312 ^ v313 ^ v314 ^ v315 ^
            v316 ^ v317 ^ v318 ^ v319);
    }
}

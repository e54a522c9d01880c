// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The instructions of JVMS 6.5, one row each. Columns: opcode, name, length in bytes (0: it
// varies), kind, and the number of stack slots it pops and pushes. A long or double takes two
// slots. -1 means that the number depends on the operands, or that the instruction moves values;
// constructor.c handles those. Private to the room.
#ifndef INSTRUMENT_OPCODES_H
#define INSTRUMENT_OPCODES_H

#include <stdbool.h>
#include <stdint.h>

// The kinds of instructions that the rewriter distinguishes.
enum opcode_kind {
    OPCODE_UNKNOWN, // not an instruction of a class file
    OPCODE_QUIET,   // continues with the next instruction, and cannot throw
    OPCODE_PLAIN,   // continues with the next instruction, and may throw
    OPCODE_IF,      // conditional branch, 16 bits
    OPCODE_GOTO,    // branch, 16 bits
    OPCODE_JSR,     // subroutine call, 16 bits
    OPCODE_GOTO_W,  // branch, 32 bits
    OPCODE_JSR_W,   // subroutine call, 32 bits
    OPCODE_TABLE,   // tableswitch
    OPCODE_LOOKUP,  // lookupswitch
    OPCODE_WIDE,    // prefix
    OPCODE_RETURN,  // leaves the method normally
    OPCODE_THROW,   // athrow
    OPCODE_RET      // returns from a subroutine
};

#define OPCODES(O)                                                                                 \
    O(0, nop, 1, QUIET, 0, 0)                                                                      \
    O(1, aconst_null, 1, QUIET, 0, 1)                                                              \
    O(2, iconst_m1, 1, QUIET, 0, 1)                                                                \
    O(3, iconst_0, 1, QUIET, 0, 1)                                                                 \
    O(4, iconst_1, 1, QUIET, 0, 1)                                                                 \
    O(5, iconst_2, 1, QUIET, 0, 1)                                                                 \
    O(6, iconst_3, 1, QUIET, 0, 1)                                                                 \
    O(7, iconst_4, 1, QUIET, 0, 1)                                                                 \
    O(8, iconst_5, 1, QUIET, 0, 1)                                                                 \
    O(9, lconst_0, 1, QUIET, 0, 2)                                                                 \
    O(10, lconst_1, 1, QUIET, 0, 2)                                                                \
    O(11, fconst_0, 1, QUIET, 0, 1)                                                                \
    O(12, fconst_1, 1, QUIET, 0, 1)                                                                \
    O(13, fconst_2, 1, QUIET, 0, 1)                                                                \
    O(14, dconst_0, 1, QUIET, 0, 2)                                                                \
    O(15, dconst_1, 1, QUIET, 0, 2)                                                                \
    O(16, bipush, 2, QUIET, 0, 1)                                                                  \
    O(17, sipush, 3, QUIET, 0, 1)                                                                  \
    O(18, ldc, 2, PLAIN, 0, 1)                                                                     \
    O(19, ldc_w, 3, PLAIN, 0, 1)                                                                   \
    O(20, ldc2_w, 3, PLAIN, 0, 2)                                                                  \
    O(21, iload, 2, QUIET, 0, 1)                                                                   \
    O(22, lload, 2, QUIET, 0, 2)                                                                   \
    O(23, fload, 2, QUIET, 0, 1)                                                                   \
    O(24, dload, 2, QUIET, 0, 2)                                                                   \
    O(25, aload, 2, QUIET, -1, -1)                                                                 \
    O(26, iload_0, 1, QUIET, 0, 1)                                                                 \
    O(27, iload_1, 1, QUIET, 0, 1)                                                                 \
    O(28, iload_2, 1, QUIET, 0, 1)                                                                 \
    O(29, iload_3, 1, QUIET, 0, 1)                                                                 \
    O(30, lload_0, 1, QUIET, 0, 2)                                                                 \
    O(31, lload_1, 1, QUIET, 0, 2)                                                                 \
    O(32, lload_2, 1, QUIET, 0, 2)                                                                 \
    O(33, lload_3, 1, QUIET, 0, 2)                                                                 \
    O(34, fload_0, 1, QUIET, 0, 1)                                                                 \
    O(35, fload_1, 1, QUIET, 0, 1)                                                                 \
    O(36, fload_2, 1, QUIET, 0, 1)                                                                 \
    O(37, fload_3, 1, QUIET, 0, 1)                                                                 \
    O(38, dload_0, 1, QUIET, 0, 2)                                                                 \
    O(39, dload_1, 1, QUIET, 0, 2)                                                                 \
    O(40, dload_2, 1, QUIET, 0, 2)                                                                 \
    O(41, dload_3, 1, QUIET, 0, 2)                                                                 \
    O(42, aload_0, 1, QUIET, -1, -1)                                                               \
    O(43, aload_1, 1, QUIET, -1, -1)                                                               \
    O(44, aload_2, 1, QUIET, -1, -1)                                                               \
    O(45, aload_3, 1, QUIET, -1, -1)                                                               \
    O(46, iaload, 1, PLAIN, 2, 1)                                                                  \
    O(47, laload, 1, PLAIN, 2, 2)                                                                  \
    O(48, faload, 1, PLAIN, 2, 1)                                                                  \
    O(49, daload, 1, PLAIN, 2, 2)                                                                  \
    O(50, aaload, 1, PLAIN, 2, 1)                                                                  \
    O(51, baload, 1, PLAIN, 2, 1)                                                                  \
    O(52, caload, 1, PLAIN, 2, 1)                                                                  \
    O(53, saload, 1, PLAIN, 2, 1)                                                                  \
    O(54, istore, 2, QUIET, -1, -1)                                                                \
    O(55, lstore, 2, QUIET, -1, -1)                                                                \
    O(56, fstore, 2, QUIET, -1, -1)                                                                \
    O(57, dstore, 2, QUIET, -1, -1)                                                                \
    O(58, astore, 2, QUIET, -1, -1)                                                                \
    O(59, istore_0, 1, QUIET, -1, -1)                                                              \
    O(60, istore_1, 1, QUIET, -1, -1)                                                              \
    O(61, istore_2, 1, QUIET, -1, -1)                                                              \
    O(62, istore_3, 1, QUIET, -1, -1)                                                              \
    O(63, lstore_0, 1, QUIET, -1, -1)                                                              \
    O(64, lstore_1, 1, QUIET, -1, -1)                                                              \
    O(65, lstore_2, 1, QUIET, -1, -1)                                                              \
    O(66, lstore_3, 1, QUIET, -1, -1)                                                              \
    O(67, fstore_0, 1, QUIET, -1, -1)                                                              \
    O(68, fstore_1, 1, QUIET, -1, -1)                                                              \
    O(69, fstore_2, 1, QUIET, -1, -1)                                                              \
    O(70, fstore_3, 1, QUIET, -1, -1)                                                              \
    O(71, dstore_0, 1, QUIET, -1, -1)                                                              \
    O(72, dstore_1, 1, QUIET, -1, -1)                                                              \
    O(73, dstore_2, 1, QUIET, -1, -1)                                                              \
    O(74, dstore_3, 1, QUIET, -1, -1)                                                              \
    O(75, astore_0, 1, QUIET, -1, -1)                                                              \
    O(76, astore_1, 1, QUIET, -1, -1)                                                              \
    O(77, astore_2, 1, QUIET, -1, -1)                                                              \
    O(78, astore_3, 1, QUIET, -1, -1)                                                              \
    O(79, iastore, 1, PLAIN, 3, 0)                                                                 \
    O(80, lastore, 1, PLAIN, 4, 0)                                                                 \
    O(81, fastore, 1, PLAIN, 3, 0)                                                                 \
    O(82, dastore, 1, PLAIN, 4, 0)                                                                 \
    O(83, aastore, 1, PLAIN, 3, 0)                                                                 \
    O(84, bastore, 1, PLAIN, 3, 0)                                                                 \
    O(85, castore, 1, PLAIN, 3, 0)                                                                 \
    O(86, sastore, 1, PLAIN, 3, 0)                                                                 \
    O(87, pop, 1, QUIET, 1, 0)                                                                     \
    O(88, pop2, 1, QUIET, 2, 0)                                                                    \
    O(89, dup, 1, QUIET, -1, -1)                                                                   \
    O(90, dup_x1, 1, QUIET, -1, -1)                                                                \
    O(91, dup_x2, 1, QUIET, -1, -1)                                                                \
    O(92, dup2, 1, QUIET, -1, -1)                                                                  \
    O(93, dup2_x1, 1, QUIET, -1, -1)                                                               \
    O(94, dup2_x2, 1, QUIET, -1, -1)                                                               \
    O(95, swap, 1, QUIET, -1, -1)                                                                  \
    O(96, iadd, 1, QUIET, 2, 1)                                                                    \
    O(97, ladd, 1, QUIET, 4, 2)                                                                    \
    O(98, fadd, 1, QUIET, 2, 1)                                                                    \
    O(99, dadd, 1, QUIET, 4, 2)                                                                    \
    O(100, isub, 1, QUIET, 2, 1)                                                                   \
    O(101, lsub, 1, QUIET, 4, 2)                                                                   \
    O(102, fsub, 1, QUIET, 2, 1)                                                                   \
    O(103, dsub, 1, QUIET, 4, 2)                                                                   \
    O(104, imul, 1, QUIET, 2, 1)                                                                   \
    O(105, lmul, 1, QUIET, 4, 2)                                                                   \
    O(106, fmul, 1, QUIET, 2, 1)                                                                   \
    O(107, dmul, 1, QUIET, 4, 2)                                                                   \
    O(108, idiv, 1, PLAIN, 2, 1)                                                                   \
    O(109, ldiv, 1, PLAIN, 4, 2)                                                                   \
    O(110, fdiv, 1, QUIET, 2, 1)                                                                   \
    O(111, ddiv, 1, QUIET, 4, 2)                                                                   \
    O(112, irem, 1, PLAIN, 2, 1)                                                                   \
    O(113, lrem, 1, PLAIN, 4, 2)                                                                   \
    O(114, frem, 1, QUIET, 2, 1)                                                                   \
    O(115, drem, 1, QUIET, 4, 2)                                                                   \
    O(116, ineg, 1, QUIET, 1, 1)                                                                   \
    O(117, lneg, 1, QUIET, 2, 2)                                                                   \
    O(118, fneg, 1, QUIET, 1, 1)                                                                   \
    O(119, dneg, 1, QUIET, 2, 2)                                                                   \
    O(120, ishl, 1, QUIET, 2, 1)                                                                   \
    O(121, lshl, 1, QUIET, 3, 2)                                                                   \
    O(122, ishr, 1, QUIET, 2, 1)                                                                   \
    O(123, lshr, 1, QUIET, 3, 2)                                                                   \
    O(124, iushr, 1, QUIET, 2, 1)                                                                  \
    O(125, lushr, 1, QUIET, 3, 2)                                                                  \
    O(126, iand, 1, QUIET, 2, 1)                                                                   \
    O(127, land, 1, QUIET, 4, 2)                                                                   \
    O(128, ior, 1, QUIET, 2, 1)                                                                    \
    O(129, lor, 1, QUIET, 4, 2)                                                                    \
    O(130, ixor, 1, QUIET, 2, 1)                                                                   \
    O(131, lxor, 1, QUIET, 4, 2)                                                                   \
    O(132, iinc, 3, QUIET, 0, 0)                                                                   \
    O(133, i2l, 1, QUIET, 1, 2)                                                                    \
    O(134, i2f, 1, QUIET, 1, 1)                                                                    \
    O(135, i2d, 1, QUIET, 1, 2)                                                                    \
    O(136, l2i, 1, QUIET, 2, 1)                                                                    \
    O(137, l2f, 1, QUIET, 2, 1)                                                                    \
    O(138, l2d, 1, QUIET, 2, 2)                                                                    \
    O(139, f2i, 1, QUIET, 1, 1)                                                                    \
    O(140, f2l, 1, QUIET, 1, 2)                                                                    \
    O(141, f2d, 1, QUIET, 1, 2)                                                                    \
    O(142, d2i, 1, QUIET, 2, 1)                                                                    \
    O(143, d2l, 1, QUIET, 2, 2)                                                                    \
    O(144, d2f, 1, QUIET, 2, 1)                                                                    \
    O(145, i2b, 1, QUIET, 1, 1)                                                                    \
    O(146, i2c, 1, QUIET, 1, 1)                                                                    \
    O(147, i2s, 1, QUIET, 1, 1)                                                                    \
    O(148, lcmp, 1, QUIET, 4, 1)                                                                   \
    O(149, fcmpl, 1, QUIET, 2, 1)                                                                  \
    O(150, fcmpg, 1, QUIET, 2, 1)                                                                  \
    O(151, dcmpl, 1, QUIET, 4, 1)                                                                  \
    O(152, dcmpg, 1, QUIET, 4, 1)                                                                  \
    O(153, ifeq, 3, IF, 1, 0)                                                                      \
    O(154, ifne, 3, IF, 1, 0)                                                                      \
    O(155, iflt, 3, IF, 1, 0)                                                                      \
    O(156, ifge, 3, IF, 1, 0)                                                                      \
    O(157, ifgt, 3, IF, 1, 0)                                                                      \
    O(158, ifle, 3, IF, 1, 0)                                                                      \
    O(159, if_icmpeq, 3, IF, 2, 0)                                                                 \
    O(160, if_icmpne, 3, IF, 2, 0)                                                                 \
    O(161, if_icmplt, 3, IF, 2, 0)                                                                 \
    O(162, if_icmpge, 3, IF, 2, 0)                                                                 \
    O(163, if_icmpgt, 3, IF, 2, 0)                                                                 \
    O(164, if_icmple, 3, IF, 2, 0)                                                                 \
    O(165, if_acmpeq, 3, IF, 2, 0)                                                                 \
    O(166, if_acmpne, 3, IF, 2, 0)                                                                 \
    O(167, goto, 3, GOTO, 0, 0)                                                                    \
    O(168, jsr, 3, JSR, -1, -1)                                                                    \
    O(169, ret, 2, RET, 0, 0)                                                                      \
    O(170, tableswitch, 0, TABLE, 1, 0)                                                            \
    O(171, lookupswitch, 0, LOOKUP, 1, 0)                                                          \
    O(172, ireturn, 1, RETURN, 1, 0)                                                               \
    O(173, lreturn, 1, RETURN, 2, 0)                                                               \
    O(174, freturn, 1, RETURN, 1, 0)                                                               \
    O(175, dreturn, 1, RETURN, 2, 0)                                                               \
    O(176, areturn, 1, RETURN, 1, 0)                                                               \
    O(177, return, 1, RETURN, 0, 0)                                                                \
    O(178, getstatic, 3, PLAIN, -1, -1)                                                            \
    O(179, putstatic, 3, PLAIN, -1, -1)                                                            \
    O(180, getfield, 3, PLAIN, -1, -1)                                                             \
    O(181, putfield, 3, PLAIN, -1, -1)                                                             \
    O(182, invokevirtual, 3, PLAIN, -1, -1)                                                        \
    O(183, invokespecial, 3, PLAIN, -1, -1)                                                        \
    O(184, invokestatic, 3, PLAIN, -1, -1)                                                         \
    O(185, invokeinterface, 5, PLAIN, -1, -1)                                                      \
    O(186, invokedynamic, 5, PLAIN, -1, -1)                                                        \
    O(187, new, 3, PLAIN, -1, -1)                                                                  \
    O(188, newarray, 2, PLAIN, 1, 1)                                                               \
    O(189, anewarray, 3, PLAIN, 1, 1)                                                              \
    O(190, arraylength, 1, PLAIN, 1, 1)                                                            \
    O(191, athrow, 1, THROW, 1, 0)                                                                 \
    O(192, checkcast, 3, PLAIN, 1, 1)                                                              \
    O(193, instanceof, 3, PLAIN, 1, 1)                                                             \
    O(194, monitorenter, 1, PLAIN, 1, 0)                                                           \
    O(195, monitorexit, 1, PLAIN, 1, 0)                                                            \
    O(196, wide, 0, WIDE, -1, -1)                                                                  \
    O(197, multianewarray, 4, PLAIN, -1, -1)                                                       \
    O(198, ifnull, 3, IF, 1, 0)                                                                    \
    O(199, ifnonnull, 3, IF, 1, 0)                                                                 \
    O(200, goto_w, 5, GOTO_W, 0, 0)                                                                \
    O(201, jsr_w, 5, JSR_W, -1, -1)

enum {
#define OPCODE_ENUM(code, name, length, kind, pops, pushes) OP_##name = code,
    OPCODES(OPCODE_ENUM)
#undef OPCODE_ENUM
};

struct opcode {
    uint8_t length; // 0: varies
    uint8_t kind;   // enum opcode_kind
    int8_t pops, pushes;
};

// By opcode; all zero for an opcode that is no instruction.
extern const struct opcode opcode_table[256];

// Whether control may continue with the following instruction. A subroutine is assumed to return.
static inline bool opcode_falls_through(uint8_t kind) {
    return kind != OPCODE_GOTO && kind != OPCODE_GOTO_W && kind != OPCODE_TABLE &&
           kind != OPCODE_LOOKUP && kind != OPCODE_RETURN && kind != OPCODE_THROW &&
           kind != OPCODE_RET;
}

#endif

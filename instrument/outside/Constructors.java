// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.Frame;
import org.objectweb.asm.tree.analysis.SourceInterpreter;
import org.objectweb.asm.tree.analysis.SourceValue;

/**
 * Finds where in a class's constructors `this` is uninitialized, by ASM's data-flow analysis of the
 * original class. It does not use the StackMapTable.
 */
final class Constructors extends ClassVisitor {
    /** Facts about the instructions of a constructor, by index. */
    static final class Initialization {
        final BitSet uninitialized = new BitSet();
        final BitSet reached = new BitSet();
        /** The calls of super() and this(). */
        final BitSet calls = new BitSet();
    }

    /** Identifies a value by the instruction that made it, even if it is moved. `this` has none. */
    private static final class Origins extends SourceInterpreter {
        Origins() {
            super(Opcodes.ASM9);
        }

        @Override
        public SourceValue copyOperation(AbstractInsnNode instruction, SourceValue value) {
            return value;
        }
    }

    /** Records the control-flow edges. */
    private static final class Flow extends Analyzer<SourceValue> {
        final Map<Integer, List<Integer>> edges = new HashMap<>();

        Flow() {
            super(new Origins());
        }

        @Override
        protected void newControlFlowEdge(int from, int to) {
            edges.computeIfAbsent(from, key -> new ArrayList<>()).add(to);
        }

        @Override
        protected boolean newControlFlowExceptionEdge(int from, int to) {
            newControlFlowEdge(from, to);
            return true;
        }
    }

    /** As many values as fit into the heap; real constructors have a hundredth of them. */
    private static final long VALUES_MAX = 20_000_000;

    private final Map<String, MethodNode> nodes = new HashMap<>();
    private String owner;

    Constructors(ClassReader reader) {
        super(Opcodes.ASM9);
        reader.accept(this, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    }

    @Override
    public void visit(int version, int access, String name, String signature, String superName,
                      String[] interfaces) {
        owner = name;
    }

    @Override
    public MethodVisitor visitMethod(int access, String name, String descriptor, String signature,
                                     String[] exceptions) {
        if (!name.equals("<init>")) return null;
        MethodNode node = new MethodNode(Opcodes.ASM9, access, name, descriptor, signature, exceptions);
        nodes.put(descriptor, node);
        return node;
    }

    /** Analyzes a constructor; null if that fails. */
    Initialization initialization(Shape.Member method) {
        MethodNode node = nodes.get(method.descriptor);
        long values = (long) node.instructions.size() * (node.maxLocals + node.maxStack);
        if (values > VALUES_MAX) return null;
        Flow flow = new Flow();
        try {
            flow.analyze(owner, node);
        } catch (AnalyzerException | RuntimeException e) {
            return null;
        }
        // In ASM's list labels are separate nodes, without an opcode.
        int[] indexes = new int[node.instructions.size()];
        int count = 0;
        for (int i = 0; i < indexes.length; i++)
            indexes[i] = node.instructions.get(i).getOpcode() < 0 ? -1 : count++;
        BitSet calls = new BitSet();
        for (int i = 0; i < indexes.length; i++)
            if (initializes(node.instructions.get(i), flow.getFrames()[i])) calls.set(i);
        Initialization result = new Initialization();
        translate(calls, indexes, result.calls);
        translate(reach(flow, calls), indexes, result.uninitialized);
        translate(reach(flow, new BitSet()), indexes, result.reached);
        return result;
    }

    private static boolean initializes(AbstractInsnNode instruction, Frame<SourceValue> frame) {
        if (frame == null || instruction.getOpcode() != Opcodes.INVOKESPECIAL) return false;
        MethodInsnNode call = (MethodInsnNode) instruction;
        if (!call.name.equals("<init>")) return false;
        int arguments = Type.getArgumentTypes(call.desc).length;
        return frame.getStack(frame.getStackSize() - 1 - arguments).insns.isEmpty();
    }

    /** The instructions that can run before any of the calls returns, including the calls. */
    private static BitSet reach(Flow flow, BitSet calls) {
        BitSet reached = new BitSet();
        Deque<Integer> left = new ArrayDeque<>(List.of(0));
        while (!left.isEmpty()) {
            int at = left.pop();
            if (reached.get(at)) continue;
            reached.set(at);
            if (!calls.get(at)) left.addAll(flow.edges.getOrDefault(at, List.of()));
        }
        return reached;
    }

    private static void translate(BitSet from, int[] indexes, BitSet to) {
        from.stream().filter(i -> i < indexes.length && indexes[i] >= 0)
            .forEach(i -> to.set(indexes[i]));
    }
}

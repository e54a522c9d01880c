// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
import java.util.Arrays;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.Opcodes;

/** The values of an annotation as text, for comparison. */
final class Values extends AnnotationVisitor {
    private final StringBuilder text;

    Values() {
        this(new StringBuilder());
    }

    private Values(StringBuilder text) {
        super(Opcodes.ASM9);
        this.text = text;
    }

    @Override
    public void visit(String name, Object value) {
        // An array of primitives comes as one value.
        String plain = value.getClass().isArray() ? Arrays.deepToString(new Object[] {value})
                                                  : value.toString();
        text.append(name).append('=').append(value.getClass().getName()).append(' ').append(plain)
            .append(' ');
    }

    @Override
    public void visitEnum(String name, String descriptor, String value) {
        text.append(name).append("=enum ").append(descriptor).append(' ').append(value).append(' ');
    }

    @Override
    public AnnotationVisitor visitAnnotation(String name, String descriptor) {
        text.append(name).append("=@").append(descriptor).append('(');
        return new Values(text);
    }

    @Override
    public AnnotationVisitor visitArray(String name) {
        text.append(name).append("=[(");
        return new Values(text);
    }

    @Override
    public void visitEnd() {
        text.append(')');
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Values && ((Values) other).text.toString().contentEquals(text);
    }

    @Override
    public int hashCode() {
        return text.toString().hashCode();
    }

    @Override
    public String toString() {
        return text.toString();
    }
}

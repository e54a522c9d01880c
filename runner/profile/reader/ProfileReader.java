// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// ProfileReader FILE.jfr EVENT [LOSTEVENT]: prints the events of one type, and those that tell of lost ones, as text
// for results/profile, which has the format in its README.md. It runs on the JDK under test, whose jdk.jfr.consumer
// knows that JDK's files; async-profiler's JFR files are read by it, too. Events go out as they come in: only the
// dictionary of methods is kept.
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.FileOutputStream;
import java.io.FileDescriptor;
import java.nio.charset.StandardCharsets;
import java.nio.file.Paths;
import java.util.HashMap;
import java.util.Map;

import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedObject;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;

public final class ProfileReader {
    private static final String[] THREADS = {"sampledThread", "eventThread"};
    private static final String[] LOST = {"lostSamples", "lost", "count"};

    private final Map<String, Integer> methods = new HashMap<String, Integer>();
    private final Map<Long, String> threads = new HashMap<Long, String>(); // names by java.lang.Thread's id
    private final StringBuilder line = new StringBuilder();
    private final PrintWriter out;
    private long samples;

    private ProfileReader(PrintWriter out) {
        this.out = out;
    }

    /** A field that this release's event has, or null. */
    private static Object field(RecordedObject object, String name) {
        return object.hasField(name) ? object.getValue(name) : null;
    }

    private static long number(RecordedObject object, String name, long otherwise) {
        Object value = field(object, name);
        return value instanceof Number ? ((Number)value).longValue() : otherwise;
    }

    private static boolean isSet(RecordedObject object, String name) {
        return Boolean.TRUE.equals(field(object, name));
    }

    private static RecordedThread thread(RecordedEvent event) {
        for (String name : THREADS) {
            Object value = field(event, name);
            if (value instanceof RecordedThread) return (RecordedThread)value;
        }
        return null;
    }

    /** Raw ticks: RecordedEvent keeps both times so, whatever getStartTime makes of them. */
    private static long begin(RecordedEvent event) {
        return event.getLong("startTime");
    }

    private static long end(RecordedEvent event) {
        return begin(event) + number(event, "duration", 0);
    }

    private static String text(String value) {
        return value == null ? "" : value.replace('\n', '?').replace('\r', '?');
    }

    /** The method's index; tells the method's name before its first use. */
    private int index(RecordedMethod method) {
        String type = method.getType() == null ? "" : text(method.getType().getName());
        String name = (type.isEmpty() ? "" : type + ".") + text(method.getName()) + text(method.getDescriptor());
        Integer known = methods.get(name);
        if (known != null) return known;
        int index = methods.size();
        methods.put(name, index);
        out.print("m " + index + " " + name + "\n");
        return index;
    }

    /** Tells a Java thread's name before its first sample, and where it has changed. */
    private void name(RecordedThread thread) {
        String name = thread == null ? null : thread.getJavaName();
        if (name == null || thread.getJavaThreadId() <= 0 || name.equals(threads.put(thread.getJavaThreadId(), name)))
            return;
        out.print("t " + thread.getJavaThreadId() + " " + text(name) + "\n");
    }

    /** A frame that is no Java method's: of a library or the kernel, as async-profiler shows them. */
    private static boolean isSymbol(RecordedFrame frame) {
        RecordedMethod method = frame.getMethod();
        String type = frame.getType();
        if ("C++".equals(type) || "Kernel".equals(type)) return true;
        return method.getType() == null || method.getType().getName() == null || method.getType().getName().isEmpty();
    }

    private static char kind(RecordedFrame frame) {
        String type = String.valueOf(frame.getType());
        if (isSymbol(frame)) return 's';
        if (type.startsWith("Native")) return 'n';
        if (type.startsWith("JIT")) return 'j';
        if (type.startsWith("Inlined")) return 'i';
        return type.startsWith("Interpreted") ? 't' : 'u';
    }

    private void frame(RecordedFrame frame) {
        if (frame.getMethod() == null) {
            line.append(" -");
            return;
        }
        line.append(' ').append(index(frame.getMethod())).append(':').append(frame.getBytecodeIndex());
        line.append(':').append(frame.getLineNumber()).append(':').append(kind(frame));
    }

    /** async-profiler's wall clock: ticks at which the thread slept and no signal was sent make such an event, too. */
    private static boolean mayRepeat(RecordedEvent event) {
        return event.hasField("samples") && "STATE_SLEEPING".equals(String.valueOf(field(event, "state")));
    }

    private static String flags(RecordedEvent event, RecordedThread thread, RecordedStackTrace trace) {
        String flags = "";
        if (thread != null && isSet(thread, "virtual")) flags += "v";
        if (trace == null || isSet(event, "failed")) flags += "f";
        if (isSet(event, "biased")) flags += "b";
        if (trace != null && trace.isTruncated()) flags += "t";
        if (mayRepeat(event)) flags += "r";
        return flags.isEmpty() ? "-" : flags;
    }

    private void sample(RecordedEvent event) {
        RecordedThread thread = thread(event);
        RecordedStackTrace trace = event.getStackTrace();
        Object state = field(event, "state");
        String flags = flags(event, thread, trace);
        name(thread);
        line.setLength(0);
        line.append("s ").append(begin(event)).append(' ').append(end(event));
        line.append(' ').append(thread == null ? 0 : thread.getOSThreadId());
        line.append(' ').append(thread == null ? 0 : thread.getJavaThreadId());
        line.append(' ').append(flags);
        line.append(' ').append(state == null ? "-" : text(String.valueOf(state)).replace(' ', '_'));
        if (flags.indexOf('f') < 0)
            for (RecordedFrame frame : trace.getFrames()) frame(frame);
        out.print(line.append('\n'));
        samples++;
    }

    private void lost(RecordedEvent event) {
        RecordedThread thread = thread(event);
        long count = -1;
        for (String name : LOST)
            if (count < 0) count = number(event, name, -1);
        out.print("l " + begin(event) + " " + (thread == null ? 0 : thread.getOSThreadId()) + " "
                + (thread == null ? 0 : thread.getJavaThreadId()) + " " + Math.max(count, 0) + "\n");
    }

    private void read(String file, String wanted, String lost) throws IOException {
        out.print("plumbline-profile 1\n");
        try (RecordingFile recording = new RecordingFile(Paths.get(file))) {
            while (recording.hasMoreEvents()) {
                RecordedEvent event = recording.readEvent();
                String name = event.getEventType().getName();
                if (name.equals(wanted)) sample(event);
                else if (name.equals(lost)) lost(event);
            }
        }
        out.print("end " + samples + "\n");
    }

    public static void main(String[] arguments) throws IOException {
        if (arguments.length < 2 || arguments.length > 3) {
            System.err.println("usage: ProfileReader FILE.jfr EVENT [LOSTEVENT]");
            System.exit(2);
        }
        PrintWriter out = new PrintWriter(new OutputStreamWriter(
            new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 1 << 16), StandardCharsets.UTF_8));
        new ProfileReader(out).read(arguments[0], arguments[1], arguments.length > 2 ? arguments[2] : null);
        if (out.checkError()) {
            System.err.println("ProfileReader: cannot write");
            System.exit(1);
        }
    }
}

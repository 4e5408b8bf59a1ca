package io.skein.internal.sched;

import java.util.Set;

/** By what a coroutine holds its worker, as far as its stack tells, and what to do about it. */
enum HeldBy {
    COMPUTING("it computes: a long computation belongs in Skein.blocking, or lets others run by Coroutine.yieldNow"),
    NATIVE_CODE("it is in native code: what blocks there belongs in Skein.blocking"),
    WAITING("it waits and cannot give way: native code pins it, or the heap is full"),
    CLASS_INITIALISER_THAT_WAITS(
            "it waits in a class initialiser and cannot give way: that is once, and is spared by doing it at start"),
    CLASS_LOADING("it loads or initialises classes: that is once, and is spared by doing it at start");

    /** Classes whose native methods take no time. */
    private static final Set<String> QUICK =
            Set.of("java.lang.System", "java.lang.Thread", "java.lang.Object", "jdk.internal.misc.Unsafe");

    private final String text;

    HeldBy(String text) {
        this.text = text;
    }

    String text() {
        return text;
    }

    static HeldBy of(Thread.State state, StackTraceElement[] frames) {
        boolean waits = switch (state) {
            case WAITING, TIMED_WAITING, BLOCKED -> true;
            default -> false;
        };
        if (waits || standsIn(frames)) {
            return isIn(frames, "<clinit>") ? CLASS_INITIALISER_THAT_WAITS : WAITING;
        }
        if (isIn(frames, "<clinit>") || isIn(frames, "loadClass") || isIn(frames, "linkCallSite")) {
            return CLASS_LOADING;
        }
        boolean nativeCode =
                frames.length > 0 && frames[0].isNativeMethod() && !QUICK.contains(frames[0].getClassName());
        return nativeCode ? NATIVE_CODE : COMPUTING;
    }

    private static boolean standsIn(StackTraceElement[] frames) {
        for (StackTraceElement frame : frames) {
            if (frame.getClassName().equals(StandIn.class.getName())) {
                return true;
            }
        }
        return false;
    }

    private static boolean isIn(StackTraceElement[] frames, String method) {
        for (StackTraceElement frame : frames) {
            if (frame.getMethodName().equals(method)) {
                return true;
            }
        }
        return false;
    }
}

package io.skein.internal;

import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * Makes sure that there is stack left, before somebody does what must not be left half done. Any thread may call it.
 *
 * <p>A thread that runs out of stack is told by an error where it enters a method. So there are methods here that can be entered
 * only where so many bytes are left: they have as many bytes of local variables, and are put together here because nobody would
 * want to write them down. They do nothing.
 *
 * <p>They are too long to be compiled into their callers. For what is compiled into a caller stack is asked where that caller is entered, and only as
 * much as it needs in the worst case that the compiler has seen: for a method that does nothing, none.
 */
public final class Headroom {
    /**
     * More than is needed by anybody who holds a {@link io.skein.internal.sync.BriefLock} and then wakes a thread, or drives until an operation
     * has ended, all of it interpreted. With 8 KiB threads were lost half way to their queue.
     */
    private static final int TO_END = 16 * 1024;

    /** So that whoever could begin something can end it too, a few calls deeper perhaps. */
    private static final int TO_BEGIN = 2 * TO_END;

    /** So that whoever could begin something can begin others to end it, and these can be ended. */
    private static final int TO_NEST = 3 * TO_END;

    /** More bytes of code than the JIT compiles into a caller, which are 325 ({@code FreqInlineSize}). */
    private static final int LONG_CODE = 500;

    private static final MethodHandle ENTER_TO_NEST = methodOf(TO_NEST);
    private static final MethodHandle ENTER_TO_BEGIN = methodOf(TO_BEGIN);
    private static final MethodHandle ENTER_TO_END = methodOf(TO_END);

    /** Never true; but the compiler does not know, or it would drop the variables. */
    private static boolean never;

    private Headroom() {}

    /**
     * Returns if there is stack left to do something that {@linkplain #toBegin begins} others, such as to close what was opened.
     *
     * @throws StackOverflowError if not
     */
    public static void toNest() {
        enter(ENTER_TO_NEST);
    }

    /**
     * Returns if there is stack left to begin something, and to end it.
     *
     * @throws StackOverflowError if not
     */
    public static void toBegin() {
        enter(ENTER_TO_BEGIN);
    }

    /**
     * Returns if there is stack left to end something. There is, where there was enough to begin it.
     *
     * @throws StackOverflowError if not
     */
    public static void toEnd() {
        enter(ENTER_TO_END);
    }

    private static void enter(MethodHandle method) {
        try {
            method.invokeExact(never);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError("a method that does nothing failed", e);
        }
    }

    private static MethodHandle methodOf(int bytes) {
        byte[] type = ClassFile.of()
                .build(
                        ClassDesc.of(Headroom.class.getName() + "$Variables"),
                        builder -> builder.withMethodBody(
                                "enter",
                                MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_boolean),
                                ClassFile.ACC_STATIC,
                                body -> write(body, bytes / Long.BYTES)));
        try {
            MethodHandles.Lookup variables = MethodHandles.lookup().defineHiddenClass(type, true);
            return variables.findStatic(
                    variables.lookupClass(), "enter", MethodType.methodType(void.class, boolean.class));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Calls another method, where compiled code may have to go over to the interpreter: that is what it keeps stack for. */
    private static void write(CodeBuilder body, int variables) {
        Label end = body.newLabel();
        body.iload(0)
                .ifeq(end)
                .iconst_0()
                .istore(variables - 1)
                .invokestatic(ClassDesc.of("java.lang.Thread"), "yield", ConstantDescs.MTD_void);
        for (int i = 0; i < LONG_CODE; i++) {
            body.nop();
        }
        body.labelBinding(end).return_();
    }
}

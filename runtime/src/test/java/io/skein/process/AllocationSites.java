package io.skein.process;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ClassHierarchyResolverOption;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeElement;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.NewMultiArrayInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.NewPrimitiveArrayInstruction;
import java.lang.classfile.instruction.NewReferenceArrayInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Rewrites class files so that {@link AllocationHook} is asked before each allocation. */
final class AllocationSites {
    private static final ClassDesc HOOK = ClassDesc.of(AllocationHook.class.getName());
    private static final MethodTypeDesc NOTHING = MethodTypeDesc.of(ConstantDescs.CD_void);

    /** Methods of the JDK and of JCTools that allocate, by their names: a failure in them is one at the call. */
    private static final Set<String> ALLOCATING = Set.of(
            "adapt",
            "add",
            "addAll",
            "addFirst",
            "addLast",
            "allocate",
            "allocateDirect",
            "append",
            "asByteBuffer",
            "asSlice",
            "clone",
            "computeIfAbsent",
            "concat",
            "copyOf",
            "copyOfRange",
            "duplicate",
            "iterator",
            "of",
            "ofAddress",
            "ofAuto",
            "ofShared",
            "offer",
            "push",
            "put",
            "putIfAbsent",
            "reinterpret",
            "slice",
            "toArray",
            "valueOf",
            "wrap");

    private static final List<String> COLLECTIONS =
            List.of("java/lang/", "java/nio/", "java/util/", "org/jctools/queues/varhandle/MpscUnbounded", "[");

    /** Methods of channels that allocate. */
    private static final Set<String> ON_CHANNELS = Set.of(
            "accept", "bind", "connect", "finishConnect", "open", "read", "register", "select", "selectNow", "write");

    private AllocationSites() {}

    /** Rewrites all classes of a folder into another. */
    static void rewrite(Path from, Path to, ClassLoader loader) throws IOException {
        ClassHierarchyResolver resolver =
                ClassHierarchyResolver.ofResourceParsing(loader).orElse(ClassHierarchyResolver.defaultResolver());
        ClassFile format = ClassFile.of(ClassHierarchyResolverOption.of(resolver));
        ClassTransform asking = ClassTransform.transformingMethodBodies((code, element) -> {
            if (allocates(element)) {
                code.invokestatic(HOOK, "mayFail", NOTHING);
            }
            code.with(element);
        });
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : (Iterable<Path>) files.filter(AllocationSites::isClass)::iterator) {
                Path target = to.resolve(from.relativize(file).toString());
                Files.createDirectories(target.getParent());
                Files.write(target, format.transformClass(format.parse(file), asking));
            }
        }
    }

    private static boolean isClass(Path file) {
        String name = file.getFileName().toString();
        return name.endsWith(".class") && !name.equals("module-info.class") && !name.equals("package-info.class");
    }

    private static boolean allocates(CodeElement element) {
        return switch (element) {
            case NewObjectInstruction _,
                    NewPrimitiveArrayInstruction _,
                    NewReferenceArrayInstruction _,
                    NewMultiArrayInstruction _ -> true;
            case InvokeDynamicInstruction call ->
                isLambda(call) && call.typeSymbol().parameterCount() > 0; // it captures
            case InvokeInstruction call ->
                !isEmptyCollection(call)
                        && allocates(call.owner().asInternalName(), call.name().stringValue());
            default -> false;
        };
    }

    private static boolean isLambda(InvokeDynamicInstruction call) {
        return call.bootstrapMethod().owner().displayName().equals("LambdaMetafactory");
    }

    /** {@code List.of()} and the like, which always return the same. */
    private static boolean isEmptyCollection(InvokeInstruction call) {
        return call.name().equalsString("of") && call.typeSymbol().parameterCount() == 0;
    }

    private static boolean allocates(String owner, String method) {
        return owner.startsWith("java/nio/channels/")
                ? ON_CHANNELS.contains(method)
                : ALLOCATING.contains(method) && COLLECTIONS.stream().anyMatch(owner::startsWith);
    }
}

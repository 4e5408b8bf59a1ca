package io.skein.internal.loom;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.util.NoSuchElementException;

/**
 * The table in which HotSpot publishes, for debuggers, where the fields of its structures are. Any thread may call it.
 * Needs native access.
 */
@SuppressWarnings("restricted") // whoever calls has looked whether it was granted
final class VmStructures {
    private static final long LONGEST_NAME = 1 << 10;

    private VmStructures() {}

    /**
     * Where a field is in its structure, in bytes.
     *
     * @throws RuntimeException if this JVM has no such table, or the table no such field
     */
    static long offsetOf(String type, String field) {
        SymbolLookup jvm = SymbolLookup.libraryLookup(System.mapLibraryName("jvm"), Arena.global());
        long entry = number(jvm, "gHotSpotVMStructs");
        long stride = number(jvm, "gHotSpotVMStructEntryArrayStride");
        long typeName = number(jvm, "gHotSpotVMStructEntryTypeNameOffset");
        long fieldName = number(jvm, "gHotSpotVMStructEntryFieldNameOffset");
        long offset = number(jvm, "gHotSpotVMStructEntryOffsetOffset");
        while (pointer(entry + typeName) != 0) {
            if (text(entry + typeName).equals(type) && text(entry + fieldName).equals(field)) {
                return pointer(entry + offset);
            }
            entry += stride;
        }
        throw new NoSuchElementException(type + "::" + field + " is not in the JVM's table");
    }

    private static long number(SymbolLookup jvm, String symbol) {
        return jvm.findOrThrow(symbol).reinterpret(JAVA_LONG.byteSize()).get(JAVA_LONG, 0);
    }

    private static long pointer(long address) {
        return MemorySegment.ofAddress(address).reinterpret(ADDRESS.byteSize()).get(JAVA_LONG, 0);
    }

    private static String text(long addressOfPointer) {
        return MemorySegment.ofAddress(pointer(addressOfPointer))
                .reinterpret(LONGEST_NAME)
                .getString(0);
    }
}

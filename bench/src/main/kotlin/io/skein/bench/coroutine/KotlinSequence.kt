package io.skein.bench.coroutine

import java.util.function.Supplier

/** Kotlin's own generator. */
object KotlinSequence {
    /** Yields values for ever. */
    @JvmStatic
    fun endless(values: Supplier<Any>): Sequence<Any> = sequence {
        while (true) {
            yield(values.get())
        }
    }
}

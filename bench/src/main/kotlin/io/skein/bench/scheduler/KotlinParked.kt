package io.skein.bench.scheduler

import java.util.function.LongSupplier
import kotlin.coroutines.Continuation
import kotlin.coroutines.resume
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.suspendCancellableCoroutine

/** Kotlin coroutines that are suspended until all of them are. */
object KotlinParked {
    /** What each of [count] adds to what [usedHeap] tells. */
    @JvmStatic
    fun bytesOfEach(count: Int, usedHeap: LongSupplier): Double = runBlocking {
        val suspended = arrayOfNulls<Continuation<Unit>>(count)
        val before = usedHeap.asLong
        repeat(count) { number ->
            launch(start = CoroutineStart.UNDISPATCHED) {
                suspendCancellableCoroutine<Unit> { suspended[number] = it }
            }
        }
        val used = usedHeap.asLong - before
        suspended.forEach { it?.resume(Unit) }
        used.toDouble() / count
    }
}

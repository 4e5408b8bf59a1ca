package io.skein.bench.scheduler

import kotlin.coroutines.Continuation
import kotlin.coroutines.resume
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.suspendCancellableCoroutine

/**
 * Two Kotlin coroutines that hand over to each other on one thread: the event loop of [runBlocking], the quickest
 * dispatcher that Kotlin has for one thread. Each suspends, and resumes the other as it does.
 */
class KotlinHandover {
    private var waiting: Continuation<Unit>? = null

    /** Returns after this many handovers. One thread calls. */
    fun run(handovers: Int): Unit = runBlocking {
        val each = handovers / 2
        launch { handOver(each) }
        launch { handOver(each) }
    }

    private suspend fun handOver(times: Int) {
        repeat(times) {
            suspendCancellableCoroutine { own ->
                val other = waiting
                waiting = own
                other?.resume(Unit)
            }
        }
        // The other still waits for its last turn.
        waiting?.let {
            waiting = null
            it.resume(Unit)
        }
    }
}

package io.skein.bench.sync

import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.sync.Mutex
import kotlinx.coroutines.yield

/** Kotlin coroutines that want the same mutex, again and again. All return how often it was had. */
object KotlinMutex {
    @JvmStatic
    fun onOneThread(coroutines: Int, locks: Int, heldLong: Int): Int =
        runBlocking { contend(coroutines, locks, heldLong) }

    @JvmStatic
    fun onPool(coroutines: Int, locks: Int, heldLong: Int): Int =
        runBlocking(Dispatchers.Default) { contend(coroutines, locks, heldLong) }

    private suspend fun contend(coroutines: Int, locks: Int, heldLong: Int): Int {
        val mutex = Mutex()
        var counted = 0
        coroutineScope {
            repeat(coroutines) {
                launch {
                    repeat(locks) { turn ->
                        mutex.lock()
                        counted++
                        if (turn % heldLong == 0) {
                            yield()
                        }
                        mutex.unlock()
                    }
                }
            }
        }
        return counted
    }
}

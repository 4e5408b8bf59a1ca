package io.skein.bench.sync

import java.util.function.Consumer
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking

/** One Kotlin coroutine sends, another receives. */
object KotlinTransfer {
    /** On the event loop of [runBlocking], the quickest dispatcher that Kotlin has for one thread. */
    @JvmStatic
    fun onOneThread(values: Int, capacity: Int, value: Any, sink: Consumer<Any>): Unit =
        runBlocking { transfer(values, capacity, value, sink) }

    /** On the pool of threads that Kotlin has for computation. */
    @JvmStatic
    fun onPool(values: Int, capacity: Int, value: Any, sink: Consumer<Any>): Unit =
        runBlocking(Dispatchers.Default) { transfer(values, capacity, value, sink) }

    private suspend fun transfer(values: Int, capacity: Int, value: Any, sink: Consumer<Any>): Unit =
        coroutineScope {
            val channel = Channel<Any>(capacity)
            launch { repeat(values) { channel.send(value) } }
            launch { repeat(values) { sink.accept(channel.receive()) } }
        }
}

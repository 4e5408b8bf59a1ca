package io.skein.bench.sync

import java.util.function.Consumer
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.selects.select

/** Two Kotlin coroutines send, each to a rendezvous of its own, and a third receives from either, all on one thread. */
object KotlinSelect {
    @JvmStatic
    fun run(values: Int, value: Any, sink: Consumer<Any>): Unit = runBlocking {
        val first = Channel<Any>()
        val second = Channel<Any>()
        launch { repeat(values / 2) { first.send(value) } }
        launch { repeat(values / 2) { second.send(value) } }
        launch {
            repeat(values) {
                sink.accept(
                    select<Any> {
                        first.onReceive { it }
                        second.onReceive { it }
                    },
                )
            }
        }
    }
}

package io.skein.bench.sync

import java.util.function.Consumer
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking

/** Values go through a row of Kotlin coroutines by rendezvous, all on one thread. */
object KotlinChain {
    @JvmStatic
    fun run(stages: Int, values: Int, value: Any, sink: Consumer<Any>): Unit = runBlocking {
        val first = Channel<Any>()
        launch { repeat(values) { first.send(value) } }
        var last = first
        repeat(stages - 1) {
            val from = last
            val to = Channel<Any>()
            launch { repeat(values) { to.send(from.receive()) } }
            last = to
        }
        val end = last
        launch { repeat(values) { sink.accept(end.receive()) } }
    }
}

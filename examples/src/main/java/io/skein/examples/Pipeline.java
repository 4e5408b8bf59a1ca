package io.skein.examples;

import io.skein.Scope;
import io.skein.Skein;
import io.skein.Tasks;
import io.skein.sync.Channel;
import io.skein.sync.Select;
import java.time.Duration;
import java.util.List;

/**
 * Stages that hand values on by channels: one coroutine sends, three share the work, one adds up. The end of the first runs
 * through all of them. And a select, which waits for whichever comes first.
 */
public final class Pipeline {

    private Pipeline() {}

    public static void main(String[] arguments) throws InterruptedException {
        try (Skein skein = Skein.start()) {
            skein.blockOn(() -> {
                Channel<String> words = Channel.buffered(2);
                Channel<Integer> lengths = Channel.rendezvous();
                try (Scope<Object, ?> scope = Scope.open()) {
                    var _ = scope.fork(() -> {
                        for (String word : List.of("values", "go", "from", "stage", "to", "stage")) {
                            words.send(word);
                        }
                        words.close();
                    });
                    var _ = scope.fork(() -> {
                        Tasks.whenAll(
                                () -> measure(words, lengths),
                                () -> measure(words, lengths),
                                () -> measure(words, lengths));
                        lengths.close();
                    });
                    int sum = 0;
                    for (int length : lengths) {
                        sum += length;
                    }
                    System.out.println("main: the words have " + sum + " letters");
                    scope.join();
                }

                Channel<String> silent = Channel.rendezvous();
                System.out.println("main: "
                        + Select.of(
                                        Select.receive(silent, word -> "heard " + word),
                                        Select.after(Duration.ofMillis(5), () -> "heard nothing for 5 ms"))
                                .await());
            });
        }
    }

    private static int measure(Channel<String> words, Channel<Integer> lengths) throws InterruptedException {
        int count = 0;
        for (String word : words) {
            lengths.send(word.length());
            count++;
        }
        return count;
    }
}

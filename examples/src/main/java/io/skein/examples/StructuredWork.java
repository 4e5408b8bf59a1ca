package io.skein.examples;

import io.skein.Coroutine;
import io.skein.Scope;
import io.skein.Skein;
import io.skein.Task;
import io.skein.Tasks;
import java.util.List;
import java.util.concurrent.CompletionException;

/**
 * Work that is split up and put together again, with nothing left running: a lazy task, a scope whose first failure
 * cancels the rest, a race, and a bounded fan-out.
 */
public final class StructuredWork {

    private StructuredWork() {}

    public static void main(String[] arguments) throws InterruptedException {
        try (Skein skein = Skein.start()) {
            skein.blockOn(() -> {
                Task<String> greeting = Task.of(() -> {
                    System.out.println("task: runs when it is first awaited");
                    return "hello";
                });
                System.out.println("main: " + greeting.await() + " and, from memory, " + greeting.await());

                try (Scope<String, ?> scope = Scope.open()) {
                    Coroutine<String> patient = scope.fork(() -> {
                        Thread.sleep(60_000);
                        return "never";
                    });
                    var _ = scope.fork("hasty", () -> {
                        throw new IllegalStateException("no such user");
                    });
                    try {
                        scope.join();
                    } catch (CompletionException e) {
                        System.out.println("main: " + e.getMessage() + "; the other is " + patient.state());
                    }
                }

                String winner =
                        Tasks.race(() -> answerAfter("slow mirror", 60_000), () -> answerAfter("fast mirror", 5));
                System.out.println("main: the " + winner + " won");

                List<Integer> squares = Tasks.parallel(List.of(1, 2, 3, 4, 5), 2, number -> number * number);
                System.out.println("main: squares, two at a time: " + squares);
            });
        }
    }

    private static String answerAfter(String name, long millis) throws InterruptedException {
        Thread.sleep(millis);
        return name;
    }
}

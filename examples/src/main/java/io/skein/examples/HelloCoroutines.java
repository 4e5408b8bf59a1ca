package io.skein.examples;

import io.skein.Coroutine;
import io.skein.Skein;
import java.util.ArrayList;
import java.util.List;

/** Coroutines are cheap: spawn one per piece of work, then join them for their results. */
public final class HelloCoroutines {

    private HelloCoroutines() {}

    public static void main(String[] arguments) throws InterruptedException {
        try (Skein skein = Skein.start()) {
            List<Coroutine<Integer>> squares = new ArrayList<>();
            for (int i = 1; i <= 10_000; i++) {
                int number = i;
                squares.add(skein.spawn(() -> number * number));
            }

            long sum = 0;
            for (Coroutine<Integer> square : squares) {
                sum += square.join();
            }
            System.out.println("10,000 coroutines added the squares up to " + sum);
        }
    }
}

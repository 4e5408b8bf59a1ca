package io.skein.examples;

import io.skein.Skein;
import io.skein.time.Deadline;
import io.skein.time.Interval;
import io.skein.time.Time;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/**
 * Sleeping, ticking, and one deadline for several calls: the first is done in time, the second is interrupted where it waits, and
 * has cleaned up when its caller hears of it.
 */
public final class Deadlines {

    private Deadlines() {}

    public static void main(String[] arguments) throws InterruptedException {
        try (Skein skein = Skein.start()) {
            skein.blockOn(() -> {
                Interval interval = Time.interval(Duration.ofMillis(20));
                for (int i = 0; i < 3; i++) {
                    System.out.println("tick " + interval.tick());
                }
                Deadline deadline = Deadline.after(Duration.ofMillis(500));
                System.out.println("first: " + Time.timeout(deadline, () -> answer("quick", Duration.ofMillis(10))));
                try {
                    System.out.println("second: " + Time.timeout(deadline, () -> answer("slow", Duration.ofHours(1))));
                } catch (TimeoutException e) {
                    System.out.println("second: too late");
                }
            });
        }
    }

    private static String answer(String name, Duration duration) throws InterruptedException {
        try {
            Time.sleep(duration);
            return name;
        } finally {
            System.out.println(name + ": cleaned up");
        }
    }
}

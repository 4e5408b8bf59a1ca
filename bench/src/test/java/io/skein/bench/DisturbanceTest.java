package io.skein.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class DisturbanceTest {
    @Test
    void countsEverythingButIdleAndWaiting() {
        long busy = Disturbance.busyNanos("cpu1 10 20 30 99999 88888 1 2 3 0 0");
        assertThat(busy).isEqualTo(Duration.ofMillis(660).toNanos());
    }
}

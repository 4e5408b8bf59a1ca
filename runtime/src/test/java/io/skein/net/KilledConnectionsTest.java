package io.skein.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.Rounds;
import io.skein.Setup;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

@Setup.Each
class KilledConnectionsTest extends NetworkTest {
    KilledConnectionsTest(Setup setup) {
        super(setup);
    }

    @Test
    void twoHundredConnectionsKilledAtRandomMomentsTenTimesOverHarmNobody() throws Exception {
        killInRounds(200, Rounds.of(10));
    }

    @Test
    @Tag("long")
    @Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = ThreadMode.SEPARATE_THREAD)
    void aThousandConnectionsKilledAtRandomMomentsAHundredTimesOverHarmNobody() throws Exception {
        killInRounds(1000, Rounds.of(100));
    }

    private void killInRounds(int connections, int rounds) throws Exception {
        try (DoomedConnections doomed = new DoomedConnections(skein)) {
            for (int round = 0; round < rounds; round++) {
                doomed.killAll(connections);
                doomed.expectServerAtWork();
            }
            assertThat(doomed.served()).isEqualTo(rounds * (connections + 1));
        }
    }
}

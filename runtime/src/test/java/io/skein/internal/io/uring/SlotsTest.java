package io.skein.internal.io.uring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SlotsTest {
    private final Slots slots = new Slots(2);

    @Test
    void anOperationIsFoundByItsUserData() {
        Nop nop = new Nop();

        assertThat(slots.find(slots.take(nop))).isSameAs(nop);
    }

    @Test
    void aFormerTenantsUserDataFindsNeitherHimNorTheNext() {
        long former = slots.take(new Nop());
        slots.free(former);
        long next = slots.take(new Nop());

        assertThat((int) next).as("the same slot").isEqualTo((int) former);
        assertThat(slots.find(former)).isNull();
        assertThat(slots.find(next)).isNotNull();
    }

    @Test
    void theUserDataOfEntriesThatNobodyWaitsForFindsNothing() {
        slots.take(new Nop());

        assertThat(slots.find(0)).isNull();
    }

    @Test
    void slotsThatWereNeverThereAreNotFound() {
        assertThat(slots.find(1L << 32 | 77)).isNull();
    }

    @Test
    void onlyWhatIsInFlightIsGoneThrough() {
        Nop tenant = new Nop();
        long former = slots.take(new Nop());
        slots.take(tenant);
        slots.free(former);
        List<Request> met = new ArrayList<>();

        slots.forEach(met::add);

        assertThat(met).containsExactly(tenant);
    }

    @Test
    void thereAreAsManySlotsAsAreAskedFor() {
        List<Long> all = new ArrayList<>();
        Set<Request> found = new HashSet<>();
        for (int i = 0; i < 1000; i++) {
            all.add(slots.take(new Nop()));
        }

        all.forEach(userData -> found.add(slots.find(userData)));

        assertThat(found).hasSize(1000).doesNotContainNull();
        assertThat(all).as("no user data is one of nobody").allMatch(userData -> userData >>> 32 != 0);
        assertThat(slots.taken()).isEqualTo(1000);
        all.forEach(slots::free);
        assertThat(slots.taken()).isZero();
    }
}

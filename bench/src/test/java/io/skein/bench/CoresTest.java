package io.skein.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class CoresTest {
    @Test
    void readsTheKernelsLists() {
        assertThat(Cores.numbers("0-2,5,8-9")).containsExactly(0, 1, 2, 5, 8, 9);
        assertThat(Cores.numbers("3")).containsExactly(3);
        assertThat(Cores.numbers("")).isEmpty();
    }

    @Test
    void giveServerAndClientACoreEach() {
        Cores cores = Cores.choose(List.of(0, 1), List::of);
        assertThat(cores.server()).hasValue(1);
        assertThat(cores.client()).hasValue(0);
    }

    @Test
    void keepOutOfTheOthersPhysicalCore() {
        Cores cores = Cores.choose(List.of(0, 1, 2, 3), core -> List.of(core / 2 * 2, core / 2 * 2 + 1));
        assertThat(cores.server()).hasValue(3);
        assertThat(cores.client()).hasValue(1);
    }

    @Test
    void giveMoreWorkersMoreCoresAndTheClientsLast() {
        Cores cores = Cores.choose(List.of(0, 1, 2, 3), core -> List.of(core / 2 * 2, core / 2 * 2 + 1));
        assertThat(cores.servers(1)).containsExactly(3);
        assertThat(cores.servers(3))
                .containsExactly(3, 2, 0)
                .doesNotContain(cores.client().getAsInt());
        assertThat(cores.servers(4)).contains(cores.client().getAsInt());
        assertThat(cores.shared(3)).isFalse();
        assertThat(cores.shared(4)).isTrue();
        assertThat(cores.all(1)).containsExactly(3, 1);
        assertThat(cores.all(4)).containsExactlyInAnyOrder(0, 1, 2, 3);
    }

    @Test
    void sayWhenThereIsOnlyOnePhysicalCore() {
        Cores cores = Cores.choose(List.of(0, 1), core -> List.of(0, 1));
        assertThat(cores.client()).hasValue(0);
        assertThat(cores.description()).contains("two threads of one physical core");
    }

    @Test
    void pinNothingOnOneCore() {
        Cores cores = Cores.choose(List.of(4), List::of);
        assertThat(cores.server()).isEqualTo(OptionalInt.empty());
        assertThat(cores.client()).isEqualTo(OptionalInt.empty());
        assertThat(cores.description()).contains("only one core");
    }
}

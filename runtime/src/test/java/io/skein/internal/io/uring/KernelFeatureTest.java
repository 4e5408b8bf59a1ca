package io.skein.internal.io.uring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.EnumSet;
import org.junit.jupiter.api.Test;

/** What the switch for optional features understands. */
class KernelFeatureTest {
    @Test
    void byDefaultAllIsWantedThatPays() {
        assertThat(KernelFeature.wanted("", ""))
                .isEqualTo(EnumSet.complementOf(
                        EnumSet.of(KernelFeature.REGISTERED_BUFFERS, KernelFeature.SHARED_BUFFERS)));
    }

    @Test
    void namesAreSeparatedByCommasInWhateverCase() {
        assertThat(KernelFeature.wanted("buffer_ring, NO_SQARRAY", ""))
                .doesNotContain(KernelFeature.BUFFER_RING, KernelFeature.NO_SQARRAY)
                .contains(KernelFeature.DEFER_TASKRUN);
    }

    @Test
    void allSwitchesEverythingOff() {
        assertThat(KernelFeature.wanted("all", "registered_buffers, shared_buffers"))
                .isEmpty();
    }

    @Test
    void whatIsOffByDefaultIsSwitchedOnByItsName() {
        assertThat(KernelFeature.wanted("", "registered_buffers,shared_buffers"))
                .containsExactlyInAnyOrder(KernelFeature.values());
    }

    @Test
    void anUnknownNameIsRefusedWithTheNamesThereAre() {
        assertThatIllegalStateException()
                .isThrownBy(() -> KernelFeature.wanted("sqpoll", ""))
                .withMessageContaining("sqpoll")
                .withMessageContaining("DEFER_TASKRUN");
    }
}

package io.skein.internal.io.uring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;

/** What the switch for optional features understands. */
class KernelFeatureTest {
    @Test
    void nothingIsSwitchedOffByDefault() {
        assertThat(KernelFeature.switchedOff("")).isEmpty();
    }

    @Test
    void namesAreSeparatedByCommasInWhateverCase() {
        assertThat(KernelFeature.switchedOff("buffer_ring, NO_SQARRAY"))
                .containsExactlyInAnyOrder(KernelFeature.BUFFER_RING, KernelFeature.NO_SQARRAY);
    }

    @Test
    void allSwitchesEverythingOff() {
        assertThat(KernelFeature.switchedOff("all")).containsExactlyInAnyOrder(KernelFeature.values());
    }

    @Test
    void anUnknownNameIsRefusedWithTheNamesThereAre() {
        assertThatIllegalStateException()
                .isThrownBy(() -> KernelFeature.switchedOff("sqpoll"))
                .withMessageContaining("sqpoll")
                .withMessageContaining("DEFER_TASKRUN");
    }
}

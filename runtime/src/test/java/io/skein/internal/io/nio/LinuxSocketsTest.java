package io.skein.internal.io.nio;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LinuxSocketsTest {
    @Test
    void anotherSystemIsNamed() {
        assertThat(LinuxSockets.refusal("Mac OS X", null)).isEqualTo("needs Linux, and this is Mac OS X");
        assertThat(LinuxSockets.refusal("Mac OS X", "--flag")).isEqualTo("needs Linux, and this is Mac OS X");
    }

    @Test
    void whatIsMissingOnLinuxIsNamed() {
        assertThat(LinuxSockets.refusal("Linux", "--flag")).isEqualTo("needs --flag");
    }

    @Test
    void linuxWithAllItWantsIsNotRefused() {
        assertThat(LinuxSockets.refusal("Linux", null)).isNull();
    }
}

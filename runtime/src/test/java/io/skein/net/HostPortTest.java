package io.skein.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostPortTest {
    @ParameterizedTest
    @CsvSource({
        "example:80, example, 80",
        "example.org:65535, example.org, 65535",
        "127.0.0.1:0, 127.0.0.1, 0",
        "[::1]:80, ::1, 80",
        "[fe80::1%eth0]:443, fe80::1%eth0, 443",
        "localhost:00080, localhost, 80"
    })
    void aHostAndAPortAreReadFromText(String text, String host, int port) {
        assertThat(HostPort.parse(text)).isEqualTo(new HostPort(host, port));
    }

    @ParameterizedTest
    @ValueSource(strings = {"example:80", "127.0.0.1:1", "[::1]:80", "[2001:db8::2]:443"})
    void whatIsWrittenCanBeReadAgain(String text) {
        assertThat(HostPort.parse(text)).hasToString(text);
    }

    @ParameterizedTest
    @CsvSource({
        "::1:80, must stand in brackets",
        "2001:db8::1, must stand in brackets",
        "::1, must stand in brackets",
        "example, there is no port",
        "'', there is no port",
        ":80, there is no host",
        "example:, a number from 0 to 65535",
        "example:http, a number from 0 to 65535",
        "example:-1, a number from 0 to 65535",
        "example:+1, a number from 0 to 65535",
        "example:65536, a number from 0 to 65535",
        "example:123456789012, a number from 0 to 65535",
        "[::1, the bracket is not closed",
        "[::1], a colon and a port must follow",
        "[::1]80, a colon and a port must follow",
        "[example]:80, only an IPv6 address",
        "[]:80, only an IPv6 address"
    })
    void whatIsNotAHostAndAPortIsRefusedWithTheReason(String text, String reason) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HostPort.parse(text))
                .withMessageContaining("'" + text + "'")
                .withMessageContaining(reason);
    }

    @Test
    void aPortThatThereIsNotIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new HostPort("example", 65_536))
                .withMessageContaining("65536");
        assertThatIllegalArgumentException().isThrownBy(() -> new HostPort(" ", 1));
    }
}

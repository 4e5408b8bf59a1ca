package io.skein.bench.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.bench.load.EchoCheck;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ContenderTest {
    @ParameterizedTest
    @EnumSource
    void echoesByteForByte(Contender contender) throws Exception {
        try (EchoServer server = start(contender)) {
            EchoCheck.run(server.port(), 1024);
            assertThat(server.describe()).isNotBlank().doesNotContain("\n");
        }
    }

    @ParameterizedTest
    @EnumSource
    void isFoundByItsLabel(Contender contender) {
        assertThat(Contender.labelled(contender.label())).contains(contender);
    }

    @Test
    void skeinIsNotItsOwnRival() {
        assertThat(Contender.labels(Contender.rivals())).isEqualTo("jdk, netty-io_uring, netty-epoll");
    }

    private static EchoServer start(Contender contender) throws Exception {
        try {
            return contender.start(4096);
        } catch (UnsupportedOperationException unavailable) {
            return Assumptions.abort(String.valueOf(unavailable.getMessage()));
        }
    }
}

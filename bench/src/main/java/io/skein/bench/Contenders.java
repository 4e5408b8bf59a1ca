package io.skein.bench;

import io.skein.bench.server.Contender;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** From the labels of options to the servers of a plan. */
final class Contenders {
    private Contenders() {}

    /** Skein first; labels of nobody are for others to refuse. */
    static List<Contender> skeinAnd(List<String> rivals) {
        return Stream.concat(
                        Stream.of(Contender.SKEIN),
                        rivals.stream().distinct().map(Contender::labelled).flatMap(Optional::stream))
                .toList();
    }

    /** The servers whose JVM can be recorded. */
    static List<String> profiled() {
        return Arrays.stream(Contender.values())
                .filter(Contender::isJava)
                .map(Contender::label)
                .toList();
    }
}

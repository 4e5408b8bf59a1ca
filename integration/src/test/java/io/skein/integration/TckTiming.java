package io.skein.integration;

/** How long the TCK of Reactive Streams waits. */
final class TckTiming {
    /** For something that must come: long, since the machine may be busy. */
    static final long ANSWER_MILLIS = 5_000;

    /** For something that must not come. */
    static final long SILENCE_MILLIS = 100;

    private TckTiming() {}
}

package io.skein.cli.demo;

/** What a round is doing: it goes through these in order, and only forward. */
enum Phase {
    /** Clients connect and find their pace; nothing is recorded. */
    SETTLING,
    /** Every answer is recorded. */
    MEASURED,
    /** Clients finish the request they are at, and leave. */
    OVER
}

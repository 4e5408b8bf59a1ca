package io.skein.cli.demo;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Runs the same swarm on two contenders in turn: a warm-up each, then rounds, and in every other round the
 * other one goes first, so that neither always has the quieter machine. Used once, by one thread.
 */
final class Duel {

    private final DemoPlan plan;
    private final ProgressLine progress;
    private final Side ours;
    private final Side theirs;

    Duel(DemoPlan plan, Contender ours, Contender theirs, ProgressLine progress) {
        this.plan = plan;
        this.progress = progress;
        this.ours = new Side(ours);
        this.theirs = new Side(theirs);
    }

    /** Runs everything; afterwards both scores can be had. */
    void run() throws IOException, InterruptedException {
        try {
            for (int round = 0; round <= plan.rounds(); round++) {
                boolean oursFirst = round % 2 == 1;
                runOne(oursFirst ? ours : theirs, round);
                runOne(oursFirst ? theirs : ours, round);
            }
        } finally {
            progress.end();
        }
    }

    Score ourScore() {
        return Score.of(ours.rounds);
    }

    Score theirScore() {
        return Score.of(theirs.rounds);
    }

    private void runOne(Side side, int number) throws IOException, InterruptedException {
        Contender contender = side.contender;
        String title = (number == 0 ? "warm-up" : "round " + number + " of " + plan.rounds()) + ": " + contender.name();
        Duration settling = number == 0 ? Duration.ZERO : plan.settling();
        Duration window = number == 0 ? plan.warmUp() : plan.window();
        FirstFailure failure = new FirstFailure();
        try (EchoSide server = EchoSide.start(contender, plan.messageBytes(), failure)) {
            Swarm swarm = new Swarm(contender, server.address(), plan.connections(), plan.messageBytes(), failure);
            long begun = System.nanoTime();
            Round round = swarm.measure(
                    settling,
                    window,
                    answered -> progress.update(line(title, answered * 1e9 / (System.nanoTime() - begun))));
            progress.step(line(title, round.requestsPerSecond()));
            if (number > 0) {
                side.rounds.add(round);
            }
        }
    }

    private static String line(String title, double requestsPerSecond) {
        return String.format(Locale.ROOT, "%-36s %,9.0f requests/s", title, requestsPerSecond);
    }

    /** A contender and what its rounds measured so far. */
    private static final class Side {

        final Contender contender;
        final List<Round> rounds = new ArrayList<>();

        Side(Contender contender) {
            this.contender = contender;
        }
    }
}

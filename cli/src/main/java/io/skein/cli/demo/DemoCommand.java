package io.skein.cli.demo;

import java.io.Console;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code skein demo}: Skein beside the JDK's virtual threads, in a quarter of a minute. */
@Command(name = "demo", description = "Run an echo server and a swarm of clients on Skein and on JDK virtual threads.")
public final class DemoCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli injects it before call()
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        boolean terminal =
                Optional.ofNullable(System.console()).map(Console::isTerminal).orElse(false);
        run(DemoPlan.standard(), spec.commandLine().getOut(), terminal);
        return ExitCode.OK;
    }

    /**
     * Runs a demo of any size.
     *
     * @param live whether {@code out} is a terminal, where a line can be drawn over
     */
    static void run(DemoPlan plan, PrintWriter out, boolean live) throws IOException, InterruptedException {
        try (Contender skein = new SkeinContender(plan.driver());
                Contender jdk = new VirtualThreadContender()) {
            out.printf(
                    Locale.ROOT,
                    "%d clients each send %,d bytes, wait for the echo and send again,%n"
                            + "on Skein and on JDK virtual threads in turns.%n%n",
                    plan.connections(),
                    plan.messageBytes());
            Duel duel = new Duel(plan, skein, jdk, new ProgressLine(out, live));
            duel.run();
            out.println(new DemoTable(skein, duel.ourScore(), jdk, duel.theirScore()));
            out.println();
            out.println(footnote(plan));
        }
    }

    private static String footnote(DemoPlan plan) {
        return String.format(
                Locale.ROOT,
                """
                Ratio is Skein to JDK; medians of %d rounds of %.1f s each, taken in turns.
                Server and clients share this process and its %d processors, so every figure
                is of both together; ./skein bench echo takes them apart.""",
                plan.rounds(),
                plan.window().toMillis() / 1e3,
                Runtime.getRuntime().availableProcessors());
    }
}

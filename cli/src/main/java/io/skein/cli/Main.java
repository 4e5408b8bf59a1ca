package io.skein.cli;

import io.skein.cli.demo.DemoCommand;
import io.skein.cli.doctor.DoctorCommand;
import io.skein.cli.echo.EchoCommand;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/**
 * The {@code skein} program. Exit codes: 0 for success, 1 for a failure at run time, 2 for a wrong option or
 * argument; each failure is one sentence on stderr.
 */
@Command(
        name = "skein",
        description = "Coroutines for the JVM on Linux io_uring.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {DemoCommand.class, EchoCommand.class, DoctorCommand.class})
public final class Main implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli injects it before call()
    private CommandSpec spec;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "Show this help and exit.")
    @SuppressWarnings("UnusedVariable") // picocli acts on it
    private boolean helpRequested;

    private Main() {}

    /** Runs one command and exits the JVM with its exit code. */
    public static void main(String[] arguments) {
        logInOneLine();
        System.exit(execute(commandLine(), arguments));
    }

    /** Runs one command; picocli hands failures to {@link Complaints}, but lets errors through. */
    static int execute(CommandLine program, String... arguments) {
        try {
            return program.execute(arguments);
        } catch (Error e) {
            return Complaints.tell(e, program);
        }
    }

    /** The program as picocli sees it, ready to execute arguments. */
    static CommandLine commandLine() {
        Complaints complaints = new Complaints();
        return new CommandLine(new Main())
                .setOut(utf8(System.out))
                .setErr(utf8(System.err))
                .setParameterExceptionHandler(complaints)
                .setExecutionExceptionHandler(complaints);
    }

    /** Without a command: the list of commands. */
    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getOut());
        return CommandLine.ExitCode.OK;
    }

    /** What the runtime logs reads like the program's own messages; the JDK's default is two lines with a date. */
    private static void logInOneLine() {
        String format = "java.util.logging.SimpleFormatter.format";
        if (System.getProperty(format) == null) {
            System.setProperty(format, "skein: %5$s%6$s%n");
        }
    }

    /** A writer that does not turn µ into a question mark where the locale is C, as it is in many containers. */
    private static PrintWriter utf8(PrintStream stream) {
        return new PrintWriter(stream, true, StandardCharsets.UTF_8);
    }
}

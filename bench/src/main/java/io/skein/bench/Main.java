package io.skein.bench;

import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./skein bench}: lists the suites, or runs one. */
@Command(
        name = "skein bench",
        description = "Measures Skein beside its rivals.",
        subcommands = {ServeCommand.class, LoadCommand.class, IdleCommand.class})
public final class Main implements Callable<Integer> {
    /** The suites of small benchmarks; each has the same options. */
    private static final List<MicroSuite> MICRO_SUITES = List.of(
            SchedulerSuite.SUITE, CoroutineSuite.SUITE, SyncSuite.SUITE, BlockingSuite.SUITE, MemorySuite.SUITE);

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    private Main() {}

    public static void main(String[] arguments) {
        System.exit(commandLine().execute(withSuite(arguments)));
    }

    /** Options without a suite are for all of them. */
    static String[] withSuite(String[] arguments) {
        boolean all = arguments.length > 0 && arguments[0].startsWith("--") && !arguments[0].equals("--help");
        return all ? Stream.concat(Stream.of("all"), Arrays.stream(arguments)).toArray(String[]::new) : arguments;
    }

    /** New ones, in the order in which they are listed and run. */
    static List<CommandLine> suites() {
        return Stream.concat(
                        Stream.of(new EchoCommand(), new NetCommand(), new ScalingCommand(), new LibrariesCommand())
                                .map(CommandLine::new),
                        MICRO_SUITES.stream().map(MicroCommand::commandLine))
                .toList();
    }

    static CommandLine commandLine() {
        CommandLine root = new CommandLine(new Main());
        suites().forEach(root::addSubcommand);
        root.addSubcommand(new AllCommand());
        addHelp(root);
        root.getSubcommands().values().forEach(Main::addHelp);
        return root.setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler(Main::refuse)
                .setExecutionExceptionHandler(Main::fail);
    }

    private static void addHelp(CommandLine command) {
        OptionSpec help = OptionSpec.builder("-h", "--help")
                .usageHelp(true)
                .description("Show this help and exit.")
                .build();
        command.getCommandSpec().addOption(help);
    }

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        out.println("Suites (./skein bench SUITE --help tells more):");
        for (Map.Entry<String, CommandLine> suite : spec.subcommands().entrySet()) {
            CommandSpec suiteSpec = suite.getValue().getCommandSpec();
            if (!suiteSpec.usageMessage().hidden()) {
                out.printf(
                        "  %-10s %s%n", suite.getKey(), suiteSpec.usageMessage().description()[0]);
            }
        }
        return ExitCode.OK;
    }

    private static int refuse(ParameterException wrong, String[] arguments) {
        CommandLine command = wrong.getCommandLine();
        command.getErr()
                .printf(
                        "%s: %s (%s --help lists the options)%n",
                        command.getCommandSpec().qualifiedName(),
                        wrong.getMessage(),
                        command.getCommandSpec().qualifiedName());
        return ExitCode.USAGE;
    }

    private static int fail(Exception failure, CommandLine command, CommandLine.ParseResult parsed) throws Exception {
        if (!(failure instanceof BenchException)) {
            throw failure;
        }
        command.getErr().println(command.getCommandSpec().qualifiedName() + ": " + failure.getMessage());
        return ExitCode.SOFTWARE;
    }
}

package io.skein.cli.doctor;

import io.skein.Diagnosis;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code skein doctor}: says what it finds; a machine without io_uring is a finding, not a failure. */
@Command(name = "doctor", description = "Say what this machine gives Skein, and what Skein would choose.")
public final class DoctorCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli injects it before call()
    private CommandSpec spec;

    @Option(names = "--json", description = "Write JSON, for programs.")
    private boolean json;

    @Override
    public Integer call() {
        Diagnosis diagnosis = Diagnosis.take();
        spec.commandLine().getOut().println(json ? JsonReport.of(diagnosis) : TextReport.of(diagnosis));
        return ExitCode.OK;
    }
}

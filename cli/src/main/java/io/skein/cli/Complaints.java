package io.skein.cli;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Tells the user in one sentence on stderr what went wrong: no usage text, no stack trace. Stateless.
 */
final class Complaints implements IParameterExceptionHandler, IExecutionExceptionHandler {

    @Override
    public int handleParseException(ParameterException mistake, String[] arguments) {
        CommandLine command = mistake.getCommandLine();
        String name = command.getCommandSpec().qualifiedName();
        command.getErr().println(name + ": " + sentenceFor(mistake) + "; see " + name + " --help");
        return ExitCode.USAGE;
    }

    @Override
    public int handleExecutionException(Exception failure, CommandLine command, ParseResult parsed) {
        return tell(failure, command);
    }

    /** Says that a command failed while it ran; returns the exit code for that. */
    static int tell(Throwable failure, CommandLine command) {
        command.getErr().println(command.getCommandSpec().qualifiedName() + ": " + sentenceFor(failure));
        return ExitCode.SOFTWARE;
    }

    private static String sentenceFor(ParameterException mistake) {
        if (mistake instanceof UnmatchedArgumentException unmatched) {
            return sentenceFor(unmatched);
        }
        return startingSmall(onOneLine(String.valueOf(mistake.getMessage())));
    }

    private static String sentenceFor(UnmatchedArgumentException unmatched) {
        boolean commandExpected = !unmatched.getCommandLine().getSubcommands().isEmpty();
        String kind = unmatched.isUnknownOption()
                ? "unknown option"
                : commandExpected ? "unknown command" : "unexpected argument";
        String sentence = kind + " '" + unmatched.getUnmatched().getFirst() + "'";
        List<String> suggestions = unmatched.getSuggestions();
        return suggestions.isEmpty() ? sentence : sentence + " (did you mean '" + suggestions.getFirst() + "'?)";
    }

    private static String sentenceFor(Throwable failure) {
        Throwable told = failure;
        while (told.getCause() != null && saysLittle(told)) {
            told = told.getCause();
        }
        String message = told.getMessage();
        return message == null || message.isBlank() ? told.getClass().getSimpleName() : onOneLine(message);
    }

    /** Whether the cause is what a user wants to hear. */
    private static boolean saysLittle(Throwable failure) {
        return failure instanceof CompletionException
                || failure instanceof ExecutionException
                || failure.getMessage() == null;
    }

    private static String startingSmall(String text) {
        return text.substring(0, 1).toLowerCase(Locale.ROOT) + text.substring(1);
    }

    private static String onOneLine(String text) {
        return text.strip().replaceAll("\\s*\\R\\s*", " ");
    }
}

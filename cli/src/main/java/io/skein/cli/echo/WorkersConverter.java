package io.skein.cli.echo;

import picocli.CommandLine.ITypeConverter;

/** Reads the value of {@code --workers}; each is a thread with a ring, so thousands can only be a slip. */
final class WorkersConverter implements ITypeConverter<Integer> {

    private static final WholeNumber WORKERS = new WholeNumber("a number of workers", 1, 1_024);

    @Override
    public Integer convert(String value) {
        return WORKERS.parse(value);
    }
}

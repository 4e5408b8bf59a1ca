package io.skein.cli.echo;

import picocli.CommandLine.ITypeConverter;

/** Reads the value of {@code --port}. */
final class PortConverter implements ITypeConverter<Integer> {

    private static final WholeNumber PORT = new WholeNumber("a port", 0, 65_535);

    @Override
    public Integer convert(String value) {
        return PORT.parse(value);
    }
}

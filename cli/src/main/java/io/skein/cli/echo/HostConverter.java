package io.skein.cli.echo;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the value of {@code --host}; the JDK would take an empty one for the loopback address. */
final class HostConverter implements ITypeConverter<String> {

    @Override
    public String convert(String value) {
        if (value.isBlank()) {
            throw new TypeConversionException("it is empty");
        }
        return value;
    }
}

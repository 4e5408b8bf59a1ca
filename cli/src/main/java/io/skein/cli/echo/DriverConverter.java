package io.skein.cli.echo;

import io.skein.DriverKind;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the value of {@code --driver}. */
final class DriverConverter implements ITypeConverter<DriverKind> {

    @Override
    public DriverKind convert(String value) {
        return switch (value.toLowerCase(Locale.ROOT)) {
            case "auto" -> DriverKind.AUTO;
            case "uring" -> DriverKind.URING;
            case "nio" -> DriverKind.NIO;
            default -> throw new TypeConversionException("'" + value + "' is not a driver (auto, uring or nio)");
        };
    }
}

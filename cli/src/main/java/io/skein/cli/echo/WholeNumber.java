package io.skein.cli.echo;

import picocli.CommandLine.TypeConversionException;

/** A whole number between two bounds, read from an option's value. */
record WholeNumber(String what, int least, int most) {

    int parse(String value) {
        try {
            int number = Integer.parseInt(value);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // the sentence below says it in the user's words
        }
        throw new TypeConversionException("'%s' is not %s (%d to %d)".formatted(value, what, least, most));
    }
}

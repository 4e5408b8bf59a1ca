package io.skein.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The file of {@code --json}, {@code --html} or {@code --markdown}. */
final class FigureFile {
    private FigureFile() {}

    /** Empty where there is no such file. */
    static String textOf(Path file) throws BenchException {
        try {
            return Files.exists(file) ? Files.readString(file) : "";
        } catch (IOException failure) {
            throw new BenchException("the figures could not be put there: " + failure, failure);
        }
    }

    static void write(Path file, String text) throws BenchException {
        try {
            Files.writeString(file, text);
        } catch (IOException failure) {
            throw new BenchException("the figures could not be written: " + failure, failure);
        }
    }
}

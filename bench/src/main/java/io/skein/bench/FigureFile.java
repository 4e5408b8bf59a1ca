package io.skein.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The file of {@code --json} or {@code --html}. */
final class FigureFile {
    private FigureFile() {}

    static void write(Path file, String text) throws BenchException {
        try {
            Files.writeString(file, text);
        } catch (IOException failure) {
            throw new BenchException("the figures could not be written: " + failure, failure);
        }
    }
}

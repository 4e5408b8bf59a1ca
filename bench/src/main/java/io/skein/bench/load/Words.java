package io.skein.bench.load;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** A line of numbers with blanks between them: all that harness and load generator say to each other. */
final class Words {
    private static final Pattern BLANK = Pattern.compile(" ");

    private Words() {}

    static String join(long... numbers) {
        return LongStream.of(numbers).mapToObj(Long::toString).collect(Collectors.joining(" "));
    }

    static List<Long> longs(String line, int count) {
        List<Long> numbers = Arrays.stream(BLANK.split(line)).map(Long::valueOf).toList();
        if (numbers.size() != count) {
            throw new IllegalArgumentException("expected " + count + " numbers: " + line);
        }
        return numbers;
    }
}

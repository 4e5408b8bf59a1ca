package io.skein.examples;

import io.skein.Generator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** An endless sequence as plain code: the sieve of Eratosthenes, each prime a filter in front of the rest. */
public final class Primes {

    private Primes() {}

    public static void main(String[] arguments) {
        try (Stream<Integer> primes = sieve(from(2)).stream()) {
            System.out.println(primes.limit(12).map(String::valueOf).collect(Collectors.joining(" ")));
        }
    }

    private static Generator<Integer> from(int first) {
        return Generator.of(emitter -> {
            for (int number = first; ; number++) {
                emitter.emit(number);
            }
        });
    }

    private static Generator<Integer> sieve(Generator<Integer> numbers) {
        return Generator.of(emitter -> {
            int prime = numbers.next();
            emitter.emit(prime);
            emitter.emitAll(sieve(Generator.of(rest -> {
                while (numbers.hasNext()) {
                    int number = numbers.next();
                    if (number % prime != 0) {
                        rest.emit(number);
                    }
                }
            })));
        });
    }
}

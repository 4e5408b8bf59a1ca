package io.skein.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;

class ComplaintsTest {

    @Command(name = "work")
    private record Work(Callable<Integer> body) implements Callable<Integer> {

        @Override
        public Integer call() throws Exception {
            return body.call();
        }
    }

    private final StringWriter err = new StringWriter();

    @Test
    void aFailureIsToldInOneSentence() {
        assertThat(run(() -> {
                    throw new IOException("read 10.0.0.1:80: connection reset");
                }))
                .isEqualTo(1);
        assertThat(err.toString().lines()).containsExactly("work: read 10.0.0.1:80: connection reset");
    }

    @Test
    void aWrapperIsNotToldButItsCause() {
        run(() -> {
            throw new CompletionException("worker failed: x", new IllegalStateException("no driver"));
        });
        assertThat(err.toString().lines()).containsExactly("work: no driver");
    }

    @Test
    void aMessageOfManyLinesIsToldInOne() {
        run(() -> {
            throw new IllegalStateException("one\n  two\nthree");
        });
        assertThat(err.toString().lines()).containsExactly("work: one two three");
    }

    @Test
    void anErrorIsToldLikeAnyFailure() {
        assertThat(run(() -> {
                    throw new ExceptionInInitializerError(new IOException("too many open files"));
                }))
                .isEqualTo(1);
        assertThat(err.toString().lines()).containsExactly("work: too many open files");
    }

    @Test
    void aFailureWithoutWordsIsToldByItsName() {
        run(() -> {
            throw new StackOverflowError();
        });
        assertThat(err.toString().lines()).containsExactly("work: StackOverflowError");
    }

    private int run(Callable<Integer> body) {
        CommandLine program = new CommandLine(new Work(body))
                .setErr(new PrintWriter(err, true))
                .setExecutionExceptionHandler(new Complaints());
        return Main.execute(program);
    }
}

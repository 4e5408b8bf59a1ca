/** The commands behind {@code ./skein}: demo, echo and doctor. */
module io.skein.cli {
    requires info.picocli;
    requires io.skein;
    requires static org.jspecify;

    opens io.skein.cli to
            info.picocli;
    opens io.skein.cli.demo to
            info.picocli;
    opens io.skein.cli.doctor to
            info.picocli;
    opens io.skein.cli.echo to
            info.picocli;
}

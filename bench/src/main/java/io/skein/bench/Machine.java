package io.skein.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where and when figures were taken, as every report tells it. */
final class Machine {
    private static final Pattern MODEL = Pattern.compile("model name\\s*: (.*)");

    private Machine() {}

    /** A new map, to add to. */
    static Map<String, Object> facts() {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("date", LocalDate.now(ZoneOffset.UTC).toString());
        facts.put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        facts.put("processor", processor() + ", " + Runtime.getRuntime().availableProcessors() + " usable");
        facts.put("jdk", Runtime.version().toString());
        facts.put("commit", commit());
        return facts;
    }

    private static String processor() {
        try {
            Matcher matcher = MODEL.matcher(Files.readString(Path.of("/proc/cpuinfo")));
            return matcher.find() ? matcher.group(1) : System.getProperty("os.arch");
        } catch (IOException unknown) {
            return System.getProperty("os.arch");
        }
    }

    /** Of the sources that the program was built from, as far as the folder tells from which it was started. */
    private static String commit() {
        try {
            Process git = new ProcessBuilder("git", "describe", "--always", "--dirty")
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String answer = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return answer.isEmpty() ? "unknown" : answer;
        } catch (IOException noGit) {
            return "unknown";
        }
    }
}

package io.skein.internal.linux;

import java.util.HexFormat;

/**
 * Names that somebody else has chosen, made fit for logs, messages and names of threads: a line break could forge a line of the log, and
 * an escape sequence steer the terminal that shows it. Any thread may call it.
 */
final class Names {
    private static final HexFormat HEX = HexFormat.of();

    private Names() {}

    /** The text, with all that is not to be seen as such, and the backslash, written as an escape of Java. */
    static String printable(String name) {
        if (name.codePoints().allMatch(Names::isPlain)) {
            return name;
        }
        StringBuilder text = new StringBuilder();
        name.codePoints().forEach(point -> {
            if (isPlain(point)) {
                text.appendCodePoint(point);
            } else if (point == '\\') {
                text.append("\\\\");
            } else {
                for (char half : Character.toChars(point)) {
                    text.append("\\u").append(HEX.toHexDigits(half));
                }
            }
        });
        return text.toString();
    }

    /** As the other, of bytes that are no text. */
    static String printable(byte[] name) {
        StringBuilder text = new StringBuilder();
        for (byte part : name) {
            if (part >= 0 && isPlain(part)) {
                text.append((char) part);
            } else {
                text.append("\\x").append(HEX.toHexDigits(part));
            }
        }
        return text.toString();
    }

    private static boolean isPlain(int point) {
        return switch (Character.getType(point)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED -> false;
            default -> point != '\\';
        };
    }
}

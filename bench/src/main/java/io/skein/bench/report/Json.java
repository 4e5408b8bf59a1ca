package io.skein.bench.report;

import java.util.Iterator;
import java.util.List;
import java.util.Map;

/** Writes maps, lists, strings, numbers and booleans as JSON, indented, in the order of the map. */
final class Json {
    private static final String INDENT = "  ";

    private final StringBuilder text = new StringBuilder();

    private Json() {}

    static String of(Object value) {
        Json json = new Json();
        json.value(value, "");
        return json.text.append('\n').toString();
    }

    private void value(Object value, String indent) {
        switch (value) {
            case Map<?, ?> map -> object(map, indent);
            case List<?> list -> array(list, indent);
            case String string -> string(string);
            case Double number -> number(number);
            case Integer number -> text.append(number.intValue());
            case Long number -> text.append(number.longValue());
            case Boolean truth -> text.append(truth.booleanValue());
            default -> throw new IllegalArgumentException("not JSON: " + value.getClass());
        }
    }

    private void object(Map<?, ?> map, String indent) {
        String deeper = indent + INDENT;
        text.append('{');
        Iterator<? extends Map.Entry<?, ?>> entries = map.entrySet().iterator();
        while (entries.hasNext()) {
            Map.Entry<?, ?> entry = entries.next();
            text.append('\n').append(deeper);
            string(String.valueOf(entry.getKey()));
            text.append(": ");
            value(entry.getValue(), deeper);
            text.append(entries.hasNext() ? "," : "\n" + indent);
        }
        text.append('}');
    }

    private void array(List<?> list, String indent) {
        String deeper = indent + INDENT;
        text.append('[');
        Iterator<?> elements = list.iterator();
        while (elements.hasNext()) {
            text.append('\n').append(deeper);
            value(elements.next(), deeper);
            text.append(elements.hasNext() ? "," : "\n" + indent);
        }
        text.append(']');
    }

    /** JSON knows no infinity, and nobody reads more than four decimals. */
    private void number(double number) {
        if (Double.isFinite(number)) {
            text.append(Math.round(number * 10_000) / 10_000.0);
        } else {
            text.append("null");
        }
    }

    private void string(String string) {
        text.append('"');
        for (int i = 0; i < string.length(); i++) {
            char character = string.charAt(i);
            switch (character) {
                case '"' -> text.append("\\\"");
                case '\\' -> text.append("\\\\");
                case '\n' -> text.append("\\n");
                case '\t' -> text.append("\\t");
                default -> {
                    if (character < ' ') {
                        text.append("\\u00").append(Character.forDigit(character >> 4, 16));
                        text.append(Character.forDigit(character & 0xf, 16));
                    } else {
                        text.append(character);
                    }
                }
            }
        }
        text.append('"');
    }
}

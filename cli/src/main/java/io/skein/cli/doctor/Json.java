package io.skein.cli.doctor;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import org.jspecify.annotations.Nullable;

/**
 * Writes a value as indented JSON. Maps become objects in their own order, lists become arrays; strings,
 * numbers, booleans and null stand for themselves, and any other type is refused. Not a parser. Stateless
 * between calls.
 */
final class Json {

    private final StringBuilder text = new StringBuilder();

    private Json() {}

    /**
     * The value as JSON, without a line end after it.
     *
     * @throws IllegalArgumentException for a value that JSON has no word for
     */
    static String write(@Nullable Object value) {
        Json json = new Json();
        json.value(value, 0);
        return json.text.toString();
    }

    private void value(@Nullable Object value, int depth) {
        switch (value) {
            case null -> text.append("null");
            case String string -> string(string);
            case Boolean bool -> text.append(bool.booleanValue());
            case Integer number -> text.append(number.intValue());
            case Long number -> text.append(number.longValue());
            case Map<?, ?> map -> object(map, depth);
            case List<?> list -> array(list, depth);
            default ->
                throw new IllegalArgumentException(
                        "no JSON for " + value.getClass().getName());
        }
    }

    private void object(Map<?, ?> map, int depth) {
        if (map.isEmpty()) {
            text.append("{}");
            return;
        }
        text.append('{');
        Iterator<? extends Entry<?, ?>> entries = map.entrySet().iterator();
        while (entries.hasNext()) {
            Entry<?, ?> entry = entries.next();
            line(depth + 1);
            string(String.valueOf(entry.getKey()));
            text.append(": ");
            value(entry.getValue(), depth + 1);
            text.append(entries.hasNext() ? "," : "");
        }
        line(depth);
        text.append('}');
    }

    private void array(List<?> list, int depth) {
        if (list.isEmpty()) {
            text.append("[]");
            return;
        }
        text.append('[');
        Iterator<?> elements = list.iterator();
        while (elements.hasNext()) {
            line(depth + 1);
            value(elements.next(), depth + 1);
            text.append(elements.hasNext() ? "," : "");
        }
        line(depth);
        text.append(']');
    }

    private void string(String string) {
        text.append('"');
        for (int i = 0; i < string.length(); i++) {
            character(string.charAt(i));
        }
        text.append('"');
    }

    /** Lone surrogates are escaped too: as UTF-8 they would turn into question marks. */
    private void character(char c) {
        switch (c) {
            case '"' -> text.append("\\\"");
            case '\\' -> text.append("\\\\");
            case '\n' -> text.append("\\n");
            case '\r' -> text.append("\\r");
            case '\t' -> text.append("\\t");
            default -> {
                if (c < 0x20 || c == 0x7f || Character.isSurrogate(c)) {
                    text.append("\\u%04x".formatted((int) c));
                } else {
                    text.append(c);
                }
            }
        }
    }

    private void line(int depth) {
        text.append('\n').repeat("  ", depth);
    }
}

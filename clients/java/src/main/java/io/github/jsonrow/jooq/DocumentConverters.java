package io.github.jsonrow.jooq;

import io.github.jsonrow.Jsonrow;
import io.github.jsonrow.RowReader;
import java.util.List;
import java.util.function.Function;
import org.jooq.Converter;
import org.jooq.JSON;
import org.jooq.JSONB;

/**
 * Converters between documents and lists of their rows, for fields and for generated columns.
 *
 * <pre>{@code
 * Field<List<Film>> films = field("jsonrow_agg_json(f)", JSON).convert(DocumentConverters.json(jsonrow, Film.class));
 * }</pre>
 */
public final class DocumentConverters {
    private DocumentConverters() {}

    /**
     * For documents as jsonb, or of the domain {@code jsonrow}.
     *
     * @param <T> the class of the rows
     * @param jsonrow what reads and writes them
     * @param type the class of the rows
     * @return a converter; NULL is null
     */
    public static <T> Converter<JSONB, List<T>> jsonb(Jsonrow jsonrow, Class<T> type) {
        return converter(JSONB.class, jsonrow, type, JSONB::data, JSONB::valueOf);
    }

    /**
     * For documents as json, or of the domain {@code jsonrow_json}.
     *
     * @param <T> the class of the rows
     * @param jsonrow what reads and writes them
     * @param type the class of the rows
     * @return a converter; NULL is null
     */
    public static <T> Converter<JSON, List<T>> json(Jsonrow jsonrow, Class<T> type) {
        return converter(JSON.class, jsonrow, type, JSON::data, JSON::valueOf);
    }

    private static <J, T> Converter<J, List<T>> converter(Class<J> from, Jsonrow jsonrow, Class<T> type,
            Function<J, String> text, Function<String, J> value) {
        RowReader<T> reader = jsonrow.rows(type);
        @SuppressWarnings("unchecked")
        Class<List<T>> list = (Class<List<T>>) (Class<?>) List.class;
        return Converter.ofNullable(from, list, document -> reader.read(text.apply(document)),
            rows -> value.apply(jsonrow.encode(rows, type)));
    }
}

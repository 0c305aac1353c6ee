package io.github.jsonrow;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.Collection;
import java.util.Map;

/**
 * Reads and writes documents of jsonrow: rows as arrays, by position, the names of the columns once, in a header.
 *
 * <pre>{@code
 * record Actor(String name) {}
 * record Film(int id, String title, List<Actor> actors) {}
 *
 * static final RowReader<Film> FILMS = new Jsonrow().rows(Film.class);
 *
 * List<Film> films = FILMS.read(resultSet.getString(1));
 * }</pre>
 *
 * Columns are properties by their names, as Jackson knows them; a column {@code film_id} is the property {@code
 * filmId}.
 */
public final class Jsonrow {
    private final ObjectMapper mapper;

    /**
     * With a mapper for which a column {@code film_id} is the property {@code filmId}; a column without a property and
     * a null for a primitive are errors; what is written has the order of the class. Otherwise it is as Jackson's are.
     */
    public Jsonrow() {
        this(JsonMapper.builder().propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY).build());
    }

    /**
     * With a mapper of your own: what it says of names, annotations, unknown columns and types holds. It is copied;
     * the copy reads and writes {@code byte[]} and dates as PostgreSQL does.
     *
     * @param mapper to be copied
     */
    public Jsonrow(ObjectMapper mapper) {
        this.mapper = Jackson.with(mapper, new PostgresModule());
    }

    /**
     * A reader of rows into records, or other classes that Jackson can read from objects.
     *
     * @param <T> the class of the rows
     * @param type the same
     * @return a reader to be kept
     */
    public <T> RowReader<T> rows(Class<T> type) {
        return new RowReader<>(mapper, mapper.constructType(type));
    }

    /**
     * The same for generic types.
     *
     * @param <T> the class of the rows
     * @param type the same
     * @return a reader to be kept
     */
    public <T> RowReader<T> rows(TypeReference<T> type) {
        return new RowReader<>(mapper, mapper.constructType(type));
    }

    /**
     * A reader of rows into maps. Where documents tell their types ({@code jsonrow.header = types}), values are of
     * these: {@code Long}, {@code BigDecimal}, {@code OffsetDateTime} and so on.
     *
     * @return a reader to be kept
     */
    public RowReader<Map<String, Object>> maps() {
        JavaType type = mapper.getTypeFactory().constructMapType(Map.class, String.class, Object.class);
        return new RowReader<>(mapper, type);
    }

    /**
     * Writes objects as a document, for {@code jsonrow_populate_recordset}. All are of the class of the first, or
     * maps.
     *
     * @param rows records, or other classes that Jackson can write as objects; a null is a row of nulls
     * @return the document's text; of no rows it has no columns
     */
    public String encode(Collection<?> rows) {
        return new Encoder(mapper).encode(rows, null);
    }

    /**
     * The same for objects of a class that is given, which tells the columns even if there are no rows.
     *
     * @param <T> the class of the rows
     * @param rows the objects
     * @param type their class
     * @return the document's text
     */
    public <T> String encode(Collection<? extends T> rows, Class<T> type) {
        return new Encoder(mapper).encode(rows, type);
    }
}

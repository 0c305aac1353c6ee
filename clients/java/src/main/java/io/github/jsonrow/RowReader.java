package io.github.jsonrow;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.sql.ResultSet;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;

/**
 * Reads the rows of documents into objects of one class. Make one for each class, by {@link Jsonrow}, and keep it: it
 * remembers the last header, and may be used by several threads.
 *
 * @param <T> the class of the rows
 */
public final class RowReader<T> {
    private final ObjectMapper mapper;
    private final JavaType type;
    private volatile Compiled last;

    RowReader(ObjectMapper mapper, JavaType type) {
        this.mapper = mapper;
        this.type = type;
    }

    /** A header, as it was last met, and what reads the rows under it */
    record Compiled(List<Column> columns, JsonNode types, RowShape shape, boolean usesTypes) {
        boolean typed() {
            return types != null;
        }
    }

    Compiled compile(List<Column> columns, JsonNode types, DeserializationContext context) throws IOException {
        Compiled known = last;
        if (known != null && known.columns.equals(columns) && Objects.equals(known.types, types)) return known;
        Shapes shapes = new Shapes(context);
        RowShape shape = shapes.of(type, Column.withTypes(columns, types));
        Compiled compiled = new Compiled(columns, types, shape, shapes.usesTypes());
        last = compiled; // which another thread may replace at once
        return compiled;
    }

    private DeserializationContext context(JsonParser p) {
        return Jackson.context(mapper, p);
    }

    /**
     * Reads a document, of either orientation.
     *
     * @param document its text
     * @return its rows; a row that is null as a whole is a null
     * @throws JsonrowException if it is not a document, or does not fit the class
     */
    public List<T> read(String document) {
        notNull(document);
        return read(() -> mapper.createParser(document));
    }

    /**
     * Reads a document, of either orientation.
     *
     * @param document its text in UTF-8
     * @return its rows; a row that is null as a whole is a null
     * @throws JsonrowException if it is not a document, or does not fit the class
     */
    public List<T> read(byte[] document) {
        notNull(document);
        return read(() -> mapper.createParser(document));
    }

    private static void notNull(Object document) {
        if (document == null) throw new DocumentException("it is null, as a value that is NULL in SQL");
    }

    private List<T> read(RowCursor.Reading<JsonParser> source) {
        return RowCursor.of(() -> {
            JsonNode late;
            try (JsonParser p = source.read()) {
                DocumentRows<T> rows = new DocumentRows<>(this, p, context(p), null);
                List<T> list = rows.toList();
                RowCursor.end(p, "something follows it");
                late = rows.lateTypes();
                if (late == null) return list;
            }
            // As in jsonb, which sorts keys by their length
            try (JsonParser p = source.read()) {
                return new DocumentRows<>(this, p, context(p), late).toList();
            }
        });
    }

    /**
     * Reads the rows of a document as they come: what {@code jsonrow_stream} or {@code COPY ... (FORMAT jsonrow)}
     * sends. By column, all are read before the first; types that stand behind the rows are not used.
     *
     * @param document UTF-8; closed with the rows
     * @return the rows
     */
    public RowCursor<T> rows(InputStream document) {
        return RowCursor.of(() -> rows(mapper.createParser(document)));
    }

    /**
     * The same of characters.
     *
     * @param document closed with the rows
     * @return the rows
     */
    public RowCursor<T> rows(Reader document) {
        return RowCursor.of(() -> rows(mapper.createParser(document)));
    }

    /**
     * The same of pieces of text, which need not end between rows.
     *
     * @param pieces what makes a document, put together
     * @return the rows
     */
    public RowCursor<T> rows(Iterator<String> pieces) {
        return rows(new PieceReader(pieces));
    }

    /**
     * The same of the pieces that a query gives: {@code SELECT jsonrow_stream(...)}. Without {@code setFetchSize}, and
     * autocommit off, JDBC fetches all of them first.
     *
     * @param pieces of which the first column counts; closed with the rows
     * @return the rows
     */
    public RowCursor<T> rows(ResultSet pieces) {
        return rows(new PieceReader(pieces));
    }

    /**
     * Reads lines as they come: what {@code jsonrow_stream_lines} or {@code COPY ... (FORMAT jsonrow, FORM lines)}
     * sends. If the last line is missing, the stream was cut off, and the iterator says so.
     *
     * @param lines UTF-8; closed with the rows
     * @return the rows
     */
    public RowCursor<T> lines(InputStream lines) {
        return RowCursor.of(() -> lines(mapper.createParser(lines)));
    }

    /**
     * The same of characters.
     *
     * @param lines closed with the rows
     * @return the rows
     */
    public RowCursor<T> lines(Reader lines) {
        return RowCursor.of(() -> lines(mapper.createParser(lines)));
    }

    /**
     * The same of pieces, each of one line or many, with the line feeds.
     *
     * @param pieces of lines
     * @return the rows
     */
    public RowCursor<T> lines(Iterator<String> pieces) {
        return lines(new PieceReader(pieces));
    }

    /**
     * The same of the pieces that a query gives: {@code SELECT jsonrow_stream_lines(...)}. Without {@code
     * setFetchSize}, and autocommit off, JDBC fetches all of them first.
     *
     * @param pieces of which the first column counts; closed with the rows
     * @return the rows
     */
    public RowCursor<T> lines(ResultSet pieces) {
        return lines(new PieceReader(pieces));
    }

    private RowCursor<T> rows(JsonParser p) throws IOException {
        return new DocumentRows<>(this, p, context(p), null);
    }

    private RowCursor<T> lines(JsonParser p) throws IOException {
        return new LineRows<>(this, p, context(p));
    }
}

package io.github.jsonrow;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.deser.DefaultDeserializationContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * The rows of a document or of lines, one after the other, as they come. Not for several threads.
 *
 * <p>A row that is null as a whole is a null. If the input ends too early, or is not what it should be, {@code
 * hasNext}
 * or {@code next} says so, by a {@link JsonrowException}; an {@link UncheckedIOException} comes from the input itself.
 *
 * @param <T> the class of the rows
 */
public abstract class Rows<T> implements Iterator<T>, AutoCloseable {
    final JsonParser p;
    final DefaultDeserializationContext context;
    private boolean there;
    private boolean ended;

    Rows(JsonParser p, DefaultDeserializationContext context) {
        this.p = p;
        this.context = context;
    }

    /** Goes to the next row; false at the end. */
    abstract boolean advance() throws IOException;

    /** Reads the row. */
    abstract T row() throws IOException;

    @Override
    public boolean hasNext() {
        if (!there && !ended) {
            there = of(this::advance);
            ended = !there;
        }
        return there;
    }

    @Override
    public T next() {
        if (!hasNext()) throw new NoSuchElementException();
        there = false;
        return of(this::row);
    }

    /**
     * The rest of the rows as a stream, which closes the input when it is closed.
     *
     * @return the stream
     */
    public Stream<T> stream() {
        return StreamSupport.stream(Spliterators.spliteratorUnknownSize(this, Spliterator.ORDERED), false)
            .onClose(this::close);
    }

    /**
     * The rest of the rows.
     *
     * @return a list of its own
     */
    public List<T> toList() {
        return of(() -> {
            List<T> rows = new ArrayList<>();
            if (there) rows.add(next());
            while (!ended && advance()) rows.add(row());
            ended = true;
            return rows;
        });
    }

    /** Closes the input, also before its end. */
    @Override
    public void close() {
        of(() -> {
            p.close();
            return null;
        });
    }

    /** What reads JSON */
    @FunctionalInterface
    interface Reading<R> {
        R read() throws IOException;
    }

    /** Runs it, and makes errors of ours of Jackson's. */
    static <R> R of(Reading<R> reading) {
        try {
            return reading.read();
        } catch (JacksonException e) {
            boolean end = e.getMessage().startsWith("Unexpected end-of-input");
            throw new JsonrowException(end ? "the input was cut off" : e.getMessage(), e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

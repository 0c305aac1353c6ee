package io.github.jsonrow;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.exc.InputCoercionException;
import com.fasterxml.jackson.core.exc.StreamReadException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonMappingException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.io.Writer;
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
 * <p>A row that is null as a whole is a null. If the input ends too early, {@code hasNext} or {@code next}
 * throws an {@link EndedEarlyException}; if it is not what it should be, another {@link JsonrowException}; an {@link
 * UncheckedIOException} comes from the input itself.
 *
 * @param <T> the class of the rows
 */
public abstract class RowCursor<T> implements Iterator<T>, AutoCloseable {
    final JsonParser p;
    final DeserializationContext context;
    private boolean there;
    private boolean ended;
    private long count; // of rows read

    RowCursor(JsonParser p, DeserializationContext context) {
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
            there = placed(this::advance);
            ended = !there;
        }
        return there;
    }

    @Override
    public T next() {
        if (!hasNext()) throw new NoSuchElementException();
        there = false;
        return placed(() -> {
            T row = row();
            count++;
            return row;
        });
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
        List<T> rows = new ArrayList<>();
        if (there) rows.add(next());
        return placed(() -> {
            for (; !ended && advance(); count++) rows.add(row());
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

    /** What reads or writes JSON */
    @FunctionalInterface
    interface Reading<R> {
        R read() throws Exception;
    }

    /** The same as {@link #of}, with the place in the errors. */
    private <R> R placed(Reading<R> reading) {
        try {
            return of(reading);
        } catch (JsonrowException e) {
            throw e.at(count, offset(p.currentLocation()));
        }
    }

    private static long offset(JsonLocation location) {
        if (location == null) return -1;
        return location.getCharOffset() >= 0 ? location.getCharOffset() : location.getByteOffset();
    }

    /** Runs it, and makes errors of ours of Jackson's. */
    static <R> R of(Reading<R> reading) {
        try {
            return reading.read();
        } catch (JacksonException e) {
            throw ours(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) { // of a getter
            throw new JsonrowException(String.valueOf(e.getMessage()), e);
        }
    }

    /** Jackson has an exception for the end of the input, but does not throw it between an array's cells. */
    private static boolean isAtEnd(JsonParser p) {
        try {
            int left = p == null ? -1 : p.releaseBuffered(Writer.nullWriter());
            if (left < 0 && p != null) left = p.releaseBuffered(OutputStream.nullOutputStream());
            if (left != 0) return false;
            Object source = p.getInputSource();
            return source instanceof Reader reader ? reader.read() < 0
                : !(source instanceof InputStream stream) || stream.read() < 0;
        } catch (IOException e) {
            return false;
        }
    }

    /** Fails if something follows the end, JSON or not. */
    static void end(JsonParser p, String what) throws IOException {
        boolean more;
        try {
            more = p.nextToken() != null;
        } catch (StreamReadException e) {
            throw new DocumentException(what, e);
        }
        if (more) throw new DocumentException(what);
    }

    /** The parser's error may be within the mapper's, which knows the columns. */
    private static RuntimeException ours(JacksonException e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            IOException ofInput = Jackson.ofInput(cause);
            if (ofInput != null) return new UncheckedIOException(ofInput);
            if (cause instanceof InputCoercionException) break; // JSON, but not what the class can hold
            if (cause instanceof JsonEOFException) return new EndedEarlyException("its last row is missing", e);
            if (cause instanceof StreamReadException read)
                return isAtEnd(read.getProcessor()) ? new EndedEarlyException("its last row is missing", e)
                    : new DocumentException("it is not JSON: " + e.getOriginalMessage(), e);
        }
        JsonrowException ours = new JsonrowException(e.getOriginalMessage(), e);
        if (e instanceof JsonMappingException mapping) {
            List<JsonMappingException.Reference> path = mapping.getPath();
            for (int i = path.size() - 1; i >= 0; i--)
                if (path.get(i).getFieldName() == null) ours.in(path.get(i).getIndex());
                else ours.in(path.get(i).getFieldName());
        }
        return ours;
    }
}

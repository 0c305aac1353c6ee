package io.github.jsonrow;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.deser.DefaultDeserializationContext;
import java.io.IOException;
import java.util.List;

/** The rows of lines: the header, the rows, and how many there were. */
final class LineRows<T> extends Rows<T> {
    private final RowReader.Compiled compiled;
    private long count;

    LineRows(RowReader<T> reader, JsonParser p, DefaultDeserializationContext context) throws IOException {
        super(p, context);
        compiled = header(reader);
    }

    private RowReader.Compiled header(RowReader<T> reader) throws IOException {
        JsonToken token = p.nextToken();
        if (token == null) throw cutOff();
        if (token != JsonToken.START_OBJECT) throw new JsonrowException("the first line is not a header");
        List<Column> columns = null;
        JsonNode types = null;
        String name;
        while ((name = p.nextFieldName()) != null) {
            p.nextToken();
            if (name.equals("cols")) columns = Column.header(p);
            else if (name.equals("types")) types = context.readTree(p);
            else throw new JsonrowException("the first line is not a header: it has a member \"" + name + "\"");
        }
        if (columns == null) throw new JsonrowException("the first line is not a header: it has no \"cols\"");
        return reader.compile(columns, types, context);
    }

    private static JsonrowException cutOff() {
        return new JsonrowException("the stream was cut off");
    }

    @Override
    boolean advance() throws IOException {
        JsonToken token = p.nextToken();
        if (token == null) throw cutOff();
        if (token != JsonToken.START_OBJECT) return true;
        if (!"rows".equals(p.nextFieldName()) || !p.nextToken().isNumeric() || p.getLongValue() != count
            || p.nextToken() != JsonToken.END_OBJECT) throw cutOff();
        if (p.nextToken() != null) throw new JsonrowException("something follows the last line");
        return false;
    }

    @Override
    @SuppressWarnings("unchecked")
    T row() throws IOException {
        count++;
        return (T) compiled.shape().readOrNull(p, context);
    }
}

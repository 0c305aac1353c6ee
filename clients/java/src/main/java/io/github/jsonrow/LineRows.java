package io.github.jsonrow;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.List;

/** The rows of lines: the header, the rows, and how many there were. */
final class LineRows<T> extends RowCursor<T> {
    private final RowReader.Compiled compiled;
    private long count;

    LineRows(RowReader<T> reader, JsonParser p, DeserializationContext context) throws IOException {
        super(p, context);
        compiled = header(reader);
    }

    private RowReader.Compiled header(RowReader<T> reader) throws IOException {
        JsonToken token = p.nextToken();
        if (token == null) throw early("it is empty");
        if (token != JsonToken.START_OBJECT) throw new DocumentException("the first line is not a header");
        List<Column> columns = null;
        JsonNode types = null;
        String name;
        while ((name = p.nextFieldName()) != null) {
            p.nextToken();
            if (name.equals("cols")) columns = Column.header(p);
            else if (name.equals("types")) types = context.readTree(p);
            else throw new DocumentException("the first line is not a header: it has a member \"" + name + "\"");
        }
        if (columns == null) throw new DocumentException("the first line is not a header: it has no \"cols\"");
        return reader.compile(columns, types, context);
    }

    private static EndedEarlyException early(String why) {
        return new EndedEarlyException(why);
    }

    @Override
    boolean advance() throws IOException {
        JsonToken token = p.nextToken();
        if (token == null) throw early("its last line is missing");
        if (token != JsonToken.START_OBJECT) return true;
        if (!"rows".equals(p.nextFieldName()) || p.nextToken() != JsonToken.VALUE_NUMBER_INT)
            throw new DocumentException("a line is neither a row nor the last");
        long told = p.getLongValue();
        if (told > count) throw early("it had " + told + " rows");
        if (told < count) throw new DocumentException("its last line tells " + told + " rows, not " + count);
        if (p.nextToken() != JsonToken.END_OBJECT)
            throw new DocumentException("its last line is not only the number of rows");
        end(p, "something follows the last line");
        return false;
    }

    @Override
    @SuppressWarnings("unchecked")
    T row() throws IOException {
        count++;
        return (T) compiled.shape().readOrNull(p, context);
    }
}

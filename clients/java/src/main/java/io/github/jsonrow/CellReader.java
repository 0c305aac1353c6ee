package io.github.jsonrow;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.deser.SettableBeanProperty;
import com.fasterxml.jackson.databind.util.TokenBuffer;
import java.io.IOException;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;

/** Reads the cells of one column. */
@FunctionalInterface
interface CellReader {
    /** Reads a cell, whose first token is the current one, up to its last. */
    Object read(JsonParser p, DeserializationContext context) throws IOException;

    /** A plain cell, for a property: as Jackson reads it. */
    static CellReader plain(SettableBeanProperty property) {
        return property::deserialize;
    }

    /** A composite: one row. */
    static CellReader row(RowShape shape) {
        return (p, context) -> p.currentToken() == JsonToken.VALUE_NULL ? null : shape.read(p, context);
    }

    /** The same for a property, which may make something else of null. */
    static CellReader row(RowShape shape, SettableBeanProperty property) {
        return (p, context) -> p.currentToken() == JsonToken.VALUE_NULL ? property.deserialize(p, context)
            : shape.read(p, context);
    }

    /** A nested document: its rows. */
    static CellReader rows(RowShape shape) {
        return (p, context) -> {
            if (p.currentToken() == JsonToken.VALUE_NULL) return null;
            List<Object> rows = new ArrayList<>();
            readRows(p, context, shape, rows);
            return rows;
        };
    }

    /** The same for a property of another collection than List, or which makes something else of null. */
    static CellReader rows(RowShape shape, SettableBeanProperty property, CollectionMaker maker) {
        return (p, context) -> {
            if (p.currentToken() == JsonToken.VALUE_NULL) return property.deserialize(p, context);
            Collection<Object> rows = maker.make(context);
            readRows(p, context, shape, rows);
            return rows;
        };
    }

    /** Makes an empty collection of the class that a property wants. */
    @FunctionalInterface
    interface CollectionMaker {
        Collection<Object> make(DeserializationContext context) throws IOException;
    }

    private static void readRows(JsonParser p, DeserializationContext context, RowShape shape, Collection<Object> rows)
            throws IOException {
        if (p.currentToken() != JsonToken.START_ARRAY) throw notRows();
        int i = 0;
        try {
            for (; p.nextToken() != JsonToken.END_ARRAY; i++) rows.add(shape.readOrNull(p, context));
        } catch (JsonMappingException e) {
            e.prependPath(rows, i);
            throw e;
        } catch (JsonrowException e) {
            throw e.in(i);
        }
    }

    private static DocumentException notRows() {
        return new DocumentException("a nested document is not an array of rows");
    }

    /** A cell of which nothing but the document's own type says what it is to become. */
    static CellReader untyped(String type, JsonDeserializer<Object> any) {
        CellReader as = (p, context) -> switch (p.currentToken()) {
            case VALUE_STRING -> p.getText();
            case VALUE_NULL -> null;
            default -> any.deserialize(p, context);
        };
        Function<String, Object> decoder = type == null ? null : PostgresText.decoder(type);
        if (decoder == null) return as;
        CellReader element = (p, context) -> p.currentToken().isNumeric() || p.currentToken() == JsonToken.VALUE_STRING
            ? decode(decoder, p.getText()) : as.read(p, context);
        return type.endsWith("[]") ? elements(element) : element;
    }

    /** An array's elements, or those of the arrays in it. */
    private static CellReader elements(CellReader element) {
        return new CellReader() {
            @Override
            public Object read(JsonParser p, DeserializationContext context) throws IOException {
                if (p.currentToken() != JsonToken.START_ARRAY) return element.read(p, context);
                List<Object> list = new ArrayList<>();
                while (p.nextToken() != JsonToken.END_ARRAY) list.add(read(p, context));
                return list;
            }
        };
    }

    private static Object decode(Function<String, Object> decoder, String text) {
        try {
            return decoder.apply(text);
        } catch (IllegalArgumentException | DateTimeException e) {
            return text; // NaN, infinity
        }
    }

    /** What has no shape by position: Jackson reads it from the object that it stands for. */
    static CellReader expanded(Column column, SettableBeanProperty property) {
        return (p, context) -> {
            try (TokenBuffer buffer = context.bufferForInputBuffering(p)) {
                expandCell(p, column, buffer);
                return property.deserialize(Jackson.parser(buffer, context), context);
            }
        };
    }

    /** Writes a cell as what it stands for: with objects in place of rows. */
    static void expandCell(JsonParser p, Column column, TokenBuffer out) throws IOException {
        if (column.nested() == null || p.currentToken() == JsonToken.VALUE_NULL) {
            out.copyCurrentStructure(p);
        } else if (column.many()) {
            if (p.currentToken() != JsonToken.START_ARRAY) throw notRows();
            out.writeStartArray();
            int i = 0;
            try {
                for (; p.nextToken() != JsonToken.END_ARRAY; i++) expandRow(p, column.nested(), out);
            } catch (JsonrowException e) {
                throw e.in(i);
            }
            out.writeEndArray();
        } else {
            expandRow(p, column.nested(), out);
        }
    }

    /** Writes a row as an object. */
    static void expandRow(JsonParser p, List<Column> columns, TokenBuffer out) throws IOException {
        if (p.currentToken() == JsonToken.VALUE_NULL) {
            out.writeNull();
            return;
        }
        RowShape.begin(p);
        out.writeStartObject();
        for (int i = 0; i < columns.size(); i++) {
            RowShape.nextCell(p, i, columns);
            out.writeFieldName(columns.get(i).name());
            try {
                expandCell(p, columns.get(i), out);
            } catch (JsonrowException e) {
                throw e.in(columns.get(i).name());
            }
        }
        RowShape.end(p, columns);
        out.writeEndObject();
    }
}

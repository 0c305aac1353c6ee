package io.github.jsonrow;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.InputCoercionException;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.deser.CreatorProperty;
import com.fasterxml.jackson.databind.deser.SettableBeanProperty;
import com.fasterxml.jackson.databind.deser.ValueInstantiator;
import com.fasterxml.jackson.databind.util.TokenBuffer;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What is made of the rows under one header, cell by cell. Compiled once for a header, by {@link Shapes}. */
abstract class RowShape {
    final List<Column> columns;
    /** Of each column; null if its cells are not wanted. */
    final CellReader[] readers;

    RowShape(List<Column> columns, CellReader[] readers) {
        this.columns = columns;
        this.readers = readers;
    }

    /** Reads a row, whose bracket is the current token, up to the bracket that closes it. */
    abstract Object read(JsonParser p, DeserializationContext context) throws IOException;

    /** Makes a row of its cells, one per column. */
    abstract Object make(Object[] cells, DeserializationContext context) throws IOException;

    Object readOrNull(JsonParser p, DeserializationContext context) throws IOException {
        return p.currentToken() == JsonToken.VALUE_NULL ? null : read(p, context);
    }

    static void begin(JsonParser p) {
        if (p.currentToken() != JsonToken.START_ARRAY) throw new DocumentException("a row is not an array");
    }

    static void nextCell(JsonParser p, int i, List<Column> columns) throws IOException {
        JsonToken token = p.nextToken();
        if (token == JsonToken.END_ARRAY) throw width(i + " cells", columns);
        if (token == null) throw new EndedEarlyException("its last row is missing");
    }

    static void end(JsonParser p, List<Column> columns) throws IOException {
        if (p.nextToken() != JsonToken.END_ARRAY) throw width("more cells", columns);
    }

    private static DocumentException width(String cells, List<Column> columns) {
        return new DocumentException("a row has " + cells + ", the header " + columns.size() + " names");
    }

    Object cell(JsonParser p, int i, DeserializationContext context) throws IOException {
        return readers[i].read(p, context);
    }

    /** By the constructor of a record, or with a constructor and setters: whatever Jackson found. */
    static final class Bean extends RowShape {
        private final Class<?> type;
        private final ValueInstantiator maker;
        /** The constructor's arguments, as they are if the document lacks them; null if it has none. */
        private final Object[] absent;
        /** The columns' properties */
        private final SettableBeanProperty[] properties;
        /** The columns' places among the arguments, or behind them, for those with setters. */
        private final int[] places;
        private final int arguments;
        private final int setters;

        Bean(List<Column> columns, CellReader[] readers, Class<?> type, ValueInstantiator maker, Object[] absent,
                SettableBeanProperty[] properties) {
            super(columns, readers);
            this.type = type;
            this.maker = maker;
            this.absent = absent;
            this.properties = properties;
            arguments = absent == null ? 0 : absent.length;
            places = new int[properties.length];
            int place = arguments;
            for (int i = 0; i < places.length; i++)
                if (properties[i] != null)
                    places[i] = properties[i] instanceof CreatorProperty ? properties[i].getCreatorIndex() : place++;
            setters = place - arguments;
        }

        private Object[] template() {
            return absent == null ? new Object[setters] : Arrays.copyOf(absent, arguments + setters);
        }

        @Override
        Object read(JsonParser p, DeserializationContext context) throws IOException {
            begin(p);
            Object[] values = template();
            int i = 0;
            boolean within = false; // the cell, not the row
            try {
                for (; i < readers.length; i++) {
                    within = false;
                    nextCell(p, i, columns);
                    within = true;
                    if (readers[i] == null) p.skipChildren();
                    else values[places[i]] = readers[i].read(p, context);
                }
            } catch (JsonMappingException e) {
                e.prependPath(type, columns.get(i).name());
                throw e;
            } catch (InputCoercionException e) { // a number that is too large
                JsonMappingException misfit = JsonMappingException.from(p, e.getOriginalMessage(), e);
                misfit.prependPath(type, columns.get(i).name());
                throw misfit;
            } catch (JsonrowException e) {
                throw i < readers.length && within ? e.in(columns.get(i).name()) : e;
            }
            end(p, columns);
            return construct(values, context);
        }

        @Override
        Object make(Object[] cells, DeserializationContext context) throws IOException {
            Object[] values = template();
            for (int i = 0; i < cells.length; i++) if (readers[i] != null) values[places[i]] = cells[i];
            return construct(values, context);
        }

        private Object construct(Object[] values, DeserializationContext context) throws IOException {
            if (setters == 0)
                return absent == null ? maker.createUsingDefault(context)
                    : maker.createFromObjectWith(context, values);
            Object bean = absent == null ? maker.createUsingDefault(context)
                : maker.createFromObjectWith(context, Arrays.copyOf(values, arguments));
            for (int i = 0; i < places.length; i++)
                if (properties[i] != null && places[i] >= arguments)
                    Jackson.set(properties[i], context, bean, values[places[i]]);
            return bean;
        }
    }

    /** Maps, in the order of the columns; of columns of the same name, the last counts. */
    static final class Maps extends RowShape {
        private final RowMap.Names names;
        private final boolean linked;

        /** linked: the class is LinkedHashMap, not Map. */
        Maps(List<Column> columns, CellReader[] readers, boolean linked) {
            super(columns, readers);
            names = new RowMap.Names(columns);
            this.linked = linked;
        }

        private Map<String, Object> map(Object[] cells) {
            Map<String, Object> map = new RowMap(names, cells);
            return linked ? new LinkedHashMap<>(map) : map;
        }

        @Override
        Object read(JsonParser p, DeserializationContext context) throws IOException {
            begin(p);
            Object[] cells = new Object[names.size()];
            for (int i = 0; i < readers.length; i++) {
                nextCell(p, i, columns);
                try {
                    cells[names.ofColumn[i]] = readers[i].read(p, context);
                } catch (JsonrowException e) {
                    throw e.in(columns.get(i).name());
                }
            }
            end(p, columns);
            return map(cells);
        }

        @Override
        Object make(Object[] cells, DeserializationContext context) {
            Object[] once = new Object[names.size()];
            for (int i = 0; i < cells.length; i++) once[names.ofColumn[i]] = cells[i];
            return map(once);
        }
    }

    /** Whatever else Jackson can read from an object. */
    static final class Expanded extends RowShape {
        private final JsonDeserializer<Object> deserializer;

        Expanded(List<Column> columns, JsonDeserializer<Object> deserializer) {
            super(columns, null);
            this.deserializer = deserializer;
        }

        @Override
        Object read(JsonParser p, DeserializationContext context) throws IOException {
            try (TokenBuffer buffer = context.bufferForInputBuffering(p)) {
                CellReader.expandRow(p, columns, buffer);
                return deserialize(buffer, context);
            }
        }

        /** A cell is kept as it comes, for it may be read by name only. */
        @Override
        Object cell(JsonParser p, int i, DeserializationContext context) throws IOException {
            TokenBuffer buffer = context.bufferForInputBuffering(p);
            CellReader.expandCell(p, columns.get(i), buffer);
            return buffer;
        }

        @Override
        Object make(Object[] cells, DeserializationContext context) throws IOException {
            try (TokenBuffer buffer = context.bufferForInputBuffering()) {
                buffer.writeStartObject();
                for (int i = 0; i < cells.length; i++) {
                    buffer.writeFieldName(columns.get(i).name());
                    if (cells[i] == null) buffer.writeNull();
                    else buffer.copyCurrentStructure(Jackson.parser((TokenBuffer) cells[i], context));
                }
                buffer.writeEndObject();
                return deserialize(buffer, context);
            }
        }

        private Object deserialize(TokenBuffer buffer, DeserializationContext context) throws IOException {
            return deserializer.deserialize(Jackson.parser(buffer, context), context);
        }
    }
}

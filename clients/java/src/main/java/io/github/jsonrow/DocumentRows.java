package io.github.jsonrow;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.util.TokenBuffer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The rows of a document, of either orientation; its members may come in any order. */
final class DocumentRows<T> extends RowCursor<T> {
    private final RowReader<T> reader;
    private List<Column> columns;
    private JsonNode types;
    private final boolean typesGiven;
    private boolean found; // rows or vals
    private RowReader.Compiled compiled;
    private JsonParser cells; // of the rows: p, or what was kept of it
    private List<Object[]> turned; // what was read by column
    private int turnedRead;

    /** With the types, if they are known to stand behind the rows. */
    DocumentRows(RowReader<T> reader, JsonParser p, DeserializationContext context, JsonNode types)
            throws IOException {
        super(p, context);
        this.reader = reader;
        this.types = types;
        typesGiven = types != null;
        if (p.currentToken() == null) p.nextToken();
        if (p.currentToken() != JsonToken.START_OBJECT) throw not("it is no object");
        members();
        if (!found) throw not("it has neither \"rows\" nor \"vals\"");
    }

    /** The types that came too late to be used, for one who can begin again; null if there are none. */
    JsonNode lateTypes() {
        return typesGiven || compiled == null || !compiled.usesTypes() || compiled.typed() ? null : types;
    }

    private static DocumentException not(String why) {
        return new DocumentException(why);
    }

    /** Reads members, until rows can be read or the document ends. */
    private void members() throws IOException {
        TokenBuffer kept = null;
        boolean keptByColumn = false;
        String name;
        while ((name = p.nextFieldName()) != null) {
            p.nextToken();
            switch (name) {
                case "cols" -> {
                    if (columns != null) throw not("\"cols\" comes twice");
                    columns = Column.header(p);
                }
                case "types" -> {
                    JsonNode tree = context.readTree(p);
                    if (!typesGiven) types = tree;
                }
                case "rows", "vals" -> {
                    if (found) throw not("its cells come twice");
                    found = true;
                    if (p.currentToken() != JsonToken.START_ARRAY) throw not("\"" + name + "\" is not an array");
                    if (columns == null) {
                        kept = context.bufferForInputBuffering(p);
                        kept.copyCurrentStructure(p);
                        keptByColumn = name.equals("vals");
                    } else if (begin(p, name.equals("vals"))) {
                        return;
                    }
                }
                default -> throw not("it has a member \"" + name + "\"");
            }
        }
        if (p.currentToken() != JsonToken.END_OBJECT) throw new EndedEarlyException("its last bracket is missing");
        if (columns == null) throw not("it has no \"cols\"");
        if (kept != null) begin(Jackson.parser(kept, context), keptByColumn);
    }

    /** Begins to read rows; true if they are to be read before what follows them. */
    private boolean begin(JsonParser from, boolean byColumn) throws IOException {
        compiled = reader.compile(columns, types, context);
        if (byColumn) turn(from);
        else cells = from;
        return !byColumn;
    }

    /** Reads vectors. */
    private void turn(JsonParser from) throws IOException {
        turned = new ArrayList<>();
        int width = columns.size();
        for (int i = 0; i < width; i++) {
            if (from.nextToken() != JsonToken.START_ARRAY) throw not("it lacks a vector");
            int row = 0;
            for (; from.nextToken() != JsonToken.END_ARRAY; row++) {
                if (i == 0) turned.add(new Object[width]);
                if (row == turned.size()) throw not("its vectors differ in length");
                turned.get(row)[i] = compiled.shape().cell(from, i, context);
            }
            if (row != turned.size()) throw not("its vectors differ in length");
        }
        if (from.nextToken() != JsonToken.END_ARRAY) throw not("it has more vectors than columns");
    }

    @Override
    boolean advance() throws IOException {
        if (cells != null) {
            JsonToken token = cells.nextToken();
            if (token == null) throw new EndedEarlyException("its last bracket is missing");
            if (token != JsonToken.END_ARRAY) return true;
            boolean read = cells == p;
            cells = null;
            if (read) members();
        }
        return turned != null && turnedRead < turned.size();
    }

    @Override
    @SuppressWarnings("unchecked")
    T row() throws IOException {
        if (cells != null) return (T) compiled.shape().readOrNull(cells, context);
        Object[] row = turned.set(turnedRead++, null);
        return (T) compiled.shape().make(row, context);
    }
}

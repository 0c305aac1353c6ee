package io.github.jsonrow;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * One name of a header.
 *
 * @param name what the column is called
 * @param nested the header within it, or null if it is a plain column
 * @param many whether a cell has many rows (a nested document) or is one row (a composite)
 * @param type the type of a plain column, or null if it is not known
 */
record Column(String name, List<Column> nested, boolean many, String type) {

    /** Reads a header, of which the current token is the first. */
    static List<Column> header(JsonParser p) throws IOException {
        if (p.currentToken() != JsonToken.START_ARRAY) throw notHeader();
        p.nextToken();
        return names(p);
    }

    /** Reads the names of a header; the current token is that after the bracket. */
    private static List<Column> names(JsonParser p) throws IOException {
        List<Column> columns = new ArrayList<>();
        for (; p.currentToken() != JsonToken.END_ARRAY; p.nextToken()) {
            if (p.currentToken() == JsonToken.VALUE_STRING) columns.add(new Column(p.getText(), null, false, null));
            else columns.add(nested(p));
        }
        return List.copyOf(columns);
    }

    private static Column nested(JsonParser p) throws IOException {
        if (p.currentToken() != JsonToken.START_OBJECT) throw notHeader();
        String name = p.nextFieldName();
        if (name == null || p.nextToken() != JsonToken.START_ARRAY) throw notHeader();
        boolean many = p.nextToken() == JsonToken.START_ARRAY;
        if (many) p.nextToken();
        List<Column> columns = names(p);
        if (many && p.nextToken() != JsonToken.END_ARRAY) throw notHeader();
        if (p.nextToken() != JsonToken.END_OBJECT) throw notHeader();
        return new Column(name, columns, many, null);
    }

    private static DocumentException notHeader() {
        return new DocumentException("\"cols\" is not a header");
    }

    /** The columns with their types; without, if these are of a form that we do not understand. */
    static List<Column> withTypes(List<Column> columns, JsonNode types) {
        if (types == null || !types.isArray() || types.size() != columns.size()) return columns;
        List<Column> typed = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) typed.add(columns.get(i).withType(types.get(i)));
        return List.copyOf(typed);
    }

    private Column withType(JsonNode is) {
        if (nested == null) return is.isTextual() ? new Column(name, null, false, is.textValue()) : this;
        if (!is.isObject() || is.size() != 1) return this;
        return new Column(name, withTypes(nested, is.iterator().next()), many, null);
    }
}

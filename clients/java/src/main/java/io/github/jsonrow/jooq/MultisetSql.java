package io.github.jsonrow.jooq;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A statement as tokens, of which calls of two functions, one in the other, become calls of one. */
final class MultisetSql {
    private static final String[][] CALLS = {
        {"jsonb_agg", "jsonb_build_array", "jsonrow_core_jsonb_agg_build_array"},
        {"json_agg", "json_build_array", "jsonrow_core_json_agg_build_array"}};

    /** Of an aggregate of PostgreSQL's, besides its state */
    private static final int MOST_ARGUMENTS = 98;

    private final String sql;
    private final String schema;
    /** Where each token begins; blanks, comments and what is quoted are no tokens, or only one. */
    private final List<Integer> begins = new ArrayList<>();
    private final List<Integer> ends = new ArrayList<>();
    /** Of each bracket that is opened: where it is closed */
    private int[] closing;

    MultisetSql(String sql, String schema) {
        this.sql = sql;
        this.schema = schema;
    }

    String rewrite() {
        if (!sql.toLowerCase(Locale.ROOT).contains("_build_array")) return sql;
        tokenize();
        if (!matchBrackets()) return sql;
        StringBuilder result = new StringBuilder(sql.length());
        boolean[] dropped = new boolean[begins.size()];
        int copied = 0;
        for (int i = 0; i < begins.size(); i++) {
            String call = call(i);
            if (call != null) {
                result.append(sql, copied, begins.get(i)).append(schema).append(call);
                copied = begins.get(i + 3); // the inner bracket takes the place of the outer
                dropped[closing[i + 3]] = true;
            } else if (dropped[i]) {
                result.append(sql, copied, begins.get(i));
                copied = ends.get(i);
            }
        }
        return result.append(sql, copied, sql.length()).toString();
    }

    /** The function to be called, if that is what begins with the token; else null. */
    private String call(int i) {
        if (i + 5 >= begins.size() || i > 0 && is(i - 1, ".")) return null;
        for (String[] call : CALLS) {
            if (!is(i, call[0]) || !is(i + 1, "(") || !is(i + 2, call[1]) || !is(i + 3, "(")) continue;
            int end = closing[i + 3];
            if (!canBeArguments(i + 4, end)) return null;
            return is(end + 1, ")") || is(end + 1, "order") ? call[2] : null;
        }
        return null;
    }

    /** An aggregate needs one and takes fewer than the function does; an array of them it takes for others. */
    private boolean canBeArguments(int from, int to) {
        int commas = 0;
        for (int i = from; i < to; i++)
            if (is(i, "(")) i = closing[i];
            else if (is(i, ",")) commas++;
        return from < to && commas < MOST_ARGUMENTS && !is(from, "variadic");
    }

    private boolean is(int token, String text) {
        int begin = begins.get(token);
        return ends.get(token) - begin == text.length() && sql.regionMatches(true, begin, text, 0, text.length());
    }

    private boolean matchBrackets() {
        closing = new int[begins.size()];
        int[] open = new int[begins.size()];
        int depth = 0;
        for (int i = 0; i < closing.length; i++) {
            if (is(i, "(")) open[depth++] = i;
            else if (is(i, ")") && depth == 0) return false;
            else if (is(i, ")")) closing[open[--depth]] = i;
        }
        return depth == 0;
    }

    private void tokenize() {
        for (int i = 0; i < sql.length();) {
            int begin = i;
            char c = sql.charAt(i);
            if (Character.isWhitespace(c)) {
                i++;
                continue;
            } else if (sql.startsWith("--", i)) {
                i = after("\n", i);
                continue;
            } else if (sql.startsWith("/*", i)) {
                i = afterComment(i);
                continue;
            } else if (c == '\'' || c == '"') {
                i = afterQuote(i, false);
            } else if ((c == 'e' || c == 'E') && sql.startsWith("'", i + 1)) {
                i = afterQuote(i + 1, true);
            } else if (isName(c)) {
                while (i < sql.length() && (isName(sql.charAt(i)) || sql.charAt(i) == '$')) i++;
            } else if (c == '$' && dollarTag(i) != null) {
                String tag = dollarTag(i);
                i = after(tag, i + tag.length());
            } else {
                i++;
            }
            begins.add(begin);
            ends.add(i);
        }
    }

    private static boolean isName(char c) {
        return Character.isLetterOrDigit(c) || c == '_' || c >= 128;
    }

    private int after(String text, int from) {
        int at = sql.indexOf(text, from);
        return at < 0 ? sql.length() : at + text.length();
    }

    /** Comments may be nested. */
    private int afterComment(int begin) {
        int depth = 0;
        int i = begin;
        do {
            if (sql.startsWith("/*", i)) depth++;
            else if (sql.startsWith("*/", i)) depth--;
            else {
                i++;
                continue;
            }
            i += 2;
        } while (depth > 0 && i < sql.length());
        return Math.min(i, sql.length());
    }

    /** A quote that is doubled is part of the text. */
    private int afterQuote(int begin, boolean escapes) {
        char quote = sql.charAt(begin);
        int i = begin + 1;
        while (i < sql.length()) {
            char c = sql.charAt(i++);
            if (c == '\\' && escapes || c == quote && i < sql.length() && sql.charAt(i) == quote) i++;
            else if (c == quote) return i;
        }
        return sql.length();
    }

    /** The delimiter of a string in dollars that begins there; null if it is a parameter or the like. */
    private String dollarTag(int begin) {
        int i = begin + 1;
        if (i < sql.length() && Character.isDigit(sql.charAt(i))) return null;
        while (i < sql.length() && isName(sql.charAt(i))) i++;
        return i < sql.length() && sql.charAt(i) == '$' ? sql.substring(begin, i + 1) : null;
    }
}

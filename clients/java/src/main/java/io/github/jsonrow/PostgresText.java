package io.github.jsonrow;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;

/** Values as PostgreSQL writes them in JSON. */
final class PostgresText {
    private static final HexFormat HEX = HexFormat.of();

    /** What a cell becomes where only the document's own types say it. */
    private static final Map<String, Function<String, Object>> DECODERS = Map.ofEntries(
        Map.entry("int8", Long::valueOf), Map.entry("oid", Long::valueOf), Map.entry("numeric", BigDecimal::new),
        Map.entry("float4", Double::valueOf), Map.entry("float8", Double::valueOf),
        Map.entry("uuid", UUID::fromString), Map.entry("bytea", PostgresText::bytes),
        Map.entry("date", finite(PostgresText::date)), Map.entry("time", LocalTime::parse),
        Map.entry("timestamp", finite(PostgresText::dateTime)),
        Map.entry("timestamptz", finite(PostgresText::offsetDateTime)));

    private PostgresText() {}

    /** How cells of a type are decoded; null if they are what a JSON parser gives. */
    static Function<String, Object> decoder(String type) {
        int end = 0;
        while (end < type.length() && " ([".indexOf(type.charAt(end)) < 0) end++;
        return DECODERS.get(type.substring(0, end));
    }

    /** Of a type that Java has no infinity of: there it stays the word. */
    private static Function<String, Object> finite(Function<String, Object> decoder) {
        return text -> text.endsWith("infinity") ? text : decoder.apply(text);
    }

    static byte[] bytes(String text) {
        if (!text.startsWith("\\x")) throw new IllegalArgumentException("bytea does not begin with \\x");
        return HEX.parseHex(text, 2, text.length());
    }

    static String text(byte[] bytes) {
        return "\\x" + HEX.formatHex(bytes);
    }

    // As in JDBC, infinity is the last of all dates, and -infinity the first.

    static LocalDate date(String text) {
        return parse(text, LocalDate::parse, LocalDate.MIN, LocalDate.MAX);
    }

    static LocalDateTime dateTime(String text) {
        return parse(text, LocalDateTime::parse, LocalDateTime.MIN, LocalDateTime.MAX);
    }

    static OffsetDateTime offsetDateTime(String text) {
        return parse(text, OffsetDateTime::parse, OffsetDateTime.MIN, OffsetDateTime.MAX);
    }

    static Instant instant(String text) {
        return parse(text, s -> OffsetDateTime.parse(s).toInstant(), Instant.MIN, Instant.MAX);
    }

    private static <T> T parse(String text, Function<String, T> parser, T first, T last) {
        if (text.equals("infinity")) return last;
        if (text.equals("-infinity")) return first;
        return parser.apply(isoYear(text));
    }

    /** ISO 8601 has a sign before years of more than four digits, and counts 1 BC as the year 0. */
    private static String isoYear(String text) {
        int dash = text.indexOf('-');
        boolean before = text.endsWith(" BC");
        if (dash == 4 && !before) return text;
        if (dash < 4) throw new DateTimeException("not a date: " + text);
        if (!before) return "+" + text;
        int year = 1 - Integer.parseInt(text.substring(0, dash));
        return String.format(year < 0 ? "-%04d" : "%04d", Math.abs(year)) + text.substring(dash, text.length() - 3);
    }

    static String text(LocalDate date) {
        if (date.equals(LocalDate.MAX)) return "infinity";
        if (date.equals(LocalDate.MIN)) return "-infinity";
        return postgresYear(date.getYear(), date.toString());
    }

    static String text(LocalDateTime time) {
        if (time.equals(LocalDateTime.MAX)) return "infinity";
        if (time.equals(LocalDateTime.MIN)) return "-infinity";
        return postgresYear(time.getYear(), time.toString());
    }

    static String text(OffsetDateTime time) {
        if (time.equals(OffsetDateTime.MAX)) return "infinity";
        if (time.equals(OffsetDateTime.MIN)) return "-infinity";
        return postgresYear(time.getYear(), time.toString());
    }

    static String text(Instant time) {
        if (time.equals(Instant.MAX)) return "infinity";
        if (time.equals(Instant.MIN)) return "-infinity";
        return text(time.atOffset(ZoneOffset.UTC));
    }

    private static String postgresYear(int year, String iso) {
        if (year > 9999) return iso.substring(1);
        if (year > 0) return iso;
        return String.format("%04d", 1 - year) + iso.substring(iso.indexOf('-', 1)) + " BC";
    }
}

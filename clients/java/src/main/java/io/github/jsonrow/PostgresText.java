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
        return parse(text, PostgresText::usualDate, LocalDate::parse, LocalDate.MIN, LocalDate.MAX);
    }

    static LocalDateTime dateTime(String text) {
        return parse(text, s -> usualDateTime(s, s.length()), LocalDateTime::parse, LocalDateTime.MIN,
            LocalDateTime.MAX);
    }

    static OffsetDateTime offsetDateTime(String text) {
        return parse(text, PostgresText::usualOffsetDateTime, OffsetDateTime::parse, OffsetDateTime.MIN,
            OffsetDateTime.MAX);
    }

    static Instant instant(String text) {
        return parse(text, s -> toInstant(usualOffsetDateTime(s)), s -> toInstant(OffsetDateTime.parse(s)),
            Instant.MIN, Instant.MAX);
    }

    private static Instant toInstant(OffsetDateTime time) {
        return time == null ? null : time.toInstant();
    }

    /** What is usual is read here, which takes a fraction of Java's time; the usual reader gives null for the rest. */
    private static <T> T parse(String text, Function<String, T> usual, Function<String, T> parser, T first, T last) {
        try {
            T value = usual.apply(text);
            if (value != null) return value;
        } catch (DateTimeException e) { // the parser will say it
        }
        if (text.equals("infinity")) return last;
        if (text.equals("-infinity")) return first;
        return parser.apply(isoYear(text));
    }

    /** 2024-05-01 */
    private static LocalDate usualDate(String text) {
        return text.length() == 10 && startsWithDate(text)
            ? LocalDate.of(number(text, 0, 4), number(text, 5, 7), number(text, 8, 10)) : null;
    }

    /** 2024-05-01T12:34:56, and up to six more digits */
    private static LocalDateTime usualDateTime(String text, int end) {
        if (end < 19 || end > 26 || !startsWithDate(text) || text.charAt(10) != 'T' || text.charAt(13) != ':'
            || text.charAt(16) != ':') return null;
        int nanos = 0;
        if (end > 19) {
            if (end == 20 || text.charAt(19) != '.') return null;
            nanos = number(text, 20, end);
            for (int i = end; i < 29; i++) nanos *= 10;
        }
        return LocalDateTime.of(number(text, 0, 4), number(text, 5, 7), number(text, 8, 10), number(text, 11, 13),
            number(text, 14, 16), number(text, 17, 19), nanos);
    }

    /** The same with +02:00 */
    private static OffsetDateTime usualOffsetDateTime(String text) {
        int sign = text.length() - 6;
        if (sign < 19 || text.charAt(sign + 3) != ':') return null;
        int direction = text.charAt(sign) == '+' ? 1 : text.charAt(sign) == '-' ? -1 : 0;
        if (direction == 0) return null;
        LocalDateTime time = usualDateTime(text, sign);
        int hours = number(text, sign + 1, sign + 3);
        int minutes = number(text, sign + 4, sign + 6);
        if (time == null) return null;
        return OffsetDateTime.of(time, ZoneOffset.ofHoursMinutes(direction * hours, direction * minutes));
    }

    private static boolean startsWithDate(String text) {
        return text.charAt(4) == '-' && text.charAt(7) == '-';
    }

    private static int number(String text, int from, int to) {
        int number = 0;
        for (int i = from; i < to; i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) throw new DateTimeException("not a number");
            number = 10 * number + digit;
        }
        return number;
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

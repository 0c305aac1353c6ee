package io.github.jsonrow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is read by hand, against the readers of java.time */
final class PostgresTextTest {
    private static final List<String> TIMES = List.of("2024-05-01T12:34:56", "2024-02-29T00:00:00.1",
        "0001-01-01T23:59:59.999999", "9999-12-31T12:34:56.000001", "2023-02-29T12:00:00", "2024-05-01T24:00:00",
        "2024-13-01T12:00:00", "2024-05-01T12:00", "2024-05-01T12:00:00.", "2024-05-01T12:00:00.1234567",
        "0000-01-01T00:00:00");
    private static final List<String> OFFSETS = List.of("+00:00", "-00:00", "+05:45", "-03:30", "+18:00", "+18:01",
        "-19:00", "+01:60", "+00:19:32", "Z", "", "+2", "+02");

    private static Object outcome(Function<String, ?> reader, String text) {
        try {
            return reader.apply(text);
        } catch (RuntimeException e) {
            return e.toString();
        }
    }

    /** Each text, and each with one character changed, but for the year's end */
    private static List<String> changed(List<String> texts) {
        Random random = new Random(1);
        List<String> all = new ArrayList<>(texts);
        for (String text : texts)
            for (int i = 0; i < text.length(); i++)
                for (int n = 0; n < 3 && i != 4; n++) {
                    char other = "0123456789-+:.TtZ /;".charAt(random.nextInt(20));
                    if (i < 4 && other == '-') continue;
                    all.add(text.substring(0, i) + other + text.substring(i + 1));
                }
        return all;
    }

    private static void same(List<String> texts, Function<String, ?> ours, Function<String, ?> theirs, int valid) {
        int values = 0;
        for (String text : changed(texts)) {
            Object expected = outcome(theirs, text);
            assertEquals(expected, outcome(ours, text), text);
            if (!(expected instanceof String)) values++;
        }
        assertTrue(values >= valid, values + " were valid");
    }

    @Test
    @DisplayName("dates and times are what java.time reads, or the same errors")
    void times() {
        List<String> dates = TIMES.stream().map(time -> time.substring(0, 10)).toList();
        same(dates, PostgresText::date, LocalDate::parse, 50);
        same(TIMES, PostgresText::dateTime, LocalDateTime::parse, 100);
        List<String> both = TIMES.stream().flatMap(time -> OFFSETS.stream().map(time::concat)).toList();
        same(both, PostgresText::offsetDateTime, OffsetDateTime::parse, 500);
        same(both, PostgresText::instant, text -> OffsetDateTime.parse(text).toInstant(), 500);
    }
}

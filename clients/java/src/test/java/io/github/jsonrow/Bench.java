package io.github.jsonrow;

import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * How long the reading of documents into records takes, as a multiple of what Jackson takes for the same rows as
 * objects; the CPU time of the thread, medians of rounds in which both take turns. Run by clients/java/bench.
 */
final class Bench {
    record Item(int itemId, int parentId, String name, String description, double price, boolean ok) {}

    record Dated(int itemId, String name, OffsetDateTime at) {}

    record Award(int year, String prize) {}

    record Actor(int actorId, String name, List<Award> awards) {}

    record Film(int filmId, String title, List<Actor> actors) {}

    private static final String ITEMS = "SELECT i AS item_id, i / 10 AS parent_id, 'item number ' || i AS name,"
        + " repeat('description ', 2) || i AS description, i / 7.0::float8 AS price, i % 2 = 0 AS ok"
        + " FROM generate_series(1, 16000) i";
    private static final String DATED = "SELECT i AS item_id, 'item number ' || i AS name,"
        + " timestamptz '2024-05-01' + i * interval '1 s' AS at FROM generate_series(1, 16000) i";
    private static final String FILMS = """
        SELECT f AS film_id, 'film number ' || f AS title, (
            SELECT AGG(a.*) FROM (
                SELECT f * 10 + a AS actor_id, 'actor number ' || a AS name, (
                    SELECT AGG(w.*) FROM (
                        SELECT 1980 + w AS year, 'prize ' || w AS prize FROM generate_series(1, 3) w) w) AS awards
                FROM generate_series(1, 5) a) a) AS actors
        FROM generate_series(1, 1000) f""";

    private Bench() {}

    @FunctionalInterface
    private interface Work {
        Object run() throws IOException;
    }

    public static void main(String[] arguments) throws Exception {
        System.out.println("Jackson " + new JsonMapper().version());
        try (Connection connection = Database.connect()) {
            compare(connection, "16,000 rows of 6 columns, into records", ITEMS, Item.class);
            compare(connection, "16,000 rows of 6 columns, into maps", ITEMS, Map.class);
            compare(connection, "16,000 rows with a timestamp, into records", DATED, Dated.class);
            compare(connection, "three levels, 1,000 x 5 x 3, into records", FILMS, Film.class);
            compare(connection, "three levels, 1,000 x 5 x 3, into maps", FILMS, Map.class);
        }
    }

    private static <T> void compare(Connection connection, String name, String query, Class<T> type) throws Exception {
        String document = text(connection, query, "jsonrow_agg_json");
        String objects = text(connection, query, "json_agg");
        JsonMapper mapper = JsonMapper.builder().propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .addModule(new PostgresModule()).build();
        ObjectReader jackson = mapper.readerForListOf(type);
        RowReader<T> ours = new Jsonrow().rows(type);
        if (!jackson.readValue(objects).equals(ours.read(document))) throw new AssertionError("the rows differ");
        double strings = ratio(() -> ours.read(document), () -> jackson.readValue(objects));
        byte[] documentBytes = document.getBytes(StandardCharsets.UTF_8);
        byte[] objectBytes = objects.getBytes(StandardCharsets.UTF_8);
        double bytes = ratio(() -> ours.read(documentBytes), () -> jackson.readValue(objectBytes));
        System.out.printf("%-45s %.2f (bytes: %.2f); text %.2f%n", name, strings, bytes,
            (double) documentBytes.length / objectBytes.length);
    }

    private static String text(Connection connection, String query, String aggregate) throws Exception {
        return Database.value(connection, "SELECT " + aggregate + "(q.*) FROM (" + query.replace("AGG", aggregate)
            + ") q");
    }

    private static double ratio(Work ours, Work theirs) throws IOException {
        int rounds = 25;
        double[] ratios = new double[rounds];
        for (int i = 0; i < 2 * rounds; i++) {
            double ratio = (double) time(ours) / time(theirs);
            if (i >= rounds) ratios[i - rounds] = ratio; // the rounds before are for the compiler
        }
        Arrays.sort(ratios);
        return ratios[rounds / 2];
    }

    private static long time(Work work) throws IOException {
        long begin = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        for (int i = 0; i < 3; i++) work.run();
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - begin;
    }
}

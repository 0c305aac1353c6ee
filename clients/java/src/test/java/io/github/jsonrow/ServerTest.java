package io.github.jsonrow;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Against a server, where jsonrow_to_objects tells what documents mean. */
class ServerTest {
    private static Connection connection;
    private static final Jsonrow JSONROW = new Jsonrow();
    private static final Jsonrow EXACT = new Jsonrow(Database.EXACT);

    @BeforeAll
    static void connect() throws SQLException {
        connection = Database.connect();
        Database.run(connection, "CREATE TYPE pair AS (x int, y text)",
            "CREATE TYPE mood AS ENUM ('so so', 'well')",
            "CREATE TABLE typed (i2 int2, i4 int4, i8 int8, n numeric, f4 float4, f8 float8, b bool, t text, u uuid,"
                + " d date, tm time, ts timestamp, tz timestamptz, ba bytea, j jsonb, ai int[], at text[], p pair"
                + ", m mood, ps pair[])");
    }

    @AfterAll
    static void disconnect() throws SQLException {
        Database.run(connection, "DROP TABLE typed", "DROP TYPE mood", "DROP TYPE pair");
        connection.close();
    }

    @AfterEach
    void reset() throws SQLException {
        Database.run(connection, "RESET ALL", "SET client_min_messages = warning");
    }

    private static final String CATALOG = """
        SELECT n.nspname, n.oid::int, n.nspacl IS NULL AS no_acl, (
            SELECT jsonrow_agg(c.*) FROM (
                SELECT relname, relnatts / 2::float4 AS reltuples, relnatts / 7.0 AS pages, (
                    SELECT jsonrow_agg(a.*) FROM (
                        SELECT attname, attnum, attnotnull, (attnum::int, attname)::pair AS p FROM pg_attribute
                        WHERE attrelid = c.oid AND attnum > 0 ORDER BY attnum LIMIT 5) a
                    HAVING c.relnatts < 20) AS columns
                FROM pg_class c WHERE relnamespace = n.oid ORDER BY relname LIMIT 20) c) AS tables
        FROM pg_namespace n WHERE nspname IN ('pg_catalog', 'information_schema', 'public') ORDER BY 1""";

    private static final Map<String, String> DOCUMENTS = new LinkedHashMap<>();

    static {
        DOCUMENTS.put("three levels", "SELECT jsonrow_agg(q.*) FROM (" + CATALOG + ") q");
        DOCUMENTS.put("composites", "SELECT jsonrow_agg('{i,p,q,p}', i,"
            + " CASE WHEN i > 1 THEN ROW(i, '\"é\"')::pair END, ARRAY[ROW(i, 'a')::pair], i % 2 = 0)"
            + " FROM generate_series(1, 3) i");
        DOCUMENTS.put("null rows", "SELECT '{\"cols\": [\"a\", {\"d\": [[\"b\"]]}, {\"r\": []}],"
            + " \"rows\": [null, [1, [null, [2]], []], [2, null, null]]}'::jsonb");
        DOCUMENTS.put("no rows", "SELECT jsonrow_agg(c.*) FROM (SELECT relname FROM pg_class WHERE false) c");
        DOCUMENTS.put("strange names", "SELECT jsonrow_agg('{__proto__,constructor,\"\",\"\",é,a}',"
            + " i, i + 1, i + 2, i + 3, 'é', E'\\n\\u263a\\U0001F600') FROM generate_series(1, 2) i");
        DOCUMENTS.put("documents in plain cells", "SELECT jsonrow_agg('{d,a}', doc::jsonb, ARRAY[doc]) FROM"
            + " (SELECT jsonrow_agg('{i}', 1) AS doc) d");
        DOCUMENTS.put("a whole catalog", "SELECT jsonrow_agg(t.*) FROM (SELECT * FROM pg_type LIMIT 200) t");
    }

    @Test
    @DisplayName("documents into maps, as jsonrow_to_objects gives them, in both orientations, as json and jsonb")
    void oracle() throws Exception {
        for (Map.Entry<String, String> document : DOCUMENTS.entrySet())
            for (String function : List.of("jsonrow_to_rows", "jsonrow_to_columns")) {
                String select = "WITH d AS (" + document.getValue() + ") SELECT ";
                String doc = function + "((SELECT * FROM d)::jsonb)";
                String text = Database.value(connection, select + doc + "::text");
                String objects = Database.value(connection, select + "jsonrow_to_objects(" + doc + ")::text");
                String what = document.getKey() + ", " + function;
                assertEquals(Database.tree(objects), Database.tree(EXACT.maps().read(text)), what);
                assertEquals(Database.tree(objects), Database.tree(EXACT.rows(JsonNode.class)
                    .read(text)), what);
            }
        String json = Database.value(connection, "SELECT jsonrow_agg_json(q.*) FROM (" + CATALOG + ") q");
        String objects = Database.value(connection, "SELECT jsonrow_objects_agg_json(q.*) FROM (" + CATALOG + ") q");
        assertEquals(Database.tree(objects), Database.tree(EXACT.maps().read(json)));
    }

    record Attribute(String attname, int attnum, boolean attnotnull, Pair p) {}

    record Table(String relname, float reltuples, BigDecimal pages, List<Attribute> columns) {}

    record Schema(String nspname, int oid, boolean noAcl, List<Table> tables) {}

    record Pair(Integer x, String y) {}

    @Test
    @DisplayName("three levels of records, the same as Jackson reads from objects")
    void records() throws Exception {
        JsonMapper mapper = JsonMapper.builder()
            .propertyNamingStrategy(com.fasterxml.jackson.databind.PropertyNamingStrategies.SNAKE_CASE).build();
        String objects = Database.value(connection, "SELECT jsonrow_objects_agg_json(q.*) FROM (" + CATALOG + ") q");
        List<Schema> expected = List.of(mapper.readValue(objects, Schema[].class));
        for (String function : List.of("jsonrow_agg", "jsonrow_agg_json", "jsoncol_agg", "jsoncol_agg_json"))
            for (String header : List.of("names", "types"))
                for (String numbers : List.of("number", "string")) {
                    Database.run(connection, "SET jsonrow.header = " + header, "SET jsonrow.big_numbers = " + numbers);
                    String document = Database.value(connection, "SELECT " + function + "(q.*) FROM (" + CATALOG
                        + ") q");
                    assertEquals(expected, JSONROW.rows(Schema.class).read(document), function + header + numbers);
                }
        assertTrue(expected.size() == 3 && expected.get(1).tables.size() > 10);
    }

    @Test
    @DisplayName("jsonrow_stream and jsonrow_stream_lines over JDBC, some pieces at a time")
    void streams() throws SQLException {
        connection.setAutoCommit(false);
        String query = "SELECT i AS x, repeat(chr(8364), i % 50) AS y FROM generate_series(1, 30000) i";
        try (Statement statement = connection.createStatement()) {
            statement.setFetchSize(2);
            RowReader<Pair> reader = JSONROW.rows(Pair.class);
            for (String function : List.of("jsonrow_stream", "jsonrow_stream_lines")) {
                boolean lines = function.endsWith("lines");
                ResultSet pieces = statement.executeQuery("SELECT " + function + "('" + query + "')");
                int count = 0;
                try (RowCursor<Pair> rows = lines ? reader.lines(pieces) : reader.rows(pieces)) {
                    for (; rows.hasNext(); count++) {
                        Pair pair = rows.next();
                        assertTrue(pair.x == count + 1 && pair.y.length() == pair.x % 50, "row " + count);
                    }
                }
                assertEquals(30000, count);
                assertTrue(pieces.isClosed());
            }
            // An error in the middle: what was sent is there, and then the error
            ResultSet pieces = statement.executeQuery("SELECT jsonrow_stream_lines('SELECT 1 / (20000 - i) AS x,"
                + " repeat(''x'', 50) FROM generate_series(1, 30000) i')");
            try (RowCursor<Map<String, Object>> rows = JSONROW.maps().lines(pieces)) {
                assertTrue(rows.hasNext());
                assertThrows(java.io.UncheckedIOException.class, rows::toList);
            }
        } finally {
            connection.rollback();
            connection.setAutoCommit(true);
        }
    }

    enum Mood {
        @com.fasterxml.jackson.annotation.JsonProperty("so so") SO_SO,
        @com.fasterxml.jackson.annotation.JsonProperty("well") WELL
    }

    record Typed(Short i2, Integer i4, Long i8, BigDecimal n, Float f4, Double f8, Boolean b, String t, UUID u,
            LocalDate d, LocalTime tm, LocalDateTime ts, OffsetDateTime tz, byte[] ba,
            JsonNode j, List<Integer> ai, String[] at, Pair p, Mood m, List<Pair> ps) {
        List<Object> values() {
            return Arrays.asList(i2, i4, i8, n, f4, f8, b, t, u, d, tm, ts, tz,
                ba == null ? null : PostgresText.text(ba),
                j == null || j.isNull() ? null : j, ai, at == null ? null : List.of(at), p, m, ps);
        }
    }

    private static Typed typed() throws Exception {
        return new Typed((short) -1, 2, 9007199254740993L, new BigDecimal("0.10"), 1.5f, Double.NaN, true, "é\"\\\n",
            UUID.fromString("01120000-1111-2222-3333-444444444444"), LocalDate.of(2024, 5, 1), LocalTime.of(12, 30),
            LocalDateTime.of(2024, 5, 1, 12, 0, 0, 250_000_000), OffsetDateTime.of(2024, 5, 1, 12, 0, 0, 0,
                ZoneOffset.UTC),
            new byte[] {0, -1}, Database.tree("{\"a\": [1, null]}"), List.of(1, 2), new String[] {"a", "é"},
            new Pair(1, "x"), Mood.SO_SO, Arrays.asList(new Pair(2, null), null));
    }

    private static Typed empty(LocalDate d, LocalDateTime ts, OffsetDateTime tz) {
        return new Typed(null, null, null, null, null, null, null, null, null, d, null, ts, tz, null, null, null, null,
            null, null, null);
    }

    @Test
    @DisplayName("twenty types into a table and back, with NULLs, infinity, years BC and after 9999")
    void roundTrip() throws Exception {
        List<Typed> rows = Arrays.asList(typed(), empty(null, null, null),
            empty(LocalDate.MAX, LocalDateTime.MIN, OffsetDateTime.MAX),
            empty(LocalDate.of(-43, 3, 15), LocalDateTime.of(0, 1, 1, 1, 1),
                OffsetDateTime.parse("-0099-02-01T00:00Z")),
            empty(LocalDate.of(12345, 1, 1), LocalDateTime.of(10000, 1, 1, 1, 1),
                OffsetDateTime.parse("+20000-02-01T00:00Z")));
        try (PreparedStatement insert = connection.prepareStatement(
                "INSERT INTO typed SELECT * FROM jsonrow_populate_recordset(NULL::typed, ?::jsonb)")) {
            insert.setString(1, JSONROW.encode(rows));
            assertEquals(rows.size(), insert.executeUpdate());
        }
        for (String function : List.of("jsonrow_agg", "jsonrow_agg_json", "jsoncol_agg"))
            for (String numbers : List.of("number", "string")) {
                Database.run(connection, "SET jsonrow.header = types", "SET jsonrow.big_numbers = " + numbers);
                List<Typed> read = JSONROW.rows(Typed.class)
                    .read(Database.value(connection, "SELECT " + function + "(t.*) FROM typed t"));
                for (int i = 0; i < rows.size(); i++) assertEquals(rows.get(i).values(), read.get(i).values());
            }
        Database.run(connection, "TRUNCATE typed");
    }

    @Test
    @DisplayName("typed headers: each cell of a map is of the type that doc/format.md names")
    void typedMaps() throws Exception {
        Database.run(connection, "SET jsonrow.header = types");
        for (String numbers : List.of("number", "string"))
            for (String function : List.of("jsonrow_agg", "jsonrow_agg_json", "jsoncol_agg")) {
                Database.run(connection, "SET jsonrow.big_numbers = " + numbers);
                Map<String, Object> row = JSONROW.maps().read(Database.value(connection, "SELECT " + function + """
                    (s.*) FROM (SELECT 9007199254740993 AS id, 0.10::numeric(10, 2) AS price, 'NaN'::float8 AS ratio,
                      timestamptz '2024-05-01 12:00:00.25' AS at, date '2024-05-01' AS day, time '12:30' AS clock,
                      timestamp 'infinity' AS ever, '\\x00ff'::bytea AS data,
                      '{{1,NULL},{-9223372036854775808,2}}'::int8[] AS ids,
                      uuid '01120000-1111-2222-3333-444444444444' AS key, 'so so'::mood AS mood,
                          4294967295::oid AS oid,
                      NULL::int8 AS none, interval '1 day' AS span, true AS yes, 7 AS no, '[1, {}]'::jsonb AS raw,
                      ROW(5, NULL)::pair AS pair, 'NaN'::numeric AS nan, date '0044-03-15 BC' AS ides,
                      (SELECT jsonrow_agg(l.*) FROM (SELECT 1.50 AS n, ARRAY['a'] AS tags) l) AS lines,
                      (SELECT jsonrow_agg(l.*) FROM (SELECT 1.50 AS n) l HAVING false) AS nothing) s
                    """)).get(0);
                Map<String, Object> expected = new LinkedHashMap<>();
                expected.put("id", 9007199254740993L);
                expected.put("price", new BigDecimal("0.10"));
                expected.put("ratio", Double.NaN);
                expected.put("at", OffsetDateTime.parse("2024-05-01T12:00:00.25Z"));
                expected.put("day", LocalDate.of(2024, 5, 1));
                expected.put("clock", LocalTime.of(12, 30));
                expected.put("ever", "infinity");
                expected.put("data", null);
                expected.put("ids", List.of(Arrays.asList(1L, null), List.of(Long.MIN_VALUE, 2L)));
                expected.put("key", UUID.fromString("01120000-1111-2222-3333-444444444444"));
                expected.put("mood", "so so");
                expected.put("oid", 4294967295L);
                expected.put("none", null);
                expected.put("span", "1 day");
                expected.put("yes", true);
                expected.put("no", 7);
                expected.put("raw", List.of(1, Map.of()));
                Map<String, Object> pair = new LinkedHashMap<>();
                pair.put("x", 5);
                pair.put("y", null);
                expected.put("pair", pair);
                expected.put("nan", "NaN");
                expected.put("ides", LocalDate.of(-43, 3, 15));
                expected.put("lines", List.of(Map.of("n", new BigDecimal("1.50"), "tags", List.of("a"))));
                expected.put("nothing", null);
                assertArrayEquals(new byte[] {0, -1}, (byte[]) row.put("data", null));
                assertEquals(expected, row, function + " " + numbers);
                assertEquals(List.copyOf(expected.keySet()), List.copyOf(row.keySet()));
            }
    }

    record Moment(Instant tz) {}

    @Test
    @DisplayName("instants, also infinite ones")
    void instants() throws Exception {
        String select = "SELECT jsonrow_agg(m.*) FROM (VALUES ('infinity'::timestamptz), ('-infinity'),"
            + " ('2024-05-01 14:00+02')) m(tz)";
        List<Moment> moments = JSONROW.rows(Moment.class).read(Database.value(connection, select));
        assertEquals(List.of(new Moment(Instant.MAX), new Moment(Instant.MIN),
            new Moment(Instant.parse("2024-05-01T12:00:00Z"))), moments);
        assertEquals(moments, JSONROW.rows(Moment.class).read(JSONROW.encode(moments)));
    }

    @Test
    @DisplayName("what encode writes is a document, and read back the same: levels, nulls, maps, no rows")
    void encode() throws Exception {
        String objects = Database.value(connection, "SELECT jsonrow_agg_json(q.*) FROM (" + CATALOG + ") q");
        List<Schema> schemas = JSONROW.rows(Schema.class).read(objects);
        String text = JSONROW.encode(schemas);
        assertTrue(text.startsWith("{\"cols\":[\"nspname\",\"oid\",\"no_acl\",{\"tables\":[[\"relname\",\"reltuples\","
            + "\"pages\",{\"columns\":[[\"attname\",\"attnum\",\"attnotnull\",{\"p\":[\"x\",\"y\"]}]]}]]}],"), text);
        assertEquals(schemas, JSONROW.rows(Schema.class).read(text));
        List<RowReaderTest.Film> films = Arrays.asList(new RowReaderTest.Film("a", null), null);
        assertEquals("{\"cols\":[\"title\",{\"actors\":[[\"name\",{\"awards\":[[\"year\",\"prize\"]]}]]}],"
            + "\"rows\":[[\"a\",null],null]}", JSONROW.encode(films));
        assertEquals("{\"cols\":[\"x\",\"y\"],\"rows\":[]}", JSONROW.encode(List.of(), Pair.class));
        assertEquals("{\"cols\":[],\"rows\":[]}", JSONROW.encode(List.of()));
        assertEquals("{\"cols\":[\"a\",\"b\"],\"rows\":[[1,null],null,[null,[{\"c\":2}]]]}", JSONROW.encode(
            Arrays.asList(Map.of("a", 1), null, Map.of("b", List.of(Map.of("c", 2))))));
        RowReaderTest.Node node = new RowReaderTest.Node(1, List.of(new RowReaderTest.Node(2, List.of())));
        assertEquals("{\"cols\":[\"id\",\"children\"],\"rows\":[[1,[{\"id\":2,\"children\":[]}]]]}",
            JSONROW.encode(List.of(node)));
        for (String document : List.of(text, JSONROW.encode(films), JSONROW.encode(List.of(), Pair.class)))
            assertEquals("t", Database.value(connection, "SELECT jsonrow_is_valid(?::jsonb)::text", document)
                .substring(0, 1));
        assertThrows(IllegalArgumentException.class, () -> JSONROW.encode(List.of(new Pair(1, "a"), "b")));
    }
}

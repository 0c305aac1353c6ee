package io.github.jsonrow.jooq;

import static org.jooq.impl.DSL.asterisk;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.multiset;
import static org.jooq.impl.DSL.multisetAgg;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.partitionBy;
import static org.jooq.impl.DSL.row;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.table;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.jsonrow.Database;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.ExecuteContext;
import org.jooq.ExecuteListener;
import org.jooq.Field;
import org.jooq.JSON;
import org.jooq.JSONB;
import org.jooq.Record;
import org.jooq.Record2;
import org.jooq.Result;
import org.jooq.SQLDialect;
import org.jooq.Select;
import org.jooq.conf.NestedCollectionEmulation;
import org.jooq.conf.Settings;
import org.jooq.impl.DSL;
import org.jooq.impl.DefaultConfiguration;
import org.jooq.impl.SQLDataType;
import org.jooq.types.YearToSecond;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** jOOQ against a server: results with the listener and without are equal. */
class JooqTest {
    private static Connection connection;

    private static final Field<Integer> FILM_ID = field(name("film", "id"), SQLDataType.INTEGER);
    private static final Field<String> TITLE = field(name("film", "title"), SQLDataType.VARCHAR);
    private static final Field<Integer> ACTOR_ID = field(name("actor", "id"), SQLDataType.INTEGER);
    private static final Field<Integer> ACTOR_FILM = field(name("actor", "film_id"), SQLDataType.INTEGER);
    private static final Field<String> ACTOR_NAME = field(name("actor", "name"), SQLDataType.VARCHAR);
    private static final Field<Integer> AWARD_ACTOR = field(name("award", "actor_id"), SQLDataType.INTEGER);
    private static final Field<Integer> AWARD_YEAR = field(name("award", "year"), SQLDataType.INTEGER);

    @BeforeAll
    static void connect() throws SQLException {
        connection = Database.connect();
        Database.run(connection, "CREATE TABLE film (id int, title text)",
            "CREATE TABLE actor (id int, film_id int, name text)", "CREATE TABLE award (actor_id int, year int)",
            "INSERT INTO film SELECT i, 'film \"' || i FROM generate_series(1, 20) i",
            "INSERT INTO actor SELECT i, i % 18, nullif('actor ' || i, 'actor 7') FROM generate_series(1, 60) i",
            "INSERT INTO award SELECT i % 50, 1990 + i % 7 FROM generate_series(1, 200) i",
            """
            CREATE TABLE typed AS SELECT i % 2 = 0 AS c0, i::int2 AS c1, i::int4 AS c2, i * 9007199254740993 AS c3,
              i / 7.0::numeric AS c4, i / 7.0::float4 AS c5, i / 7.0::float8 AS c6, 'é"' || i AS c7,
              rpad('x', i)::char(4) AS c8, rpad('y', i)::varchar(9) AS c9, date '2024-01-31' + i AS c10,
              time '12:30' + i * interval '1.5 s' AS c11, timestamp '2024-05-01 12:00:00.25'
                  + i * interval '1 h' AS c12,
              timestamptz '2024-05-01 12:00:00.25+02' + i * interval '1 h' AS c13,
              ('01120000-1111-2222-3333-44444444444' || i)::uuid AS c14, decode('00ff0' || i, 'hex') AS c15,
              jsonb_build_object('a', i, 'b', NULL) AS c16, json_build_array(i, 'x') AS c17, ARRAY[i, NULL] AS c18,
              ARRAY['a', 'b"' || i] AS c19, interval '1 day' * i AS c20 FROM generate_series(1, 5) i""",
            "INSERT INTO typed (c0) VALUES (NULL)");
    }

    @AfterAll
    static void disconnect() throws SQLException {
        Database.run(connection, "DROP TABLE film, actor, award, typed");
        connection.close();
    }

    /** What was sent last */
    private static final class Recorder implements ExecuteListener {
        private static final long serialVersionUID = 1;
        private String sql;

        @Override
        public void executeStart(ExecuteContext ctx) {
            sql = ctx.sql();
        }
    }

    private static final Recorder RECORDER = new Recorder();

    private static DSLContext jooq(NestedCollectionEmulation emulation, boolean formatted,
        ExecuteListener... listeners) {
        Settings settings = new Settings().withEmulateMultiset(emulation).withRenderFormatted(formatted);
        ExecuteListener[] all = java.util.Arrays.copyOf(listeners, listeners.length + 1);
        all[listeners.length] = RECORDER;
        return DSL.using(new DefaultConfiguration().set(connection).set(SQLDialect.POSTGRES).set(settings).set(all));
    }

    /** The rows as text that tells values and classes */
    private static String show(Object value) {
        if (value instanceof Result<?> result) return result.stream().map(JooqTest::show).toList().toString();
        if (value instanceof Record r) return java.util.Arrays.stream(r.intoArray()).map(JooqTest::show).toList()
            .toString();
        if (value instanceof Object[] array) return java.util.Arrays.stream(array).map(JooqTest::show).toList()
            .toString();
        if (value instanceof byte[] bytes) return java.util.HexFormat.of().formatHex(bytes);
        return value == null ? "null" : value.getClass().getSimpleName() + " " + value;
    }

    private static void equal(Select<?> query) {
        for (NestedCollectionEmulation emulation : List.of(NestedCollectionEmulation.DEFAULT,
                NestedCollectionEmulation.JSON))
            for (boolean formatted : new boolean[] {false, true}) {
                String without = show(jooq(emulation, formatted).fetch(query));
                assertFalse(RECORDER.sql.contains("jsonrow_core"));
                String with = show(jooq(emulation, formatted, new MultisetListener()).fetch(query));
                assertTrue(RECORDER.sql.contains("jsonrow_core"), RECORDER.sql);
                assertEquals(without, with, RECORDER.sql);
                assertTrue(without.length() > 200, without);
                assertEquals(with, show(jooq(emulation, formatted, new MultisetListener("public")).fetch(query)));
                assertTrue(RECORDER.sql.contains("\"public\".jsonrow_core"), RECORDER.sql);
            }
    }

    private static Select<Record2<String, Integer>> actors() {
        return select(ACTOR_NAME, ACTOR_ID).from(table(name("actor"))).where(ACTOR_FILM.eq(FILM_ID)).orderBy(ACTOR_ID);
    }

    @Test
    @DisplayName("MULTISET: flat, empty collections among them")
    void flat() {
        equal(select(FILM_ID, TITLE, multiset(actors())).from(table(name("film"))).orderBy(FILM_ID));
    }

    @Test
    @DisplayName("MULTISET within MULTISET")
    void nested() {
        Field<?> awards = multiset(select(AWARD_YEAR).from(table(name("award"))).where(AWARD_ACTOR.eq(ACTOR_ID))
            .orderBy(AWARD_YEAR));
        equal(select(TITLE, multiset(select(ACTOR_NAME, awards).from(table(name("actor")))
            .where(ACTOR_FILM.eq(FILM_ID)).orderBy(ACTOR_ID)), multiset(actors())).from(table(name("film")))
            .orderBy(FILM_ID));
    }

    @Test
    @DisplayName("MULTISET of rows within rows, limits, bind values and literals with our very text")
    void rows() {
        equal(select(FILM_ID, multiset(select(ACTOR_ID, row(ACTOR_NAME, row(ACTOR_ID, ACTOR_FILM)),
            inline("jsonb_agg(jsonb_build_array(x))"), DSL.val("json_agg(json_build_array(y)) ?"))
            .from(table(name("actor"))).where(ACTOR_FILM.eq(FILM_ID).and(ACTOR_ID.gt(5))).orderBy(ACTOR_ID.desc())
                .limit(2)))
            .from(table(name("film"))).orderBy(FILM_ID));
    }

    @Test
    @DisplayName("MULTISET_AGG: ordered, filtered down to nothing")
    void aggregates() {
        equal(select(TITLE, multisetAgg(ACTOR_NAME, ACTOR_ID).orderBy(ACTOR_ID),
            multisetAgg(ACTOR_NAME).orderBy(ACTOR_ID).filterWhere(ACTOR_ID.gt(30)),
            multisetAgg(ACTOR_ID).filterWhere(ACTOR_ID.lt(0)))
            .from(table(name("film"))).join(table(name("actor"))).on(ACTOR_FILM.eq(FILM_ID)).groupBy(FILM_ID, TITLE)
            .orderBy(FILM_ID));
    }

    @Test
    @DisplayName("MULTISET_AGG as a window function")
    void windows() {
        equal(select(ACTOR_ID, multisetAgg(ACTOR_NAME, ACTOR_ID).over(partitionBy(ACTOR_FILM).orderBy(ACTOR_ID)))
            .from(table(name("actor"))).orderBy(ACTOR_ID));
    }

    @Test
    @DisplayName("MULTISET in conditions, in set operations and derived tables")
    void conditions() {
        Field<Result<Record>> collection = multiset(select(List.of(ACTOR_ID)).from(table(name("actor")))
            .where(ACTOR_FILM.eq(FILM_ID)).orderBy(ACTOR_ID));
        assertEquals(19, jooq(NestedCollectionEmulation.DEFAULT, false, new MultisetListener()).fetchCount(
            select(FILM_ID).from(table(name("film"))).where(FILM_ID.ne(3)).and(collection.eq(collection))));
        equal(select(FILM_ID, multiset(actors())).from(table(name("film"))).where(FILM_ID.le(5))
            .unionAll(select(FILM_ID.plus(100), multiset(actors())).from(table(name("film"))).where(FILM_ID.gt(15)))
            .orderBy(1));
    }

    @Test
    @DisplayName("MULTISET of twenty types and more, one by one and together")
    void types() {
        Class<?>[] classes = {Boolean.class, Short.class, Integer.class, Long.class, BigDecimal.class, Float.class,
            Double.class, String.class, String.class, String.class, LocalDate.class, LocalTime.class,
                LocalDateTime.class,
            OffsetDateTime.class, UUID.class, byte[].class, JSONB.class, JSON.class, Integer[].class, String[].class,
            YearToSecond.class};
        List<Field<?>> fields = new ArrayList<>();
        for (int i = 0; i < classes.length; i++) fields.add(field(name("typed", "c" + i), classes[i]));
        Field<Integer> one = inline(1);
        equal(select(one, multiset(select(fields).from(table(name("typed"))).orderBy(fields.get(2)))));
        List<Field<?>> each = new ArrayList<>();
        for (Field<?> f : fields) each.add(multiset(select(f).from(table(name("typed"))).orderBy(fields.get(2))));
        equal(select(each));
    }

    @Test
    @DisplayName("other queries go through unchanged")
    void others() {
        DSLContext jooq = jooq(NestedCollectionEmulation.DEFAULT, false, new MultisetListener());
        assertEquals(20, jooq.select(asterisk()).from(table(name("film"))).fetch().size());
        assertEquals("jsonb_agg(jsonb_build_array(1))",
            jooq.fetchValue(select(inline("jsonb_agg(jsonb_build_array(1))"))));
        jooq.batch("SELECT 1", "SELECT 2").execute();
    }
}

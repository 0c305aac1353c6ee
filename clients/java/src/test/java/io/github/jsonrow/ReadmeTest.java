package io.github.jsonrow;

import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.multiset;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.table;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.util.Arrays;
import java.util.Comparator;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.SQLDialect;
import org.jooq.Table;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Runs the code of README.md and of doc/tools.md, which clients/java/test makes a class of. */
class ReadmeTest {
    private static final String CORE = "jsonrow_core_jsonb_agg_build_array(";

    @Test
    @DisplayName("the examples run, and print what the README says")
    void examples() throws Exception {
        Class<?> examples = find();
        Assumptions.assumeTrue(examples != null, "clients/java/test has not extracted the examples");
        PrintStream out = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        try (Connection connection = Database.connect()) {
            Database.run(connection, "CREATE TABLE film (film_id int, title text)",
                "CREATE TABLE actor (film_id int, name text)", "INSERT INTO film VALUES (1, 'Alien'), (2, 'Brazil')",
                "INSERT INTO actor VALUES (1, 'Weaver'), (1, 'Hurt')");
            System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
            Method[] methods = Arrays.stream(examples.getDeclaredMethods())
                .filter(method -> method.getName().startsWith("example"))
                .sorted(Comparator.comparing(Method::getName)).toArray(Method[]::new);
            assertEquals(5, methods.length);
            for (Method method : methods) call(method, connection);
            connection.rollback();
            connection.setAutoCommit(true);
        } finally {
            System.setOut(out);
            try (Connection connection = Database.connect()) {
                Database.run(connection, "DROP TABLE film, actor");
            }
        }
        assertEquals("""
            [Film[filmId=1, title=Alien, actors=[Actor[name=Weaver], Actor[name=Hurt]]], \
            Film[filmId=2, title=Brazil, actors=[]]]
            Alien
            Brazil
            3
            """, printed.toString(StandardCharsets.UTF_8));
    }

    @Test
    @DisplayName("MULTISET by jOOQ: as it is, and with what doc/tools.md shows")
    void byTool() throws Exception {
        Class<?> examples = find();
        Assumptions.assumeTrue(examples != null, "clients/java/test has not extracted the examples");
        Table<?> item = table("(VALUES (1, 'a'), (2, NULL)) item (id, name)");
        Field<?> items = multiset(select(field("id", Integer.class), field("name", String.class)).from(item));
        Field<String> sent = field("current_query()", String.class);
        try (Connection connection = Database.connect()) {
            DSLContext plain = DSL.using(connection, SQLDialect.POSTGRES);
            Method method = examples.getDeclaredMethod("byTool", Connection.class);
            DSLContext shown = (DSLContext) method.invoke(null, connection);
            Record with = shown.select(items, sent).fetchSingle();
            Record without = plain.select(items, sent).fetchSingle();
            assertEquals(without.get(0), with.get(0));
            assertFalse(without.get(sent).contains(CORE), without.get(sent));
            assertTrue(with.get(sent).contains(CORE), with.get(sent));

            Database.run(connection, "LOAD 'jsonrow'", "SET jsonrow.accelerate = on");
            String sql = plain.renderInlined(plain.select(items));
            String plan = plain.fetch("EXPLAIN (VERBOSE) " + sql).format();
            assertFalse(sql.contains(CORE), sql);
            assertTrue(plan.contains(CORE), plan);
        }
    }

    private static void call(Method method, Connection connection) throws Exception {
        try {
            method.invoke(null, connection);
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    private static Class<?> find() {
        try {
            return Class.forName("io.github.jsonrow.ReadmeExamples");
        } catch (ClassNotFoundException e) {
            return null;
        }
    }
}

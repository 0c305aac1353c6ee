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
import java.nio.file.Files;
import java.nio.file.Path;
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
    @DisplayName("the examples run, with the tables of the README, and give what it says")
    void examples() throws Exception {
        Class<?> examples = find();
        Assumptions.assumeTrue(examples != null, "clients/java/test has not extracted the examples");
        PrintStream out = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        String readme = Files.readString(Path.of("README.md"));
        try (Connection connection = Database.connect()) {
            Database.run(connection, readme.replaceAll("(?s).*?```sql\n(.*?)```.*", "$1"));
            Object films = examples.getDeclaredMethod("films", Connection.class).invoke(null, connection);
            assertTrue(readme.replaceAll("\\s+", " ").contains("`films` gives `" + films + "`"), films.toString());
            System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
            Method[] methods = Arrays.stream(examples.getDeclaredMethods())
                .filter(method -> method.getName().startsWith("example"))
                .sorted(Comparator.comparing(Method::getName)).toArray(Method[]::new);
            assertEquals(4, methods.length);
            for (Method method : methods) call(method, connection);
            connection.rollback();
            connection.setAutoCommit(true);
        } finally {
            System.setOut(out);
            try (Connection connection = Database.connect()) {
                Database.run(connection, "DROP TABLE film, actor");
            }
        }
        assertEquals("Alien\nBrazil\n3\n", printed.toString(StandardCharsets.UTF_8));
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
            return Class.forName(ReadmeTest.class.getPackageName() + ".ReadmeExamples");
        } catch (ClassNotFoundException e) {
            return null;
        }
    }
}

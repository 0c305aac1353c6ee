package io.github.jsonrow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.util.Arrays;
import java.util.Comparator;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Runs the README's code, which clients/java/test makes a class of. */
class ReadmeTest {
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

package io.github.jsonrow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What jsonrow.accelerate sends is what PostgreSQL sends without it, as JDBC receives it. */
class SentTest {
    private static Connection connection;

    private static final List<String> RESULTS = List.of("""
        SELECT n, doc, doc::json, doc -> 'list' FROM unnest('{0,1,2,31,32,33,1000,20000}'::int[]) n,
            LATERAL (SELECT jsonb_build_object('n', n, 'text', repeat(E'a "quoted" \\u00e9\\n\\x01', n), 'none', NULL,
                'list', (SELECT jsonb_agg(i * 1.50) FROM generate_series(1, n) i)) AS doc) d""",
        """
        SELECT '1.50'::jsonb, '"x"'::jsonb, 'null'::jsonb, NULL::jsonb, 'true'::jsonb, '{}'::jsonb, '[]'::jsonb,
            ' { "a" : 1 } '::json, 7, '{"cols":[],"rows":[]}'::jsonrow""",
        "SELECT to_jsonb(c), row_to_json(c) FROM pg_class c ORDER BY oid",
        "SELECT jsonb_agg(c ORDER BY oid), json_agg(c ORDER BY oid) FROM pg_class c");

    @BeforeAll
    static void connect() throws SQLException {
        connection = Database.connect();
        Database.run(connection, "SELECT jsonrow_is_valid('1'::jsonb)");
    }

    @AfterAll
    static void disconnect() throws SQLException {
        connection.close();
    }

    @FunctionalInterface
    private interface Way {
        List<String> ask(String sql) throws SQLException;
    }

    private static List<String> read(ResultSet result) throws SQLException {
        List<String> found = new ArrayList<>();
        int columns = result.getMetaData().getColumnCount();
        for (int i = 1; i <= columns; i++) found.add(result.getMetaData().getColumnTypeName(i));
        while (result.next()) for (int i = 1; i <= columns; i++) found.add(result.getString(i));
        return found;
    }

    private static void same(Way way) throws SQLException {
        for (String sql : RESULTS) {
            Database.run(connection, "SET jsonrow.accelerate = off");
            List<String> off = way.ask(sql);
            Database.run(connection, "SET jsonrow.accelerate = on");
            assertFalse(off.isEmpty());
            assertEquals(off, way.ask(sql));
        }
    }

    @Test
    @DisplayName("sent: statements")
    void statements() throws SQLException {
        same(sql -> {
            try (Statement statement = connection.createStatement(); ResultSet result = statement.executeQuery(sql)) {
                return read(result);
            }
        });
    }

    @Test
    @DisplayName("sent: prepared on the server")
    void prepared() throws SQLException {
        same(sql -> {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                statement.unwrap(org.postgresql.PGStatement.class).setPrepareThreshold(1);
                statement.executeQuery().close();
                return read(statement.executeQuery());
            }
        });
    }

    @Test
    @DisplayName("sent: some rows at a time")
    void portals() throws SQLException {
        same(sql -> {
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                statement.setFetchSize(3);
                return read(statement.executeQuery(sql));
            } finally {
                connection.commit();
                connection.setAutoCommit(true);
            }
        });
    }
}

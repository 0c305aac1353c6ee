package io.github.jsonrow;

import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** The database that PGPORT and so on name, with the extension in it */
public final class Database {
    static final ObjectMapper EXACT = JsonMapper.builder()
        .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN)
        .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES).build();

    private Database() {}

    public static Connection connect() throws SQLException {
        String url = "jdbc:postgresql://localhost:" + env("PGPORT", "5432") + "/" + env("PGDATABASE", "postgres");
        Connection connection = DriverManager.getConnection(url, env("PGUSER", "postgres"), "");
        run(connection, "SET client_min_messages = warning", "CREATE EXTENSION IF NOT EXISTS jsonrow");
        return connection;
    }

    private static String env(String name, String otherwise) {
        return System.getenv().getOrDefault(name, otherwise);
    }

    public static void run(Connection connection, String... statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String sql : statements) statement.execute(sql);
        }
    }

    /** The first column of the first row */
    public static String value(Connection connection, String sql, String... parameters) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) statement.setString(i + 1, parameters[i]);
            try (ResultSet result = statement.executeQuery()) {
                result.next();
                return result.getString(1);
            }
        }
    }

    /** JSON to be compared, with its numbers as they are written */
    static JsonNode tree(String json) throws Exception {
        return EXACT.readTree(json);
    }

    static JsonNode tree(Object value) throws Exception {
        return EXACT.readTree(EXACT.writeValueAsString(value));
    }
}

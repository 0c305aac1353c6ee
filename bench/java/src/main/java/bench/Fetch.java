package bench;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Fetch one JSON document over JDBC and parse it. The queries come from a JSON
 * file, {"url": ..., "setup": {NAME: [SQL, ...]}, "queries": {NAME: SQL}}, whose
 * path is the system property "queries".
 */
@State(Scope.Benchmark)
public class Fetch {
    @Param("") public String query;

    static final class Row {
        final int id;
        final String name;

        Row(int id, String name) {
            this.id = id;
            this.name = name;
        }
    }

    private final JsonFactory factory = new JsonFactory();
    private final ObjectMapper mapper = new ObjectMapper();
    private Connection connection;
    private PreparedStatement statement;

    @Setup
    @SuppressWarnings("unchecked")
    public void connect() throws Exception {
        Map<String, Object> config = mapper.readValue(new File(System.getProperty("queries")), Map.class);
        connection = DriverManager.getConnection((String) config.get("url"));
        for (String sql : ((Map<String, List<String>>) config.get("setup")).get(query))
            try (var setup = connection.createStatement()) {
                setup.execute(sql);
            }
        statement = connection.prepareStatement(((Map<String, String>) config.get("queries")).get(query));
    }

    @TearDown
    public void disconnect() throws Exception {
        connection.close();
    }

    private String fetch() throws Exception {
        try (ResultSet result = statement.executeQuery()) {
            result.next();
            return result.getString(1);
        }
    }

    /** Into records of a number and a string; names, and what is in a header, are passed over. */
    private List<Row> records(String json) throws IOException {
        List<Row> rows = new ArrayList<>();
        int id = 0;
        try (JsonParser parser = factory.createParser(json)) {
            if (parser.nextToken() == JsonToken.START_OBJECT)
                while (!"rows".equals(parser.nextFieldName())) {
                    parser.nextToken();
                    parser.skipChildren();
                }
            for (JsonToken token; (token = parser.nextToken()) != null; )
                if (token == JsonToken.VALUE_NUMBER_INT)
                    id = parser.getIntValue();
                else if (token == JsonToken.VALUE_STRING)
                    rows.add(new Row(id, parser.getText()));
        }
        return rows;
    }

    @Benchmark
    public List<Row> pairs() throws Exception {
        return records(fetch());
    }

    @Benchmark
    public Object tree() throws Exception {
        return mapper.readTree(fetch());
    }
}

package io.github.jsonrow;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.ByteArrayInputStream;
import java.io.StringReader;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RowReaderTest {
    private static final Jsonrow JSONROW = new Jsonrow();

    record Award(int year, String prize) {}

    record Actor(String name, List<Award> awards) {}

    record Film(String title, List<Actor> actors) {}

    private static final String COLS =
        "\"cols\":[\"title\",{\"actors\":[[\"name\",{\"awards\":[[\"year\",\"prize\"]]}]]}]";
    private static final String ALIEN = "[[\"Weaver\",[[1986,\"Saturn\"],[1988,\"Globe\"]]],[\"Hurt\",[]]]";
    private static final String ROWS =
        "\"rows\":[[\"Alien\"," + ALIEN + "],[\"Brazil\",[]],null,[\"Casablanca\",null]]";
    private static final List<Film> FILMS = Arrays.asList(
        new Film("Alien", List.of(new Actor("Weaver", List.of(new Award(1986, "Saturn"), new Award(1988, "Globe"))),
            new Actor("Hurt", List.of()))),
        new Film("Brazil", List.of()), null, new Film("Casablanca", null));

    private static <T> List<T> read(Class<T> type, String document) {
        return JSONROW.rows(type).read(document.replace('\'', '"'));
    }

    private static void refused(String message, String document) {
        for (Class<?> type : List.of(Map.class, Film.class, JsonNode.class)) {
            JsonrowException e = assertThrows(JsonrowException.class, () -> read(type, document), type.getName());
            assertTrue(e.getMessage().contains(message), e.getMessage());
        }
    }

    @Test
    @DisplayName("three levels of records, null rows, null collections")
    void levels() {
        assertEquals(FILMS, read(Film.class, "{" + COLS + "," + ROWS + "}"));
    }

    @Test
    @DisplayName("members in any order, and bytes in place of characters")
    void order() {
        String document = " { " + ROWS + " , " + COLS + " } ";
        assertEquals(FILMS, read(Film.class, document));
        assertEquals(FILMS, JSONROW.rows(Film.class).read(document.getBytes(StandardCharsets.UTF_8)));
        String columns = "{'vals':[[1,2],['a','b']],'types':null,'cols':['year','prize']}";
        assertEquals(List.of(new Award(1, "a"), new Award(2, "b")), read(Award.class, columns));
    }

    @Test
    @DisplayName("by column, records, maps and what Jackson reads by name")
    void columns() {
        String document = "{" + COLS + ",'vals':[['Alien','Brazil'],[" + ALIEN + ",[]]]}";
        assertEquals(FILMS.subList(0, 2), read(Film.class, document));
        List<JsonNode> nodes = read(JsonNode.class, document);
        assertEquals("Globe", nodes.get(0).at("/actors/0/awards/1/prize").textValue());
        assertEquals(List.of(), JSONROW.maps().read(document.replace('\'', '"')).get(1).get("actors"));
        assertEquals(List.of(), read(Film.class, "{" + COLS + ",'vals':[[],[]]}"));
        assertEquals(List.of(), read(Film.class, "{'cols':[],'vals':[]}"));
    }

    @Test
    @DisplayName("names that repeat: the last counts; empty names and those of Java and JavaScript")
    void names() {
        String document = "{'cols':['a','','a','__proto__','class'],'rows':[[1,2,3,4,5]]}".replace('\'', '"');
        Map<String, Object> expected = new LinkedHashMap<>();
        expected.put("a", 3);
        expected.put("", 2);
        expected.put("__proto__", 4);
        expected.put("class", 5);
        assertEquals(List.of(expected), JSONROW.maps().read(document));
        assertEquals(List.of(new Award(3, "x")), read(Award.class,
            "{'cols':['year','prize','year'],'rows':[[1,'x',3]]}"));
        assertEquals(List.of(new Award(3, "x")),
            read(Award.class, "{'cols':['year','prize','year'],'vals':[[1],['x'],[3]]}"));
    }

    @Test
    @DisplayName("headers that are not known, and rows without columns")
    void unknown() {
        assertEquals(List.of(new Film("a", List.of()), new Film("b", null)),
            read(Film.class, "{'cols':['title',{'actors':[[]]}],'rows':[['a',[]],['b',null]]}"));
        assertEquals(List.of(Map.of()), read(Map.class, "{'cols':[],'rows':[[]]}"));
        assertEquals(List.of(new Award(0, null)), read(Award.class, "{'cols':[],'rows':[[]]}"));
    }

    public static class Bean {
        private int year;
        public Award best;
        public Set<Award> all = new TreeSet<>();
        private boolean set;

        public void setYear(int year) {
            this.year = year;
            set = true;
        }
    }

    @Test
    @DisplayName("classes with setters and fields, other collections, composites")
    void beans() {
        String document = "{'cols':['year',{'best':['year','prize']},{'all':[['prize','year']]}],"
            + "'rows':[[7,[1,'a'],[['b',2],['b',2]]],[8,null,[]]]}";
        Bean bean = read(Bean.class, document).get(0);
        assertEquals(7, bean.year);
        assertEquals(new Award(1, "a"), bean.best);
        assertEquals(Set.of(new Award(2, "b")), bean.all);
        assertNull(read(Bean.class, document).get(1).best);
        Bean absent = read(Bean.class, "{'cols':[{'best':[]}],'vals':[[null]]}").get(0);
        assertTrue(!absent.set && absent.all.isEmpty(), "what the document lacks stays as the constructor left it");
    }

    static final class Mixed {
        final String id;
        @JsonProperty String other;

        @JsonCreator
        Mixed(@JsonProperty("film_key") @JsonAlias("key") String id) {
            this.id = id;
        }
    }

    @Test
    @DisplayName("a constructor and fields in one class, aliases")
    void mixed() {
        for (String document : List.of("{'cols':['other','key'],'rows':[['o','k']]}",
                "{'cols':['film_key','other'],'vals':[['k'],['o']]}")) {
            Mixed mixed = read(Mixed.class, document).get(0);
            assertEquals("k o", mixed.id + " " + mixed.other);
        }
    }

    record Aliased(@JsonAlias({"key", "id"}) int number, String text) {}

    @Test
    @DisplayName("aliases of what has no null, and names in any case")
    void otherNames() {
        assertEquals(List.of(new Aliased(1, "a")), read(Aliased.class, "{'cols':['text','id'],'rows':[['a',1]]}"));
        Jsonrow own = new Jsonrow(
            JsonMapper.builder().enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_PROPERTIES).build());
        assertEquals(List.of(new Aliased(1, "a")),
            own.rows(Aliased.class).read("{\"cols\":[\"TEXT\",\"Key\"],\"rows\":[[\"a\",1]]}"));
    }

    record Keys(int filmId, @JsonProperty("Last Name") String lastName) {}

    @Test
    @DisplayName("columns are properties in snake case, unless the mapper says else")
    void naming() {
        assertEquals(List.of(new Keys(1, "a")), read(Keys.class, "{'cols':['film_id','Last Name'],'rows':[[1,'a']]}"));
        Jsonrow own = new Jsonrow(new ObjectMapper());
        assertEquals(List.of(new Keys(1, null)), own.rows(Keys.class).read("{\"cols\":[\"filmId\"],\"rows\":[[1]]}"));
    }

    @JsonIgnoreProperties(ignoreUnknown = true)
    record Lenient(int year) {}

    @Test
    @DisplayName("columns without a property are refused, unless the class or the mapper ignores them")
    void unknownColumns() {
        String document = "{'cols':['x','year',{'y':[['z']]}],'rows':[[[1,{'a':2}],7,[[1]]]]}".replace('\'', '"');
        JsonrowException e = assertThrows(JsonrowException.class, () -> read(Award.class, document));
        assertTrue(e.getMessage().contains("\"x\""), e.getMessage());
        assertEquals(List.of(new Lenient(7)), read(Lenient.class, document));
        ObjectMapper mapper = JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();
        assertEquals(List.of(new Award(7, null)), new Jsonrow(mapper).rows(Award.class).read(document));
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
    @JsonSubTypes({@JsonSubTypes.Type(value = Circle.class, name = "circle"),
        @JsonSubTypes.Type(value = Square.class, name = "square")})
    sealed interface Shape permits Circle, Square {}

    record Circle(double radius) implements Shape {}

    record Square(double side) implements Shape {}

    record Drawing(List<Shape> shapes, Map<String, Integer> size, Award[] awards) {}

    public static class Unwrapping {
        public int year;
        @JsonUnwrapped public Prize inner;
    }

    public static class Prize {
        public String prize;
    }

    static final class Wide {
        public final Map<String, Object> others = new LinkedHashMap<>();

        @JsonAnySetter
        void set(String name, Object value) {
            others.put(name, value);
        }
    }

    @Test
    @DisplayName("what Jackson reads by name only: subtypes, unwrapped properties, any setters, arrays, other maps")
    void expanded() {
        Drawing drawing = read(Drawing.class, """
            {'cols':[{'shapes':[['kind','radius']]},{'size':['x','y']},{'awards':[['year','prize']]}],
             'rows':[[[['circle',1.5],null],[1,2],[[3,'a']]]]}""").get(0);
        assertEquals(Arrays.asList(new Circle(1.5), null), drawing.shapes);
        assertEquals(Map.of("x", 1, "y", 2), drawing.size);
        assertArrayEquals(new Award[] {new Award(3, "a")}, drawing.awards);
        for (String document : List.of("{'cols':['year','prize','more',{'c':['d']}],'rows':[[1,'a',2,[3]]]}",
                "{'cols':['year','prize','more',{'c':['d']}],'vals':[[1],['a'],[2],[[3]]]}")) {
            Map<String, Object> expected = Map.of("year", 1, "prize", "a", "more", 2, "c", Map.of("d", 3));
            assertEquals(expected, read(Wide.class, document).get(0).others);
        }
        assertEquals("a", read(Unwrapping.class, "{'cols':['year','prize'],'rows':[[1,'a']]}").get(0).inner.prize);
        assertEquals(List.of(new Square(2)), read(Shape.class, "{'cols':['side','kind'],'rows':[[2,'square']]}"));
        assertEquals(List.of(Map.of("a", 1L)), JSONROW.rows(new TypeReference<Map<String, Long>>() {})
            .read("{\"cols\":[\"a\"],\"rows\":[[1]]}"));
    }

    record Plain(List<Award> awards, Object any) {}

    @Test
    @DisplayName("plain cells stay what they are: objects, arrays, whole documents")
    void plain() {
        String document = "{'cols':['awards','any'],'rows':[[[{'year':1,'prize':'a'}],{'cols':['x'],'rows':[[1]]}]]}";
        assertEquals(List.of(new Plain(List.of(new Award(1, "a")),
            Map.of("cols", List.of("x"), "rows", List.of(List.of(1))))), read(Plain.class, document));
    }

    record Node(int id, List<Node> children) {}

    @Test
    @DisplayName("a class within itself, as deep as the header says")
    void recursive() {
        String document = "{'cols':['id',{'children':[['id',{'children':[['id']]}]]}],'rows':[[1,[[2,[[3]]]]]]}";
        assertEquals(List.of(new Node(1, List.of(new Node(2, List.of(new Node(3, null)))))), read(Node.class,
            document));
    }

    @Test
    @DisplayName("one reader, headers that take turns, and many threads")
    void turns() {
        RowReader<Award> reader = JSONROW.rows(Award.class);
        List<String> documents = List.of("{\"cols\":[\"year\",\"prize\"],\"rows\":[[1,\"a\"]]}",
            "{\"cols\":[\"prize\",\"year\"],\"rows\":[[\"a\",1]]}");
        assertTrue(java.util.stream.IntStream.range(0, 2000).parallel()
            .allMatch(i -> reader.read(documents.get(i % 2)).equals(List.of(new Award(1, "a")))));
    }

    @Test
    @DisplayName("what is not a document is refused, and why")
    void bad() {
        refused("it is no object", "[]");
        refused("it is no object", "1");
        refused("it is no object", "");
        refused("no \"cols\"", "{}");
        refused("neither", "{'cols':['title']}");
        refused("no \"cols\"", "{'rows':[]}");
        refused("a member \"x\"", "{'cols':['title'],'x':1,'rows':[]}");
        refused("twice", "{'cols':['title'],'rows':[],'vals':[[]]}");
        refused("not an array", "{'cols':['title'],'rows':{}}");
        refused("not a header", "{'cols':[1],'rows':[]}");
        refused("not a header", "{'cols':[{'title':['x'],'y':['z']}],'rows':[]}");
        refused("not a header", "{'cols':[{'title':[['x'],'y']}],'rows':[]}");
        refused("not a header", "{'cols':{},'rows':[]}");
        refused("a row has 1 cells, the header 2 names", "{" + COLS + ",'rows':[['a']]}");
        refused("a row has more cells, the header 1 names", "{'cols':['title'],'rows':[['a','b']]}");
        refused("a row is not an array", "{'cols':['title'],'rows':[{'title':'a'}]}");
        refused("lacks a vector", "{" + COLS + ",'vals':[['a']]}");
        refused("differ in length", "{" + COLS + ",'vals':[['a'],[[],[]]]}");
        refused("differ in length", "{" + COLS + ",'vals':[['a','b'],[[]]]}");
        refused("more vectors", "{'cols':['title'],'vals':[['a'],['b']]}");
        for (String document : List.of("{'cols':['title'],'rows':[['a']", "{'cols':['title'],'rows':[['a'",
                "{'cols':['title'],'rows':[['a", "{'cols':['title'],'rows':[['a']]", "{'cols':['ti"))
            for (Class<?> type : List.of(Map.class, Film.class, JsonNode.class))
                for (boolean bytes : new boolean[] {false, true}) {
                    RowReader<?> reader = JSONROW.rows(type);
                    String text = document.replace('\'', '"');
                    assertThrows(EndedEarlyException.class, () -> {
                        if (bytes) reader.read(text.getBytes(StandardCharsets.UTF_8));
                        else reader.read(text);
                    }, document);
                }
        refused("something follows", "{'cols':['title'],'rows':[]} 1");
        refused("something follows", "{'cols':['title'],'rows':[]} x");
        refused("it is not JSON", "{'cols':['title'],'rows':[['a'x]]}");
        refused("it is not JSON", "{'cols':['title'],'rows':[['a']},");

    }

    @Test
    @DisplayName("where a document is wrong: the row and the column")
    void places() {
        Map<String, String> documents = Map.of(
            "{" + COLS + ",'rows':[null,['a',[['b',[[1,'x'],[1]]]]]]}", "1 actors[0].awards[1]",
            "{" + COLS + ",'rows':[['a',[]],['a',[['b',7]]]]}", "1 actors[0].awards",
            "{" + COLS + ",'rows':[['a',[7]]]}", "0 actors[0]",
            "{" + COLS + ",'rows':[['a',[]],['a']]}", "1 null",
            "{'cols':['title',{'actors':['name',{'awards':[['year','prize']]}]}],'rows':[['a',['b',[1]]]]}",
            "0 actors.awards[0]");
        documents.forEach((document, place) -> {
            for (Class<?> type : List.of(Map.class, Film.class, JsonNode.class)) {
                if (type == Film.class && place.startsWith("0 actors.")) continue; // Film has a list there
                DocumentException e = assertThrows(DocumentException.class, () -> read(type, document), document);
                assertEquals(place, e.row() + " " + e.column());
            }
        });
        DocumentException json = assertThrows(DocumentException.class,
            () -> read(Film.class, "{" + COLS + ",'rows':[x]}"));
        assertTrue(json.row() == 0 && json.getMessage().contains("it is not JSON"), json.getMessage());
    }

    @Test
    @DisplayName("null in place of a document, a cell or a column: no 0 in place of it")
    void nulls() {
        RowReader<Award> reader = JSONROW.rows(Award.class);
        assertThrows(DocumentException.class, () -> reader.read((String) null));
        assertThrows(DocumentException.class, () -> reader.read((byte[]) null));
        JsonrowException cell = assertThrows(JsonrowException.class,
            () -> read(Award.class, "{'cols':['year','prize'],'rows':[[1,null],[null,'a']]}"));
        assertEquals("1 year", cell.row() + " " + cell.column());
        DocumentException column = assertThrows(DocumentException.class,
            () -> read(Award.class, "{'cols':['prize'],'rows':[]}"));
        assertTrue(column.getMessage().contains("it has no column \"year\""), column.getMessage());
        assertEquals(List.of(new Award(1, null)), read(Award.class, "{'cols':['year'],'rows':[[1]]}"));
        ObjectMapper mapper = JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES).build();
        assertEquals(List.of(new Award(0, null)), new Jsonrow(mapper).rows(Award.class)
            .read("{\"cols\":[\"year\"],\"rows\":[[null]]}"));
    }

    @Test
    @DisplayName("by position also with a mapper for views, as Spring's is, as long as no view is chosen")
    void views() {
        Jsonrow own = new Jsonrow(JsonMapper.builder().disable(MapperFeature.DEFAULT_VIEW_INCLUSION).build());
        DocumentException e = assertThrows(DocumentException.class,
            () -> own.rows(Award.class).read("{\"cols\":[\"prize\"],\"rows\":[[\"a\"]]}"));
        assertTrue(e.getMessage().contains("it has no column \"year\""), e.getMessage());
    }

    @Test
    @DisplayName("a cell that does not fit its property: the error tells where it is")
    void misfit() {
        JsonrowException e = assertThrows(JsonrowException.class,
            () -> read(Film.class, "{" + COLS + ",'rows':[['a',[['b',[['x','y']]]]]]}"));
        assertEquals(JsonrowException.class, e.getClass());
        assertEquals("0 actors[0].awards[0].year", e.row() + " " + e.column());
        assertTrue(e.getMessage().contains("\"x\"") && e.getMessage().contains("column actors[0]"), e.getMessage());
        for (String many : List.of("9007199254740993", "92233720368547758070")) {
            JsonrowException large = assertThrows(JsonrowException.class,
                () -> read(Award.class, "{'cols':['prize','year'],'rows':[['a',1],['b'," + many + "]]}"));
            assertEquals(JsonrowException.class, large.getClass(), large.getMessage());
            assertEquals("1 year", large.row() + " " + large.column());
            assertTrue(large.getMessage().contains("out of range"), large.getMessage());
        }
    }

    private static final String LINES = "{\"cols\":[\"year\",\"prize\"]}\n[1,\"a\"]\n\n[2,\"b\"]\n{\"rows\":2}\n";

    private static List<Award> lines(String text) {
        try (RowCursor<Award> rows = JSONROW.rows(Award.class).lines(new StringReader(text))) {
            return rows.toList();
        }
    }

    @Test
    @DisplayName("lines: from characters, bytes and pieces, cut anywhere")
    void lines() {
        List<Award> awards = List.of(new Award(1, "a"), new Award(2, "b"));
        RowReader<Award> reader = JSONROW.rows(Award.class);
        assertEquals(awards, lines(LINES));
        assertEquals(awards, reader.lines(new ByteArrayInputStream(LINES.getBytes(StandardCharsets.UTF_8))).toList());
        for (int i = 0; i <= LINES.length(); i++) {
            Iterator<String> pieces = List.of(LINES.substring(0, i), LINES.substring(i)).iterator();
            assertEquals(awards, reader.lines(pieces).stream().toList());
        }
        assertEquals(List.of(), lines("{\"cols\":[]}\n{\"rows\":0}\n"));
    }

    @Test
    @DisplayName("lines that were cut off, or are none, are refused; the rows before are there")
    void badLines() {
        for (int i = 0; i < LINES.length() - 1; i++) {
            String cut = LINES.substring(0, i);
            assertThrows(EndedEarlyException.class, () -> lines(cut), cut);
        }
        EndedEarlyException e = assertThrows(EndedEarlyException.class, () -> lines(LINES.replace("[1,\"a\"]\n", "")));
        assertEquals(1, e.row());
        assertThrows(DocumentException.class, () -> lines(LINES.replace("{\"rows\":2}", "{\"rows\":1}")));
        assertThrows(DocumentException.class, () -> lines(LINES.replace("{\"rows\":2}", "{\"row\":2}")));
        assertThrows(DocumentException.class, () -> lines(LINES + "[3,\"c\"]"));
        assertThrows(DocumentException.class, () -> lines("[1]"));
        assertThrows(DocumentException.class, () -> lines("{\"rows\":[],\"cols\":[]}"));
        RowCursor<Award> rows = JSONROW.rows(Award.class).lines(List.of(LINES.substring(0, 40)).iterator());
        assertEquals(new Award(1, "a"), rows.next());
        assertEquals(1, assertThrows(EndedEarlyException.class, rows::next).row());
    }

    @Test
    @DisplayName("rows of a document, one by one, the first before the last is there")
    void stream() {
        String document = "{" + COLS + "," + ROWS + "}";
        RowReader<Film> reader = JSONROW.rows(Film.class);
        Iterator<String> endless = java.util.stream.Stream.concat(
            java.util.stream.Stream.of("{\"cols\":[\"title\"],\"rows\":[[\"0\"]"),
            java.util.stream.Stream.generate(() -> ",[\"1\"]")).iterator();
        try (RowCursor<Film> rows = reader.rows(endless)) {
            assertEquals(new Film("0", null), rows.next());
            assertEquals(new Film("1", null), rows.next());
        }
        for (int i = 0; i <= document.length(); i += 7) {
            Iterator<String> pieces = List.of(document.substring(0, i), document.substring(i)).iterator();
            assertEquals(FILMS, reader.rows(pieces).toList());
        }
        RowCursor<Film> rows = reader.rows(new StringReader(document));
        for (Film film : FILMS) {
            assertTrue(rows.hasNext() && rows.hasNext());
            assertEquals(film, rows.next());
        }
        assertTrue(!rows.hasNext() && !rows.hasNext());
        assertThrows(java.util.NoSuchElementException.class, rows::next);
        RowCursor<Film> begun = reader.rows(new StringReader(document));
        assertTrue(begun.hasNext());
        assertEquals(FILMS, begun.toList());
    }

    @Test
    @DisplayName("types in maps, also behind the rows, as in jsonb; of another form they are passed over")
    void types() {
        String cols = "'cols':['id','price',{'l':[['n']]}]", types = "'types':['int8','numeric(10,2)',{'l':['int8']}]";
        String rows = "'rows':[['9007199254740993',0.10,[['1']]]]";
        Map<String, Object> expected = Map.of("id", 9007199254740993L, "price", new BigDecimal("0.10"),
            "l", List.of(Map.of("n", 1L)));
        for (String members : List.of(cols + "," + types + "," + rows, cols + "," + rows + "," + types,
                types + "," + rows + "," + cols))
            assertEquals(List.of(expected), JSONROW.maps().read(("{" + members + "}").replace('\'', '"')), members);
        assertEquals(List.of(expected), JSONROW.maps().rows(new StringReader(
            ("{" + cols + "," + types + "," + rows + "}").replace('\'', '"'))).toList());
        for (String other : List.of("1", "null", "{'a':1}", "['int8']", "[1,2,3]", "['int8',{'a':1},{'l':1}]"))
            assertEquals(List.of(Map.of("n", 1, "s", "x")),
                read(Map.class, "{'cols':['n','s'],'types':" + other + ",'rows':[[1,'x']]}"), other);
    }
}

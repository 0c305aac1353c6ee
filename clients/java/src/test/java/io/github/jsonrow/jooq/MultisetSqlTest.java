package io.github.jsonrow.jooq;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class MultisetSqlTest {
    private static final String OURS = "jsonrow_core_jsonb_agg_build_array";

    private static void same(String sql) {
        assertEquals(sql, new MultisetListener().rewrite(sql));
    }

    private static void becomes(String expected, String sql) {
        assertEquals(expected, new MultisetListener().rewrite(sql));
    }

    @Test
    @DisplayName("what jOOQ renders becomes one call: plain, ordered, filtered, nested, formatted, as json")
    void calls() {
        becomes("select coalesce(" + OURS + "(\"v0\", \"v1\"), jsonb_build_array())",
            "select coalesce(jsonb_agg(jsonb_build_array(\"v0\", \"v1\")), jsonb_build_array())");
        becomes(OURS + "(f(a, (b)) order by \"a\" desc) filter (where (x) = 1) over ()",
            "jsonb_agg(jsonb_build_array(f(a, (b))) order by \"a\" desc) filter (where (x) = 1) over ()");
        becomes(OURS + "(\n  \"v0\"\n  \n)", "JSONB_AGG(\n jsonb_build_array(\n  \"v0\"\n  )\n)");
        becomes("jsonrow_core_json_agg_build_array(t.\"v0\")", "json_agg(json_build_array(t.\"v0\"))");
        becomes(OURS + "((select " + OURS + "(b)), ?) " + OURS + "(c)", "jsonb_agg(jsonb_build_array((select "
            + "jsonb_agg(jsonb_build_array(b))), ?)) jsonb_agg(jsonb_build_array(c))");
        assertEquals("\"my \"\"x\"\"\"." + OURS + "(a)",
            new MultisetListener("my \"x\"").rewrite("jsonb_agg(jsonb_build_array(a))"));
    }

    @Test
    @DisplayName("strings, identifiers and comments with the same text are not touched")
    void quoted() {
        String call = "jsonb_agg(jsonb_build_array(a))";
        same("select '" + call + "'");
        same("select 'it''s " + call + "'");
        same("select '\\', \"" + call + "\"");
        same("select E'\\'" + call + "'");
        same("select e'''\\'" + call + "'");
        same("select \"" + call + "\", \"a\"\"" + call + "\"");
        same("select $$" + call + "$$, $x$ $$ " + call + "$x$");
        same("select /* " + call + " /* */ " + call + " */ 1 -- " + call);
        same("select '" + call);
        becomes("'" + call + "' " + OURS + "('(', '))', \"(\", $$($$, /* ( */ $1) '" + call + "'",
            "'" + call + "' jsonb_agg(jsonb_build_array('(', '))', \"(\", $$($$, /* ( */ $1)) '" + call + "'");
        becomes("note'" + call + "' " + OURS + "(a)", "note'" + call + "' " + call);
        becomes("'\\' " + OURS + "(a)", "'\\' " + call);
    }

    @Test
    @DisplayName("what is something else stays: other schemas, no arguments, too many, other calls within")
    void others() {
        same("my.jsonb_agg(jsonb_build_array(a))");
        same("my_jsonb_agg(jsonb_build_array(a))");
        same("\"jsonb_agg\"(jsonb_build_array(a))");
        same("jsonb_agg(my.jsonb_build_array(a))");
        same("jsonb_agg(jsonb_build_array())");
        same("jsonb_agg(jsonb_build_array(a) || jsonb_build_array(b))");
        same("jsonb_agg(distinct jsonb_build_array(a))");
        same("jsonb_agg(jsonb_build_array(variadic a))");
        same("jsonb_agg(json_build_array(a))");
        same("jsonb_agg((jsonb_build_array(a)))");
        same("jsonb_agg(jsonb_build_array(a)::text)");
        same("jsonb_agg(jsonb_build_array(a)");
        same(") jsonb_agg(jsonb_build_array(a))");
        same("jsonb_agg(jsonb_build_array");
        String most = IntStream.range(0, 98).mapToObj(i -> "f(a, " + i + ")").collect(Collectors.joining(", "));
        becomes(OURS + "(" + most + ")", "jsonb_agg(jsonb_build_array(" + most + "))");
        same("jsonb_agg(jsonb_build_array(" + most + ", 1))");
    }
}

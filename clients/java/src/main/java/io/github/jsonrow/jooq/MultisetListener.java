package io.github.jsonrow.jooq;

import org.jooq.ExecuteContext;
import org.jooq.ExecuteListener;
import org.jooq.SQLDialect;

/**
 * Has the rows of MULTISET and MULTISET_AGG collected by jsonrow, which takes less time and gives the same.
 *
 * <pre>{@code configuration.set(new MultisetListener());}</pre>
 *
 * In the SQL that jOOQ renders for PostgreSQL, <code>jsonb_agg(jsonb_build_array(...))</code> becomes
 * <code>jsonrow_core_jsonb_agg_build_array(...)</code>, and so for {@code json}. Nothing else is changed. With the
 * server's setting {@code jsonrow.accelerate} all this is done there, and the listener is not needed.
 */
public final class MultisetListener implements ExecuteListener {
    private static final long serialVersionUID = 1;
    /** The extension's schema, quoted, with a dot; empty if it is in the search_path */
    private final String schema;

    /** For an extension whose schema is in the {@code search_path}. */
    public MultisetListener() {
        schema = "";
    }

    /**
     * For an extension in the schema of that name.
     *
     * @param schema its name
     */
    public MultisetListener(String schema) {
        this.schema = '"' + schema.replace("\"", "\"\"") + "\".";
    }

    @Override
    public void renderEnd(ExecuteContext ctx) {
        if (ctx.family() != SQLDialect.POSTGRES) return;
        String sql = ctx.sql();
        if (sql != null) ctx.sql(rewrite(sql));
    }

    /**
     * What the listener makes of a statement.
     *
     * @param sql the statement
     * @return the same, or with other calls
     */
    public String rewrite(String sql) {
        return new MultisetSql(sql, schema).rewrite();
    }
}

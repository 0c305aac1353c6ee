package io.github.jsonrow.jooq;

import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.multiset;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.table;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.github.jsonrow.Database;
import io.github.jsonrow.Jsonrow;
import java.sql.Connection;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Records;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class DocumentConvertersTest {
    record Actor(int id, String name) {}

    record Film(String title, List<Actor> actors) {}

    private static final String FILMS = "(select title, (select %s(a.*) from (select id, name from actor"
        + " where film_id = film.id order by id) a) as actors from film order by id) f";

    @Test
    @DisplayName("documents of jsonb and json into records, and back as parameters; NULL")
    void converters() throws Exception {
        try (Connection connection = Database.connect()) {
            Database.run(connection, "CREATE TEMP TABLE film AS SELECT i AS id, 'film \"' || i AS title"
                + " FROM generate_series(1, 20) i", "CREATE TEMP TABLE actor AS SELECT i AS id, i % 18 AS film_id,"
                    + " nullif('actor ' || i, 'actor 7') AS name FROM generate_series(1, 60) i");
            DSLContext jooq = DSL.using(connection, SQLDialect.POSTGRES);
            Jsonrow jsonrow = new Jsonrow();
            Field<List<Film>> binary = field("jsonrow_agg(f.*)", SQLDataType.JSONB)
                .convert(DocumentConverters.jsonb(jsonrow, Film.class));
            Field<List<Film>> text = field("jsonrow_agg_json(f.*)", SQLDataType.JSON)
                .convert(DocumentConverters.json(jsonrow, Film.class));
            List<Film> films = jooq.select(binary).from(String.format(FILMS, "jsonrow_agg")).fetchOne().value1();
            assertEquals(20, films.size());
            assertEquals(films, jooq.select(text).from(String.format(FILMS, "jsonrow_agg_json")).fetchOne().value1());
            assertEquals(expected(jooq), films);
            Field<List<Film>> echo = field("{0}", binary.getDataType(), DSL.val(films, binary.getDataType()));
            assertEquals(films, jooq.select(echo).fetchOne().value1());
            assertNull(jooq.select(field("null::jsonb", binary.getDataType())).fetchOne().value1());
        }
    }

    /** By jOOQ's MULTISET */
    private static List<Film> expected(DSLContext jooq) {
        Field<Integer> id = field(name("film", "id"), SQLDataType.INTEGER);
        Field<Integer> actor = field(name("actor", "id"), SQLDataType.INTEGER);
        return jooq.select(field(name("film", "title"), SQLDataType.VARCHAR),
            multiset(select(actor, field(name("actor", "name"), SQLDataType.VARCHAR)).from(table(name("actor")))
                .where(field(name("actor", "film_id"), SQLDataType.INTEGER).eq(id)).orderBy(actor))
                .convertFrom(rows -> rows.map(Records.mapping(Actor::new))))
            .from(table(name("film"))).orderBy(id).fetch(Records.mapping(Film::new));
    }
}

-- Documents that tell the types of their columns, and have strings for numbers that clients
-- would round: jsonrow.header, jsonrow.big_numbers.  (Over all relations and types:
-- catalogs.sql, types.sql)
\ir oracle.psql

SELECT plan(689);

--
-- what types are called
--
CREATE SCHEMA app;
CREATE TYPE mood AS ENUM ('sad');
CREATE TYPE app.mood AS ENUM ('glad');
CREATE TYPE app.int8 AS ENUM ('eight');
CREATE TYPE app."text[]" AS ENUM ('brackets');
CREATE TYPE app."Mixed" AS ENUM ('case');
CREATE DOMAIN id AS bigint CHECK (VALUE > 0);
CREATE DOMAIN app.key AS id;
CREATE DOMAIN ids AS id[];
CREATE DOMAIN code AS varchar(3);
CREATE DOMAIN price AS numeric(10, 2);
CREATE TYPE address AS (street text, no numeric(5, 1), tags code[]);
CREATE DOMAIN home AS address CHECK ((VALUE).no > 0);
CREATE TYPE place AS (at home, old address[]);
CREATE TABLE named (n0 numeric, n1 numeric(5), n2 numeric(5, 2), n3 numeric(3, -2), v varchar, v20 varchar(20),
	c char, c3 char(3), "char" "char", b bit, b3 bit(3), vb varbit(7), ts timestamp, ts3 timestamp(3), tz timestamptz,
	tz0 timestamptz(0), t time, t1 time(1), ttz timetz, ttz2 timetz(2), i interval, i3 interval(3),
	ids1 interval day to second, ids2 interval day to second(2), ih interval hour, a int[], aa text[][],
	an numeric(5, 2)[], ai interval day to second(2)[], at timestamptz(3)[], vec int2vector, ovec oidvector,
	mood mood, app_mood app.mood, app_int8 app.int8, app_array app."text[]", app_mixed app."Mixed"[],
	id id, key app.key, ids ids, ids2d ids[], code code, codes code[], price price, home home, homes home[], place place,
	range int8range, multirange nummultirange, reg regclass, lsn pg_lsn, xid8 xid8, money money, x xml, j json, b2 jsonb,
	name name, uuid uuid, o oid, bytea bytea, bool bool, f4 float4, f8 float8, i2 int2, i4 int4, i8 int8);
CREATE FUNCTION pg_temp.types_by_name(doc jsonb) RETURNS TABLE (name text, type jsonb) LANGUAGE sql AS $$
	SELECT coalesce(n ->> 0, n::text), t
	FROM ROWS FROM (jsonb_array_elements(doc -> 'cols'), jsonb_array_elements(doc -> 'types')) e(n, t) $$;
SELECT pg_temp.write_documents('types', 'number') \g /dev/null
SELECT is(jsonrow_agg(named) -> 'types', pg_temp.types_of('named'), 'as the catalogs have them') FROM named;
SELECT is(e.type, t.type, 'type of column ' || coalesce(t.name, e.name))
FROM (SELECT jsonrow_agg(named)::jsonb FROM named) d(doc), LATERAL pg_temp.types_by_name(doc) t
FULL JOIN (VALUES ('n0', '"numeric"'::jsonb), ('n1', '"numeric(5,0)"'), ('n2', '"numeric(5,2)"'),
	('n3', '"numeric(3,-2)"'), ('v', '"varchar"'), ('v20', '"varchar(20)"'), ('c', '"bpchar(1)"'), ('c3', '"bpchar(3)"'),
	('char', '"char"'), ('b', '"bit(1)"'), ('b3', '"bit(3)"'), ('vb', '"varbit(7)"'), ('ts', '"timestamp"'),
	('ts3', '"timestamp(3)"'), ('tz', '"timestamptz"'), ('tz0', '"timestamptz(0)"'), ('t', '"time"'), ('t1', '"time(1)"'),
	('ttz', '"timetz"'), ('ttz2', '"timetz(2)"'), ('i', '"interval"'), ('i3', '"interval(3)"'),
	('ids1', '"interval day to second"'), ('ids2', '"interval day to second(2)"'), ('ih', '"interval hour"'),
	('a', '"int4[]"'), ('aa', '"text[]"'), ('an', '"numeric(5,2)[]"'), ('ai', '"interval day to second(2)[]"'),
	('at', '"timestamptz(3)[]"'), ('vec', '"int2vector"'), ('ovec', '"oidvector"'), ('mood', '"mood"'),
	('app_mood', '"mood"'), ('app_int8', '"app.int8"'), ('app_array', '"app.\"text[]\""'), ('app_mixed', '"Mixed[]"'),
	('id', '"int8"'), ('key', '"int8"'), ('ids', '"int8[]"'), ('ids2d', '"int8[][]"'), ('code', '"varchar(3)"'),
	('codes', '"varchar(3)[]"'), ('price', '"numeric(10,2)"'), ('{"home": ["street", "no", "tags"]}',
		'{"home": ["text", "numeric(5,1)", "varchar(3)[]"]}'), ('homes', '"address[]"'),
	('{"place": [{"at": ["street", "no", "tags"]}, "old"]}',
		'{"place": [{"at": ["text", "numeric(5,1)", "varchar(3)[]"]}, "address[]"]}'), ('range', '"int8range"'),
	('multirange', '"nummultirange"'), ('reg', '"regclass"'), ('lsn', '"pg_lsn"'), ('xid8', '"xid8"'),
	('money', '"money"'), ('x', '"xml"'), ('j', '"json"'), ('b2', '"jsonb"'), ('name', '"name"'), ('uuid', '"uuid"'),
	('o', '"oid"'), ('bytea', '"bytea"'), ('bool', '"bool"'), ('f4', '"float4"'), ('f8', '"float8"'), ('i2', '"int2"'),
	('i4', '"int4"'), ('i8', '"int8"')) e(name, type) ON e.name = t.name;
SELECT is(count(*)::int, 0, 'every kind of type that there is in the catalogs has a name of its own')
FROM (SELECT pg_temp.type_name(oid, -1) FROM pg_type WHERE typtype NOT IN ('d', 'c') AND typname NOT LIKE '\_%'
	GROUP BY 1 HAVING count(*) > 1 AND count(*) FILTER (WHERE typnamespace = 'pg_catalog'::regnamespace) > 0) s;
SELECT current_setting('search_path') AS path \gset
SET LOCAL search_path = pg_catalog;
SELECT :"jsonrow_schema".jsonrow_agg(x) ->> 'types' AS types FROM (SELECT NULL::app.mood, NULL::jsonrow_test.mood,
	NULL::app.int8, 'x' AS literal, NULL::jsonrow_test.id) x \gset
SELECT set_config('search_path', :'path', true) \g /dev/null
SELECT is(:'types'::text, '["mood", "mood", "app.int8", "text", "int8"]', 'names do not depend on search_path');

--
-- whatever a query makes its rows of, with and without rows
--
CREATE TABLE t (id int, name varchar(20), n numeric(6, 2), p address, d jsonrow);
INSERT INTO t VALUES (1, 'one', 1.5, ROW('s', 1, '{a}'), NULL), (2, NULL, NULL, NULL, NULL);
CREATE FUNCTION with_out(OUT a int, OUT b numeric(3, 1), OUT c id) RETURNS SETOF record LANGUAGE sql ROWS 2
	AS $$ SELECT 1, 1.5, 7 $$;
CREATE FUNCTION with_table() RETURNS TABLE (c varchar(5), d address) LANGUAGE sql
	AS $$ SELECT NULL::varchar, NULL::address $$;
SET LOCAL test.rows = true;
CREATE FUNCTION pg_temp.wanted() RETURNS boolean LANGUAGE sql STABLE AS $$
	SELECT current_setting('test.rows')::boolean $$;

-- The types in the documents that a query makes, if they are nothing but an addition to what it
-- makes without them; else what is wrong.
CREATE FUNCTION pg_temp.types_in(query text) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
	own text;
	aggregate text;
	doc jsonb;
	plain jsonb;
	types jsonb;
BEGIN
	FOREACH aggregate IN ARRAY ARRAY['jsonrow_agg', 'jsonrow_agg_json', 'jsoncol_agg', 'jsoncol_agg_json'] LOOP
		own := replace(query, 'AGG', aggregate);
		PERFORM pg_temp.write_documents('names', 'number');
		EXECUTE own INTO STRICT plain;
		PERFORM pg_temp.write_documents('types', 'number');
		EXECUTE own INTO STRICT doc;
		types := coalesce(types, doc -> 'types');
		IF NOT pg_temp.same(doc - 'types', plain) OR NOT pg_temp.same(doc -> 'types', types)
			OR NOT jsonrow_is_valid(doc) THEN
			RETURN jsonb_build_object('wrong', own, 'doc', doc, 'plain', plain, 'types before', types);
		END IF;
	END LOOP;
	RETURN types;
END $$;
CREATE FUNCTION pg_temp.types_are(query text, types text) RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
	RETURN NEXT is(pg_temp.types_in(query), types::jsonb, query);
	PERFORM set_config('test.rows', 'false', true);
	RETURN NEXT is(pg_temp.types_in(query), types::jsonb, query || ', without rows');
	PERFORM set_config('test.rows', 'true', true);
END $$;
SELECT pg_temp.types_are(replace(query, 'WHEN', 'WHERE pg_temp.wanted()'), types)
FROM (VALUES
	('SELECT AGG(t) FROM t WHEN',
		'["int4", "varchar(20)", "numeric(6,2)", {"p": ["text", "numeric(5,1)", "varchar(3)[]"]}, {"d": []}]'),
	('SELECT AGG(''{a,b,c,d}'', id, n, name, p) FROM t WHEN',
		'["int4", "numeric(6,2)", "varchar(20)", {"d": ["text", "numeric(5,1)", "varchar(3)[]"]}]'),
	('SELECT AGG(''{a,b}'', n::numeric(3,1), n + 1) FROM t WHEN', '["numeric(3,1)", "numeric"]'),
	('SELECT AGG(''{a,b}'', VARIADIC ARRAY[n, 1.5]) FROM t WHEN', '["numeric", "numeric"]'),
	('SELECT AGG(''{a,b}'', VARIADIC ARRAY[n, 1.5]::numeric(3, 1)[]) FROM t WHEN', '["numeric(3,1)", "numeric(3,1)"]'),
	('SELECT AGG(p) FROM t WHEN', '["text", "numeric(5,1)", "varchar(3)[]"]'),
	('SELECT AGG(s) FROM (SELECT name, n AS a, 1.5::numeric(4,1) AS b FROM t WHEN) s',
		'["varchar(20)", "numeric(6,2)", "numeric(4,1)"]'),
	('SELECT AGG(s) FROM (SELECT name, n AS a, lower(name) FROM t WHEN OFFSET 0) s',
		'["varchar(20)", "numeric(6,2)", "text"]'),
	('SELECT AGG(s) FROM (SELECT name, count(*), sum(n), max(n), array_agg(n) FROM t WHEN GROUP BY name) s',
		'["varchar(20)", "int8", "numeric", "numeric", "numeric[]"]'),
	('SELECT AGG(DISTINCT s) FROM (SELECT n AS a FROM t WHEN) s', '["numeric(6,2)"]'),
	('SELECT AGG(s ORDER BY a) FROM (SELECT n AS a FROM t WHEN) s', '["numeric(6,2)"]'),
	('SELECT AGG(''{a}'', n ORDER BY id, name) FROM t WHEN', '["numeric(6,2)"]'),
	('SELECT AGG(DISTINCT ''{a,b}'', n, id) FROM t WHEN', '["numeric(6,2)", "int4"]'),
	('SELECT AGG(s) FILTER (WHERE pg_temp.wanted()) FROM (SELECT n AS a FROM t) s', '["numeric(6,2)"]'),
	('SELECT AGG(s) FROM (SELECT n AS a FROM t WHEN UNION ALL SELECT n FROM t WHEN) s', '["numeric(6,2)"]'),
	('SELECT AGG(s) FROM (SELECT n AS a FROM t WHEN UNION SELECT 1.5::numeric(3, 1) WHEN) s', '["numeric"]'),
	('WITH s AS MATERIALIZED (SELECT n AS a, p FROM t WHEN) SELECT AGG(s) FROM s',
		'["numeric(6,2)", {"p": ["text", "numeric(5,1)", "varchar(3)[]"]}]'),
	('WITH RECURSIVE s AS (SELECT id AS a FROM t WHEN UNION ALL SELECT a + 1 FROM s WHERE a < 3) SELECT AGG(s) FROM s',
		'["int4"]'),
	('SELECT AGG(s) FROM (VALUES (1, 1.5), (2, 2.25)) s(k, l) WHEN', '["int4", "numeric"]'),
	('SELECT AGG(f) FROM with_out() f WHEN', '["int4", "numeric", "int8"]'),
	('SELECT AGG(f) FROM with_table() f WHEN', '["varchar", {"d": ["text", "numeric(5,1)", "varchar(3)[]"]}]'),
	('SELECT AGG(f) FROM with_table() WITH ORDINALITY f WHEN',
		'["varchar", {"d": ["text", "numeric(5,1)", "varchar(3)[]"]}, "int8"]'),
	('SELECT AGG(f) FROM ROWS FROM (generate_series(1, 2), with_out()) f(g) WHEN', '["int4", "int4", "numeric", "int8"]'),
	('SELECT AGG(f) FROM jsonb_to_recordset(''[{"m": 1}]'') f(m numeric(5, 2), n varchar(3)) WHEN',
		'["numeric(5,2)", "varchar(3)"]'),
	('SELECT AGG(j) FROM (t JOIN with_out() w ON true) j WHEN',
		'["int4", "varchar(20)", "numeric(6,2)", {"p": ["text", "numeric(5,1)", "varchar(3)[]"]}, {"d": []}, "int4", '
		'"numeric", "int8"]'),
	('SELECT AGG(ROW(id, n)) FROM t WHEN', '["int4", "numeric(6,2)"]'),
	('SELECT AGG(s) FROM (SELECT id, (SELECT AGG(i) FROM (SELECT n, name FROM t i WHERE i.id = t.id) i) AS d '
		'FROM t WHEN) s', '["int4", {"d": ["numeric(6,2)", "varchar(20)"]}]'),
	('SELECT AGG(s) FROM (SELECT id, (SELECT AGG(i) FROM (SELECT n, name FROM t i WHERE i.id = -1) i) AS d '
		'FROM t WHEN) s', '["int4", {"d": ["numeric(6,2)", "varchar(20)"]}]'),
	('SELECT AGG(''{i,d}'', id, (SELECT AGG(''{n}'', n) FROM t i WHERE i.id = t.id)) FROM t WHEN',
		'["int4", {"d": ["numeric(6,2)"]}]'),
	('SELECT AGG(s) FROM (SELECT id, coalesce((SELECT AGG(i) FROM (SELECT n FROM t i WHERE i.id < t.id) i
		HAVING count(*) > 0), ''[]'') AS d FROM t WHEN) s', '["int4", {"d": ["numeric(6,2)"]}]'),
	('SELECT AGG(s) FROM (SELECT id, (SELECT AGG(''{e}'', (SELECT AGG(x) FROM (SELECT w.b + t.n, a) x))
		FROM with_out() w) AS d FROM t WHEN) s', '["int4", {"d": [{"e": ["numeric", "int4"]}]}]')) q(query, types);
-- Not every PostgreSQL can read XML.
SELECT pg_temp.rows_or_state('SELECT xml ''<a/>''') <> '0A000' AS has_xml \gset
\if :has_xml
	SELECT pg_temp.types_are('SELECT AGG(x) FROM XMLTABLE(''/a'' PASSING ''<a>1</a>'' '
		'COLUMNS i numeric(5, 2) PATH ''.'') x WHERE pg_temp.wanted()', '["numeric(5,2)"]');
\else
	SELECT skip('this server has no XML', 2);
\endif
SELECT is(pg_temp.types_in('SELECT AGG(s) OVER () FROM (SELECT n AS a FROM t) s LIMIT 1'), '["numeric(6,2)"]',
	'in a window');
SELECT is(pg_temp.types_in('SELECT AGG(''{a}'', n) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND 1 PRECEDING) FROM t '
	'LIMIT 1'), '["numeric(6,2)"]', 'in an empty window frame');
SELECT is(pg_temp.types_in('SELECT (array_agg(doc))[2] FROM (SELECT AGG(''{a}'', n) OVER w AS doc, '
	'AGG(''{b}'', n::numeric(7,3)) OVER w AS other FROM t WINDOW w AS (ORDER BY id)) s WHERE other::text <> '''''),
	'["numeric"]',
	'where PostgreSQL does not tell window functions apart, no modifier that only one has');
SELECT is(pg_temp.types_in('SELECT (array_agg(doc))[1] FROM (SELECT AGG(a) OVER w AS doc, AGG(b) OVER w AS other '
	'FROM (SELECT ROW(n) AS a, ROW(1) AS b FROM t) s '
	'WINDOW w AS (ORDER BY 1 ROWS BETWEEN 3 PRECEDING AND 2 PRECEDING)) s '
	'WHERE other::text <> '''''),
	'[null]', '... and no types of rows that never come');
SELECT is(jsonrow_agg(t)::text, '{"cols": [], "rows": [[]]}', 'nothing is told of no columns') FROM (SELECT) t;

--
-- nested documents
--
CREATE TABLE film (id int, title text);
CREATE TABLE actor (id int8, film_id int, name varchar(30));
CREATE TABLE award (actor_id int, year int2, prize numeric(8, 2));
INSERT INTO film SELECT i, 'Film "' || i || '"' FROM generate_series(1, 20) i;
INSERT INTO actor SELECT i, i % 17 + 1, 'Actor ' || i FROM generate_series(1, 60) i;
INSERT INTO award SELECT i % 50, 2000 + i % 20, i * 1.5 FROM generate_series(1, 100) i;
CREATE FUNCTION pg_temp.films(inner_agg text, middle_agg text, outer_agg text) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
	doc jsonb;
BEGIN
	EXECUTE format('
		SELECT %s(f) FROM (
			SELECT title, (
				SELECT %s(a) FROM (
					SELECT id, name, (
						SELECT %s(w) FROM (SELECT year, prize FROM award WHERE actor_id = actor.id ORDER BY prize) w
						HAVING actor.id %% 3 > 0) AS awards
					FROM actor WHERE film_id = film.id ORDER BY id) a) AS actors
			FROM film ORDER BY id) f', outer_agg, middle_agg, inner_agg) INTO doc;
	RETURN doc;
END $$;
CREATE TABLE aggregates AS
SELECT unnest(ARRAY['jsonrow_agg', 'jsonrow_agg_json', 'jsoncol_agg', 'jsoncol_agg_json']) AS a;
CREATE TABLE films AS
SELECT header, numbers, i.a AS i, m.a AS m, o.a AS o, doc
FROM unnest('{names,types}'::text[]) header, unnest('{number,string}'::text[]) numbers,
	aggregates i, aggregates m, aggregates o,
	LATERAL (SELECT pg_temp.write_documents(header, numbers), pg_temp.films(i.a, m.a, o.a) OFFSET 0) d(nothing, doc);
SELECT pg_temp.write_documents('types', 'number') \g /dev/null
SELECT is(doc -> 'types', '["text", {"actors": ["int8", "varchar(30)", {"awards": ["int2", "numeric(8,2)"]}]}]',
	format('types of %s in %s in %s', i, m, o)) FROM films WHERE header = 'types';
SELECT ok(pg_temp.same(t.doc - 'types', n.doc), format('types of %s in %s in %s change nothing else', i, m, o))
FROM films t JOIN films n USING (numbers, i, m, o) WHERE t.header = 'types' AND n.header = 'names';
CREATE FUNCTION pg_temp.films_with_strings(doc jsonb) RETURNS jsonb LANGUAGE sql AS $$
	SELECT jsonb_agg(f || jsonb_build_object('actors', (SELECT coalesce(jsonb_agg(a || jsonb_build_object(
		'id', a ->> 'id', 'awards', CASE WHEN a -> 'awards' = 'null' THEN 'null' ELSE
			(SELECT coalesce(jsonb_agg(w || jsonb_build_object('prize', w ->> 'prize') ORDER BY k), '[]')
			FROM jsonb_array_elements(a -> 'awards') WITH ORDINALITY e(w, k)) END) ORDER BY j), '[]')
		FROM jsonb_array_elements(f -> 'actors') WITH ORDINALITY e(a, j))) ORDER BY i)
	FROM jsonb_array_elements(jsonrow_to_objects(doc)) WITH ORDINALITY e(f, i) $$;
SELECT is(jsonrow_to_objects(s.doc), pg_temp.films_with_strings(n.doc), format('strings of %s in %s in %s', i, m, o))
FROM films s JOIN films n USING (header, i, m, o) WHERE s.numbers = 'string' AND n.numbers = 'number';
SELECT is(pg_temp.check_document(doc), NULL, format('turned, cut and edited: %s in %s in %s', i, m, o))
FROM films WHERE header = 'types' AND numbers = 'string' AND i = m;
CREATE TABLE one_doc (doc jsonb);
CREATE FUNCTION pg_temp.read_one(d jsonb) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	TRUNCATE one_doc;
	INSERT INTO one_doc VALUES (d);
	RETURN pg_temp.check_readers('one_doc');
END $$;
SELECT is(pg_temp.read_one(doc), NULL, format('read: %s in %s in %s', i, m, o))
FROM films WHERE header = 'types' AND numbers = 'string' AND i = m AND m = o;

-- stored ones, of whatever types
CREATE TYPE wrapper AS (n int8, d jsonrow);
CREATE FUNCTION pg_temp.hoisted(VARIADIC docs text[]) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text[];
	type text;
	aggregate text;
	types text;
	plain jsonb;
	doc jsonb;
BEGIN
	FOREACH type IN ARRAY ARRAY['jsonrow', 'jsonrow_json'] LOOP
		FOREACH aggregate IN ARRAY ARRAY['jsonrow_agg', 'jsonrow_agg_json', 'jsoncol_agg'] LOOP
			PERFORM pg_temp.write_documents('names', 'number');
			EXECUTE format('SELECT %s(''{d}'', d::%s ORDER BY i) FROM unnest($1) WITH ORDINALITY u(d, i)',
				aggregate, type) INTO STRICT plain USING docs;
			PERFORM pg_temp.write_documents('types', 'number');
			EXECUTE format('SELECT %s(''{d}'', d::%s ORDER BY i) FROM unnest($1) WITH ORDINALITY u(d, i)',
				aggregate, type) INTO STRICT doc USING docs;
			types := coalesce(types, doc ->> 'types');
			IF NOT pg_temp.same(doc - 'types', plain) OR doc ->> 'types' IS DISTINCT FROM types
				OR pg_temp.check_document(doc) IS NOT NULL THEN
				RETURN format('%s, not %s and %s', doc, plain, types);
			END IF;
		END LOOP;
	END LOOP;
	RETURN types;
END $$;
SELECT is(pg_temp.hoisted(VARIADIC docs), types, docs::text)
FROM (VALUES
	('{"{\"cols\":[\"a\"],\"rows\":[[1]],\"types\":[\"int4\"]}"}'::text[], '[{"d": ["int4"]}]'),
	(ARRAY['{"cols":["a"],"rows":[[1]],"types":["int4"]}', NULL, '{"cols":["a"],"rows":[],"types":["int4"]}',
		'{"cols":[],"rows":[]}'], '[{"d": ["int4"]}]'),
	(ARRAY['{"cols":["a","b"],"rows":[],"types":["int4","text"]}', '{"cols":["a","b"],"rows":[],"types":["int8","text"]}',
		'{"cols":["a","b"],"rows":[],"types":["int4","text"]}'], '[{"d": [null, "text"]}]'),
	(ARRAY['{"cols":["a"],"rows":[],"types":["int4"]}', '{"cols":["a"],"rows":[]}'], '[{"d": [null]}]'),
	(ARRAY['{"cols":["a"],"rows":[]}', '{"cols":["a"],"rows":[],"types":["int4"]}'], '[{"d": [null]}]'),
	(ARRAY['{"cols":["a"],"rows":[]}'], '[{"d": [null]}]'),
	(ARRAY['{"cols":["a"],"rows":[],"types":[null]}', '{"cols":["a"],"rows":[],"types":["int4"]}'], '[{"d": [null]}]'),
	(ARRAY['{"cols":["a"],"rows":[],"types":["varchar(3)"]}', '{"cols":["a"],"rows":[],"types":["varchar(5)"]}',
		'{"cols":["a"],"rows":[],"types":["varchar(3)"]}'], '[{"d": ["varchar"]}]'),
	(ARRAY['{"cols":["a"],"rows":[],"types":["varchar(3)[]"]}', '{"cols":["a"],"rows":[],"types":["varchar(5)[]"]}'],
		'[{"d": ["varchar[]"]}]'),
	(ARRAY['{"cols":["a"],"rows":[],"types":["varchar(3)[]"]}', '{"cols":["a"],"rows":[],"types":["varchar(3)"]}'],
		'[{"d": [null]}]'),
	(ARRAY['{"cols":["a"],"rows":[],"types":["numeric"]}', '{"cols":["a"],"rows":[],"types":["numeric(3,1)"]}'],
		'[{"d": ["numeric"]}]'),
	(ARRAY['{"cols":["a"],"rows":[],"types":["interval day to second(2)"]}',
		'{"cols":["a"],"rows":[],"types":["interval hour"]}'], '[{"d": ["interval"]}]'),
	(ARRAY['{"cols":["a"],"rows":[],"types":["app.\"x (1)\""]}', '{"cols":["a"],"rows":[],"types":["app.\"x (2)\""]}'],
		'[{"d": [null]}]'),
	(ARRAY['{"cols":["a"],"rows":[],"types":["app.\"x (1)\"(3)"]}',
		'{"cols":["a"],"rows":[],"types":["app.\"x (1)\"(4)"]}'],
		'[{"d": ["app.\"x (1)\""]}]'),
	(ARRAY['{"cols":["a",{"r":["x"]},{"e":[["y","z"]]}],"rows":[],"types":["int4",{"r":["text"]},{"e":["int8","bool"]}]}',
		'{"cols":["a",{"r":[]},{"e":[[]]}],"rows":[[1,null,null]],"types":["int4",{"r":[]},{"e":[]}]}',
		'{"cols":["a",{"r":["x"]},{"e":[["y","z"]]}],"rows":[],"types":["int4",{"r":["text"]},{"e":["int4","bool"]}]}'],
		'[{"d": ["int4", {"r": ["text"]}, {"e": [null, "bool"]}]}]'),
	(ARRAY['{"cols":["a",{"r":[]},{"e":[[]]}],"rows":[[1,null,null]],"types":["int4",{"r":[]},{"e":[]}]}',
		'{"cols":["a",{"r":["x"]},{"e":[["y","z"]]}],"rows":[],"types":["int4",{"r":["text"]},{"e":["int8","bool"]}]}'],
		'[{"d": ["int4", {"r": ["text"]}, {"e": ["int8", "bool"]}]}]'),
	(ARRAY['{"cols":["a"],"vals":[[1]],"types":["int4"]}', '{"cols":["a"],"rows":[[1]],"types":["int4"]}'],
		'[{"d": ["int4"]}]'),
	(ARRAY['{"cols":["a"],"rows":[],"types":["a \"quoted\" \\ \/ one\tand é"]}'],
		'[{"d": ["a \"quoted\" \\ / one\tand é"]}]')) v(docs, types);
-- What is not understood says nothing, and does no harm.
SELECT is(pg_temp.hoisted(format('{"cols":["a",{"e":[["y"]]}],"rows":[[1,[[2]]]],"types":%s}', types),
	'{"cols":["a",{"e":[["y"]]}],"rows":[],"types":["int4",{"e":["int4"]}]}'), '[{"d": [null, {"e": [null]}]}]',
	'a member types: ' || types)
FROM unnest(ARRAY['1', 'null', 'true', '"x"', '{}', '[]', '["int4"]', '["int4",{"e":["int4"]},"x"]', '["int4",null]',
	'["int4","int4"]', '["int4",["int4"]]', '["int4",{}]', '["int4",{"e":"int4"}]', '["int4",{"e":[]}]',
	'["int4",{"e":["int4"],"f":["int4"]}]', '["int4",{"e":[1]}]', '["int4",{"e":["int4","int4"]}]', '[1,{"e":["int4"]}]',
	'[["int4"],{"e":["int4"]}]', '[{"a":["int4"]},{"e":["int4"]}]', '[1e100,{"e":["int4"]}]']) types;
SELECT is(jsonrow_agg_json('{d}', d::jsonrow_json)::text,
	'{"cols":[{"d":[["a"]]}],"types":[{"d":[null]}],"rows":[[[]]]}',
	'what jsonb could not hold, either: ' || d)
FROM unnest(ARRAY['{"cols":["a"],"rows":[],"types":["\u0000"]}', '{"cols":["a"],"rows":[],"types":["\ud800"]}',
	'{"cols":["a"],"rows":[],"types":[1e1000000]}']) d GROUP BY d;
SELECT is(jsonrow_agg('{d}', jsonb_build_object('cols', '["a"]'::jsonb, 'rows', '[]'::jsonb, 'types',
	jsonb_build_array('t' || i % 9))::jsonrow)::text,
	format('{"cols": [{"d": [["a"]]}], "rows": [%s], "types": [{"d": [null]}]}', string_agg('[[]]', ', ')),
	'more headers than are remembered')
FROM generate_series(1, 30) i;
SELECT is(jsonrow_agg(t)::text,
	'{"cols": ["id", {"w": ["n", {"d": [["k"]]}]}, {"o": [["k"]]}], "rows": [[1, [1, null], '
	'[]], [2, [2, [[5]]], null]], "types": ["int4", {"w": ["int8", {"d": ["numeric(3,0)"]}]}, {"o": ["text"]}]}',
	'documents in a composite, and others')
FROM (SELECT i AS id, ROW(i, CASE WHEN i = 2 THEN jsonrow_agg('{k}', 5::numeric(3)) END)::wrapper AS w,
	(CASE WHEN i = 1 THEN '{"cols":["k"],"rows":[],"types":["text"]}' END)::jsonrow AS o
	FROM generate_series(1, 2) i GROUP BY i ORDER BY i) t;

--
-- rows that differ in types have their columns' names in common
--
CREATE FUNCTION pg_temp.record(i int) RETURNS record LANGUAGE sql AS $$
	SELECT CASE i % 3 WHEN 0 THEN ROW(i, i::numeric(9, 2)) WHEN 1 THEN ROW(i::text, i::numeric(8, 1))
		ELSE ROW(NULL::date, 0.5) END $$;
SELECT is(pg_temp.types_in(format('SELECT AGG(pg_temp.record(i %% %s)) FROM generate_series(1, %s) i', of, n)), types,
	format('%s rows of %s types', n, of))
FROM unnest(ARRAY[1, 10, 5000]) n, unnest(ARRAY[1, 2, 3]) of,
	LATERAL (SELECT CASE WHEN of = 1 THEN '["int4", "numeric(9,2)"]'
		WHEN n = 1 THEN '["text", "numeric(8,1)"]' ELSE '[null, "numeric"]' END::jsonb) t(types);
SELECT is(pg_temp.types_in(
		format('SELECT AGG(''{r}'', pg_temp.record(i %% %s)) FROM generate_series(1, %s) i', of, n)),
	jsonb_build_array(jsonb_build_object('r', types)), format('%s cells of %s types', n, of))
FROM unnest(ARRAY[1, 10, 5000]) n, unnest(ARRAY[1, 2, 3]) of,
	LATERAL (SELECT CASE WHEN of = 1 THEN '["int4", "numeric(9,2)"]'
		WHEN n = 1 THEN '["text", "numeric(8,1)"]' ELSE '[null, "numeric"]' END::jsonb) t(types);
SELECT is((SELECT array_agg(doc -> 'types' ORDER BY g)::text FROM (SELECT i % 4 AS g,
	jsonrow_agg(pg_temp.record(i % 4)) AS doc FROM generate_series(1, 40) i GROUP BY i % 4) s),
	ARRAY['["int4", "numeric(9,2)"]', '["text", "numeric(8,1)"]', '["date", "numeric"]',
		'["int4", "numeric(9,2)"]']::text,
	'each group its own types');
SELECT is((SELECT array_agg(doc -> 'types' ORDER BY i)::text FROM (SELECT i,
	jsonrow_agg_json(pg_temp.record(i)) OVER (ORDER BY i) AS doc FROM generate_series(3, 5) i) s),
	ARRAY['["int4","numeric(9,2)"]', '[null,"numeric"]', '[null,"numeric"]']::text, 'a growing window');
SELECT is((SELECT array_agg(types)::text FROM (SELECT jsonrow_agg(ARRAY['k' || i], i::numeric(5)) -> 'types' AS types
	FROM generate_series(1, 2) i GROUP BY i) s),
	ARRAY['["numeric(5,0)"]', '["numeric(5,0)"]']::text, 'names that are no constant');

-- altered by the query itself
CREATE TYPE altered AS (a int, b text);
CREATE FUNCTION alter_at(i int) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
	IF i = 3 THEN
		ALTER TYPE altered ALTER ATTRIBUTE b TYPE uuid;
	END IF;
	RETURN true;
END $$;
CREATE FUNCTION pg_temp.altering(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	EXECUTE query INTO result;
	RAISE SQLSTATE 'TDONE' USING MESSAGE = coalesce(result, 'NULL');	-- and undo it
EXCEPTION WHEN OTHERS THEN
	RETURN SQLERRM;
END $$;
SELECT is(pg_temp.altering(format('SELECT %s FROM generate_series(1, 5) i WHERE alter_at(i)',
	replace(call, 'VALUE',
		$v$(CASE WHEN i < 3 THEN '(1,x)' ELSE '(1,00000000-0000-0000-0000-000000000000)' END)::altered$v$))),
	types, call || ', of a type that is altered')
FROM (VALUES ('jsonrow_agg(VALUE) ->> ''types''', '["int4", null]'),
	('(jsonrow_agg_json(VALUE)::jsonb) ->> ''types''', '["int4", null]'),
	('jsoncol_agg(VALUE) ->> ''types''', '["int4", null]'),
	('jsonrow_agg(''{c}'', VALUE) ->> ''types''', '[{"c": ["int4", null]}]'),
	('jsonrow_agg(ROW(VALUE)) ->> ''types''', '[{"f1": ["int4", null]}]'),
	('(jsonrow_agg_json(''{r}'', ROW(VALUE, 1))::jsonb) ->> ''types''', '[{"r": [{"f1": ["int4", null]}, "int4"]}]'))
	c(call, types);

--
-- put together
--
SELECT is(jsonrow_concat(a::jsonb, b::jsonb)::text, result, format('%s and %s', a, b))
FROM (VALUES
	('{"cols":["a"],"rows":[[1]],"types":["int4"]}', '{"cols":["a"],"rows":[[2]],"types":["int4"]}',
		'{"cols": ["a"], "rows": [[1], [2]], "types": ["int4"]}'),
	('{"cols":["a"],"rows":[[1]],"types":["int4"]}', '{"cols":["a"],"rows":[[2]],"types":["int8"]}',
		'{"cols": ["a"], "rows": [[1], [2]], "types": [null]}'),
	('{"cols":["a"],"rows":[[1]],"types":["varchar(3)"]}', '{"cols":["a"],"rows":[[2]],"types":["varchar"]}',
		'{"cols": ["a"], "rows": [[1], [2]], "types": ["varchar"]}'),
	('{"cols":["a"],"rows":[[1]],"types":["int4"]}', '{"cols":["a"],"rows":[[2]]}',
		'{"cols": ["a"], "rows": [[1], [2]]}'),
	('{"cols":["a"],"rows":[[1]]}', '{"cols":["a"],"rows":[[2]],"types":["int4"]}',
		'{"cols": ["a"], "rows": [[1], [2]]}'),
	('{"cols":[],"rows":[]}', '{"cols":["a"],"vals":[[2]],"types":["int4"]}',
		'{"cols": ["a"], "vals": [[2]], "types": ["int4"]}'),
	('{"cols":["a"],"vals":[[2]],"types":["int4"]}', '{"cols":[],"rows":[],"types":[]}',
		'{"cols": ["a"], "vals": [[2]], "types": ["int4"]}'),
	('{"cols":["a",{"d":[[]]}],"rows":[[1,null]],"types":["int4",{"d":[]}]}',
		'{"cols":["a",{"d":[["x"]]}],"rows":[[2,[]]],"types":["int4",{"d":["text"]}]}',
		'{"cols": ["a", {"d": [["x"]]}], "rows": [[1, null], [2, []]], "types": ["int4", {"d": ["text"]}]}'))
	v(a, b, result);
SELECT is(jsonrow_concat_agg(d ORDER BY i)::text, '{"cols": [{"d": [["x"]]}], "rows": [[null], [[]], [[]]]}',
	'a document without types, and nested ones that differ')
FROM (VALUES (1, '{"cols":[{"d":[[]]}],"rows":[[null]]}'::jsonrow),
	(2, '{"cols":[{"d":[["x"]]}],"rows":[[[]]],"types":[{"d":["int4"]}]}'),
	(3, '{"cols":[{"d":[["x"]]}],"rows":[[[]]],"types":[{"d":["int8"]}]}')) v(i, d);
SELECT throws_ok(format('SELECT jsonrow_concat(%L, %L)', a, b), '42804', 'documents differ in member "types"',
	format('not understood: %s and %s', a, b))
FROM (VALUES ('{"cols":["a"],"rows":[],"types":["int4"]}', '{"cols":["a"],"rows":[],"types":[1]}'),
	('{"cols":["a"],"rows":[],"types":{}}', '{"cols":["a"],"rows":[],"types":["int4"]}')) v(a, b);
SELECT is(jsonrow_concat_agg(doc)::text, '{"cols": ["a"], "rows": [], "types": ["numeric(5,0)"]}',
	'nothing to put together, but the plan tells the types')
FROM (SELECT jsonrow_agg('{a}', 1::numeric(5)) AS doc FROM generate_series(1, 0) i GROUP BY i) s;

-- in parallel
CREATE TABLE big AS
SELECT i AS id, i % 10 AS g, i::numeric(9, 2) AS n, CASE WHEN i % 3 > 0 THEN 'text ' || i END::varchar(30) AS name,
	ROW('s', i % 100, NULL)::address AS p,
	(CASE i % 4 WHEN 0 THEN '{"cols":["n"],"rows":[[1]],"types":["int4"]}' END)::jsonrow AS d,
	(CASE i % 8 WHEN 0 THEN '{"cols":["n"],"rows":[[1]],"types":["int4"]}' END)::jsonrow_json AS dj,
	format('{"cols":["n"],"rows":[[%s]],"types":["%s"]}', i, CASE WHEN i > 20 THEN 'int4' ELSE 'int8' END)::jsonrow AS e
FROM generate_series(1, 4000) i;
ALTER TABLE big ADD doc jsonrow;
UPDATE big SET doc = jsonb_build_object('cols', '["a"]'::jsonb, 'vals',
	jsonb_build_array(jsonb_build_array(id)), 'types',
	CASE WHEN id > 20 THEN '["int4"]' ELSE '["int8"]' END::jsonb);
ANALYZE big;
CREATE VIEW aggregated AS
SELECT jsonrow_agg(x)::jsonb AS a, jsonrow_agg_json(x)::jsonb AS b, jsoncol_agg(x)::jsonb AS c,
	jsonrow_agg('{i,n,p}', id, n, p)::jsonb AS d, jsoncol_agg_json('{i,n,p}', id, n, p)::jsonb AS e,
	jsonrow_agg(x) FILTER (WHERE id = 17)::jsonb AS f, jsonrow_agg(x) FILTER (WHERE false)::jsonb AS g,
	jsonrow_concat_agg(doc)::jsonb AS h, jsonrow_agg_json('{n}', n) FILTER (WHERE id < 0)::jsonb AS i
FROM big x;
CREATE VIEW aggregated_records AS SELECT jsonrow_agg_json(r)::jsonb AS a, jsonrow_agg(r)::jsonb AS b
FROM (SELECT ROW(id, n) AS r FROM big WHERE g < 5 UNION ALL SELECT ROW(name, n) FROM big WHERE g >= 5) s;
CREATE TABLE serial AS SELECT * FROM aggregated;
CREATE TABLE serial_records AS SELECT * FROM aggregated_records;
\ir parallel.psql
SELECT matches(pg_temp.plan_of('SELECT * FROM ' || v), 'Finalize Aggregate.*Gather.*Partial Aggregate',
	'a parallel plan of ' || v)
FROM unnest('{aggregated,aggregated_records}'::text[]) v;
CREATE TABLE parallel AS SELECT * FROM aggregated;
CREATE TABLE parallel_records AS SELECT * FROM aggregated_records;
SET LOCAL max_parallel_workers_per_gather = 0;
SELECT is(p.a -> 'types',
	'["int4", "int4", "numeric(9,2)", "varchar(30)", {"p": ["text", "numeric(5,1)", "varchar(3)[]"]}, '
	'{"d": ["int4"]}, {"dj": ["int4"]}, {"e": [null]}, {"doc": [null]}]', 'types of workers') FROM parallel p;
SELECT is(p.h -> 'types', '[null]', 'documents of workers that differ in types') FROM parallel p;
SELECT is(p.g -> 'types',
	'["int4", "int4", "numeric(9,2)", "varchar(30)", {"p": ["text", "numeric(5,1)", "varchar(3)[]"]}, '
	'{"d": []}, {"dj": []}, {"e": []}, {"doc": []}]', 'types of workers without rows') FROM parallel p;
SELECT is(p.b -> 'types', '[null, "numeric(9,2)"]', 'records of workers that differ in types') FROM parallel_records p;
SELECT is(pg_temp.sorted(p.value), pg_temp.sorted(s.value), 'parallel = serial: ' || key)
FROM parallel, serial, jsonb_each(to_jsonb(parallel)) p JOIN jsonb_each(to_jsonb(serial)) s USING (key);
SELECT is(pg_temp.sorted(p.value), pg_temp.sorted(s.value), 'parallel = serial, of records: ' || key)
FROM parallel_records, serial_records,
	jsonb_each(to_jsonb(parallel_records)) p JOIN jsonb_each(to_jsonb(serial_records)) s USING (key);

--
-- back into rows
--
CREATE TYPE nested AS (id int8, n numeric(8, 2), big numeric, ids int8[], p address, ps address[], key app.key,
	d jsonrow, dj jsonrow_json, j jsonb, o oid);
CREATE TABLE rows OF nested;
INSERT INTO rows
SELECT 9007199254740993 + i, i * 1.10, repeat('9', 30 * i)::numeric + 0.10, ARRAY[9223372036854775807, NULL, i],
	ROW('s', 1.5, '{a,b}')::address, ARRAY[ROW('t', 0.5, NULL)::address, NULL], i,
	(SELECT jsonrow_agg('{k,l}', k::int8, 1.10::numeric(5, 2)) FROM generate_series(1, i) k),
	(SELECT jsonrow_agg_json('{k,l}', k::int8, 1.10::numeric(5, 2)) FROM generate_series(1, i) k),
	'{"n": 9007199254740993, "s": "1"}', 4294967295
FROM generate_series(1, 5) i;
INSERT INTO rows DEFAULT VALUES;
INSERT INTO rows VALUES ('-9223372036854775808', 'NaN', '-Infinity', '{}', NULL, '{}', NULL, NULL, NULL, '1', 0);
CREATE FUNCTION pg_temp.back(header text, numbers text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	aggregate text;
	back text;
BEGIN
	PERFORM pg_temp.write_documents(header, numbers);
	FOREACH aggregate IN ARRAY ARRAY['jsonrow_agg', 'jsonrow_agg_json', 'jsoncol_agg', 'jsoncol_agg_json'] LOOP
		EXECUTE format('SELECT array_agg(r)::text FROM (SELECT %s(rows)::jsonb AS doc FROM rows) d,
			LATERAL jsonrow_populate_recordset(NULL::nested, doc) r', aggregate) INTO back;
		RETURN NEXT is(back, (SELECT array_agg(CASE header WHEN 'types' THEN r ELSE
				(SELECT ROW(id, n, big, ids, p, ps, key, d - 'types', (dj::jsonb - 'types')::text, j, o)::nested FROM
					(SELECT r.*) s) END)::text FROM rows r),
			format('law 6 of %s, %s and %s', aggregate, header, numbers));
	END LOOP;
END $$;
SELECT pg_temp.back('types', n) FROM unnest('{number,string}'::text[]) n;
SELECT is(r.d::text || r.dj::text || r.e::text, '{"cols": ["k"], "rows": [[1]], "types": ["int8"]}'
	'{"cols":["k"],"types":["int8"],"rows":[[1]]}[{"k": 1}]', 'a nested document takes its types with it')
FROM jsonrow_to_recordset('{"cols":[{"d":[["k"]]},{"dj":[["k"]]},{"e":[["k"]]}],"rows":[[[[1]],[[1]],[[1]]]],
	"types":[{"d":["int8"]},{"dj":["int8"]},{"e":["int8"]}]}') r(d jsonrow, dj jsonrow_json, e jsonb);
SELECT is(r.d::text || r.e::text, '{"cols": ["k"], "rows": [[1]]}{"cols": ["k"], "rows": [[1]], "types": ["text"]}',
	'... if they are known')
FROM jsonrow_to_recordset('{"cols":[{"d":[["k"]]},{"e":[["k"]]}],"rows":[[[[1]],[[1]]]],
	"types":[{"d":[null]},{"e":["text"]}]}') r(d jsonrow, e jsonrow);
SELECT is(r.d::text, '{"cols": ["k", {"e": [["x"]]}], "rows": [[1, []]], "types": ["int8", {"e": [null]}]}',
	'... or some of them')
FROM jsonrow_to_recordset('{"cols":[{"d":[["k",{"e":[["x"]]}]]}],"rows":[[[[1,[]]]]],
	"types":[{"d":["int8",{"e":[null]}]}]}') r(d jsonrow);
SELECT is(r.d::text, '{"cols": ["k"], "rows": [[1]]}', 'types that are not understood: ' || types)
FROM unnest('{1,[],"[{\"d\":[1]}]"}'::text[]) types,
	jsonrow_to_recordset(format('{"cols":[{"d":[["k"]]}],"rows":[[[[1]]]],"types":%s}', types)::jsonb) r(d jsonrow);
SELECT pg_temp.write_documents('types', 'string') \g /dev/null
CREATE TABLE strings AS SELECT jsonrow_agg('{i,n,t}', i::int8, i * 1.10, i) AS doc FROM generate_series(1, 10) i;
SELECT is(ARRAY[jsonrow_get(doc, 1, 'i')::text, jsonrow_get_text(doc, 1, 'n'), jsonrow_find(doc, 'i', '"7"')::text,
	jsonrow_find(doc, 'i', '7')::text, jsonrow_find(doc, 't', '7')::text, jsonrow_slice(doc, 2, 1)::text,
	jsonrow_from_objects(jsonrow_to_objects(jsonrow_slice(doc, 2, 1)))::text],
	ARRAY['"2"', '2.20', '6', NULL, '6', '{"cols": ["i", "n", "t"], "rows": [["3", "3.30", 3]], '
	'"types": ["int8", "numeric", "int4"]}', '{"cols": ["i", "n", "t"], "rows": [["3", "3.30", 3]]}'], 'strings read')
FROM strings;

-- stored in every way
CREATE TABLE stored AS SELECT 1 AS i, jsonrow_agg('{i,n,t,d}', i::int8, i * 1.10, repeat('x', i % 50),
	'{"cols":["k"],"rows":[[1]],"types":["int8"]}'::jsonrow)::jsonb AS doc FROM generate_series(1, 700) i;
ALTER TABLE stored ALTER doc SET STORAGE EXTERNAL;
INSERT INTO stored SELECT 2, jsonrow_to_columns(doc) FROM stored;
INSERT INTO stored SELECT i + 2, doc || '{}' FROM stored;
SELECT is(pg_temp.check_readers(format('(SELECT doc FROM stored WHERE i = %s) s', i)), NULL,
	'cells of a document with types, stored as ' || i) FROM stored;
CREATE TABLE compressed AS SELECT doc || '{}' AS doc FROM stored WHERE i = 1;
SELECT is(pg_temp.check_readers('compressed'), NULL, 'cells of a compressed document with types');

--
-- the settings
--
SELECT pg_temp.write_documents('names', 'number') \g /dev/null
PREPARE again AS SELECT jsonrow_agg_json(x)::text FROM (SELECT 1::int8 AS a) x;
CREATE FUNCTION again() RETURNS text LANGUAGE plpgsql AS $$ BEGIN
	RETURN (SELECT jsonrow_agg_json('{a}', i) FROM generate_series(1::int8, 1) i); END $$;
CREATE FUNCTION pg_temp.again() RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	a text;
BEGIN
	EXECUTE 'EXECUTE again' INTO a;
	RETURN a || again();
END $$;
SELECT is(pg_temp.again(), '{"cols":["a"],"rows":[[1]]}{"cols":["a"],"rows":[[1]]}', 'kept plans, names');
SELECT pg_temp.write_documents('types', 'string') \g /dev/null
SELECT is(pg_temp.again(),
	'{"cols":["a"],"types":["int8"],"rows":[["1"]]}{"cols":["a"],"types":["int8"],"rows":[["1"]]}',
	'kept plans, types and strings');
SELECT is(array_agg(doc ORDER BY i)::text, ARRAY['{"cols":["a"],"types":["int8"],"rows":[["1"]]}',
	'{"cols":["a"],"types":["int8"],"rows":[["2"]]}', '{"cols":["a"],"types":["int8"],"rows":[["3"]]}']::text,
	'a query keeps to what was set when it began')
FROM (SELECT i, (SELECT jsonrow_agg_json('{a}', k) FROM generate_series(i, i) k)::text AS doc,
	pg_temp.write_documents('names', 'number') FROM generate_series(1::int8, 3) i OFFSET 0) s;
SELECT throws_ok($$SET jsonrow.header = 'both'$$, '22023', 'invalid value for parameter "jsonrow.header": "both"',
	'no such header');
SELECT throws_ok($$SET jsonrow.big_numbers = 'off'$$, '22023',
	'invalid value for parameter "jsonrow.big_numbers": "off"', 'no such numbers');
CREATE FUNCTION pg_temp.explained() RETURNS SETOF text LANGUAGE plpgsql AS $$ BEGIN
	RETURN QUERY EXECUTE 'EXPLAIN (SETTINGS) SELECT 1'; END $$;
SELECT pg_temp.write_documents('types', 'string') \g /dev/null
SELECT ok(string_agg(e, ' ') LIKE '% ' || setting || '%', 'EXPLAIN (SETTINGS): ' || setting)
FROM pg_temp.explained() e, unnest(ARRAY[$$jsonrow.header = 'types'$$, $$jsonrow.big_numbers = 'string'$$]) setting
GROUP BY setting;
SELECT is(array_agg(name || ' ' || context || ' ' || boot_val || ' ' || enumvals::text ORDER BY name)::text,
	ARRAY['jsonrow.big_numbers user number {number,string}', 'jsonrow.header user names {names,types}']::text,
	'what pg_settings says')
FROM pg_settings WHERE name IN ('jsonrow.header', 'jsonrow.big_numbers');

-- joined: the dimensions of arrays stay, and one name that is not understood is one column's
SELECT is(jsonrow_concat(jsonb_build_object('cols', '{a}'::text[], 'rows', '{}'::text[], 'types', ARRAY[a]),
	jsonb_build_object('cols', '{a}'::text[], 'rows', '{}'::text[], 'types', ARRAY[b])) -> 'types' ->> 0, joined,
	a || ' and ' || b)
FROM (VALUES ('numeric(10,2)[][]', 'numeric(5,1)[][]', 'numeric[][]'), ('numeric[]', 'numeric(10,2)[][]', NULL),
	('numeric(10,2)[]', 'numeric[]', 'numeric[]'), ('interval second(3)', 'interval', 'interval'),
	('app."a(b"(1)', 'app."a(b"(2)', 'app."a(b"')) v(a, b, joined);
SELECT pg_temp.write_documents('types', 'number') \g /dev/null
SELECT is(jsonrow_agg_json('{d}', '{"cols":["a","b"],"types":["x\u0001","int4"],"rows":[]}'::jsonrow_json)::jsonb
	-> 'types', '[{"d": [null, "int4"]}]', 'a type with an escape');

-- streams: what the aggregate gives, types and strings, too
SELECT pg_temp.write_documents('types', 'string') \g /dev/null
SELECT is(pg_temp.check_stream(query), NULL, 'streamed: ' || query) FROM unnest(ARRAY[
	'SELECT * FROM rows', 'TABLE pg_class', 'SELECT oid, proname, proargtypes FROM pg_proc',
	'SELECT 1::int8 AS a, 2.50::numeric(10,2) AS b, ARRAY[3::int8] AS c WHERE false',
	$$SELECT i, (SELECT jsonrow_agg_json('{a,b}', k::int8, 'x'::varchar(9)) FROM generate_series(1, 3) k WHERE k < i)
		AS d, ROW(i, 2.5) AS r FROM generate_series(1, 5000) i$$]) query;
CREATE TABLE differ AS SELECT i, (SELECT jsonrow_agg('{a}', k) FROM generate_series(1, 2) k) AS d
FROM generate_series(1, 10) i;
INSERT INTO differ SELECT i, (SELECT jsonrow_agg('{a}', k::text) FROM generate_series(1, 2) k)
FROM generate_series(11, 20) i;
SELECT is(pg_temp.check_stream('SELECT * FROM differ'), NULL, 'types that differ within the first piece');
SELECT is(pg_temp.error_of($$SELECT jsonrow_stream('SELECT i, repeat(''x'', 10000), d FROM differ ORDER BY i')$$),
	concat_ws(E'\n', '42804', 'types in column "d" differ from those in the header, which has been sent', '',
		'Cast what differs to one type, or set jsonrow.header to names.'), 'types that differ later');

-- what promises PostgreSQL's bytes
SELECT pg_temp.write_documents('types', 'string') \g /dev/null
SELECT ok(record_image_eq(ROW(jsonrow_array_agg(r.id, r.n, r.ids, r.p, r.d)),
	ROW(jsonb_agg(jsonb_build_array(r.id, r.n, r.ids, r.p, r.d)))), 'jsonrow_array_agg') FROM rows r;
SELECT is(jsonrow_array_agg_json(r.id, r.n, r.ids, r.p)::text,
	'[' || string_agg(concat('[', array_to_string(ARRAY[to_json(id), to_json(n), to_json(ids), to_json(p)]::text[], ',',
		'null'), ']'), ',') || ']', 'jsonrow_array_agg_json') FROM rows r;
SELECT ok(pg_temp.same(jsonrow_objects_agg(r), jsonb_agg(r)), 'jsonrow_objects_agg')
FROM (SELECT id, n, ids, p, ps, key, j FROM rows) r;
SELECT ok(pg_temp.same(jsonrow_objects_agg_json(r)::jsonb, jsonb_agg(r)), 'jsonrow_objects_agg_json')
FROM (SELECT id, n, ids, p, ps, key, j FROM rows) r;
SELECT is(jsonrow_objects_agg('{d}', (SELECT jsonrow_agg('{a}', 1::int8)))::text, '[{"d": [{"a": "1"}]}]',
	'a document keeps its cells when it becomes objects');
SET LOCAL jsonrow.accelerate = on;
SELECT is(json_agg(r)::text || jsonb_agg(r)::text, '[{"id":5,"n":1.5}][{"n": 1.5, "id": 5}]', 'acceleration')
FROM (SELECT 5::int8 AS id, 1.5 AS n) r;

SELECT * FROM finish();
ROLLBACK;

-- Documents in documents: the header is hoisted, the cell keeps the rows.
\ir oracle.psql

SELECT plan(752);

CREATE TABLE film (id int, title text);
CREATE TABLE actor (id int, film_id int, name text);
CREATE TABLE award (actor_id int, year int, prize numeric);
INSERT INTO film SELECT i, 'Film "' || i || '"' FROM generate_series(1, 40) i;
INSERT INTO actor SELECT i, i % 37 + 1, 'Actor ' || i FROM generate_series(1, 120) i;
INSERT INTO award SELECT i % 50, 2000 + i % 20, i * 1.5 FROM generate_series(1, 100) i;

-- three levels, of which some have no rows; the innermost may be NULL
CREATE FUNCTION pg_temp.films(inner_agg text, middle_agg text, outer_agg text) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
	doc jsonb;
BEGIN
	EXECUTE format('
		SELECT %s FROM (
			SELECT title, (
				SELECT %s FROM (
					SELECT name, (
						SELECT %s FROM (SELECT year, prize FROM award WHERE actor_id = actor.id ORDER BY prize) w
						HAVING actor.id %% 3 > 0) AS awards
					FROM actor WHERE film_id = film.id ORDER BY id) a) AS actors
			FROM film ORDER BY id) f', format(outer_agg, 'f'), format(middle_agg, 'a'), format(inner_agg, 'w'))
				INTO doc;
	RETURN doc;
END $$;
CREATE TABLE aggregates AS SELECT unnest(ARRAY['jsonrow_agg(%s)', 'jsonrow_agg_json(%s)', 'jsoncol_agg(%s)',
	'jsoncol_agg_json(%s)']) AS a;
CREATE TABLE films AS
SELECT i.a AS i, m.a AS m, o.a AS o, pg_temp.films(i.a, m.a, o.a) AS doc FROM aggregates i, aggregates m, aggregates o;

SELECT is(doc -> 'cols', '["title", {"actors": [["name", {"awards": [["year", "prize"]]}]]}]',
	format('header of %s in %s in %s', i, m, o)) FROM films;
SELECT is(pg_temp.to_objects(doc), pg_temp.films(oracle, oracle, oracle), format('rows of %s in %s in %s', i, m, o))
FROM films, (SELECT $$coalesce(jsonb_agg(%s), '[]')$$) q(oracle);
SELECT ok(pg_temp.is_canonical(doc), format('bytes of %s in %s in %s', i, m, o)) FROM films;
SELECT ok(jsonrow_is_valid(doc), format('validity of %s in %s in %s', i, m, o)) FROM films;
SELECT is(doc ? 'vals', o LIKE 'jsoncol%', format('orientation of %s in %s in %s', i, m, o)) FROM films;
SELECT is(count(*)::int, 64, 'number of nestings') FROM films;
CREATE TABLE one_doc (doc jsonb);
CREATE FUNCTION pg_temp.read_one(d jsonb) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	TRUNCATE one_doc;
	INSERT INTO one_doc VALUES (d);
	RETURN pg_temp.check_readers('one_doc');
END $$;
SELECT is(pg_temp.read_one(doc), NULL, format('read: %s in %s in %s', i, m, o)) FROM films WHERE i = m;
SELECT is(pg_temp.check_document(doc), NULL, format('turned, cut and edited: %s in %s in %s', i, m, o)) FROM films;
SELECT is((SELECT jsonrow_agg_json('{d}', '{"cols":["a"],"rows":[[1],["x y"],[null]]}'::jsonrow))::text,
	'{"cols":[{"d":[["a"]]}],"rows":[[[[1],["x y"],[null]]]]}', 'a nested jsonb document has no white space either');

-- inside composites, and stored
CREATE TYPE wrapper AS (n int, d jsonrow);
CREATE TABLE stored AS
SELECT i AS id, ROW(i, CASE WHEN i > 1 THEN doc END)::wrapper AS w, CASE WHEN i % 2 = 0 THEN doc END::jsonrow AS d,
	doc::text::jsonrow_json AS t
FROM (SELECT i, jsonrow_agg('{k,v}', k, 'v') AS doc FROM generate_series(1, 4) i, generate_series(1, i) k
	GROUP BY i) s;
SELECT is((jsonrow_agg(stored) -> 'cols')::text, '["id", {"w": ["n", {"d": [["k", "v"]]}]}, {"d": [["k", "v"]]}, '
	'{"t": [["k", "v"]]}]', 'in composites and tables')
FROM stored;
SELECT is((jsonrow_agg_json(stored ORDER BY id))::text,
	'{"cols":["id",{"w":["n",{"d":[["k","v"]]}]},{"d":[["k","v"]]},{"t":[["k","v"]]}],"rows":[[1,[1,null],null,[[1,'
		'"v"]]],[2,[2,[[1,"v"],[2,"v"]]],[[1,"v"],[2,"v"]],[[1,"v"],[2,"v"]]]]}',
	'in composites and tables, as JSON text without white space')
FROM stored WHERE id < 3;
SELECT is(jsonrow_agg(s)::text, '{"cols": ["a", {"r": ["f1", "f2"]}], "rows": [[1, null], [2, [2, "x"]]]}',
	'a column of anonymous records')
FROM (SELECT i AS a, CASE WHEN i > 1 THEN ROW(i, 'x') END AS r FROM generate_series(1, 2) i) s;
SELECT is(jsonrow_agg(s)::text, '{"cols": ["a", {"r": ["f1", {"f2": [["n"]]}]}], "rows": [[1, null], [2, [2, '
	'[[1]]]]]}', 'a column of anonymous records with a document in them')
FROM (SELECT i AS a, CASE WHEN i > 1 THEN ROW(i, '{"cols":["n"],"rows":[[1]]}'::jsonrow) END AS r
	FROM generate_series(1, 2) i) s;
SELECT is(jsonrow_array_agg(d)::text, '[[{"cols": ["a"], "rows": []}]]',
	'where there is no header, a document is a value')
FROM (SELECT '{"cols":["a"],"rows":[]}'::jsonrow AS d) s;
SELECT is(jsonrow_agg('{d}', d::jsonb)::text, '{"cols": ["d"], "rows": [[{"cols": ["a"], "rows": []}]]}',
	'as jsonb, a document is a value')
FROM (SELECT '{"cols":["a"],"rows":[]}'::jsonrow AS d) s;
CREATE DOMAIN my_doc AS jsonrow;
SELECT is(jsonrow_agg('{d}', '{"cols":["a"],"rows":[]}'::my_doc)::text,
	'{"cols": [{"d": [["a"]]}], "rows": [[[]]]}', 'a domain over the domain');

-- headers that differ in what isn't known yet, in any order
SELECT is((jsonrow_agg('{d}', d::jsonrow ORDER BY i) -> 'cols')::text,
	'[{"d": [["a", {"b": [["x", {"c": [["z"]]}]]}]]}]', 'headers are completed')
FROM (VALUES (1, '{"cols":["a",{"b":[[]]}],"rows":[]}'::jsonrow), (2, NULL), (3, '{"cols":[],"rows":[]}'),
	(4, '{"cols":["a",{"b":[["x",{"c":[[]]}]]}],"rows":[[1,[[2,null]]]]}'),
	(5, '{"cols":["a",{"b":[["x",{"c":[["z"]]}]]}],"rows":[]}'),
	(6, '{"cols":["a",{"b":[[]]}],"rows":[]}'), (7, '{"cols":["a",{"b":[["x",{"c":[[]]}]]}],"rows":[]}')) v(i, d);
SELECT is((jsonrow_agg('{d}', d::jsonrow ORDER BY i) -> 'cols')::text,
	'[{"d": [["a", {"b": [["x", {"c": [["z"]]}]]}]]}]', 'headers are completed in the other order')
FROM (VALUES (6, '{"cols":["a",{"b":[[]]}],"rows":[]}'::jsonrow), (3, '{"cols":[],"rows":[]}'),
	(1, '{"cols":["a",{"b":[["x",{"c":[["z"]]}]]}],"rows":[]}')) v(i, d);
SELECT is((SELECT array_agg((doc -> 'cols')::text ORDER BY g)::text FROM (SELECT g, jsonrow_agg('{d}', d) AS doc
	FROM (SELECT g, jsonrow_agg(ARRAY['k' || g], g) AS d FROM generate_series(1, 20) g GROUP BY g) s GROUP BY g) d),
	(SELECT array_agg(format('[{"d": [["k%s"]]}]', g) ORDER BY g)::text FROM generate_series(1, 20) g),
	'each group its own header');

-- what does not fit
PREPARE differs AS SELECT jsonrow_agg('{d}', d::jsonrow) FROM (VALUES ('{"cols":["a"],"rows":[]}'::jsonrow),
	('{"cols":["b"],"rows":[]}')) v(d);
SELECT throws_ok('EXECUTE differs', '42804', 'columns of nested document "d" differ from those of earlier rows',
	'nested documents with another name');
SELECT throws_ok($$SELECT jsonrow_agg('{d}', d::jsonrow_json)
	FROM (VALUES ('{"cols":["a"],"rows":[]}'::jsonrow_json), ('{"cols":["a","b"],"rows":[]}')) v(d)$$,
	'42804', 'columns of nested document "d" differ from those of earlier rows', 'nested documents of another width');
SELECT throws_ok($$SELECT jsonrow_agg_json('{d}', d::jsonrow)
	FROM (VALUES ('{"cols":[{"a":["x"]}],"rows":[]}'::jsonrow), ('{"cols":[{"a":[["x"]]}],"rows":[]}')) v(d)$$,
	'42804', 'columns of nested document "d" differ from those of earlier rows', 'nested documents of another shape');
SELECT is((SELECT jsonrow_agg('{d}', d::jsonb)::text FROM (VALUES ('{"cols":["a"],"rows":[]}'::jsonrow),
	('{"cols":["b"],"rows":[]}')) v(d)),
	'{"cols": ["d"], "rows": [[{"cols": ["a"], "rows": []}], [{"cols": ["b"], "rows": []}]]}',
	'the way out that the hint names');

SELECT throws_ok(format($$SELECT jsonrow_agg('{d}', d::%s) FROM (VALUES ('{"cols":[],"rows":[[],[]]}'),
	('{"cols":["a"],"rows":[[1]]}')) v(d)$$, t),
	'42804', 'columns of nested document "d" differ from those of earlier rows', 'rows of no columns, then of one, ' || t)
FROM unnest(ARRAY['jsonrow', 'jsonrow_json']) t;
SELECT is((jsonrow_agg('{d}', d::jsonrow))::text, '{"cols": [{"d": [["a"]]}], "rows": [[[null]], [[[1]]]]}',
	'no columns over null rows say nothing')
FROM (VALUES ('{"cols":[],"rows":[null]}'), ('{"cols":["a"],"rows":[[1]]}')) v(d);

-- A header that lives only as long as its row must not be remembered: the next
-- one may lie at the same place.  Such are those that don't tell all, and those
-- that come when many others have come before, in other groups.
SELECT throws_ok(format('SELECT %s(''{d}'', d)
		FROM (SELECT format(''{"cols":%%s,"rows":%s}'', CASE i WHEN %s THEN %L ELSE %L END, i)::%s AS d
			FROM generate_series(1, %3$s) i) s', agg, rows, n, other, cols, type), '42804',
	'columns of nested document "d" differ from those of earlier rows',
	format('%s: row %s has %s, not %s, as %s', agg, n, other, cols, type))
FROM unnest(ARRAY['jsonrow_agg', 'jsonrow_agg_json', 'jsoncol_agg', 'jsoncol_agg_json']) agg,
	unnest(ARRAY['jsonrow', 'jsonrow_json']) type, unnest(ARRAY[2, 3, 40]) n,
	(VALUES ('["p",{"a":[[]]}]', '["q",{"a":[[]]}]', '[[%s,null]]'), ('["p",{"a":[]}]', '["p",{"b":[]}]',
		'[[%s,null]]'),
		('["p",{"a":[{"i":[]},"k"]}]', '["p",{"a":[{"i":[]},"l"]}]', '[[%s,[null,1]]]')) v(cols, other, rows);
SELECT throws_ok(format($q$SELECT %s('{d}', d) FROM (
		SELECT g, format('{"cols":["%%s%%s"],"rows":[[1]]}', CASE WHEN g = %s AND i = 3 THEN 'j' ELSE 'k' END,
			1000 + g)::%s AS d
		FROM generate_series(1, 100) g, generate_series(1, 3) i ORDER BY g, i) s GROUP BY g$q$, agg, g, type), '42804',
	'columns of nested document "d" differ from those of earlier rows', format('%s: group %s of 100, as %s', agg, g,
		type))
FROM unnest(ARRAY['jsonrow_agg', 'jsonrow_agg_json', 'jsoncol_agg', 'jsoncol_agg_json']) agg,
	unnest(ARRAY['jsonrow', 'jsonrow_json']) type, unnest(ARRAY[1, 2, 50, 100]) g;

-- column-oriented documents are turned
CREATE FUNCTION pg_temp.in_each(doc text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	result text;
	agg text;
	type text;
BEGIN
	FOREACH agg IN ARRAY ARRAY['jsonrow_agg', 'jsonrow_agg_json', 'jsoncol_agg', 'jsoncol_agg_json'] LOOP
		FOREACH type IN ARRAY ARRAY['jsonrow', 'jsonrow_json'] LOOP
			EXECUTE format('SELECT replace((%s(''{d}'', d)::jsonb)::text, ''vals'', ''rows'') FROM '
				'unnest(ARRAY[%L, NULL, %2$L]::%s[]) d', agg, doc, type) INTO result;
			RETURN NEXT CASE WHEN agg LIKE 'jsoncol%' THEN regexp_replace(result, '"rows": \[\[(.*), null, \1\]\]',
				'"rows": [[\1], [null], [\1]]') ELSE result END;
		END LOOP;
	END LOOP;
END $$;
SELECT is((SELECT array_agg(DISTINCT r) FROM pg_temp.in_each(doc) r)::text,
	ARRAY[format('{"cols": [{"d": [%s]}], "rows": [[%s], [null], [%2$s]]}', cols, rows)]::text, 'by column, ' || doc)
FROM (VALUES ('{"cols":["a","b"],"vals":[[1,2],["x","y \"q\" z"]]}', '["a", "b"]', '[[1, "x"], [2, "y \"q\" z"]]'),
	(' { "vals" : [ [ { "k" : [ 1 ] } , 2.50 ] , [ null , true ] ] , "cols" : [ "a" , "b" ], "types": 1 } ',
		'["a", "b"]', '[[{"k": [1]}, null], [2.50, true]]'),
	('{"cols":["a"],"vals":[[]]}', '["a"]', '[]'), ('{"cols":[],"vals":[]}', '[]', '[]'),
	('{"cols":["a",{"d":[["b"]]},{"c":["x","y"]}],"vals":[[1],[[[2],[3]]],[[4,5]]]}',
		'["a", {"d": [["b"]]}, {"c": ["x", "y"]}]', '[[1, [[2], [3]], [4, 5]]]')) v(doc, cols, rows);
SELECT is(jsonrow_agg('{d}', d::jsonrow)::text, '{"cols": [{"d": [["a"]]}], "rows": [[[[1]]], [[[2], [3]]]]}',
	'both orientations in one column')
FROM (VALUES ('{"cols":["a"],"rows":[[1]]}'), ('{"cols":["a"],"vals":[[2,3]]}')) v(d);
CREATE TABLE zero ();
INSERT INTO zero DEFAULT VALUES;
CREATE TYPE has_zero AS (x zero);
CREATE TYPE has_pair AS (x wrapper);
CREATE FUNCTION pg_temp.zero_or_pair(i int) RETURNS record LANGUAGE plpgsql AS $$
DECLARE a has_zero; b has_pair;
BEGIN
	IF i = 1 THEN SELECT zero INTO a FROM zero; RETURN a; END IF;
	b.x := ROW(1, NULL); RETURN b;
END $$;
SELECT throws_ok('SELECT jsonrow_agg(pg_temp.zero_or_pair(i)) FROM generate_series(1, 2) i', '42804',
	'columns differ from those of earlier rows', 'a composite of no columns is not one of two');
SELECT is(array_agg(doc::text ORDER BY g)::text,
	ARRAY['{"cols": [{"x": ["n", {"d": [[]]}]}], "rows": [[[1, null]], [[1, null]]]}',
		'{"cols": [{"x": []}], "rows": [[[]], [[]]]}',
		'{"cols": [{"x": ["n", {"d": [[]]}]}], "rows": [[[1, null]], [[1, null]]]}']::text,
	'a document''s header does not change another''s')
FROM (SELECT g, (SELECT jsonrow_agg(pg_temp.zero_or_pair(1 + (g + 0 * i) % 2)) FROM generate_series(1, 2) i) AS doc
	FROM generate_series(1, 3) g) s;

-- written by others: white space, order, escapes, a member types
SELECT is(jsonrow_agg('{d}', d::jsonrow_json)::text,
	'{"cols": [{"d": [["a"]]}], "rows": [[[[1]]], [[[2]]], [[[3]]], [[[4]]]]}', 'documents written by others')
FROM (VALUES ('{"cols":["a"],"rows":[[1]]}'::jsonrow_json), (' { "rows" : [ [ 2 ] ] , "cols" : [ "a" ] } '),
	('{"cols":["\u0061"],"types":[1,"]}"],"rows":[[3]]}'),
	('{"cols":["a"],"rows":[[4]],"types":["]"]}')) v(d);
SELECT is((jsonrow_agg_json('{d}', d::jsonrow_json)::jsonb)::text,
	'{"cols": [{"d": [["a"]]}], "rows": [[[[1]]], [[[2]]], [[[3]]], [[[4]]]]}',
	'documents written by others, as JSON text')
FROM (VALUES ('{"cols":["a"],"rows":[[1]]}'::jsonrow_json), (' { "rows" : [ [ 2 ] ] , "cols" : [ "a" ] } '),
	('{"cols":["\u0061"],"types":[1,"]}"],"rows":[[3]]}'),
	('{"cols":["a"],"rows":[[4]],"types":["]"]}')) v(d);

-- validity
CREATE TABLE validity (doc text, valid boolean);
INSERT INTO validity VALUES
	('{"cols":[],"rows":[]}', true), ('{"cols":["a"],"rows":[]}', true), ('{"cols":["a"],"rows":[[1],[null],null]}',
		true),
	('{"cols":["a","a"],"rows":[[1,2]]}', true), ('{"cols":[""],"rows":[["x"]]}', true),
	('{"cols":[],"rows":[[],[]]}', true),
	('{"cols":[{"a":["x","y"]}],"rows":[[[1,2]],[null]]}', true),
	('{"cols":[{"a":[["x"]]}],"rows":[[[[1],[2],null]],[null],[[]]]}', true),
	('{"cols":[{"a":[]}],"rows":[[null]]}', true), ('{"cols":[{"a":[[]]}],"rows":[[[]],[null]]}', true),
	('{"cols":[{"a":[{"b":[["c"]]}]}],"rows":[[[[[1]]]]]}', true),
	('{"cols":["a"],"rows":[[[1,2]],[{"x":1}]]}', true), ('{"cols":["a"],"rows":[],"types":[]}', true),
	('{"cols":["a"],"rows":[],"types":1}', true),
	('{"cols":["a","b"],"vals":[[1,2],["x","y"]]}', true), ('{"cols":["a","b"],"vals":[[],[]]}', true),
	('{"cols":[],"vals":[]}', true),
	('{"cols":["a",{"b":["c"]}],"vals":[[1],[[2]]]}', true), ('{"cols":[{"b":[["c"]]}],"vals":[[[[2],[3]],null]]}',
		true),
	('null', false), ('1', false), ('"x"', false), ('true', false), ('[]', false), ('{}', false),
	('[["cols"]]', false),
	('{"cols":1,"cols":["a"],"rows":[[1]]}', true), ('{"cols":["a"],"cols":1,"rows":[[1]]}', false),
	('{"\u0063ols":["a"],"rows":[[1]]}', true),
	('{"cols":["a"]}', false), ('{"rows":[]}', false), ('{"vals":[]}', false),
	('{"cols":["a"],"rows":[],"vals":[[]]}', false), ('{"cols":["a"],"rows":[],"x":1}', false),
	('{"cols":"a","rows":[]}', false), ('{"cols":{"a":["b"]},"rows":[]}', false),
	('{"cols":["a"],"rows":{}}', false), ('{"cols":["a"],"rows":null}', false), ('{"cols":["a"],"vals":1}', false),
	('{"cols":[1],"rows":[]}', false), ('{"cols":[null],"rows":[]}', false), ('{"cols":[["a"]],"rows":[]}', false),
	('{"cols":[{}],"rows":[]}', false), ('{"cols":[{"a":["b"],"c":["d"]}],"rows":[]}', false),
	('{"cols":[{"a":"b"}],"rows":[]}', false), ('{"cols":[{"a":1}],"rows":[]}', false),
	('{"cols":[{"a":[1]}],"rows":[]}', false), ('{"cols":[{"a":[["x"],["y"]]}],"rows":[]}', false),
	('{"cols":[{"a":[[["x"]]]}],"rows":[]}', false),
	('{"cols":["a"],"rows":[1]}', false), ('{"cols":["a"],"rows":[[]]}', false),
	('{"cols":["a"],"rows":[[1],[1,2]]}', false), ('{"cols":["a"],"rows":[{"a":1}]}', false),
	('{"cols":[],"rows":[[1]]}', false),
	('{"cols":[{"a":["x"]}],"rows":[[1]]}', false), ('{"cols":[{"a":["x"]}],"rows":[[[1,2]]]}', false),
	('{"cols":[{"a":["x"]}],"rows":[["null"]]}', false), ('{"cols":[{"a":[["x"]]}],"rows":[[1]]}', false),
	('{"cols":[{"a":[["x"]]}],"rows":[[[1]]]}', false), ('{"cols":[{"a":[["x"]]}],"rows":[[[[1,2]]]]}', false),
	('{"cols":[{"a":[]}],"rows":[[[1]]]}', false), ('{"cols":[{"a":[[]]}],"rows":[[[[1]]]]}', false),
	('{"cols":["a","b"],"vals":[[1,2],["x"]]}', false), ('{"cols":["a","b"],"vals":[[1]]}', false),
	('{"cols":["a"],"vals":[[1],[2]]}', false), ('{"cols":["a"],"vals":[1]}', false),
	('{"cols":[{"b":["c"]}],"vals":[[1]]}', false);
SELECT is(jsonrow_is_valid(doc::jsonb), valid, 'jsonb ' || doc) FROM validity;
SELECT is(jsonrow_is_valid(doc::json), valid, 'json ' || doc) FROM validity;
SELECT is(jsonrow_is_valid(regexp_replace(doc, '([][{}:,])', E' \n\\1\t', 'g')::json), valid, 'with white space '
	|| doc) FROM validity;
SELECT is(jsonrow_is_valid(doc::json), valid, 'only json holds ' || doc)
FROM (VALUES ('{"cols":["\u0000"],"rows":[[1]]}', true), ('{"cols":["\ud800"],"rows":[["\u0000"]]}', true),
	('{"cols":[1e999999],"rows":[[1]]}', false), ('{"cols":["a\"]\\"],"rows":[["\\\""]]}', true)) v(doc, valid);
SELECT is(jsonrow_is_valid(NULL::jsonb), NULL, 'validity of NULL');
SELECT throws_ok($$SELECT '{"cols":["a"],"rows":[[]]}'::jsonrow$$, '23514', NULL,
	'domain jsonrow refuses what is no document');
SELECT throws_ok($$SELECT '{"cols":["a"],"rows":[[]]}'::jsonrow_json$$, '23514', NULL,
	'domain jsonrow_json refuses what is no document');

-- JSON text of which the header is that of the document before: what follows it may be anything
CREATE TABLE follower (doc jsonrow_json);
INSERT INTO follower VALUES
	('{"cols":["a","b"],"rows":[]}'), ('{"cols":["a","b"],"rows":[ ]}'), ('{"cols":["a","b"],"rows":[[1,2]] }'),
	('{"cols":["a","b"],"rows":[[1, "]\"}"],null ,[{"x": [3]},"\\"]]}'), ('{"cols":["a","b"],"rows":[null]} '),
	('{"cols":["a","b"],"rows":[[1,2]],"types":["int4","int4"]}'), ('{"cols":["a","b"], "rows":[[1,2]]}'),
	('{"cols":["a","b"],"vals":[[1],[2]]}'), ('{"cols":["a","b"],"rows":[["},\"rows\":[",{"rows":[["x"]]}]]}'),
	('{"rows":[[5,6]],"cols":["a","b"]}'), (E'{"cols":["a","b"],"rows":[[1,2],\n[3,4]]}');
SELECT is((SELECT jsonrow_agg_json('{d}', d ORDER BY o)::text FROM (VALUES (1, first), (2, doc)) v(o, d)),
	format('{"cols":[{"d":[["a","b"]]}],"rows":[[[[1,2]]],%s',
		substr((SELECT jsonrow_agg_json('{d}', d) FROM (VALUES (doc)) v(d))::text, 37)),
	'after a document with the same header: ' || doc)
FROM follower, (SELECT '{"cols":["a","b"],"rows":[[1,2]]}'::jsonrow_json) f(first);

SELECT * FROM finish();
ROLLBACK;

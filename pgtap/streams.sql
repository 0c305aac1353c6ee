-- Streams: what jsonrow_stream and its kin give, take and refuse.  What wants
-- sessions of its own is in stream_sessions.sql, time and memory in stream_limits.sql.
\ir oracle.psql

SELECT no_plan();

--
-- law 9 (over all catalogs in catalogs.sql, all types in types.sql, what coalesce hides in hidden.sql)
--
CREATE TYPE inner_type AS (a int, "b ""q" text);
CREATE TYPE outer_type AS (x inner_type, y inner_type[], d jsonrow);
CREATE TABLE zero ();
INSERT INTO zero SELECT FROM generate_series(1, 40000);
CREATE TABLE film AS SELECT i AS id, 'Film "' || i || E'"\n' AS title, i % 3 AS studio FROM generate_series(1, 300) i;
CREATE TABLE actor AS SELECT i % 250 AS film, 'Actor ' || i AS name FROM generate_series(1, 900) i;
CREATE TABLE stored AS
SELECT id, CASE WHEN id % 3 = 0 THEN doc END::jsonrow AS d, doc::text::jsonrow_json AS t,
	ROW(ROW(id, 'x'), ARRAY[ROW(id, 'y')::inner_type, NULL], CASE WHEN id % 2 = 0 THEN doc END)::outer_type AS o
FROM (SELECT id, jsonrow_agg('{k,v}', id, title) AS doc FROM film GROUP BY id) s;

CREATE TABLE law (name text, query text);
INSERT INTO law VALUES
	('one value', 'SELECT 1'),
	('no rows', 'SELECT 1 AS a, ''x'' AS b WHERE false'),
	('rows of no columns', 'SELECT FROM generate_series(1, 3)'),
	('no columns, no rows', 'SELECT WHERE false'),
	('pieces of empty rows', 'TABLE zero'),
	('VALUES', 'VALUES (1, ''a''), (2, NULL)'),
	('WITH', 'WITH w AS (SELECT 1 AS a) TABLE w UNION ALL SELECT 2'),
	('duplicate names', 'SELECT 1 AS a, ''x'' AS a, NULL AS b, 2.50 AS a'),
	('names to escape', 'SELECT 1 AS "q"",""rows"":[", 2 AS "back\slash", 3 AS "é😀", 4 AS ""","'),
	('many rows', 'SELECT i, ''text '' || i AS t FROM generate_series(1, 20000) i'),
	('two hundred columns', 'SELECT ' || (SELECT string_agg(format('i + %s AS c%1$s', c), ', ')
		FROM generate_series(1, 200) c) || ' FROM generate_series(1, 500) i'),
	('as many columns as there can be', 'SELECT ' || (SELECT string_agg(CASE c % 3 WHEN 0 THEN 'i' WHEN 1
		THEN '''t"'' || i' ELSE 'i % 2 = 0' END || ' AS c' || c, ', ')
		FROM generate_series(1, 1600) c) || ' FROM generate_series(1, 20) i'),
	('one row of many MB', 'SELECT repeat(E''"x\n'', 3000000) AS t'),
	('rows longer than pieces', 'SELECT i, repeat(''x'', i * 30000) AS t FROM generate_series(0, 12) i'),
	('a long row after short ones', 'SELECT i, repeat(''x'', CASE i WHEN 9000 THEN 3000000 ELSE 0 END) AS t '
		'FROM generate_series(1, 15000) i'),
	('exactly full pieces', 'SELECT repeat(''x'', 65536 - 15 - i) AS x FROM generate_series(-20, 20) i'),
	('json with line feeds', 'SELECT i, E''{\n"a" :\n [1,\n\n2]\n}''::json AS j, E''"a\\n"''::json AS s, '
		'E''[\n]''::jsonb AS b FROM generate_series(1, 3000) i'),
	('composites', 'SELECT id, o, ROW(id, o) AS r, (o).x, (o).y FROM stored'),
	('NULL composites', 'SELECT CASE WHEN id > 50 THEN o END AS o, NULL::inner_type AS n FROM stored'),
	('whole rows', 'SELECT f, a FROM film f LEFT JOIN actor a ON film = id'),
	('stored documents', 'SELECT * FROM stored'),
	('stored documents, NULLs first', 'SELECT * FROM stored ORDER BY d IS NOT NULL, id'),
	('documents that are all NULL', 'SELECT id, d FROM stored WHERE d IS NULL'),
	('documents of no rows', 'SELECT id, d FROM stored WHERE false'),
	('records', 'SELECT ROW(id, title) AS r, id FROM film'),
	('records, NULLs first', 'SELECT CASE WHEN id > 200 THEN ROW(id, title) END AS r FROM film'),
	('records that are all NULL', 'SELECT CASE WHEN id < 0 THEN ROW(id, title) END AS r FROM film'),
	('records of a function', 'SELECT CASE WHEN a > 2 THEN r END AS r FROM (SELECT a, ROW(a, ROW(a)) AS r '
		'FROM generate_series(1, 4) a OFFSET 0) s'),
	('documents that differ in what is known', $$SELECT d::jsonrow FROM (VALUES ('{"cols":["a",{"b":[[]]}],"rows":[]}'),
		(NULL), ('{"cols":["a",{"b":[["x"]]}],"rows":[[1,[[2]]]]}')) v(d)$$),
	('void', 'SELECT set_config(''a.b'', ''c'', true), NULL::void AS v'),
	('DISTINCT, ORDER BY, LIMIT', 'SELECT DISTINCT studio FROM film ORDER BY 1 LIMIT 2'),
	('hidden columns to sort by', 'SELECT title FROM film ORDER BY id % 7, id DESC'),
	('UNION ALL', 'SELECT id, d FROM stored UNION ALL SELECT id, d FROM stored'),
	('INTERSECT', 'SELECT id FROM film INTERSECT SELECT film FROM actor'),
	('a window', 'SELECT id, sum(id) OVER (ORDER BY id) FROM film'),
	('a function that returns sets', 'SELECT generate_series(1, 3) AS a, generate_series(1, 2) AS b'),
	('a recursive query', 'WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r WHERE i < 5000) '
		'SELECT i, repeat(''x'', 20) AS x FROM r');
-- Documents in the rows, by every aggregate, shown and hidden
INSERT INTO law
SELECT format(name, agg), format(query, agg)
FROM unnest('{jsonrow_agg,jsonrow_agg_json,jsoncol_agg,jsoncol_agg_json}'::text[]) agg,
	(VALUES ('nested %s', 'SELECT title, (SELECT %s(a) FROM (SELECT name FROM actor WHERE film = id) a) AS actors FROM film'),
		('nested %s, three levels', 'SELECT title, (SELECT %s(a) FROM (SELECT name, (SELECT %1$s(f2) '
			'FROM (SELECT id, length(title) FROM film f2 WHERE f2.id = a.film + 1000) f2) AS none FROM actor a '
			'WHERE film = id) a) AS actors FROM film'),
		('nested %s of no rows', 'SELECT title, (SELECT %s(a) FROM actor a WHERE false) AS actors FROM film'),
		('nested %s that is NULL', 'SELECT title, (SELECT %s(a) FROM actor a WHERE film = id HAVING count(*) > 3) '
			'AS actors FROM film'),
		('nested %s that is always NULL', 'SELECT title, (SELECT %s(a) FROM actor a HAVING count(*) < 3) FROM film'),
		('nested %s, no rows outside', 'SELECT title, (SELECT %s(a) FROM actor a) AS actors FROM film WHERE id < 0'),
		('nested %s, grouped', 'SELECT studio, %s(film) AS films FROM film GROUP BY studio ORDER BY studio'),
		('nested %s in coalesce', 'SELECT title, coalesce((SELECT %s(a) FROM actor a WHERE film = id '
			'HAVING count(*) > 3), ''[]'') AS actors FROM film'),
		('nested %s in CASE', 'SELECT title, CASE WHEN id > 100 THEN (SELECT %s(a) FROM actor a WHERE film = id) END '
			'AS actors FROM film'),
		('nested %s in a record', 'SELECT ROW(title, (SELECT %s(a) FROM actor a WHERE film = id)) AS r FROM film'),
		('nested %s, LATERAL', 'SELECT title, l.doc FROM film, LATERAL (SELECT %s(a) AS doc FROM actor a '
			'WHERE film = id) l'),
		('nested %s in a CTE', 'WITH f AS MATERIALIZED (SELECT title, (SELECT %s(a) FROM actor a WHERE film = id) '
			'AS actors FROM film) SELECT * FROM f')) v(name, query);
SELECT is(pg_temp.check_stream(query), NULL, name) FROM law;

-- Pieces are no longer than they must be.
SELECT cmp_ok(max(octet_length(piece)), '<', 65536 + 40, 'pieces' || suffix || ' are not longer than a row more')
FROM unnest('{"",_lines,_objects,_object_lines}'::text[]) suffix,
	unnest(pg_temp.pieces(suffix, 'SELECT i, ''text'' AS t FROM generate_series(1, 20000) i')) piece
GROUP BY suffix;
SELECT is(array_length(pg_temp.pieces('_object_lines', 'SELECT 1 WHERE false'), 1), NULL,
	'no object lines are no pieces');

--
-- parameters
--
CREATE FUNCTION pg_temp.joined(call text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	EXECUTE format('SELECT string_agg(piece, '''') FROM (SELECT %s AS piece) s', call) INTO result;
	RETURN result;
END $$;
CREATE FUNCTION pg_temp.check_parameter(value text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	oracle text;
BEGIN
	EXECUTE format('SELECT jsonrow_agg_json(r)::text FROM (SELECT %s AS a, 7 AS b) r', value) INTO STRICT oracle;
	RETURN CASE WHEN pg_temp.joined(format('jsonrow_stream(''SELECT $1 AS a, $2 AS b'', %s, 7)', value))
		IS DISTINCT FROM oracle THEN value END;
END $$;
CREATE TABLE parameter AS
SELECT t.oid, format('%L::%s', literal, format_type(t.oid, NULL)) AS value
FROM pg_type t, unnest(pg_temp.literals_of(t.oid)) literal
WHERE typnamespace = 'pg_catalog'::regnamespace AND typtype IN ('b', 'r', 'm', 'e', 'd')
UNION ALL
SELECT t.oid, 'NULL::' || format_type(t.oid, NULL)
FROM pg_type t WHERE typnamespace = 'pg_catalog'::regnamespace AND typtype IN ('b', 'r', 'm', 'e', 'd')
UNION ALL
SELECT 0, unnest(ARRAY['ROW(1, ''x'')::inner_type', 'NULL::inner_type', '(SELECT o FROM stored ORDER BY id LIMIT 1)',
	'ARRAY[ROW(1, NULL)::inner_type]', 'repeat(''x'', 1000000)', '''{"cols":["a"],"rows":[[1]]}''::jsonrow',
	'''{"cols":["a"],"rows":[[1]]}''::jsonrow_json', 'ARRAY[[1,2],[3,4]]',
	'(SELECT array_agg(i) FROM generate_series(1, 100000) i)']);
SELECT cmp_ok(count(DISTINCT oid), '>', 100::bigint, 'number of types to bind') FROM parameter;
SELECT is(string_agg(pg_temp.check_parameter(value), ', '), NULL,
	'parameters of type ' || coalesce(nullif(format_type(oid, NULL), '-'), 'our own'))
FROM parameter GROUP BY oid ORDER BY oid;

CREATE TABLE parameters (call text, rows text);
INSERT INTO parameters VALUES
	('jsonrow_stream(''SELECT $1, pg_typeof($1)'', ''x'')', '[["x","text"]]'),
	('jsonrow_stream(''SELECT $1, pg_typeof($1)'', NULL)', '[[null,"text"]]'),
	('jsonrow_stream(''SELECT $1 + $2'', 1, 2)', '[[3]]'),
	('jsonrow_stream(''SELECT $1 + $2'', VARIADIC ARRAY[1, 2])', '[[3]]'),
	('jsonrow_stream(''SELECT $1, $2'', VARIADIC ARRAY[1, NULL])', '[[1,null]]'),
	('jsonrow_stream(''SELECT $1 + $2'', VARIADIC ''{1,2,3}''::int[])', '[[3]]'),
	('jsonrow_stream(''SELECT 1'', VARIADIC ''{}''::int[])', '[[1]]'),
	('jsonrow_stream(''SELECT $1'', VARIADIC NULL::int[])', NULL),
	('jsonrow_stream(NULL, VARIADIC NULL::int[])', NULL),
	('jsonrow_stream(NULL, 1)', NULL),
	('jsonrow_stream(NULL::text)', NULL),
	('jsonrow_stream(NULL::refcursor)', NULL),
	('jsonrow_stream(query => ''SELECT 1'')', '[[1]]'),
	('jsonrow_stream(''SELECT $2'', 1, ''b''::text)', '[["b"]]'),
	('jsonrow_stream(''SELECT 1'', 1, 2)', '[[1]]'),
	('jsonrow_stream(''SELECT $1'', ''); DROP TABLE film; --'')', '[["); DROP TABLE film; --"]]'),
	('jsonrow_stream(''SELECT i FROM generate_series(1, $1) i LIMIT $2'', 10, 2::int8)', '[[1],[2]]'),
	('jsonrow_stream(''SELECT count(*) FROM film WHERE id = ANY ($1)'', ARRAY[3, 4, 1000])', '[[2]]');
SELECT is(substring(pg_temp.joined(call) FROM '"rows":(.*)}$'), rows, call) FROM parameters;
SELECT is(pg_temp.joined(format('jsonrow_stream(''SELECT %s'', %s)',
	(SELECT string_agg('$' || i, ' + ') FROM generate_series(1, 99) i),
	(SELECT string_agg(i::text, ', ') FROM generate_series(1, 99) i))), '{"cols":["?column?"],"rows":[[4950]]}',
	'99 parameters');
SELECT is(pg_temp.joined(format('jsonrow_stream_lines(''SELECT $1000'', VARIADIC %L::int[])',
	(SELECT array_agg(i) FROM generate_series(1, 1000) i))),
	E'{"cols":["?column?"]}\n[1000]\n{"rows":1}\n', '1,000 parameters in an array');
SELECT is(pg_temp.joined(format('jsonrow_stream%s(''SELECT $1 AS a'', 1)', suffix)), result, 'parameters: ' || suffix)
FROM (VALUES ('_lines', E'{"cols":["a"]}\n[1]\n{"rows":1}\n'), ('_objects', '[{"a":1}]'),
	('_object_lines', E'{"a":1}\n')) v(suffix, result);
SELECT throws_ok($$SELECT jsonrow_stream('SELECT $2', 1)$$, '42P02', 'there is no parameter $2', 'a parameter too few');
SELECT throws_ok($$SELECT jsonrow_stream('SELECT $1')$$, '42P02', 'there is no parameter $1', 'no parameters');
SELECT throws_ok($$SELECT jsonrow_stream('SELECT $1', VARIADIC 1)$$, '42804', NULL, 'VARIADIC that is no array');
-- A parameter outlives the value that was given for it.
SELECT is(string_agg(md5(piece), ' ' ORDER BY n), string_agg(md5(oracle), ' ' ORDER BY n), 'parameters of each row')
FROM (SELECT n, string_agg(piece, '') AS piece, (SELECT jsonrow_agg_json(r)::text
		FROM (SELECT repeat('x', n * 10000) AS x FROM generate_series(1, 20)) r) AS oracle
	FROM (SELECT n, jsonrow_stream('SELECT $1 AS x FROM generate_series(1, 20)', repeat('x', n * 10000)) AS piece
		FROM generate_series(1, 5) n) s GROUP BY n) s;

--
-- cursors
--
CREATE FUNCTION pg_temp.check_cursor(declaration text, query text, moves text[]) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	suffix text;
	got text;
	oracle text;
	problems text[];
	move text;
BEGIN
	FOREACH suffix IN ARRAY ARRAY['', '_lines', '_objects', '_object_lines'] LOOP
		EXECUTE format(declaration, query);
		FOREACH move IN ARRAY moves LOOP
			EXECUTE format('MOVE %s FROM c', move);
		END LOOP;
		EXECUTE format('SELECT string_agg(p, '''') FROM jsonrow_stream%s(''c''::refcursor) p', suffix) INTO got;
		oracle := array_to_string(pg_temp.pieces(suffix, query
			|| CASE WHEN moves <> '{}' THEN ' OFFSET ' || CASE moves[cardinality(moves)] WHEN 'ABSOLUTE 0' THEN '0' ELSE '7'
			END ELSE '' END), '');
		problems := problems || CASE WHEN coalesce(got, '') IS DISTINCT FROM oracle THEN 'jsonrow_stream' || suffix END;
		-- It is at its end now.
		got := (SELECT string_agg(p, '') FROM jsonrow_stream_lines('c'::refcursor) p);
		problems := problems || CASE WHEN got !~ '^[^\n]*\n{"rows":0}\n$' THEN 'its end' END;
		EXECUTE 'CLOSE c';
	END LOOP;
	RETURN nullif(array_to_string(problems, ', '), '');
END $$;
SELECT is(pg_temp.check_cursor(declaration, query, moves), NULL,
	format('%s, moved %s: %s', declaration, moves, left(query, 60)))
FROM unnest(ARRAY['DECLARE c CURSOR FOR %s', 'DECLARE c SCROLL CURSOR FOR %s', 'DECLARE c CURSOR WITH HOLD FOR %s',
		'DECLARE c BINARY INSENSITIVE NO SCROLL CURSOR FOR %s']) declaration,
	(VALUES ('{}'::text[]), ('{7}'), ('{3,"FORWARD 4"}'), ('{ALL,"ABSOLUTE 0"}'), ('{ALL,"ABSOLUTE 7"}')) m(moves),
	(VALUES ('SELECT i, repeat(''x'', i % 100) AS x FROM generate_series(1, 5000) i ORDER BY i'),
		('VALUES (1), (2), (3)'),
		('SELECT title, (SELECT jsonrow_agg(a) FROM (SELECT name FROM actor WHERE film = id) a) AS actors FROM film'
			' ORDER BY id'),
		('SELECT id, coalesce((SELECT jsonrow_agg(a) FROM actor a WHERE false HAVING count(*) > 1), ''[]'') AS x '
			'FROM film ORDER BY id'),
		('SELECT 1 AS a WHERE false'), ('SELECT FROM generate_series(1, 20)')) q(query)
WHERE declaration ~ ' SCROLL' AND declaration !~ 'NO SCROLL' OR moves::text !~ 'ABSOLUTE';

DECLARE c SCROLL CURSOR FOR SELECT i FROM generate_series(1, 5) i;
MOVE 2 FROM c;
SELECT is(jsonrow_stream('c'::refcursor), '{"cols":["i"],"rows":[[3],[4],[5]]}', 'from where the cursor stands');
SELECT is(jsonrow_stream('c'::refcursor), '{"cols":["i"],"rows":[]}', 'a cursor at its end');
MOVE BACKWARD 2 FROM c;
SELECT is(jsonrow_stream('c'::refcursor), '{"cols":["i"],"rows":[[5]]}', 'a cursor moved back');
CLOSE c;
SELECT throws_ok($$SELECT jsonrow_stream('c'::refcursor)$$, '34000', 'cursor "c" does not exist', 'a cursor that is closed');
SELECT throws_ok($$SELECT jsonrow_stream(''::refcursor)$$, '55000', 'portal "" cannot be run',
	'the cursor of no name, which is the calling query');
SELECT throws_ok($$SELECT jsonrow_stream('c"d'::refcursor)$$, '34000', 'cursor "c"d" does not exist', 'an unknown cursor');

-- What PL/pgSQL opens, by which every command that gives rows may be a cursor
CREATE FUNCTION pg_temp.of_cursor(query text, suffix text DEFAULT '') RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	c refcursor;
	result text;
BEGIN
	OPEN c FOR EXECUTE query;
	EXECUTE format('SELECT string_agg(p, '''') FROM jsonrow_stream%s($1) p', suffix) INTO result USING c;
	CLOSE c;
	RETURN result;
END $$;
SELECT is(pg_temp.of_cursor('EXPLAIN (COSTS OFF) SELECT 1'), '{"cols":["QUERY PLAN"],"rows":[["Result"]]}',
	'a cursor over EXPLAIN');
SELECT is(pg_temp.of_cursor('SHOW TimeZone', '_objects'), '[{"TimeZone":"UTC"}]', 'a cursor over SHOW');
SELECT is(pg_temp.of_cursor('VALUES (1), (2)', '_object_lines'), E'{"column1":1}\n{"column1":2}\n', 'a cursor over VALUES');
CREATE TABLE changed (a int, b text);
SELECT is(pg_temp.of_cursor('INSERT INTO changed VALUES (1, ''x''), (2, ''y'') RETURNING a, b'),
	'{"cols":["a","b"],"rows":[[1,"x"],[2,"y"]]}', 'a cursor over RETURNING');
SELECT is(pg_temp.of_cursor('WITH w AS (INSERT INTO changed VALUES (3, ''z'') RETURNING a) SELECT * FROM w, film LIMIT 1',
	'_object_lines'), E'{"a":3,"id":1,"title":"Film \\"1\\"\\n","studio":1}\n', 'a cursor over a CTE that changes');
SELECT is(count(*), 3::bigint, 'what cursors changed, is changed') FROM changed;

-- A cursor that is not what it was at the piece before, or is busy
CREATE FUNCTION pg_temp.between_pieces(what text, again text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	long CONSTANT text := 'SELECT i, repeat(''x'', 1000) AS x FROM generate_series(1, 200) i';
	n int := 0;
	result text := '';
	piece text;
BEGIN
	EXECUTE 'DECLARE c CURSOR FOR ' || long;
	DECLARE
		pieces CURSOR FOR SELECT jsonrow_stream('c'::refcursor);
	BEGIN
		OPEN pieces;
		FETCH pieces INTO piece;
		EXECUTE what;
		IF again <> '' THEN
			EXECUTE 'DECLARE c CURSOR FOR ' || again;
		END IF;
		LOOP
			FETCH pieces INTO piece;
			EXIT WHEN NOT FOUND;
			result := result || piece;
		END LOOP;
	END;
	EXECUTE 'CLOSE ALL';
	RETURN right(result, 50);
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || ' ' || SQLERRM;
END $$;
SELECT is(pg_temp.between_pieces('CLOSE c', ''), '34000 cursor "c" does not exist', 'closed between two pieces');
SELECT is(pg_temp.between_pieces('CLOSE c', 'SELECT 1'), '42804 columns differ from the rows before',
	'replaced by a cursor of one column');
SELECT is(pg_temp.between_pieces('CLOSE c', 'SELECT ''a'' AS i, ''b'' AS x'), '42804 columns differ from the rows before',
	'replaced by a cursor of other types');
SELECT is(pg_temp.between_pieces('CLOSE c', 'SELECT 1 AS i, ''b'' AS y'), '42804 columns differ from the rows before',
	'replaced by a cursor of other names');
SELECT is(pg_temp.between_pieces('CLOSE c', 'SELECT 1 AS i, ''b'' AS x'), ',[1,"b"]]}', 'replaced by one that is like it');
SELECT is(pg_temp.between_pieces('MOVE FORWARD ALL FROM c', ''), ']}', 'moved to its end between two pieces');
SELECT throws_ok($$DO $do$ BEGIN
		DECLARE c CURSOR FOR SELECT jsonrow_stream('c'::refcursor); r text;
		BEGIN c := 'c'; OPEN c; FETCH c INTO r; END; END $do$ $$, '55000', 'portal "c" cannot be run',
	'a cursor that reads itself');
CREATE FUNCTION close_c() RETURNS int LANGUAGE plpgsql AS $$ BEGIN EXECUTE 'CLOSE c'; RETURN 1; END $$;
SELECT throws_ok($$DO $do$ BEGIN
		EXECUTE 'DECLARE c CURSOR FOR SELECT close_c()'; PERFORM jsonrow_stream('c'::refcursor); END $do$ $$,
	'24000', 'cannot drop active portal "c"', 'a cursor that closes itself');
DECLARE c CURSOR FOR SELECT i FROM generate_series(1, 30000) i;
SELECT is(array_agg(line ORDER BY line::json ->> 'i')::text,
	(SELECT array_agg(format('{"i":%s}', i) ORDER BY i::text)::text FROM generate_series(1, 30000) i),
	'two streams of one cursor share its rows')
FROM (SELECT jsonrow_stream_object_lines('c'::refcursor) AS a, jsonrow_stream_object_lines('c'::refcursor) AS b) s,
	unnest(ARRAY[a, b]) piece, string_to_table(rtrim(piece, E'\n'), E'\n') line;
CLOSE c;

--
-- In a select list a piece is made when it is asked for; in FROM all are.
--
CREATE SEQUENCE counted;
CREATE FUNCTION pg_temp.counted() RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	result bigint;
BEGIN
	SELECT CASE WHEN is_called THEN last_value ELSE 0 END INTO result FROM counted;
	ALTER SEQUENCE counted RESTART;
	RETURN result;
END $$;
\set counting 'SELECT nextval(\'counted\') AS n, repeat(\'x\', 1000) AS x FROM generate_series(1, 1000)'
SELECT length(p) FROM (SELECT jsonrow_stream(:'counting') AS p LIMIT 1) s \g /dev/null
SELECT is(pg_temp.counted(), 65::bigint, 'LIMIT 1 runs the query for one piece');
SELECT length(p) FROM (SELECT jsonrow_stream(:'counting') AS p LIMIT 0) s \g /dev/null
SELECT is(pg_temp.counted(), 0::bigint, 'LIMIT 0 does not run it');
SELECT EXISTS (SELECT jsonrow_stream(:'counting')) \g /dev/null
SELECT cmp_ok(pg_temp.counted(), '<=', 65::bigint, 'EXISTS wants no more than a piece');
SELECT p FROM (SELECT length(p) AS p FROM jsonrow_stream(:'counting') p LIMIT 1) s \g /dev/null
SELECT is(pg_temp.counted(), 1000::bigint, 'FROM runs all of it first');
DECLARE pieces CURSOR FOR SELECT jsonrow_stream(:'counting');
FETCH 2 FROM pieces \g /dev/null
SELECT cmp_ok(last_value, '<', 135::bigint, 'a cursor that has fetched two pieces') FROM counted;
MOVE 3 FROM pieces;
SELECT cmp_ok(last_value, '<', 340::bigint, 'and moved by three') FROM counted;
CLOSE pieces;
SELECT cmp_ok(pg_temp.counted(), '<', 340::bigint, 'a cursor that is closed early');
DECLARE rows CURSOR FOR SELECT nextval('counted') AS n, repeat('x', 1000) AS x FROM generate_series(1, 1000);
SELECT length(p) FROM (SELECT jsonrow_stream('rows'::refcursor) AS p LIMIT 1) s \g /dev/null
SELECT cmp_ok(last_value, '<', 140::bigint, 'of a cursor, LIMIT 1 fetches little more than a piece') FROM counted;
FETCH 1 FROM rows \gset next_
SELECT is(pg_temp.counted(), :next_n::bigint, 'and it goes on from there');
CLOSE rows;
DO $$
DECLARE
	piece text;
	n int := 0;
BEGIN
	FOR piece IN SELECT jsonrow_stream('SELECT nextval(''counted'') AS n, repeat(''x'', 60000) AS x
		FROM generate_series(1, 1000)') LOOP
		n := n + 1;
		EXIT WHEN n = 3;
	END LOOP;
END $$;
SELECT cmp_ok(pg_temp.counted(), '<', 200::bigint, 'a loop that is left');

--
-- where a query may stand
--
CREATE FUNCTION pg_temp.one_of(n int) RETURNS text LANGUAGE sql AS $$
	SELECT jsonrow_agg_json(r)::text FROM (SELECT i, n, repeat('x', 50) AS x FROM generate_series(1, n) i) r $$;
\set of_n 'SELECT i, $1 AS n, repeat(\'x\', 50) AS x FROM generate_series(1, $1) i'
SELECT results_eq(format($q$SELECT n, md5(string_agg(p, '')) FROM (SELECT n, jsonrow_stream(%L, n) AS p
		FROM unnest('{0,1,5000,3,2000,0}'::int[]) n OFFSET 0) s GROUP BY n ORDER BY n$q$, :'of_n'),
	$q$SELECT n, md5(pg_temp.one_of(n)) FROM unnest('{1,3,2000,5000}'::int[]) n
		UNION ALL SELECT 0, md5(repeat(pg_temp.one_of(0), 2)) ORDER BY 1$q$, 'for each row of a query');
SELECT results_eq(format($q$SELECT n, md5(string_agg(p, '' ORDER BY o)) FROM unnest('{0,1,5000,3,2000}'::int[]) n,
		LATERAL jsonrow_stream(%L, n) WITH ORDINALITY s(p, o) GROUP BY n ORDER BY n$q$, :'of_n'),
	$q$SELECT n, md5(pg_temp.one_of(n)) FROM unnest('{0,1,3,2000,5000}'::int[]) n ORDER BY 1$q$, 'LATERAL');
SELECT results_eq(format($q$SELECT n, md5((SELECT string_agg(p, '') FROM (SELECT jsonrow_stream(%L, n) AS p) s))
		FROM unnest('{0,1,5000,3,2000}'::int[]) n ORDER BY n$q$, :'of_n'),
	$q$SELECT n, md5(pg_temp.one_of(n)) FROM unnest('{0,1,3,2000,5000}'::int[]) n ORDER BY 1$q$,
	'a subquery that is scanned again');
SELECT results_eq(format($q$SELECT n, (SELECT left(p, 40) FROM (SELECT jsonrow_stream(%L, n) AS p LIMIT 1) s)
		FROM unnest('{9000,0,1,5000,3,2000}'::int[]) n ORDER BY n$q$, :'of_n'),
	$q$SELECT n, left(pg_temp.one_of(n), 40) FROM unnest('{0,1,3,2000,5000,9000}'::int[]) n ORDER BY 1$q$,
	'a subquery that is scanned again before its end');
SELECT is(md5(string_agg(a, '')) || md5(string_agg(b, '')) || string_agg(c, ''),
	md5(pg_temp.one_of(3000)) || md5(pg_temp.one_of(9000)) || '[{"n":1}]', 'several streams side by side')
FROM (SELECT jsonrow_stream(:'of_n', 3000) AS a, jsonrow_stream(:'of_n', 9000) AS b,
	jsonrow_stream_objects('SELECT 1 AS n') AS c) s;
SELECT is(pg_temp.check_stream(query), NULL, name)
FROM (VALUES ('a stream in a stream', format('SELECT jsonrow_stream(%L, 4000) AS p', :'of_n')),
	('a stream of streams', format('SELECT n, jsonrow_stream_lines(%L, n) FROM generate_series(0, 2000, 500) n', :'of_n')),
	('a stream in FROM in a stream', format('SELECT n, p FROM generate_series(0, 2000, 500) n, '
		'jsonrow_stream_objects(%L, n) p', :'of_n'))) v(name, query);
CREATE FUNCTION pg_temp.sql_stream(n int) RETURNS SETOF text LANGUAGE sql AS $$
	SELECT jsonrow_stream('SELECT i, $1 AS n, repeat(''x'', 50) AS x FROM generate_series(1, $1) i', n) $$;
CREATE FUNCTION pg_temp.plpgsql_stream(n int) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	p text;
BEGIN
	FOR p IN SELECT jsonrow_stream('SELECT i, $1 AS n, repeat(''x'', 50) AS x FROM generate_series(1, $1) i', n) LOOP
		RETURN NEXT p;
	END LOOP;
END $$;
CREATE FUNCTION pg_temp.query_stream(n int) RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
	RETURN QUERY SELECT jsonrow_stream('SELECT i, $1 AS n, repeat(''x'', 50) AS x FROM generate_series(1, $1) i', n);
END $$;
SELECT is(md5(pg_temp.joined(call || '(3000)')), md5(pg_temp.one_of(3000)), call)
FROM unnest('{pg_temp.sql_stream,pg_temp.plpgsql_stream,pg_temp.query_stream}'::text[]) call;
SELECT is(length(p) > 65536, true, 'a function in SQL that is left early') FROM (SELECT pg_temp.sql_stream(3000) AS p
LIMIT 1) s;
PREPARE streamed(int) AS SELECT string_agg(p, '') AS p FROM (SELECT jsonrow_stream('SELECT $1 AS a', $1) AS p) s;
EXECUTE streamed(7) \gset
SELECT is(:'p'::text, '{"cols":["a"],"rows":[[7]]}', 'a prepared statement');
SELECT throws_ok($$SELECT sum(length(jsonrow_stream('SELECT 1')))$$, '0A000', NULL, 'not in an aggregate');
SELECT throws_ok($$SELECT 1 WHERE jsonrow_stream('SELECT 1') = ''$$, '0A000', NULL, 'not in a condition');

-- Savepoints and exceptions
SELECT array_agg(p) AS whole FROM (SELECT jsonrow_stream('SELECT * FROM generate_series(1, 50000) i') AS p) s \gset
CREATE FUNCTION pg_temp.fetch_piece(portal refcursor) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	FETCH portal INTO result;
	RETURN result;
END $$;
DECLARE pieces CURSOR FOR SELECT jsonrow_stream('SELECT * FROM generate_series(1, 50000) i');
SAVEPOINT a;
SELECT pg_temp.fetch_piece('pieces') AS piece1 \gset
ROLLBACK TO a;
SELECT pg_temp.fetch_piece('pieces') AS piece2 \gset
SAVEPOINT b;
SELECT pg_temp.fetch_piece('pieces') AS piece3 \gset
RELEASE b;
SELECT pg_temp.fetch_piece('pieces') AS piece4 \gset
ROLLBACK TO a;
SELECT pg_temp.fetch_piece('pieces') AS piece5 \gset
SELECT is(ARRAY[:'piece1', :'piece2', :'piece3', :'piece4', :'piece5']::text[], (:'whole'::text[])[1:5],
	'pieces fetched in subtransactions that are rolled back');
CLOSE pieces;
-- ... of a stream whose query is over a table that a savepoint takes back
DECLARE pieces CURSOR FOR SELECT jsonrow_stream('SELECT repeat(''x'', 500) AS x, f.* FROM taken_back f');
SAVEPOINT a;
CREATE TABLE taken_back AS SELECT i FROM generate_series(1, 3000) i;
SELECT is(left(pg_temp.fetch_piece('pieces'), 20), '{"cols":["x","i"],"r', 'the first piece of a table');
SET LOCAL client_min_messages = error;
ROLLBACK TO a;
SELECT matches(pg_temp.error_of($$SELECT pg_temp.fetch_piece('pieces')$$), '^(no error|[0-9A-Z]{5}\n)',
	'its table is gone with a savepoint: an error at most');
SET LOCAL client_min_messages = warning;
ROLLBACK TO a;
CLOSE pieces;
CREATE FUNCTION pg_temp.caught(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text := '';
	piece text;
BEGIN
	FOR i IN 1 .. 3 LOOP
		BEGIN
			FOR piece IN SELECT jsonrow_stream(query) LOOP
				result := result || length(piece) || ' ';
			END LOOP;
		EXCEPTION WHEN division_by_zero THEN
			result := result || 'caught ';
		END;
	END LOOP;
	RETURN result || (SELECT count(*) FROM pg_cursors);
END $$;
SELECT is(pg_temp.caught('SELECT 1 / 0'), 'caught caught caught 0', 'errors at the first row that are caught');
SELECT matches(pg_temp.caught('SELECT i, 1 / (200000 - i) AS q FROM generate_series(1, 300000) i'), '(655\d\d )+caught 0$',
	'errors in the middle that are caught');
SELECT is(count(*), 0::bigint, 'no cursor is left') FROM pg_cursors;

SELECT * FROM finish();
ROLLBACK;

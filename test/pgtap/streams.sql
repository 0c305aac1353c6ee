-- Streams: what jsonrow_stream and the like give, take and refuse.  What wants
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
	('json with line feeds', 'SELECT i, E''{\n"a" :\n [1,\n\r\n2]\n}''::json AS j, E''"a\\n"''::json AS s, '
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
	(VALUES ('nested %s', 'SELECT title, (SELECT %s(a) FROM (SELECT name FROM actor WHERE film = id) a) AS actors '
			'FROM film'),
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
SELECT is(pg_temp.check_stream(query), NULL, name) FROM law WHERE name !~ '^nested' OR pg_temp.chosen(name);

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
SELECT throws_ok($$SELECT jsonrow_stream('SELECT $2', 1)$$, '42P02', 'there is no parameter $2',
	'a parameter too few');
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
SELECT throws_ok($$SELECT jsonrow_stream('c'::refcursor)$$, '34000', 'cursor "c" does not exist',
	'a cursor that is closed');
SELECT throws_ok($$SELECT jsonrow_stream(''::refcursor)$$, '55000', 'portal "" cannot be run',
	'the cursor of no name, which is the calling query');
SELECT throws_ok($$SELECT jsonrow_stream('c"d'::refcursor)$$, '34000', 'cursor "c"d" does not exist',
	'an unknown cursor');

-- Short rows say nothing of those to come.
CREATE FUNCTION pg_temp.pieces_of_cursor(query text) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
	result text[];
BEGIN
	EXECUTE 'DECLARE c CURSOR FOR ' || query;
	result := ARRAY(SELECT jsonrow_stream('c'::refcursor));
	EXECUTE 'CLOSE c';
	RETURN result;
END $$;
SELECT ok(pg_temp.pieces_of_cursor(query) = pg_temp.pieces('', query), 'a cursor has the pieces of its query: '
	|| name)
FROM (VALUES ('short rows, then long ones', 'SELECT repeat(''x'', CASE WHEN i > 20000 THEN 200000 ELSE 0 END) AS x '
		'FROM generate_series(1, 20100) i'),
	('long rows, then short ones', 'SELECT repeat(''x'', CASE WHEN i < 10 THEN 200000 ELSE 0 END) AS x '
		'FROM generate_series(1, 20000) i'),
	('full pieces, then no row', 'SELECT repeat(''x'', 70000) AS x FROM generate_series(1, 3) i')) v(name, query);
-- It stands on the last row of the piece.
DECLARE c SCROLL CURSOR FOR SELECT i, repeat('x', 70000) AS x FROM generate_series(1, 5) i;
SELECT length(p) FROM (SELECT jsonrow_stream_object_lines('c'::refcursor) AS p LIMIT 2) s \g /dev/null
FETCH RELATIVE 0 FROM c \gset at_
FETCH NEXT FROM c \gset next_
FETCH ABSOLUTE 1 FROM c \gset first_
SELECT is(ARRAY[:'at_i', :'next_i', :'first_i']::int[], '{2,3,1}', 'from there it moves on and back');
CLOSE c;
DECLARE c SCROLL CURSOR FOR SELECT i, repeat('x', 70000) AS x FROM generate_series(1, 5) i;
SELECT length(p) FROM (SELECT jsonrow_stream_object_lines('c'::refcursor) AS p LIMIT 1) s \g /dev/null
FETCH PRIOR FROM c \g /dev/null
FETCH NEXT FROM c \gset next_
SELECT is(:next_i, 1, 'and before its first row');
CLOSE c;

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
SELECT is(pg_temp.of_cursor('VALUES (1), (2)', '_object_lines'), E'{"column1":1}\n{"column1":2}\n',
	'a cursor over VALUES');
CREATE TABLE changed (a int, b text);
SELECT is(pg_temp.of_cursor('INSERT INTO changed VALUES (1, ''x''), (2, ''y'') RETURNING a, b'),
	'{"cols":["a","b"],"rows":[[1,"x"],[2,"y"]]}', 'a cursor over RETURNING');
SELECT is(pg_temp.of_cursor('WITH w AS (INSERT INTO changed VALUES (3, ''z'') RETURNING a) '
	'SELECT * FROM w, film LIMIT 1',
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
SELECT is(pg_temp.between_pieces('CLOSE c', 'SELECT 1'), '42804 columns differ from those of earlier rows',
	'replaced by a cursor of one column');
SELECT is(pg_temp.between_pieces('CLOSE c', 'SELECT ''a'' AS i, ''b'' AS x'),
	'42804 columns differ from those of earlier rows',
	'replaced by a cursor of other types');
SELECT is(pg_temp.between_pieces('CLOSE c', 'SELECT 1 AS i, ''b'' AS y'),
	'42804 columns differ from those of earlier rows',
	'replaced by a cursor of other names');
SELECT is(pg_temp.between_pieces('CLOSE c', 'SELECT 1 AS i, ''b'' AS x'), ',[1,"b"]]}',
	'replaced by one that is like it');
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
SELECT is(last_value, 65::bigint, 'of a cursor, LIMIT 1 fetches a piece') FROM counted;
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
	('a stream of streams', format('SELECT n, jsonrow_stream_lines(%L, n) FROM generate_series(0, 2000, 500) n',
		:'of_n')),
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
-- ... of a stream that has opened a table which a savepoint takes back: PostgreSQL warns, no more
DECLARE pieces CURSOR FOR SELECT jsonrow_stream('SELECT i, repeat(''x'', 500) AS x FROM generate_series(1, 200) i
	UNION ALL SELECT i, '''' FROM taken_back');
SAVEPOINT a;
CREATE TABLE taken_back AS SELECT i FROM generate_series(1, 3000) i;
SELECT is(left(pg_temp.fetch_piece('pieces'), 20), '{"cols":["i","x"],"r', 'the first piece of a table');
SET LOCAL client_min_messages = error;
ROLLBACK TO a;
SELECT is(right(pg_temp.fetch_piece('pieces'), 6), 'xx"]]}', 'the next, when the table is gone with its savepoint');
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
SELECT matches(pg_temp.caught('SELECT i, 1 / (200000 - i) AS q FROM generate_series(1, 300000) i'),
	'(655\d\d )+caught 0$',
	'errors in the middle that are caught');
SELECT is(count(*), 0::bigint, 'no cursor is left') FROM pg_cursors;

--
-- what is refused
--
SELECT pg_temp.raises(format('SELECT jsonrow_stream(%L)', query), '42P11', 'cannot stream ' || what,
	'A stream takes one SELECT, VALUES or TABLE statement that changes nothing.', NULL, 'refused: ' || query)
FROM (VALUES ('INSERT INTO changed VALUES (1)', 'INSERT'), ('INSERT INTO changed VALUES (1) RETURNING *', 'INSERT'),
	('UPDATE changed SET a = 2', 'UPDATE'), ('UPDATE changed SET a = 2 RETURNING a', 'UPDATE'),
	('DELETE FROM changed', 'DELETE'), ('DELETE FROM changed RETURNING *', 'DELETE'),
	('MERGE INTO changed USING film ON a = id WHEN MATCHED THEN DELETE', 'MERGE'),
	('WITH w AS (INSERT INTO changed VALUES (1) RETURNING a) SELECT * FROM w', 'a statement that changes data'),
	('WITH w AS (DELETE FROM changed) SELECT 1', 'a statement that changes data'),
	('WITH w AS (SELECT 1) INSERT INTO changed TABLE w RETURNING *', 'INSERT'),
	('SELECT 1 AS a INTO made', 'SELECT INTO'), ('CREATE TABLE made AS SELECT 1', 'CREATE TABLE AS'),
	('CREATE TABLE made ()', 'CREATE TABLE'),
	('SELECT * FROM film FOR UPDATE', 'SELECT FOR UPDATE or SHARE'),
	('SELECT * FROM film FOR KEY SHARE', 'SELECT FOR UPDATE or SHARE'),
	('SELECT * FROM (SELECT * FROM film FOR SHARE) s', 'SELECT FOR UPDATE or SHARE'),
	('SELECT (SELECT id FROM film LIMIT 1 FOR UPDATE)', 'SELECT FOR UPDATE or SHARE'),
	('WITH w AS (SELECT * FROM film FOR UPDATE) SELECT * FROM w', 'SELECT FOR UPDATE or SHARE'),
	('EXPLAIN SELECT 1', 'EXPLAIN'), ('EXPLAIN ANALYZE DELETE FROM changed', 'EXPLAIN'), ('SHOW TimeZone', 'SHOW'),
	('SET TimeZone = ''UTC''', 'SET'), ('COPY film TO STDOUT', 'COPY'), ('BEGIN', 'BEGIN'), ('COMMIT', 'COMMIT'),
	('SAVEPOINT s', 'SAVEPOINT'), ('PREPARE p AS SELECT 1', 'PREPARE'), ('EXECUTE streamed(1)', 'EXECUTE'),
	('DECLARE d CURSOR FOR SELECT 1', 'DECLARE CURSOR'), ('FETCH c', 'FETCH'),
	('DO ''BEGIN END''', 'DO'), ('LISTEN x', 'LISTEN'), ('VACUUM', 'VACUUM'),
	('SELECT 1; SELECT 2', 'more than one statement'), ('SELECT 1; DROP TABLE film', 'more than one statement'),
	('', 'an empty statement'), ('   ', 'an empty statement'), (';', 'an empty statement'),
	('-- a comment only', 'an empty statement'), ('/* a comment only */', 'an empty statement')) v(query, what);
CREATE VIEW ruled AS SELECT 1 AS a;
CREATE RULE ruled AS ON INSERT TO ruled DO INSTEAD NOTHING;
CREATE RULE ruled_update AS ON UPDATE TO ruled DO INSTEAD (DELETE FROM changed; SELECT 1);
SELECT pg_temp.raises(format('SELECT jsonrow_stream(%L)', query), '42P11',
	'cannot stream a statement that a rule rewrites',
	'A stream takes one SELECT, VALUES or TABLE statement that changes nothing.', NULL, 'refused: ' || query)
FROM unnest('{INSERT INTO ruled VALUES (1),UPDATE ruled SET a = 2}'::text[]) query;
SELECT is(count(*), 3::bigint, 'nothing that was refused has been done') FROM changed;
SELECT is(pg_temp.joined(format('jsonrow_stream_object_lines(%L)', query)), E'{"a":1}\n', 'taken: ' || query)
FROM unnest(ARRAY['SELECT 1 AS a;', ' ; SELECT 1 AS a ; ; ', E'-- before\nSELECT 1 AS a -- after', 'TABLE ruled',
	'(SELECT 1 AS a)', 'WITH a AS (SELECT 1 AS a) SELECT * FROM a']) query;

-- Where an error is, is told as of a query within the query.
CREATE FUNCTION pg_temp.place_of(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	context text;
	message text;
BEGIN
	EXECUTE query;
	RETURN 'no error';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS context = PG_EXCEPTION_CONTEXT, message = MESSAGE_TEXT;
	RETURN SQLSTATE || ' ' || message || ' | ' || split_part(context, E'\n', 1);
END $$;
SELECT is(pg_temp.place_of($q$SELECT jsonrow_stream('SELECT 1 / $1', 0)$q$),
	'22012 division by zero | SQL statement "SELECT 1 / $1"', 'an error of the query tells the query');
SELECT is(pg_temp.place_of($q$SELECT jsonrow_stream('SELECT 1 / (i - 50000) FROM generate_series(1, 60000) i')$q$),
	'22012 division by zero | SQL statement "SELECT 1 / (i - 50000) FROM generate_series(1, 60000) i"',
	'an error in a later piece, too');
SELECT is(pg_temp.place_of($q$SELECT jsonrow_stream('DELETE FROM changed')$q$),
	'42P11 cannot stream DELETE | SQL statement "DELETE FROM changed"', 'a refusal tells the query');
SELECT is(pg_temp.place_of(format('SELECT jsonrow_stream(%L)', $q$SELECT jsonrow_stream('SELECT 1/0')$q$)),
	'22012 division by zero | SQL statement "SELECT 1/0"', 'a stream in a stream tells the inner query first');

--
-- what a query may see and do
--
CREATE TABLE written (i int);
CREATE FUNCTION write(i int) RETURNS int LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO written VALUES (i);
	RETURN i;
END $$;
SELECT is(pg_temp.joined($$jsonrow_stream('SELECT write(1) AS w')$$), '{"cols":["w"],"rows":[[1]]}',
	'a function that writes');
SELECT is(array_agg(i), '{1}', 'has written') FROM written;
SAVEPOINT read_only;
SET LOCAL transaction_read_only = on;
SELECT pg_temp.error_of($$SELECT jsonrow_stream('SELECT write(2)')$$) AS error,
	pg_temp.joined($$jsonrow_stream('SELECT 1 AS a')$$) AS got \gset
ROLLBACK TO read_only;
SELECT is(:'error'::text, E'25006\ncannot execute INSERT in a read-only transaction\n\n',
	'but not in a read-only transaction')
FROM (SELECT 1) s WHERE :'got' = '{"cols":["a"],"rows":[[1]]}';


-- The snapshot is that of the calling query.
CREATE TABLE seen (i int, n text);
CREATE FUNCTION pg_temp.counted_seen() RETURNS text LANGUAGE sql AS $$
	SELECT substring(jsonrow_stream_object_lines('SELECT count(*) AS n FROM seen') FROM '\d+') $$;
INSERT INTO seen SELECT i, substring(line FROM '\d+')
FROM (SELECT i, jsonrow_stream_object_lines('SELECT count(*) AS n FROM seen') AS line FROM generate_series(1, 3) i) s;
SELECT is(array_agg(n), '{0,0,0}', 'rows that the statement itself inserts are not seen') FROM seen;
SELECT is(pg_temp.counted_seen(), '3', 'those of a statement before are');
WITH w AS (INSERT INTO seen VALUES (4) RETURNING i)
SELECT jsonrow_stream_object_lines('SELECT count(*) AS n FROM seen') AS counted FROM w \gset
SELECT is(:'counted'::text, E'{"n":3}\n', 'nor those of a CTE');
DO $$
DECLARE
	n text;
BEGIN
	INSERT INTO seen VALUES (5);
	n := substring((SELECT jsonrow_stream_object_lines('SELECT count(*) AS n FROM seen')) FROM '\d+');
	INSERT INTO seen VALUES (6, n);
END $$;
SELECT is(n, '5', 'in PL/pgSQL, what has been inserted before') FROM seen WHERE i = 6;
SELECT is(pg_temp.joined($q$jsonrow_stream_object_lines('SELECT i FROM seen WHERE write(i) > 0 AND i < 3')$q$),
	E'{"i":1}\n{"i":2}\n', 'a query whose function writes');
DECLARE pieces CURSOR FOR SELECT jsonrow_stream('SELECT i, repeat(''x'', 30000) FROM seen');
SELECT length(pg_temp.fetch_piece('pieces')) \g /dev/null
DELETE FROM seen;
INSERT INTO seen VALUES (99);
SELECT is(substring(pg_temp.fetch_piece('pieces') FROM '^,.\d+') || substring(pg_temp.fetch_piece('pieces')
	FROM '..$'),
	',[4]}', 'a cursor over a stream keeps its snapshot');
CLOSE pieces;

CREATE SCHEMA jsonrow_test_other;
CREATE TABLE jsonrow_test_other.film AS SELECT 'other' AS name;
SELECT current_setting('search_path') AS path \gset
SELECT set_config('search_path', 'jsonrow_test_other, ' || :'path', true) \g /dev/null
SELECT is(pg_temp.joined($$jsonrow_stream('TABLE film')$$), '{"cols":["name"],"rows":[["other"]]}', 'search_path');
CREATE FUNCTION jsonrow_test_other.with_path() RETURNS SETOF text LANGUAGE sql
SET search_path = jsonrow_test, :"jsonrow_schema" AS $$
	SELECT jsonrow_stream('SELECT count(*) FROM film') $$;
DROP TABLE jsonrow_test_other.film;
SELECT is(pg_temp.joined('jsonrow_test_other.with_path()'), '{"cols":["count"],"rows":[[300]]}',
	'search_path of a function that sets it');
SELECT set_config('search_path', :'path', true) \g /dev/null

-- Privileges
CREATE ROLE jsonrow_test_streams;
GRANT USAGE ON SCHEMA jsonrow_test TO jsonrow_test_streams;
CREATE TABLE secret AS SELECT i, 'secret ' || i AS t FROM generate_series(1, 4) i;
CREATE TABLE half AS TABLE secret;
CREATE TABLE rows_of AS TABLE secret;
GRANT SELECT (i) ON half TO jsonrow_test_streams;
GRANT SELECT ON rows_of TO jsonrow_test_streams;
ALTER TABLE rows_of ENABLE ROW LEVEL SECURITY;
CREATE POLICY even ON rows_of USING (i % 2 = 0);
CREATE FUNCTION of_secret() RETURNS SETOF text LANGUAGE sql SECURITY DEFINER AS $$
	SELECT jsonrow_stream('SELECT i, current_user <> session_user AS other FROM secret ORDER BY i LIMIT 1') $$;
CREATE FUNCTION of_secret_in_plpgsql() RETURNS SETOF text LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
	RETURN QUERY SELECT jsonrow_stream('SELECT i, current_user <> session_user AS other FROM secret ORDER BY i LIMIT 1');
END $$;
CREATE FUNCTION drop_rights() RETURNS SETOF text LANGUAGE sql SECURITY DEFINER AS $$
	SELECT jsonrow_stream('TABLE secret') $$;
ALTER FUNCTION drop_rights() OWNER TO jsonrow_test_streams;
CREATE TABLE told (what text, result text);
GRANT INSERT ON told TO jsonrow_test_streams;
DECLARE of_superuser CURSOR FOR TABLE secret;
SET LOCAL ROLE jsonrow_test_streams;
INSERT INTO told
SELECT query, replace(pg_temp.error_of(format('SELECT jsonrow_stream%s(%L)', suffix, query)), E'\n', ' ')
FROM unnest('{"",_lines,_objects,_object_lines}'::text[]) suffix,
	unnest(ARRAY['TABLE secret', 'SELECT * FROM half', 'SELECT t FROM half', 'SELECT 1 FROM secret LIMIT 0',
		'SELECT pg_read_file(''x'')']) query;
INSERT INTO told VALUES ('granted column', pg_temp.joined($$jsonrow_stream('SELECT i FROM half WHERE i > 3')$$)),
	('row-level security', pg_temp.joined($$jsonrow_stream('SELECT i FROM rows_of')$$)),
	('SECURITY DEFINER', pg_temp.joined('of_secret()')), ('SECURITY DEFINER', pg_temp.joined('of_secret_in_plpgsql()')),
	('cursor', right(pg_temp.joined($$jsonrow_stream('of_superuser'::refcursor)$$), 17));
SET LOCAL row_security = off;
INSERT INTO told VALUES ('row_security = off', pg_temp.error_of($$SELECT jsonrow_stream('SELECT i FROM rows_of')$$));
RESET row_security;
RESET ROLE;
CLOSE of_superuser;
INSERT INTO told VALUES ('lesser role', pg_temp.error_of('SELECT drop_rights()'));
SELECT is(array_agg(result), array_fill(format('42501 permission denied for %s  ', object), ARRAY[4]),
	'without rights: ' || what)
FROM told JOIN (VALUES ('TABLE secret', 'table secret'), ('SELECT * FROM half', 'table half'),
	('SELECT t FROM half', 'table half'), ('SELECT 1 FROM secret LIMIT 0', 'table secret'),
	('SELECT pg_read_file(''x'')', 'function pg_read_file')) v(query, object) ON query = what
GROUP BY what, object;
SELECT is(string_agg(result, ' '), expected, what)
FROM told JOIN (VALUES ('granted column', '{"cols":["i"],"rows":[[4]]}'),
	('row-level security', '{"cols":["i"],"rows":[[2],[4]]}'),
	('SECURITY DEFINER', '{"cols":["i","other"],"rows":[[1,false]]} {"cols":["i","other"],"rows":[[1,false]]}'),
	('cursor', ',[4,"secret 4"]]}'),
	('row_security = off', E'42501\nquery would be affected by row-level security policy for table "rows_of"\n\n'),
	('lesser role', E'42501\npermission denied for table secret\n\n')) v(name, expected) ON name = what
GROUP BY what, expected;

--
-- nested documents whose columns are not known in time: what is told after the first piece
--
CREATE FUNCTION pg_temp.late(type text, first int, doc text, rows int) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	RETURN 'SELECT i, repeat(''x'', 1000) AS x, (CASE WHEN i >= ' || first || ' THEN ' || doc || ' END)' || type
		|| ' AS d FROM generate_series(1, ' || rows || ') i';
END $$;
CREATE TABLE late (name text, type text, doc text, message text, hint text);
INSERT INTO late VALUES
	('a document', '::text::jsonrow', $$'{"cols":["a"],"rows":[[1]]}'$$,
		'columns of nested document "d" were not known when the header was sent',
		'Cast the nested document to jsonb to keep it as it is, before COALESCE or CASE if it is in one.'),
	('a document as JSON text', '::text::jsonrow_json', $$'{"cols":["a"],"rows":[[1]]}'$$,
		'columns of nested document "d" were not known when the header was sent',
		'Cast the nested document to jsonb to keep it as it is, before COALESCE or CASE if it is in one.'),
	('a document by column', '::text::jsonrow', $$'{"cols":["a"],"vals":[[1]]}'$$,
		'columns of nested document "d" were not known when the header was sent',
		'Cast the nested document to jsonb to keep it as it is, before COALESCE or CASE if it is in one.'),
	('a record', '', 'record_of(i)', 'columns of record "d" were not known when the header was sent',
		'Use to_jsonb() to write the record as an object.');
CREATE FUNCTION record_of(i int) RETURNS record LANGUAGE plpgsql AS $$
DECLARE
	r record;
BEGIN
	SELECT i AS a INTO r;
	RETURN r;
END $$;
SELECT is(pg_temp.check_stream(pg_temp.late(type, first, doc, 200)), NULL,
	format('%s that comes in row %s, in the first piece', name, first))
FROM late, unnest(ARRAY[1, 2, 60]) first;
SELECT pg_temp.raises(format('SELECT jsonrow_stream%s(%L)', suffix, pg_temp.late(type, 100, doc, 200)), '42804',
	message,
	NULL, hint, format('%s that comes after the first piece, jsonrow_stream%s', name, suffix))
FROM late, unnest('{"",_lines}'::text[]) suffix;
SELECT is(string_to_array(array_to_string(pg_temp.pieces('_object_lines', pg_temp.late(type, 100, doc, 200)), ''),
	E'\n'),
	(SELECT array_agg(format('{"i":%s,"x":"%s","d":%s}', i, repeat('x', 1000), CASE WHEN i < 100 THEN 'null'
		WHEN type = '' THEN format('{"a":%s}', i) ELSE '[{"a":1}]' END)) || ''::text FROM generate_series(1, 200) i),
	name || ' that comes after the first piece of what has no header') FROM late;
SELECT is(right(array_to_string(pg_temp.pieces('', pg_temp.late('::text::jsonrow', 100, format('%L', doc), 200)),
	''), 10),
	'xxx",' || CASE WHEN doc ~ 'null' THEN '[null]' ELSE '[]' END || ']]}', 'after the first piece: ' || doc)
FROM unnest(ARRAY['{"cols":[],"rows":[]}', '{"cols":[],"vals":[]}']) doc;
SELECT throws_ok(format('SELECT jsonrow_stream(%L)', query), '42804', message, 'after the first piece, ' || query)
FROM (VALUES
	($$SELECT CASE WHEN i = 1 THEN '{"cols":["a"],"rows":[]}' WHEN i > 9000
		THEN '{"cols":["b"],"rows":[]}' END::jsonrow AS d
		FROM generate_series(1, 10000) i, repeat('x', 10) x$$,
		'columns of nested document "d" differ from those of earlier rows'),
	($$SELECT CASE WHEN i < 2000 THEN '{"cols":["a",{"b":[[]]}],"rows":[]}'
		ELSE '{"cols":["a",{"b":[["x"]]}],"rows":[[1,[[2]]]]}'
		END::jsonrow AS d, repeat('x', 99) FROM generate_series(1, 3000) i$$,
		'columns of nested document "d" were not known when the header was sent')) v(query, message);

--
-- types that the query's own functions alter (see altered.sql)
--
CREATE FUNCTION alter_at(i int, at int) RETURNS bool LANGUAGE plpgsql AS $$
BEGIN
	IF i = at THEN
		EXECUTE current_setting('test.alteration');
	END IF;
	RETURN true;
END $$;
CREATE FUNCTION pg_temp.altering(alteration text, after text, query text, suffix text) RETURNS text LANGUAGE plpgsql
	AS $$
DECLARE
	result text;
BEGIN
	CREATE TYPE ct AS (a int, b text);
	PERFORM set_config('test.alteration', alteration, true);
	result := array_to_string(pg_temp.pieces(suffix, replace(query, 'VALUE',
		format('(CASE WHEN i < 1500 THEN ''(1,x)'' ELSE %L END)::text::ct', after))), '');
	RAISE SQLSTATE 'TDONE' USING MESSAGE = right(result, 200);	-- and undo it all
EXCEPTION
	WHEN SQLSTATE 'TDONE' THEN
		RETURN SQLERRM;
	WHEN OTHERS THEN
		RETURN SQLSTATE || ' ' || SQLERRM;
END $$;
CREATE TABLE alteration (alteration text, after text, cells text, object text, differs boolean);
INSERT INTO alteration VALUES ('ALTER ATTRIBUTE b TYPE int8', '(2,3)', '[2,3]', '{"a":2,"b":3}', false),
	('ALTER ATTRIBUTE b TYPE int[]', '(2,"{1,2}")', '[2,[1,2]]', '{"a":2,"b":[1,2]}', false),
	('ADD ATTRIBUTE c int', '(2,y,3)', NULL, '{"a":2,"b":"y","c":3}', true),
	('DROP ATTRIBUTE b', '(2)', NULL, '{"a":2}', true),
	('RENAME ATTRIBUTE a TO z', '(2,y)', NULL, '{"z":2,"b":"y"}', true);
SELECT matches(pg_temp.altering('ALTER TYPE ct ' || alteration, after,
		'SELECT repeat(''x'', 100) AS x, VALUE AS v FROM generate_series(1, 1510) i WHERE alter_at(i, 1500)', suffix),
	CASE WHEN suffix = '_objects' THEN ',"v":' || regexp_replace(object, '([{}\[\]])', '\\\1', 'g') || '\}\]$'
		WHEN differs THEN '^42804 columns differ from those of earlier rows$'
		ELSE '",' || regexp_replace(cells, '([\[\]])', '\\\1', 'g') || '\]\]\}$' END,
	format('%s, jsonrow_stream%s', alteration, suffix))
FROM alteration, unnest('{"",_objects}'::text[]) suffix;
SELECT matches(pg_temp.altering('DROP TYPE ct CASCADE', '(2,y)',
	'SELECT VALUE AS v FROM generate_series(1, 1510) i WHERE alter_at(i, 1500)', suffix), '^(42704|XX000) ',
	'a type that is dropped, jsonrow_stream' || suffix) FROM unnest('{"",_lines,_objects,_object_lines}'::text[]) suffix;
-- New minor releases refuse a value that is older than its type; before them it is read as it is.
SELECT matches(pg_temp.altering('ALTER TYPE ct ALTER ATTRIBUTE b TYPE int8', '(2,3)',
	'SELECT v FROM (SELECT VALUE AS v, i FROM generate_series(1, 1510) i ORDER BY i OFFSET 0) s '
	'WHERE alter_at(i, 700)', suffix),
	CASE WHEN current_setting('composite_type_mismatch', true) IS NOT NULL THEN '^22P07 '
		ELSE '^(42804|22P03|XX001|XX000 invalid memory alloc|\{|\[)' END, 'values older than their type: ' || suffix)
FROM unnest('{"",_lines,_objects,_object_lines}'::text[]) suffix;

--
-- a row type of a table that is altered between two pieces
--
CREATE TABLE grows (i int, t text);
INSERT INTO grows SELECT i, repeat('x', 1000) FROM generate_series(1, 300) i;
DECLARE pieces CURSOR FOR SELECT jsonrow_stream('TABLE grows');
SELECT length(pg_temp.fetch_piece('pieces')) \g /dev/null
SELECT matches(pg_temp.error_of(statement),
	'^55006\ncannot (ALTER TABLE|DROP TABLE|TRUNCATE) "grows" because it is being used by '
	'active queries', statement)
FROM unnest(ARRAY['ALTER TABLE grows ADD c int', 'DROP TABLE grows', 'TRUNCATE grows']) statement;
CLOSE pieces;
SELECT is(pg_temp.error_of('DROP TABLE grows'), 'no error',
	'a cursor that is closed holds its stream''s table no more');

--
-- acceleration: what the rows' own JSON is, with it and without
--
\set accelerated 'SELECT id, (SELECT json_agg(a) FROM (SELECT name FROM actor WHERE film = id) a) AS actors, '
\set accelerated :accelerated 'jsonb_build_object(\'k\', id, \'t\', title) AS o, row_to_json(f) AS r FROM film f'
SELECT is(pg_temp.check_stream(:'accelerated'), NULL, 'constructors in a stream');
SELECT md5(array_to_string(pg_temp.pieces('', :'accelerated'), '')) AS plain \gset
SET LOCAL jsonrow.accelerate = on;
SET LOCAL track_functions = 'all';
SELECT is(md5(array_to_string(pg_temp.pieces('', :'accelerated'), '')), :'plain', 'acceleration changes no byte');
SELECT cmp_ok(coalesce(sum(calls), 0)::int, '>', 0, 'acceleration reaches the query of a stream')
FROM pg_stat_xact_user_functions WHERE funcname ~ '^jsonrow_core';
RESET jsonrow.accelerate;

--
-- memory: nothing is left behind per row, whatever the type
--
CREATE FUNCTION allocated() RETURNS bigint LANGUAGE sql VOLATILE AS $$
	SELECT sum(total_bytes) FROM pg_backend_memory_contexts WHERE name NOT LIKE 'Cache%' $$;
CREATE TYPE mood AS ENUM ('sad', 'ok');
CREATE TABLE leaks AS
SELECT i, 'text ' || i AS t, i * 1.5 AS n, now() AS tz, ROW(i, 'y')::inner_type AS p, ARRAY[i, 2] AS a,
	ARRAY[ROW(i, 'y')::inner_type] AS ap, to_json(i) AS j, jsonb_build_object('k', i) AS b, 'sad'::mood AS m,
	int4range(1, i) AS r, repeat('long', 100) AS l, '{"cols":["a"],"rows":[[1]]}'::jsonrow AS d,
	'{"cols":["a"],"rows":[[1]]}'::jsonrow_json AS dj
FROM generate_series(1, 20000) i;
CREATE FUNCTION pg_temp.leaked(suffix text, value text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	used bigint[];
BEGIN
	EXECUTE format('SELECT array_agg(used[1]::bigint) FROM (SELECT jsonrow_stream%s($1) AS piece OFFSET 0) s,
			regexp_matches(piece, ''[1-9]\d{9,}'', ''g'') used', suffix)
		INTO used USING format('SELECT %s, CASE WHEN i IN (2000, 20000) THEN 1000000000 + allocated() END FROM leaks',
			value);
	RETURN used[2] - used[1];
END $$;
SELECT cmp_ok(pg_temp.leaked(suffix, value), '<', 100000::bigint, format('memory per row of jsonrow_stream%s: %s',
	suffix,
	value))
FROM (SELECT quote_ident(attname) AS value, attnum FROM pg_attribute
		WHERE attrelid = 'leaks'::regclass AND attnum > 0
		UNION ALL SELECT 'ROW(i, ROW(t))', 100 UNION ALL SELECT 'record_of(1)', 101) v,
	unnest('{_lines,_objects}'::text[]) suffix ORDER BY attnum, suffix;

SELECT is(count(*), 0::bigint, 'no cursor is left at the end') FROM pg_cursors;

\set at_least 719
\ir finish.psql
ROLLBACK;

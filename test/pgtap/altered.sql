-- Types that a query's own functions alter while it runs.
\ir oracle.psql

SELECT no_plan();

-- Does what the test wants done, once, when the third row comes by.
CREATE FUNCTION alter_at_3(i int) RETURNS bool LANGUAGE plpgsql AS $$
BEGIN
	IF i = 3 THEN
		EXECUTE current_setting('test.alteration');
		PERFORM set_config('test.alteration', 'SELECT', true);
	END IF;
	RETURN true;
END $$;

-- The answer of a query on a type that is altered meanwhile, or its error.  In
-- the query, VALUE stands for a value's text: first before, then after.
CREATE FUNCTION pg_temp.altering(query text, made text, alteration text, before text, after text) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
	value CONSTANT text := format('(CASE WHEN i < 3 THEN %L ELSE %L END)', before, after);
	result text;
BEGIN
	EXECUTE made;
	CREATE DOMAIN ct_domain AS ct;
	PERFORM set_config('test.alteration', alteration, true);
	EXECUTE replace(query, 'VALUE', value) INTO result;
	RAISE SQLSTATE 'TDONE' USING MESSAGE = coalesce(result, 'NULL');	-- and undo it all
EXCEPTION
	WHEN SQLSTATE 'TDONE' THEN
		RETURN SQLERRM;
	WHEN OTHERS THEN
		RETURN SQLSTATE || ' ' || SQLERRM;
END $$;

CREATE TABLE altering AS
SELECT name || ', ' || kind AS name, 'CREATE ' || kind || ' ct ' || format(definition, columns) AS made,
	'ALTER ' || kind || ' ct ' || format(alter_column, col) || ' TYPE ' || becomes
		|| CASE WHEN kind = 'TABLE' THEN ' USING NULL' ELSE '' END AS alteration, before, after
FROM (VALUES
	('text to int8', '(a int, b text)', 'b', 'int8', '(1,x)', '(2,4611686018427387904)'),
	('int8 to text', '(a int, b int8)', 'b', 'text', '(1,4611686018427387904)', '(2,"a string that is not short")'),
	('text to uuid', '(a int, b text)', 'b', 'uuid', '(1,x)', '(2,01120000-1111-2222-3333-444444444444)'),
	('uuid to text', '(a int, b uuid)', 'b', 'text', '(1,01120000-1111-2222-3333-444444444444)', '(2,x)'),
	('text to int[]', '(a int, b text)', 'b', 'int[]', '(1,x)', '(2,"{1,2}")'),
	('numeric to jsonb', '(a int, b numeric)', 'b', 'jsonb', '(1,1.5)', '(2,"{""k"": [1]}")'),
	('int to int8', '(a int, b text)', 'a', 'int8', '(1,x)', '(4611686018427387904,x)'))
	v(name, columns, col, becomes, before, after),
	(VALUES ('TYPE', 'AS %s', 'ALTER ATTRIBUTE %s'), ('TABLE', '%s', 'ALTER %s')) k(kind, definition, alter_column);

-- In a form, and in where it is tried, $V stands for the value, OVER for a window.
CREATE TABLE form AS
SELECT * FROM (VALUES
	('jsonb_agg($V) OVER', 'jsonrow_to_objects(jsonrow_agg($V) OVER)'),
	('jsonb_agg($V) OVER', 'jsonrow_to_objects(jsonrow_agg_json($V) OVER ::jsonb)'),
	('jsonb_agg($V) OVER', 'jsonrow_to_objects(jsoncol_agg($V) OVER)'),
	('jsonb_agg($V) OVER', 'jsonrow_to_objects(jsoncol_agg_json($V) OVER ::jsonb)'),
	('jsonb_agg(jsonb_build_object(''c'', $V)) OVER', 'jsonrow_to_objects(jsonrow_agg(''{c}'', $V) OVER)'),
	('jsonb_agg(jsonb_build_object(''c'', $V)) OVER',
		'jsonrow_to_objects(jsonrow_agg_json(''{c}'', $V) OVER ::jsonb)'),
	('jsonb_agg(jsonb_build_object(''c'', $V)) OVER', 'jsonrow_to_objects(jsoncol_agg(''{c}'', $V) OVER)'),
	('jsonb_agg(jsonb_build_object(''c'', $V))', 'jsonrow_to_objects(jsonrow_agg(''{c}'', VARIADIC ARRAY[$V]))'),
	('jsonb_agg(jsonb_build_array(1, $V)) OVER', 'jsonrow_array_agg(1, $V) OVER'),
	('jsonb_agg((SELECT jsonb_agg(v ORDER BY k) FROM jsonb_each(to_jsonb($V)) e(k, v))) OVER',
		'jsonrow_array_agg($V) OVER')) f(oracle, ours);
CREATE TABLE place AS
SELECT * FROM (VALUES
	('at top level', 'AGG', '', 'VALUE::text::ct'),
	('nested', 'AGG', '', 'ROW(i, VALUE::text::ct)'),
	('as a domain', 'AGG', '', 'VALUE::text::ct::ct_domain'),
	('in a window', 'string_agg(d::text, '' '') FROM (SELECT AGG AS d', 'OVER (ORDER BY i)', 'VALUE::text::ct'),
	('in a frame', 'string_agg(d::text, '' '') FROM (SELECT AGG AS d', 'OVER (ORDER BY i ROWS 1 PRECEDING)',
		'VALUE::text::ct'),
	('in groups', 'string_agg(d::text, '' '') FROM (SELECT i, AGG AS d', 'GROUP BY', 'VALUE::text::ct'),
	('correlated', 'string_agg((SELECT AGG FROM generate_series(o.i, o.i) s(i))::text, '' '')', '',
		'VALUE::text::ct')) p(place, target, win, value);
CREATE FUNCTION pg_temp.query_in(place, call text) RETURNS text LANGUAGE sql AS $f$
	SELECT 'SELECT ' || replace($1.target, 'AGG', replace(replace(call, '$V', $1.value), 'OVER',
		CASE WHEN $1.win LIKE 'OVER%' THEN $1.win ELSE '' END))
		|| ' FROM generate_series(1, 5) o(i) WHERE alter_at_3(i)' || CASE WHEN $1.win LIKE 'GROUP%'
			THEN ' GROUP BY i ORDER BY i' ELSE '' END
		|| CASE WHEN $1.target LIKE '%FROM (%' THEN ') s' ELSE '' END $f$;

-- Where PostgreSQL gives the right answer, so do we: the oracle is its own aggregate.
CREATE FUNCTION pg_temp.answers_alike(ours text, oracle text, name text) RETURNS text LANGUAGE sql AS $$
	SELECT CASE WHEN oracle ~ '^([0-9A-Z]{5} |NULL$)' THEN fail(format('%s: the oracle gives %s', name, oracle))
		ELSE is(ours, oracle, name) END $$;
-- (Windows and sorted groups are made when all rows have been read: after the alteration.)
SELECT pg_temp.answers_alike(pg_temp.altering(pg_temp.query_in(p, ours), made, alteration, first, after),
	pg_temp.altering(pg_temp.query_in(p, oracle), made, alteration, first, after),
	format('%s, %s: %s', name, place, ours))
FROM altering, form, place p, LATERAL (SELECT CASE WHEN win <> '' THEN after ELSE before END) f(first)
WHERE ours !~ 'VARIADIC' OR win !~ '^OVER';

-- Names are those of one moment.  A document whose rows differ is refused; the
-- next one is made with the new names; where there are no names, rows may differ.
CREATE FUNCTION pg_temp.changing(alteration text, after text, query text) RETURNS text LANGUAGE sql AS $$
	SELECT pg_temp.altering(query, 'CREATE TYPE ct AS (a int, b text)', 'ALTER TYPE ct ' || alteration, '(1,x)',
		after) $$;
CREATE TABLE change AS
SELECT * FROM (VALUES ('ADD ATTRIBUTE c int', '(2,y,3)', '["a", "b", "c"]', '[2, "y", 3]'),
	('DROP ATTRIBUTE b', '(2)', '["a"]', '[2]'),
	('DROP ATTRIBUTE a', '(y)', '["b"]', '["y"]'),
	('RENAME ATTRIBUTE a TO z', '(2,y)', '["z", "b"]', '[2, "y"]'),
	('DROP ATTRIBUTE b, ADD ATTRIBUTE b int8', '(2,3)', '["a", "b"]', '[2, 3]')) c(alteration, after, names, cells);
SELECT is(pg_temp.changing(alteration, after, format('SELECT %s FROM generate_series(1, 3) i WHERE alter_at_3(i)',
	call)),
	CASE WHEN names = '["a", "b"]' THEN replace(same, 'CELLS', cells) ELSE problem END, alteration || ': ' || call)
FROM change, (VALUES
	('jsonrow_agg(VALUE::text::ct)', '42804 columns differ from those of earlier rows',
		'{"cols": ["a", "b"], "rows": [[1, "x"], [1, "x"], CELLS]}'),
	('jsoncol_agg_json(VALUE::text::ct)::jsonb', '42804 columns differ from those of earlier rows',
		'{"cols": ["a", "b"], "vals": [[1, 1, 2], ["x", "x", 3]]}'),
	('jsonrow_agg(''{c}'', VALUE::text::ct)', '42804 columns differ from those of earlier rows',
		'{"cols": [{"c": ["a", "b"]}], "rows": [[[1, "x"]], [[1, "x"]], [CELLS]]}'),
	('jsonrow_agg(ROW(VALUE::text::ct))', '42804 columns differ from those of earlier rows',
		'{"cols": [{"f1": ["a", "b"]}], "rows": [[[1, "x"]], [[1, "x"]], [CELLS]]}')) c(call, problem, same);
SELECT is(pg_temp.changing(alteration, after, 'SELECT jsonrow_array_agg(VALUE::text::ct) FROM generate_series(1, '
	'3) i WHERE alter_at_3(i)'),
	format('[[1, "x"], [1, "x"], %s]', cells), alteration || ': without a header') FROM change;
SELECT is(pg_temp.changing(alteration, after, $q$SELECT string_agg(d::text, ' ' ORDER BY i) FROM (
		SELECT i, jsonrow_agg(VALUE::text::ct) AS d FROM generate_series(2, 3) i WHERE alter_at_3(i) GROUP BY i) s$q$),
	format('{"cols": ["a", "b"], "rows": [[1, "x"]]} {"cols": %s, "rows": [%s]}', names, cells), alteration
		|| ': in the next group') FROM change;
SELECT is(pg_temp.changing(alteration, after, $q$SELECT string_agg(d::text, ' ' ORDER BY i) FROM (
		SELECT i, jsonrow_agg('{c}', VALUE::text::ct) AS d FROM generate_series(2, 3) i WHERE alter_at_3(i)
		GROUP BY i) s$q$),
	format('{"cols": [{"c": ["a", "b"]}], "rows": [[[1, "x"]]]} {"cols": [{"c": %s}], "rows": [[%s]]}', names, cells),
	alteration || ': in the next group, a column') FROM change;
SELECT is(pg_temp.altering($q$SELECT string_agg(d::text, ' ' ORDER BY i) FROM (
		SELECT i, jsonrow_agg(ROW(i, VALUE::text::ct)::ot) AS d FROM generate_series(2, 3) i WHERE alter_at_3(i)
		GROUP BY i) s$q$,
		'CREATE TYPE ct AS (a int, b text); CREATE TYPE ot AS (i int, c ct)', 'ALTER TYPE ct ' || alteration,
		'(1,x)', after),
	format('{"cols": ["i", {"c": ["a", "b"]}], "rows": [[2, [1, "x"]]]} {"cols": ["i", {"c": %s}], "rows": [[3, '
		'%s]]}', names, cells),
	alteration || ': in the next group, of a type within a type') FROM change;

-- What alters nothing about the rows doesn't matter, and costs no memory.
SELECT is(pg_temp.altering('SELECT jsonrow_agg(VALUE::text::ct) FROM generate_series(1, 3) i WHERE alter_at_3(i)',
	'CREATE TABLE ct (a int, b text)', 'CREATE INDEX ON ct (a)', '(1,x)', '(2,y)'),
	'{"cols": ["a", "b"], "rows": [[1, "x"], [1, "x"], [2, "y"]]}', 'an index on the table');
SELECT matches(pg_temp.altering('SELECT jsonrow_agg(VALUE::text::ct) FROM generate_series(1, 3) i WHERE alter_at_3(i)',
	'CREATE TYPE ct AS (a int, b text)', 'DROP TYPE ct CASCADE', '(1,x)', '(2,y)'), '^(42704|XX000) ',
	'a type that is dropped');

-- Values that were made before their type was altered, and kept by a sort or a
-- CTE, or that stand in a row behind what alters it.  New minor releases raise
-- an error, and so do we; older ones read what is there as what the type is
-- now, and so do we, but never beyond its end, nor where a pointer in it leads.
CREATE FUNCTION pg_temp.fails_alike(ours text, oracle text, name text) RETURNS text LANGUAGE sql AS $$
	SELECT CASE WHEN oracle ~ '^22P07' THEN is(left(ours, 5), '22P07', name)
		ELSE matches(ours, '^(42804|22P03|XX001|XX000 invalid memory alloc|\{|\[)', name) END $$;
CREATE TYPE trigger_type AS ENUM ('alter');
CREATE FUNCTION trigger_to_json(trigger_type) RETURNS json LANGUAGE plpgsql AS $$
BEGIN
	PERFORM alter_at_3(3);
	RETURN '"altered"';
END $$;
CREATE CAST (trigger_type AS json) WITH FUNCTION trigger_to_json(trigger_type);
CREATE TABLE kept AS
SELECT 'CREATE TYPE ct AS ' || columns AS made, 'ALTER TYPE ct ALTER ATTRIBUTE b TYPE ' || becomes AS alteration,
	value,
	columns || ' as ' || becomes AS name, becomes
FROM (VALUES ('(a int, b int8)', 'text', '(1,4611686018427387904)'), ('(a int, b int8)', 'text', '(1,-1)'),
	('(a int, b int8)', 'text', '(1,2305843013508661252)'), ('(a int, b int)', 'text', '(1,100000000)'),
	('(b uuid)', 'text', '(01010000-0000-0000-4242-424242424242)'),
	('(b uuid)', 'text', '(01120000-1111-2222-3333-444444444444)'),
	('(b uuid)', 'text', '(01020000-1111-2222-3333-444444444444)'),
	('(b uuid)', 'text', '(fcffff00-1111-2222-3333-444444444444)'),
	('(b uuid)', 'numeric', '(01120000-1111-2222-3333-444444444444)'),
	('(b uuid)', 'text', '(42000000-ffff-ff3f-3333-444444444444)'),
	('(b uuid)', 'int[]', '(fc000000-0100-0000-0000-000019000000)'),
	('(b text)', 'int[]', '("012345678901234567890123456789")'),
	('(b text)', 'uuid', '(x)'), ('(b text)', 'jsonb', '(0123456789)'), ('(a text, b bool)', 'name', '(x,t)'),
	('(b text)', 'text[]', '("0123456789012345678901234567890123456789")')) v(columns, becomes, value);
SELECT pg_temp.fails_alike(pg_temp.altering(format(query, ours), made, alteration, value, value),
	CASE WHEN current_setting('composite_type_mismatch', true) IS NOT NULL
		THEN pg_temp.altering(format(query, oracle), made, alteration, value, value) END,
			format('kept: %s, %s', name, ours))
FROM kept, (VALUES
	('WITH kept AS MATERIALIZED (SELECT VALUE::text::ct AS c FROM generate_series(1, 2) i),
		altered AS MATERIALIZED (SELECT alter_at_3(3)), n AS MATERIALIZED (SELECT count(*) FROM kept) SELECT %s '
			'FROM n, altered, kept'),
	('SELECT %s FROM (SELECT VALUE::text::ct AS c, i FROM generate_series(1, 3) i ORDER BY i DESC OFFSET 0) s '
		'WHERE alter_at_3(4 - i)'),
	('SELECT %s FROM (SELECT VALUE::text::ct AS c, ''alter''::trigger_type AS t FROM generate_series(1, 1) i '
		'OFFSET 0) s')) q(query),
	(VALUES ('jsonrow_agg(c)', 'jsonb_agg(c)'), ('jsonrow_agg_json(c)::text', 'json_agg(c)::text'),
		('jsoncol_agg(ROW(c))', 'jsonb_agg(c)'), ('jsonrow_agg_json(''{c}'', c)', 'json_agg(c)'),
		('jsonrow_array_agg(c)', 'jsonb_agg(c)')) c(ours, oracle)
WHERE query !~ 'trigger_type'
UNION ALL
SELECT pg_temp.fails_alike(pg_temp.altering(format('SELECT %s FROM generate_series(1, 1) i', ours), made,
	alteration, value, value),
	CASE WHEN current_setting('composite_type_mismatch', true) IS NOT NULL
		THEN pg_temp.altering(format('SELECT %s FROM generate_series(1, 1) i', oracle), made, alteration, value,
			value) END,
	format('in the middle of a row: %s, %s', name, ours))
FROM kept, (VALUES ('jsonrow_agg(ROW(''alter''::trigger_type, VALUE::text::ct))',
	'jsonb_agg(ROW(''alter''::trigger_type, VALUE::text::ct))'),
	('jsonrow_agg_json(ROW(''alter''::trigger_type, VALUE::text::ct))',
		'json_agg(ROW(''alter''::trigger_type, VALUE::text::ct))'),
	('jsoncol_agg(''{a,b}'', ''alter''::trigger_type, VALUE::text::ct)',
		'jsonb_agg(ROW(''alter''::trigger_type, VALUE::text::ct))'),
	('jsonrow_array_agg(''alter''::trigger_type, VALUE::text::ct)',
		'jsonb_agg(ROW(''alter''::trigger_type, VALUE::text::ct))')) c(ours, oracle)
-- (there, a composite is an object, which PostgreSQL's own to_jsonb writes)
WHERE ours !~ 'array' OR current_setting('composite_type_mismatch', true) IS NOT NULL;

-- Recordsets: a type that is altered between two of their rows.  Who reads
-- them knows one version of it; within them, each value is of its own time.
SELECT is(pg_temp.altering(format('SELECT count(x) FROM (SELECT %s AS x, i FROM generate_series(3, 3) i OFFSET 0) '
	's WHERE alter_at_3(i)', call),
	'CREATE TYPE ct AS (a int, b text)', 'ALTER TYPE ct ALTER ATTRIBUTE b TYPE int8', '', ''),
	CASE WHEN current_setting('composite_type_mismatch', true) IS NULL THEN '42804' ELSE '22P07' END
		|| ' type ct was altered while its values were being made', call)
FROM unnest(ARRAY['jsonrow_populate_recordset(NULL::ct, ''{"cols":["a","b"],"rows":[[1,"2"],[3,"4"]]}'')',
	'jsonrow_populate_recordset(NULL::ct, ''{"cols":["a","b"],"vals":[[1,3],["2","4"]]}'')',
	'jsonrow_populate_recordset(NULL::ct_domain, ''{"cols":["a","b"],"rows":[[1,"2"],[3,"4"]]}'')']) call;
SELECT is(pg_temp.altering(format('SELECT string_agg((x).c::text, '' '') FILTER (WHERE (x).n > 1)
		FROM (SELECT %s AS x, i FROM generate_series(3, 3) i OFFSET 0) s WHERE alter_at_3(i)', call),
	'CREATE TYPE ct AS (a int, b text); CREATE TYPE ot AS (n int, c ct)', 'ALTER TYPE ct ADD ATTRIBUTE e int', '',
	''), '(3,4,)', call)
FROM unnest(ARRAY['jsonrow_populate_recordset(NULL::ot, ''{"cols":["n",{"c":["a","b"]}],"rows":[[1,[1,"2"]],[2,[3,'
	'"4"]]]}'')',
	'jsonrow_populate_recordset(NULL::ot, ''{"cols":["n","c"],"rows":[[1,{"a":1,"b":"2"}],[2,{"a":3,'
		'"b":"4"}]]}'')']) call;

-- ... and a base that is older than its type
CREATE FUNCTION alter_and_give(doc jsonb) RETURNS jsonb
	LANGUAGE plpgsql AS $$ BEGIN PERFORM alter_at_3(3); RETURN doc; END $$;
SELECT is(left(pg_temp.altering(format('SELECT string_agg(x::text, '' '') FROM (
		SELECT jsonrow_populate_recordset(%s, alter_and_give(''{"cols":["k"],"rows":[[7]]}'')) AS x FROM '
			'generate_series(1, 1) i) s', base),
	'CREATE TYPE ct AS (k int8, b int8)', 'ALTER TYPE ct ALTER ATTRIBUTE b TYPE ' || becomes, '(1,40000)', ''), 5),
	CASE WHEN current_setting('composite_type_mismatch', true) IS NULL THEN '42804' ELSE '22P07' END,
		format('base %s, to %s', base, becomes))
FROM unnest(ARRAY['VALUE::text::ct', 'VALUE::text::ct::ct_domain']) base,
	unnest(ARRAY['bytea', 'text', 'uuid', 'jsonb']) becomes;

-- A type within a type leaves it, and is dropped.
SELECT is(pg_temp.altering(format('SELECT string_agg((SELECT %s FROM (SELECT ROW(o.i, NULL)::ot AS v OFFSET 0) '
	'x)::text, '' '')
		FROM generate_series(1, 4) o(i) WHERE alter_at_3(o.i)', ours),
			'CREATE TYPE ct AS (a int, b text); CREATE TYPE ot AS (i int, c ct)',
	'ALTER TYPE ot DROP ATTRIBUTE c; DROP TYPE ct CASCADE', '', ''), expected, 'dropped within: ' || ours)
FROM (VALUES ('jsonrow_agg(''{c}'', x.v) -> ''cols''',
		'[{"c": ["i", {"c": ["a", "b"]}]}] [{"c": ["i", {"c": ["a", "b"]}]}] [{"c": ["i"]}] [{"c": ["i"]}]'),
	('jsonrow_agg(x.v) -> ''cols''', '["i", {"c": ["a", "b"]}] ["i", {"c": ["a", "b"]}] ["i"] ["i"]')) v(ours,
	expected);

--
-- Values that were stored before their type got more attributes: what they lack is NULL.
--
CREATE TYPE grown_inner AS (k int, t text);
CREATE TYPE grown AS (a int, b text, i grown_inner);
CREATE DOMAIN grown_domain AS grown;
CREATE TABLE stored_before (id int, c grown, d grown_domain, many grown[]);
CREATE TABLE has_grown (id int, g stored_before);
CREATE FUNCTION pg_temp.store(first int, more text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('INSERT INTO stored_before SELECT id, c, c, ARRAY[c, NULL]
		FROM generate_series(%s, %1$s + 2) id, LATERAL (SELECT CASE WHEN id %% 3 > 0 THEN ROW(id,
			CASE WHEN id %% 3 > 1 THEN ''text '' || id END, ROW(id, ''inner''%s))::grown END) v(c)', first, more);
	EXECUTE format('INSERT INTO has_grown SELECT id, s FROM stored_before s WHERE id >= %s', first);
END $$;
SELECT pg_temp.store(1, '') \g /dev/null
ALTER TYPE grown_inner ADD ATTRIBUTE u text;
SELECT pg_temp.store(4, ', ''more''') \g /dev/null
ALTER TYPE grown ADD ATTRIBUTE x int, ADD ATTRIBUTE j grown_inner, ADD ATTRIBUTE doc jsonrow, DROP ATTRIBUTE a;
INSERT INTO stored_before VALUES (7, ROW('all', ROW(1, 'i', 'u'), 7, ROW(2, 'j', NULL),
	'{"cols":["n"],"rows":[[1]]}')::grown,
	ROW(NULL, NULL, 8, NULL, NULL)::grown, '{}');
INSERT INTO has_grown SELECT id, s FROM stored_before s WHERE id = 7;
CREATE TABLE grown_call AS SELECT * FROM (VALUES
	('stored_before', 'jsonb_agg(c ORDER BY id)', 'AGG(c ORDER BY id)'),
	('stored_before', 'jsonb_agg(d ORDER BY id)', 'AGG(d ORDER BY id)'),
	('stored_before', 'jsonb_agg(jsonb_build_object(''v'', c, ''w'', d) ORDER BY id)',
		'AGG(''{v,w}'', c, d ORDER BY id)'),
	('stored_before', 'jsonb_agg(to_jsonb(s) - ''many'' ORDER BY id)',
		'AGG((SELECT r FROM (SELECT s.id, s.c, s.d) r) ORDER BY id)'),
	('stored_before', 'jsonb_agg(m) FILTER (WHERE id < 7)', 'AGG(m) FILTER (WHERE id < 7)'),
	('has_grown', 'jsonb_agg((g).c ORDER BY id)', 'AGG((g).c ORDER BY id)'),
	('has_grown', 'jsonb_agg(jsonb_build_object(''v'', to_jsonb(g) - ''many'') ORDER BY id)',
		'AGG(''{v}'', (SELECT r FROM (SELECT (s.g).id, (s.g).c, (s.g).d) r) ORDER BY id)')) v(source, oracle, ours);
-- A cell of the nested document is its rows to us, a document to PostgreSQL.
CREATE FUNCTION pg_temp.rows_only(value jsonb) RETURNS jsonb LANGUAGE sql AS $$
	SELECT replace(value::text, '{"cols": ["n"], "rows": [[1]]}', '[{"n": 1}]')::jsonb $$;
CREATE FUNCTION pg_temp.of_grown(source text, call text) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
	result jsonb;
BEGIN
	EXECUTE format('SELECT %s FROM %I s%s', call, source, CASE WHEN call ~ '\(m\)' THEN ', unnest(s.many) m' END)
		INTO result;
	RETURN result;
END $$;
SELECT is(jsonrow_to_objects(pg_temp.of_grown(source, replace(ours, 'AGG', agg))),
	pg_temp.known(pg_temp.rows_only(pg_temp.of_grown(source, oracle))),
	format('attributes added: %s of %s', replace(ours, 'AGG', agg), source))
FROM grown_call, unnest(ARRAY['jsonrow_agg', 'jsonrow_agg_json', 'jsoncol_agg', 'jsoncol_agg_json']) agg
-- by column, a null row is a row of nulls
WHERE agg !~ '^jsoncol' OR ours !~ 'AGG\(([cdm]|\(g\).c)[ )]';
SELECT is((jsonrow_agg('{c}', c ORDER BY id) -> 'rows')::text,
	'[[["text 2", [2, "inner", null], null, null, null]], [null], '
	'[["text 5", [5, "inner", "more"], null, null, null]], [["all", [1, "i", "u"], 7, [2, "j", null], [[1]]]]]',
	'attributes added: cells, by position') FROM stored_before WHERE id IN (2, 3, 5, 7);
SELECT is(jsonrow_array_agg(c ORDER BY id)::text, '[["text 2", {"k": 2, "t": "inner", "u": null}, null, null, null]]',
	'attributes added: without a header') FROM stored_before WHERE id = 2;
SELECT is(jsonrow_agg('{c}', c)::text, jsonrow_agg('{c}', ROW((c).b, (c).i, (c).x, (c).j, (c).doc)::grown)::text,
	'attributes added: as of a value made anew') FROM stored_before WHERE id = 4;

\set at_least 1240
\ir finish.psql
ROLLBACK;

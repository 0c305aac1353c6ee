-- PostgreSQL's own functions as ours (jsonrow_core_...): what cannot be seen in
-- rows of a relation, which check_core compares.
\ir oracle.psql

SELECT no_plan();

-- As they are called, planned and run: what pg_proc says of each is what it says of the original.
CREATE TEMPORARY TABLE core AS
SELECT p.oid, p.proname, regexp_replace(p.proname, '^jsonrow_core_', '') AS original, p.proargtypes,
	-- those that write the text of jsonb are compared with those that make jsonb
	p.proname ~ 'jsonb_(agg_)?text$' AS as_text
FROM pg_proc p JOIN pg_depend d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'
WHERE p.proname ~ '^jsonrow_core_' AND p.proname !~ '_(trans|final)fn$' AND p.prorettype <> 'internal'::regtype;
SELECT is(array_agg(DISTINCT original ORDER BY original)::text[], ARRAY['array_to_json', 'get', 'get_text', 'json_agg',
	'json_agg_build_array', 'json_agg_build_object', 'json_agg_row_to_json', 'json_agg_strict',
	'json_array_elements', 'json_array_elements_text', 'json_build_array', 'json_build_object', 'json_each',
	'json_each_text', 'json_object_agg', 'json_object_keys', 'json_populate_record', 'json_populate_recordset',
	'json_to_record', 'json_to_recordset', 'jsonb_agg', 'jsonb_agg_build_array', 'jsonb_agg_strict', 'jsonb_agg_text',
	'jsonb_array_elements', 'jsonb_array_elements_text', 'jsonb_build_array', 'jsonb_build_object', 'jsonb_each',
	'jsonb_each_text', 'jsonb_object_agg', 'jsonb_object_keys', 'jsonb_populate_record', 'jsonb_populate_recordset',
	'jsonb_to_record', 'jsonb_to_recordset', 'row_to_json', 'subscript', 'to_json', 'to_jsonb', 'to_jsonb_text'],
	'what there is')
	FROM core;
SELECT is(ROW(c.prokind, c.procost, c.prorows, c.proisstrict, c.proretset, c.proparallel, c.provariadic,
		c.proleakproof, CASE WHEN as_text THEN 'jsonb'::regtype ELSE c.prorettype END, CASE WHEN c.prokind = 'f' THEN
		c.provolatile END, a.aggtransspace, a.aggkind,
		a.aggfinalmodify, a.aggfinalextra, a.aggcombinefn, a.aggtranstype, a.agginitval),
	ROW(o.prokind, o.procost, o.prorows, o.proisstrict, o.proretset, o.proparallel, o.provariadic,
		o.proleakproof, o.prorettype, CASE WHEN o.prokind = 'f' THEN o.provolatile END, b.aggtransspace, b.aggkind,
		b.aggfinalmodify, b.aggfinalextra, b.aggcombinefn, b.aggtranstype, b.agginitval),
	'in pg_proc: ' || c.oid::regprocedure)
FROM core JOIN pg_proc c USING (oid) LEFT JOIN pg_aggregate a ON a.aggfnoid = c.oid
JOIN pg_proc o ON o.proname = CASE WHEN as_text THEN regexp_replace(original, '_text$', '') ELSE original END AND
	o.pronamespace = 'pg_catalog'::regnamespace
	AND o.proargtypes = core.proargtypes
LEFT JOIN pg_aggregate b ON b.aggfnoid = o.oid;

-- A call of one of PostgreSQL's functions, and the same of ours: result, or error.
CREATE FUNCTION pg_temp.same_outcome(call text, source text DEFAULT '') RETURNS text LANGUAGE sql AS $$
	SELECT is(
		-- an original's hint, the fourth line of an error, has its name
		regexp_replace(pg_temp.outcome(format('SELECT (%s)::text %s', regexp_replace(call, 'CORE\.', 'jsonrow_core_', 'g'),
			source)), '^(\w{5}\n.*\n.*\n.*)jsonrow_core_', '\1'),
		pg_temp.outcome(format('SELECT (%s)::text %s', regexp_replace(call, 'CORE\.', '', 'g'), source)),
		concat_ws(' ', call, source)) $$;

CREATE TYPE pair AS (a int, b text);
CREATE TYPE mood AS ENUM ('sad', 'fine "so"');
CREATE DOMAIN word AS text;
CREATE TYPE ranged AS RANGE (subtype = float8);
CREATE FUNCTION ranged_json(ranged) RETURNS json LANGUAGE plpgsql AS $$ BEGIN RAISE 'range %', $1; END $$;
CREATE CAST (ranged AS json) WITH FUNCTION ranged_json(ranged);

-- keys of every type, constant or not
SELECT pg_temp.same_outcome(format('CORE.%s_build_object(%s, 1)', f, key))
FROM unnest(ARRAY['json', 'jsonb']) f, unnest(ARRAY['''a"\'' ', '1', '1.50', 'true', 'NULL', 'NULL::text',
	'''x''::name',
	'''x''::varchar', '''x  ''::char(3)', '''2020-01-02''::date', '''infinity''::timestamp', '''1 day''::interval',
	'''fine "so"''::mood', '''w''::word', '1::oid', 'gen_random_uuid() IS NULL', '''\xab''::bytea', '''NaN''::float8',
	'1e100::float8', 'ARRAY[1]', 'ROW(1)', '''{}''::json', '''{}''::jsonb', '''[1,2]''::ranged', '''[1,2)''::int4range',
	'lower(''K'')', 'i::text', 'i', 'repeat(''k'', 300)', '''''']) key
WHERE key !~ '^i';
SELECT pg_temp.same_outcome(format('json_agg(CORE.%s_build_object(%s, x, ''z'', 1))', f, key),
	'FROM (SELECT i, nullif(i, 2) AS x FROM generate_series(1, 3) i) s')
FROM unnest(ARRAY['json', 'jsonb']) f, unnest(ARRAY['i', 'i::text', 'x', '''c''', 'ARRAY[i]']) key;
SELECT pg_temp.same_outcome(format('CORE.%s_object_agg(%s, x)', f, key),
	'FROM (SELECT i, nullif(i, 2) AS x, i % 4 AS m FROM generate_series(1, 40) i) s')
FROM unnest(ARRAY['json', 'jsonb']) f, unnest(ARRAY['i', 'i::text', 'm', 'm * 1.50', 'x', '''c''', 'NULL', 'ARRAY[i]',
	'ROW(i)', 'i = 1', 'to_json(i)', '''2020-01-01''::date + i', 'repeat(''k'', i)', '''[1,2]''::ranged']) key;
SELECT pg_temp.same_outcome(format('CORE.%s_object_agg(g, %s)', f, val),
	'FROM (SELECT i AS g, nullif(i, 2) AS x FROM generate_series(1, 40) i) s')
FROM unnest(ARRAY['json', 'jsonb']) f, unnest(ARRAY['x', '''lit''', 'NULL', 'ARRAY[x, 1]', 'ROW(x, ''a'')',
	'to_json(x)',
	'to_jsonb(s)', '''"\u0000"''::json', '''[1,2]''::ranged']) val;
SELECT pg_temp.same_outcome(format('CORE.%s_object_agg(1, 2)', f), 'WHERE false') FROM unnest(ARRAY['json',
	'jsonb']) f;
SELECT pg_temp.same_outcome(format('string_agg(o::text, '','')'), format('FROM (SELECT CORE.%s_object_agg(i, i) '
	'OVER (ORDER BY i ROWS BETWEEN 1 PRECEDING AND 2 FOLLOWING) AS o FROM generate_series(1, 9) i) s', f))
FROM unnest(ARRAY['json', 'jsonb']) f;

-- no arguments, one, an odd number, a VARIADIC array
SELECT pg_temp.same_outcome(format('CORE.%s_build_%s(%s)', f, what, args))
FROM unnest(ARRAY['json', 'jsonb']) f, unnest(ARRAY['array', 'object']) what,
	unnest(ARRAY['NULL', '1', '''a'', 1, ''b''', 'VARIADIC ARRAY[''a'', ''b'']', 'VARIADIC ARRAY[1, NULL]',
		'VARIADIC NULL::text[]', 'VARIADIC ''{}''::text[]',
		'''a'', NULL, ''a'', ''lit'', ''b'', ROW(1, ''x''), ''c'', ARRAY[[1],[2]]',
		'''a'', ''"\u0000"''::json', '''zz'', ''[1,2]''::ranged, ''a'', ''[3,4]''::ranged',
		'''a'', ''[1,2]''::ranged, ''a'', 3']) args;

-- values of one argument
SELECT pg_temp.same_outcome(format('CORE.%s(%s)', f, val))
FROM unnest(ARRAY['to_json', 'to_jsonb']) f, unnest(ARRAY['1', '''x''::text', 'NULL::int', 'true',
	'''NaN''::numeric', '1.500',
	'''{"b": 1, "a": [1,  2]}''::json', '''{"b": 1, "a": [1,  2]}''::jsonb', '''  3 ''::json', '''"s"''::jsonb',
	'''null''::jsonb',
	'ARRAY[1, NULL]', '''{}''::int[]', 'ARRAY[ROW(1, ''x'')]', 'ROW(NULL)', 'NULL::pair', 'ROW(1, ''x'')::pair',
	'''[1,2]''::ranged',
	'''"\u0000"''::json', '''a "b"''::word', '''\x00''::bytea', '''1 mon''::interval', 'current_date',
	'''1 2''::int2vector']) val;
SELECT pg_temp.same_outcome(format('CORE.%s(%s%s)', f, val, pretty))
FROM unnest(ARRAY['', ', true', ', false', ', NULL']) pretty, (VALUES ('row_to_json',
	'ROW(1, ''x'', ROW(2), ARRAY[1,2])'),
	('row_to_json', 'NULL::pair'), ('row_to_json', 'ROW(1, ''x'')::pair'), ('array_to_json', 'ARRAY[[1,2],[3,NULL]]'),
	('array_to_json', '''{}''::text[]'), ('array_to_json', 'ARRAY[ROW(1, ''a''), NULL]::pair[]'), ('array_to_json',
	'NULL::int[]'),
	('array_to_json', 'ARRAY[''[1,2]''::ranged]')) c(f, val);

-- aggregates over one argument: rows, NULLs among them, arrays, scalars, in any order
CREATE TABLE sample (x int, r pair, a int[], j json);
INSERT INTO sample VALUES (1, NULL, '{1,2}', '{"k" :  1}'), (2, '(1,x)', NULL, NULL), (NULL, '(2,)', '{}', '"s"'),
	(4, NULL, '{{1},{2}}', ' [ ] '), (5, '(,)', '{NULL}', 'null');
SELECT pg_temp.same_outcome(format('CORE.%s(%s)', f, val), source)
FROM unnest(ARRAY['json_agg', 'jsonb_agg']) f, unnest(ARRAY['x', 'r', 'a', 'to_json(x)', 'to_jsonb(r)', 's', 'j',
	'x::text', '''lit''::text', 'NULL::pair', 's ORDER BY x DESC', 'r ORDER BY x', 'DISTINCT x', 'x + 2147483640']) val,
	unnest(ARRAY['FROM sample s', 'FROM sample s WHERE false', 'FROM (VALUES (1)) v(n) LEFT JOIN sample s ON false',
		'FROM sample s GROUP BY x IS NULL ORDER BY count(*) LIMIT 1']) source;
SELECT pg_temp.same_outcome(format('string_agg(o::text, '','')', f),
	format('FROM (SELECT CORE.%s(%s) OVER (ORDER BY x '
	'ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) AS o FROM sample s) w', f, val))
FROM unnest(ARRAY['json_agg', 'jsonb_agg']) f, unnest(ARRAY['x', 'r', 's']) val;

-- the strict ones leave NULLs out; PostgreSQL has them since 16
SELECT is(jsonrow_core_json_agg_strict(x)::text, '[1, 2, 4, 5]', 'json_agg_strict') FROM sample;
SELECT is(jsonrow_core_json_agg_strict(r ORDER BY x)::text,
	E'[{"a":1,"b":"x"}, \n {"a":null,"b":null}, \n {"a":2,"b":null}]',
	'json_agg_strict of rows') FROM sample;
SELECT is(jsonrow_core_jsonb_agg_strict(x)::text, '[1, 2, 4, 5]', 'jsonb_agg_strict') FROM sample;
SELECT is(jsonrow_core_json_agg_strict(NULL::int)::text, '[]', 'json_agg_strict of NULLs') FROM sample;
SELECT is(jsonrow_core_jsonb_agg_strict(x), NULL, 'jsonb_agg_strict of no rows') FROM sample WHERE false;

-- a key that is a variable: in PL/pgSQL an expression is kept from one time to the next
CREATE FUNCTION pg_temp.keys(core boolean) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	k text;
	result text := '';
	j jsonb;
BEGIN
	FOREACH k IN ARRAY ARRAY['a', 'a', 'b', repeat('c', 3000), NULL, 'd'] LOOP
		BEGIN
			IF core THEN
				j := jsonrow_core_jsonb_build_object(k, 1, 'z', k);
			ELSE
				j := jsonb_build_object(k, 1, 'z', k);
			END IF;
			result := result || j;
		EXCEPTION WHEN OTHERS THEN
			result := result || SQLERRM;
		END;
	END LOOP;
	RETURN result;
END $$;
SELECT is(pg_temp.keys(true), pg_temp.keys(false), 'keys that are variables');

-- a cast that comes and goes while an expression of PL/pgSQL is kept
CREATE TYPE cast_later AS (n int);
CREATE TYPE span AS RANGE (subtype = int4);
CREATE FUNCTION span_json(span) RETURNS json LANGUAGE sql AS $$ SELECT to_json(upper($1)) $$;
CREATE FUNCTION pg_temp.casts(core boolean) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	s span := '[1,9)';
	result text := '';
BEGIN
	FOR i IN 1 .. 3 LOOP
		IF core THEN
			result := result || jsonrow_core_to_json(s) || jsonrow_core_json_build_object('s', s)
			|| jsonrow_core_json_build_array(s);
		ELSE
			result := result || to_json(s) || json_build_object('s', s) || json_build_array(s);
		END IF;
		IF i = 1 THEN
			CREATE CAST (span AS json) WITH FUNCTION span_json(span);
		ELSIF i = 2 THEN
			DROP CAST (span AS json);
		END IF;
	END LOOP;
	RETURN result;
END $$;
SELECT is(pg_temp.casts(true), pg_temp.casts(false), 'casts that come and go');
SELECT matches(pg_temp.casts(true), '"\[1,9\)".*9.*"\[1,9\)"', 'that cast is seen');

-- a cast's function that is replaced meanwhile, by one in another language, too
CREATE CAST (span AS json) WITH FUNCTION span_json(span);
CREATE FUNCTION pg_temp.replaced(core boolean) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	s span := '[1,9)';
	result text := '';
BEGIN
	FOR i IN 1 .. 4 LOOP
		IF core THEN
			result := result || jsonrow_core_to_json(s) || jsonrow_core_json_build_object('s', s);
		ELSE
			result := result || to_json(s) || json_build_object('s', s);
		END IF;
		IF i = 1 THEN
			CREATE OR REPLACE FUNCTION span_json(span) RETURNS json LANGUAGE plpgsql AS 'BEGIN RETURN 2; END';
		ELSIF i = 2 THEN
			CREATE OR REPLACE FUNCTION span_json(span) RETURNS json LANGUAGE sql AS 'SELECT to_json(3)';
		ELSE
			CREATE OR REPLACE FUNCTION span_json(span) RETURNS json LANGUAGE plpgsql SET timezone = 'Asia/Tokyo'
				AS 'BEGIN RETURN to_json(current_setting(''timezone'')); END';
		END IF;
	END LOOP;
	CREATE OR REPLACE FUNCTION span_json(span) RETURNS json LANGUAGE sql AS 'SELECT to_json(upper($1))';
	RETURN result;
END $$;
SELECT is(pg_temp.replaced(true), pg_temp.replaced(false), 'a function of a cast that is replaced');
SELECT matches(pg_temp.replaced(true), '^9.*2.*3.*Tokyo', 'each of them is called');
DROP CAST (span AS json);

-- names and values
SELECT is(jsonrow_core_row_to_json('{b,a,b}', 1, NULL, 'x')::text, '{"b":1,"a":null,"b":"x"}', 'row_to_json of names');
SELECT is(jsonrow_core_to_jsonb('{b,a,b}', 1, NULL, 'x')::text, '{"a": null, "b": "x"}', 'to_jsonb of names');
SELECT is(string_agg(jsonrow_core_to_jsonb(ARRAY['n' || x], x)::text, ''), '{"n1": 1}{"n2": 2}{"n4": 4}{"n5": 5}',
	'names that change') FROM sample WHERE x > 0;
SELECT throws_ok($$SELECT jsonrow_core_to_jsonb(NULL, 1)$$, '22004', 'column names must not be null', 'no names');
SELECT throws_ok($$SELECT jsonrow_core_to_jsonb('{a,NULL}', 1, 2)$$, '22004', 'name of column 2 must not be null',
	'a NULL name');
SELECT throws_ok($$SELECT jsonrow_core_row_to_json('{a}', 1, 2)$$, '22023',
	pg_temp.count_error(1, 2), 'too few names');
SELECT throws_ok($$SELECT jsonrow_core_row_to_json('{a}', VARIADIC ARRAY[1])$$, '0A000',
	'values must be passed as separate arguments',
	'a VARIADIC array');
SELECT throws_ok(format('SELECT %s(''{a}'', 1, 2)', f), '22023',
	pg_temp.count_error(1, 2), 'too few names for ' || f)
FROM unnest(ARRAY['jsonrow_core_json_agg', 'jsonrow_core_jsonb_agg', 'jsonrow_core_json_agg_row_to_json',
	'jsonrow_core_json_agg_build_object']) f;
SELECT is(jsonrow_core_json_agg_build_object('{b,a}', x, r)::text, json_agg(json_build_object('b', x, 'a', r))::text,
	'json_agg(json_build_object)') FROM sample;

\set at_least 395
\ir finish.psql
ROLLBACK;

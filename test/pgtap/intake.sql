-- JSON into rows, by PostgreSQL's own functions: the same with jsonrow.accelerate off and on, to the row, the
-- error and its context.  test/queries/intake.py makes random ones.
\ir oracle.psql

SELECT plan(505);
-- The settings are there when the library is loaded.
SELECT jsonrow_is_valid(jsonb '{}') \g /dev/null

CREATE TYPE pair AS (x int, y text);
CREATE DOMAIN positive AS int CHECK (VALUE > 0);
CREATE DOMAIN needed AS text NOT NULL;
CREATE DOMAIN ints AS int[] CHECK (cardinality(VALUE) < 3);
CREATE DOMAIN sound_pair AS pair CHECK ((VALUE).x > 0);
CREATE TYPE mood AS ENUM ('sad', 'fine "so"');
CREATE TYPE holder AS (p pair, a pair[], m mood, d sound_pair);
CREATE TABLE altered (a int, dropped int, "B b" text, c numeric(10,2) DEFAULT 5);
ALTER TABLE altered DROP dropped, ADD e timestamptz;

CREATE FUNCTION pg_temp.same(query text) RETURNS text LANGUAGE sql AS $$
	SELECT is(pg_temp.outcome_with_context(query, 'on'), pg_temp.outcome_with_context(query, 'off'),
		'same: ' || left(regexp_replace(query, '\s+', ' ', 'g'), 200)) $$;
-- Many queries in one test: those that differ
CREATE FUNCTION pg_temp.same_all(queries text[], description text) RETURNS text LANGUAGE sql AS $$
	SELECT is(array_agg(format(E'%s\n%s\ninstead of\n%s', query, a, b)) FILTER (WHERE a IS DISTINCT FROM b), NULL,
		description || format(' (%s queries)', count(*)))
	FROM (SELECT query, pg_temp.outcome_with_context(query, 'on') AS a, pg_temp.outcome_with_context(query, 'off')
		AS b
		FROM unnest(queries) query WHERE pg_temp.chosen(query)) s $$;

-- The same of a statement whose changes are undone
CREATE FUNCTION pg_temp.sent(query text, accelerate text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	result := pg_temp.outcome_with_context(query, accelerate);
	RAISE SQLSTATE 'UNDO0';
EXCEPTION WHEN SQLSTATE 'UNDO0' THEN
	RETURN result;
END $$;

--
-- documents of every shape, for each function
--
CREATE TEMPORARY TABLE document AS SELECT d FROM unnest(ARRAY['[]', '{}', ' [ ] ', 'null', '1', '"x"', 'true',
	'"\u0000"', '[{}]', '[{"a":1}]', '[{"a":1},2]', '[{"a":1},"\ud800"]', '[{"a":1},null,{"a":"x"}]', '[[{"a":1}]]',
	'{"a":1,"b":"x"}', '{"a":1,"a":2}', '[{"a":1,"a":2},{"a":3,"a":null}]', '[{"A":1,"a":null},{"b":"y","a":7}]',
	'[{"b":"q\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00","\u0061":5}]', '[{"b":"\u0000"}]', '[{"z":"\u0000","a":1}]',
	'[{"z":{"y":["\ud800"]},"a":1}]', '[{"a":1},{"\ude00":1}]', '[{"a":"x"},{"b":"\u0000"}]',
		'[{"a":1},{"b":"\ud83d"},{"a":"x"}]',
	'{"b":"\ud83d\ud83d"}', '{"a":{"b":"\u0000"}}', '["\u0000",1]', '[1,"\ud800\u0041"]',
		'[1,[2,{"a":null}],null,"t",true,1.50,"\u00e9"]',
	'{"k":[1, 2],"l":{"m": null},"n":null,"o":"s\u0041","p":1e5,"q":false}', '{"":1,"":2}',
	'[{"' || repeat('a', 63) || '":1,"' || repeat('a', 64) || '":2,"' || repeat('a', 65) || '":3}]',
	'{"' || repeat('a', 64) || '":2}', ' {"a" : 1 , "b" : [ 1 , 2 ] } ', E'[\n{"a":\t1\r\n} , {"b":[{"c":{}}]}\n]',
	E'[{"a":1},\n{"b":"0123456789012345678901234567890123456789012345678901234567890123456789\\u0000"}]',
	'[' || repeat('{"b":"' || repeat('x', 300) || '"},', 50) || '{"a":12}]', repeat('[', 500) || repeat(']', 500),
	'[{"a":1,"b":{"a":2,"b":[{"a":3}]}},{"b":[1,{"a":4}],"a":5}]', '[{"b":"x"},{"a":2147483648}]']) d;
CREATE TEMPORARY TABLE call (kind text, call text);
INSERT INTO call VALUES ('parts', 'FROM J_array_elements(DOC)'), ('parts',
	'FROM J_array_elements_text(DOC) WITH ORDINALITY'),
	('parts', 'FROM J_each(DOC) x'), ('parts', 'FROM J_each_text(DOC) x(k, v)'), ('parts',
		'FROM J_object_keys(DOC) k'),
	('records', 'FROM J_to_recordset(DOC) x(a int, b text)'), ('records',
		'FROM J_to_recordset(DOC) x(b varchar(5), c positive, "A" numeric, a int4)'),
	('records', 'FROM J_to_recordset(DOC) x(b J, z text, a int[])'), ('records',
		'FROM J_to_recordset(DOC) x(b needed, a int)'),
	('records', 'FROM J_to_recordset(DOC) x("' || repeat('a', 63) || '" int)'),
	('records', 'FROM J_to_recordset(DOC) WITH ORDINALITY'),
	('records', 'FROM J_to_record(DOC) x(a int, b text)'), ('records', 'FROM J_to_record(DOC) x(a text, b J)'),
	('records', 'FROM ROWS FROM (J_to_recordset(DOC) AS (a int, b text), generate_series(1, 2)) WITH ORDINALITY'),
	('populate', 'FROM J_populate_recordset(NULL::altered, DOC) x'), ('populate',
		'FROM J_populate_recordset(ROW(7, ''base'', 1, now())::altered, DOC) x'),
	('populate', 'FROM J_populate_recordset(NULL::sound_pair, DOC) x'), ('populate',
		'FROM J_populate_recordset(ROW(1, ''b'')::sound_pair, DOC) x'),
	('populate', 'FROM J_populate_recordset(NULL::record, DOC) x(a int, b text)'), ('populate',
		'FROM J_populate_recordset(ROW(1, 2), DOC) x(f1 int, f2 int)'),
	('populate', 'FROM J_populate_recordset(ROW(1, 2), DOC) x(f1 int, f2 text)'), ('populate',
		'FROM J_populate_recordset(1, DOC) x'),
	('populate', 'FROM J_populate_record(NULL::altered, DOC) x'), ('populate',
		'FROM J_populate_record(ROW(7, ''base'', 1, now())::altered, DOC) x'),
	('populate', 'FROM J_populate_record(NULL::sound_pair, DOC) x'), ('populate',
		'FROM J_populate_record(NULL::record, DOC) x(a int, b text)'),
	('populate', 'FROM J_populate_record(NULL::record, DOC) x'), ('populate', 'FROM J_populate_record(2, DOC) x'),
	('populate', 'FROM (SELECT 1 AS a, ''two'' AS b, 3 AS a) q, J_populate_record(q, DOC) x(a int, b text, c int)'),
	('select', 'J_array_elements(DOC)'), ('select', 'J_array_elements_text(DOC), generate_series(1, 2)'),
		('select', 'J_each(DOC)'),
	('select', '(J_each_text(DOC)).*'), ('select', 'J_object_keys(DOC)'), ('select', 'J_to_record(DOC)'),
		('select', 'J_to_recordset(DOC)'),
	('select', 'J_populate_record(NULL::altered, DOC)'), ('select',
		'(J_populate_recordset(ROW(1, ''b'')::pair, DOC)).*'),
	('select', 'J_populate_record(NULL::record, DOC)'), ('select', 'J_populate_recordset(NULL::record, DOC)'),
	('select', 's, J_populate_record(CASE s WHEN 1 THEN ROW(s, 2) WHEN 2 THEN ROW(''x''::text) ELSE ROW(1, 2, 3) '
		'END, DOC) FROM generate_series(1, 3) s');
SELECT pg_temp.same_all(array_agg('SELECT ' || CASE WHEN kind = 'select' THEN '' ELSE '* ' END ||
	replace(replace(call, 'DOC', coalesce(quote_literal(d), 'NULL') || '::' || j), 'J', j) ORDER BY d),
		replace(call, 'J', j))
FROM call, unnest(ARRAY['json', 'jsonb']) j, (TABLE document UNION ALL VALUES (NULL)) d GROUP BY call, kind, j;

--
-- values of every kind for each type
--
CREATE TEMPORARY TABLE value AS SELECT v FROM unnest(ARRAY['null', 'true', 'false', '0', '-0', '1', '-1', '12',
	'127', '32767',
	'32768', '-32768', '-32769', '2147483647', '2147483648', '-2147483648', '-2147483649', '9223372036854775807',
		'9223372036854775808',
	'-9223372036854775808', '-9223372036854775809', '1.0', '1.50', '-0.0', '0.1', '1e2', '1E-3', '1e400',
		'-1e-400', '4.9e-324', '1.7976931348623157e308',
	'123456789012345678901234567890', '0.30000000000000004', '16777217', '9007199254740993', '9007199254740992.5',
		'3.4028235e38', '3.5e38',
	'0.000001', '12345678.12345678', '99999.995', '99999999.995', '12345.6', '0.00001',
		'100000000000000000000000', '1e22', '1e23', '12e-22', '10000', '100000000.00010000',
	'""', '"x"', '" 1"', '"1 "', '"007"', '"+1"', '"0x1A"', '"1_000"', '"NaN"', '"-Infinity"', '"true"', '"t"',
		'"yes"', '"sad"', '"null"', '"-"',
	'"--1"', '"1."', '".5"', '"1e3"', '"1.50"', '"\u0031"', '"fine \"so\""', '"é€😀"', '"abcdefghijklmnop"',
		'"ab "', '"abcé"', '"a\u0001b"',
	'"2020-01-02"', '"2020-1-2"', '"2020-01-02 03:04:05"', '"2020-01-02T03:04:05.678901+05:30"',
		'"2020-01-02T03:04:05Z"', '"2020-01-02T03:04:05+Z"',
	'"2020-01-02 03:04:05.5-08"', '"2020-01-02t03:04:05z"', '"2020-02-30"', '"2020-02-29T24:00:00"',
		'"2020-12-31 23:59:60"', '"infinity"', '"0001-01-01T00:00:00"', '"10:20:30"', '"10000-01-01"',
	'"0000-01-01"', '"2020-01-02T03:04:05.1234567"', '"2020-01-02T03:04:05+16"', '"2020-01-02 BC"',
	'"12345678-1234-1234-1234-123456789abc"', '"12345678-1234-1234-1234-123456789ABC"',
		'"{12345678123412341234123456789abc}"', '"12345678-1234-1234-1234-123456789abg"',
	'"12345678-1234-1234-1234+123456789abc"', '"{1,2}"', '"{a,NULL}"', '"(1,x)"', '"(0,x)"', '"[1,2]"',
		'"{\"k\":1}"', '"1 day"', '"\\x00ff"',
	'[]', '[[]]', '[[],[]]', '[1,2]', '[1,2,3]', '["1", null, "x"]', '[[1,2],[3,4]]', '[[1,2],[3]]', '[[1],2]',
		'[1,[2]]', '[[[[[[[1]]]]]]]', '[{"x":1,"y":"a"},null,{"y":null}]',
	'[{"x":1},[1]]', '[0]', '["sad"]', '["{1,2}"]', '[[{"x":1}],[{"x":2}]]', '{}', '{"x":1,"y":"a"}', '{"x":0}',
		'{"X":1}', '{"x":"z"}', '{"x":1,"x":null}', '[1 , "\u00e9" ]', '{"k" : "\u00e9\/"}',
	'"\u0041\/\u00e9\n"', '{"p":{"x":1},"a":[{"x":2,"y":"b"},{}],"m":"sad","d":{"x":5}}',
		'{"p":"(1,x)","a":["(1,2)"]}', '{"d":{"x":0}}', '{"a":{"x":1}}', '{"a":[[{"x":1}],3]}']) v;
SELECT pg_temp.same_all(array_agg(format('SELECT * FROM %s_to_recordset(%L) x(a %s)', j, format('[{"a":%s}]', v),
	t)), t || ' from ' || j)
FROM unnest(ARRAY['json', 'jsonb']) j, unnest(ARRAY['int2', 'int4', 'int8', 'float4', 'float8', 'numeric',
	'numeric(10,2)', 'numeric(5,5)', 'numeric(3,-1)',
	'numeric(2,4)', 'text', 'varchar', 'varchar(3)', 'char', 'char(4)', '"char"', 'name', 'boolean',
		'timestamptz', 'timestamp', 'timestamptz(0)', 'date', 'time', 'timetz',
	'interval', 'uuid', 'json', 'jsonb', 'bytea', 'oid', 'inet', 'bit(3)', 'xid', 'money', 'mood', 'positive',
		'needed', 'ints', 'sound_pair', 'pair', 'holder',
	'altered', 'int4[]', 'text[]', 'numeric(4,1)[]', 'varchar(2)[]', 'json[]', 'jsonb[]', 'pair[]', 'ints[]',
		'positive[]', 'mood[]', 'timestamptz[]', 'holder[]', 'int2vector',
	'tsvector', 'point', 'int4range', 'int4multirange', 'regtype', 'jsonpath', 'record[]']) t, value GROUP BY j, t;
-- with settings that input functions know
SET LOCAL DateStyle = 'SQL, DMY';
SET LOCAL TimeZone = 'America/St_Johns';
SELECT pg_temp.same_all(array_agg(format('SELECT * FROM json_to_recordset(%L) x(a %s)', format('[{"a":%s}]', v),
	t)), t || ' with another DateStyle and TimeZone')
FROM unnest(ARRAY['timestamptz', 'timestamp', 'date']) t, value GROUP BY t;
SET LOCAL DateStyle = 'ISO, MDY';
SET LOCAL TimeZone = 'UTC';
-- what is nested starts from what the base has there
SELECT pg_temp.same_all(array_agg(format('SELECT %s_populate_record(ROW(ROW(1, ''base''), ARRAY[ROW(1, '
	'''base'')]::pair[], ''sad'', ROW(2, ''d''))::holder, %L)',
	j, format('{"p":%s,"a":%1$s}', v))), 'a base with composites, ' || j) FROM unnest(ARRAY['json', 'jsonb']) j,
		value GROUP BY j;

--
-- where it is replaced; estimates, costs and plans stay
--
CREATE TABLE stored (id int PRIMARY KEY, j json, b jsonb);
INSERT INTO stored SELECT i, format('[{"a":%s,"b":"x%1$s"},{"a":null}]', i)::json,
	format('{"k%s":{"a":1},"l":[1,2,null]}', i)::jsonb
FROM generate_series(1, 20) i;
ANALYZE stored;
CREATE FUNCTION pg_temp.plan_of(query text, accelerate text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	line text;
	plan text := '';
BEGIN
	PERFORM set_config('jsonrow.accelerate', accelerate, true);
	FOR line IN EXECUTE 'EXPLAIN (VERBOSE) ' || query LOOP
		plan := plan || line || E'\n';
	END LOOP;
	RETURN plan;
END $$;
CREATE TEMPORARY TABLE placed (calls int, query text);
INSERT INTO placed VALUES
	(1, 'SELECT * FROM json_to_recordset(''[{"a":1}]'') x(a int)'),
	(1, 'SELECT s.id, x.* FROM stored s, json_to_recordset(s.j) x(a int, b text) WHERE a > 3'),
	(1, 'SELECT s.id, x.* FROM stored s LEFT JOIN LATERAL ROWS FROM (json_to_recordset(s.j) AS (a int, b text)) '
		'WITH ORDINALITY x(a, b, n) ON x.n = 1'),
	(2, 'SELECT * FROM stored s, ROWS FROM (json_array_elements(s.j), jsonb_object_keys(s.b), generate_series(1, '
		'2)) x'),
	(2, 'SELECT json_array_elements(j) -> ''a'', jsonb_object_keys(b) FROM stored'),
	(1, 'SELECT DISTINCT jsonb_object_keys(b) FROM stored'),
	(1, 'SELECT jsonb_object_keys(b) AS k, count(*) FROM stored GROUP BY k ORDER BY k'),
	(1, 'SELECT jsonb_object_keys(b) || ''x'', count(*) FROM stored GROUP BY jsonb_object_keys(b) ORDER BY 1'),
	(1, 'SELECT id FROM stored ORDER BY jsonb_object_keys(b), id'),
	(1, 'SELECT id FROM stored WHERE EXISTS (SELECT FROM json_array_elements(j) e WHERE e ->> ''a'' = ''7'')'),
	(1, 'SELECT id, (SELECT string_agg(key, '','') FROM jsonb_each(b)) FROM stored'),
	(1, 'SELECT id, (SELECT sum(a) FROM json_populate_recordset(NULL::altered, j)) FROM stored'),
	(1, 'SELECT id, x FROM stored, jsonb_populate_record(NULL::altered, b) x'),
	(1, 'SELECT id, (jsonb_populate_record(NULL::altered, b)).e FROM stored'),
	(2, 'SELECT json_agg(e ORDER BY e ->> ''a'') FROM stored, json_array_elements(j) e'),
	(1, 'WITH c AS MATERIALIZED (SELECT jsonb_each_text(b) FROM stored) SELECT * FROM c'),
	(1, 'INSERT INTO altered (a, "B b") SELECT * FROM jsonb_to_record(''{"a":1,"b":"x"}'') x(a int, b text) '
		'RETURNING *'),
	(1, 'DELETE FROM stored USING json_array_elements_text(''["1","2"]'') v WHERE id = v::int RETURNING id'),
	(0, 'SELECT id FROM stored WHERE (jsonb_populate_record(NULL::altered, b)).a = 1'),
	(0, 'SELECT json_array_length(j) FROM stored');
SELECT is(pg_temp.sent(query, 'on'), pg_temp.sent(query, 'off'), 'same: ' || query) FROM placed;
SELECT is((SELECT count(DISTINCT m) FROM regexp_matches(pg_temp.plan_of(query, 'on'), 'jsonrow_core_json\w+\(',
	'g') m)::int, calls,
	'functions of ours in the plan: ' || query) FROM placed;
-- (Without parentheses, of which calls and operators have different ones.)
SELECT is(translate(regexp_replace(regexp_replace(regexp_replace(pg_temp.plan_of(query, 'on'),
		'(\w+\.)?jsonrow_core_', '', 'g'), '(Function Scan on (\w+)) \2  ', '\1  ', 'g'),
		'\mget_text\((\w+\.\w+), ([^)]+)\)', '\1 ->> \2', 'g'), '()', ''),
	translate(replace(pg_temp.plan_of(query, 'off'), 'pg_catalog.', ''), '()', ''),
	'plan, estimates and costs: ' || query) FROM placed;

-- prepared, planned once or anew; a revoked function is not replaced
PREPARE prepared (json) AS SELECT * FROM json_to_recordset($1) x(a int, b text);
CREATE FUNCTION pg_temp.prepared(mode text) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
	result text[] := '{}';
BEGIN
	PERFORM set_config('plan_cache_mode', mode, true);
	FOR i IN 1 .. 3 LOOP
		result := result || pg_temp.outcome_with_context(format('EXECUTE prepared(%L)',
			format('[{"b":"\u00e%s","a":%1$s}]', i)), 'on');
	END LOOP;
	RETURN result || pg_temp.outcome_with_context('EXECUTE prepared(NULL)', 'on');
END $$;
SELECT is(pg_temp.prepared('force_generic_plan'), ARRAY['{"(1,á)"}', '{"(2,â)"}', '{"(3,ã)"}', '{}'],
	'prepared, one plan');
SELECT is(pg_temp.prepared('force_custom_plan'), pg_temp.prepared('force_generic_plan'), 'prepared, new plans');
SET LOCAL jsonrow.accelerate = on;
SAVEPOINT granted;
REVOKE EXECUTE ON FUNCTION json_to_recordset(json) FROM PUBLIC;
SELECT unalike(pg_temp.plan_of('SELECT * FROM json_to_recordset(''[]'') x(a int)', 'on'), '%jsonrow_core%',
	'a function that was revoked stays');
ROLLBACK TO granted;
SELECT alike(pg_temp.plan_of('SELECT * FROM json_to_recordset(''[]'') x(a int)', 'on'), '%jsonrow_core%',
	'... until it is granted again');

--
-- the functions by themselves: with another row type at each call, in a cursor that goes back
--
SELECT is(array_agg(jsonrow_core_json_populate_record(CASE i WHEN 1 THEN ROW(1, 2) ELSE ROW('x'::text) END,
	'{"f1":7}')::text ORDER BY i),
	'{"(7,2)",(7)}'::text[], 'records of different types') FROM generate_series(1, 2) i;
DECLARE back SCROLL CURSOR FOR SELECT value #>> '{}' FROM json_array_elements('[1,2,3]');
FETCH 3 FROM back \g /dev/null
CREATE FUNCTION pg_temp.fetched(direction text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	c refcursor := 'back';
	v text;
BEGIN
	CASE direction WHEN 'first' THEN FETCH FIRST FROM c INTO v; WHEN 'prior' THEN FETCH PRIOR FROM c INTO v; ELSE
		FETCH LAST FROM c INTO v; END CASE;
	RETURN v;
END $$;
SELECT is(pg_temp.fetched('first'), '1', 'a cursor goes to the first');
SELECT is(pg_temp.fetched('last'), '3', '... and to the last');
SELECT is(pg_temp.fetched('prior'), '2', '... and back');
CLOSE back;

--
-- what tools send, as it is and prepared
--
CREATE TABLE item (id int PRIMARY KEY, name text, price numeric(10,2), tags text[], at timestamptz, extra jsonb,
	ok boolean DEFAULT true);
CREATE TEMPORARY TABLE tool (name text, sql text, arguments text);
INSERT INTO tool VALUES ('PostgREST, insert', $$WITH pgrst_source AS (INSERT INTO "jsonrow_test"."item"("id",
	"name", "price", "tags", "at", "extra")
	SELECT "pgrst_body"."id", "pgrst_body"."name", "pgrst_body"."price", "pgrst_body"."tags", "pgrst_body"."at",
		"pgrst_body"."extra"
	FROM (SELECT $1 AS json_data) pgrst_payload, LATERAL (SELECT CASE WHEN json_typeof(pgrst_payload.json_data) =
		'array'
		THEN pgrst_payload.json_data ELSE json_build_array(pgrst_payload.json_data) END AS val) pgrst_uniform_json,
	LATERAL (SELECT "id", "name", "price", "tags", "at", "extra" FROM json_to_recordset(pgrst_uniform_json.val)
		AS _("id" int, "name" text, "price" numeric(10,2), "tags" text[], "at" timestamptz, "extra" jsonb)) pgrst_body
	RETURNING "jsonrow_test"."item".*) SELECT '' AS total_result_set, pg_catalog.count(_postgrest_t) AS page_total,
	coalesce(json_agg(_postgrest_t), '[]') AS body FROM (SELECT "item".* FROM "pgrst_source" AS "item")
		_postgrest_t$$, 'json'),
	('PostgREST, upsert', $$WITH pgrst_source AS (INSERT INTO "jsonrow_test"."item"("id", "name") SELECT
		pgrst_body.* FROM (SELECT $1 AS json_data) pgrst_payload,
	LATERAL (SELECT "id", "name" FROM json_to_recordset(pgrst_payload.json_data) AS _("id" int, "name" text))
		pgrst_body
	ON CONFLICT("id") DO UPDATE SET "id" = EXCLUDED."id", "name" = EXCLUDED."name" RETURNING *, (xmax = 0) AS new)
		SELECT * FROM pgrst_source$$, 'json'),
	('PostgREST, update', $$WITH pgrst_source AS (UPDATE "item" SET "name" = pgrst_body.name FROM (SELECT $1 AS
		json_data) p,
	LATERAL (SELECT * FROM json_to_record(p.json_data -> 0) AS _("id" int, "name" text) LIMIT 1) pgrst_body WHERE
		item.id = pgrst_body.id RETURNING item.*)
	SELECT json_agg(s) FROM pgrst_source s$$, 'json'),
	('PostgREST, rpc', $$WITH pgrst_source AS (SELECT pgrst_call.* FROM (SELECT $1 AS json_data) p, LATERAL
		(SELECT * FROM json_to_recordset(p.json_data)
	AS _(id int, name text)) pgrst_body, LATERAL upper(pgrst_body.name) pgrst_call) SELECT json_agg(s) FROM
		pgrst_source s$$, 'json'),
	('Hasura', $$INSERT INTO item (id, name, price) SELECT (json_populate_record(NULL::item, e)).id, e ->> 'name',
		(e ->> 'price')::numeric
	FROM json_array_elements($1) AS e ON CONFLICT (id) DO NOTHING RETURNING id, name, price$$, 'json'),
	('Drizzle, unnest by JSON', $$insert into item (id, name, tags) select id, name, tags from
		jsonb_to_recordset($1::jsonb) as t(id int, name text, tags text[]) returning *$$, 'jsonb'),
	('Prisma, createMany', $$INSERT INTO "jsonrow_test"."item" ("id", "name", "extra", "ok") SELECT r.id, r.name,
		r.extra, r.ok FROM jsonb_populate_recordset(NULL::"jsonrow_test"."item", $1) r
	RETURNING id$$, 'jsonb'),
	('Prisma, createMany by columns', $$INSERT INTO item (id, name, extra) SELECT r.id, r.name, r.extra FROM
		jsonb_populate_recordset(NULL::item, $1) AS r RETURNING *$$, 'jsonb'),
	('PostGraphile', $$select __local__."id"::text, i.name from (select ids.ordinality - 1 as idx,
		(ids.value->>0)::"int4" as "id"
	from json_array_elements($1::json) with ordinality as ids) as __local__, lateral (select * from item where
		item.id = __local__.id) i
	order by idx$$, 'json'),
	('keys', $$SELECT i.* FROM item i WHERE id IN (SELECT (value)::int FROM
		jsonb_array_elements_text(jsonb_path_query_array($1, '$[*].id'))) ORDER BY id$$, 'jsonb'),
	('settings', $$SELECT o.n, e.key, e.value FROM jsonb_array_elements($1) WITH ORDINALITY o(r, n),
		jsonb_each_text(o.r) e$$, 'jsonb');
INSERT INTO item SELECT i, 'old' || i FROM generate_series(3, 5) i;
SELECT format('PREPARE tool_%s (%s) AS %s', row_number() OVER (ORDER BY name), arguments,
	sql) FROM tool ORDER BY name \gexec
CREATE TEMPORARY TABLE body (body text);
INSERT INTO body VALUES ('[]'), ('[{"id":1,"name":"one","price":1.5,"tags":["a","b '
	'c"],"at":"2020-01-02T03:04:05Z","extra":{"k":[1]}},{"id":2}]'),
	('[{"id":3,"name":"n\u00e9w","extra":"s"},{"id":4,"name":null,"more":1}]'),
		('[{"id":7,"price":123456789.005}]'), ('[{"id":"x"}]'),
	('[{"id":7,"tags":[["a"],["b","c"]]}]'), ('[{"id":8,"extra":null,"at":"infinity"}]');
SELECT is(pg_temp.sent(query, 'on'), pg_temp.sent(query, 'off'), format('%s: %s', name, body)) FROM (
	SELECT name, body, unnest(ARRAY[replace(sql, '$1', quote_literal(body) || '::' || arguments),
		format('EXECUTE tool_%s(%L)', dense_rank() OVER (ORDER BY name), body)]) AS query
	FROM tool, body) s;
SELECT alike(pg_temp.plan_of(replace(sql, '$1', '''[]''::' || arguments), 'on'), '%jsonrow_core%',
	name || ' has our functions') FROM tool;

--
-- cancelled, stopped early, memory
--
CREATE TEMPORARY TABLE large (j json, b jsonb, deep jsonb);
ALTER TABLE large ALTER j SET STORAGE EXTERNAL, ALTER b SET STORAGE EXTERNAL;
INSERT INTO large SELECT json_agg(o), jsonb_agg(o) FROM (SELECT i AS a, 'text of ' || i AS b,
	i / 8.0 AS c FROM generate_series(1, 400000) i) o;
-- The seconds of a query, and how it ends
CREATE FUNCTION pg_temp.ending(query text, accelerate text, OUT state text,
	OUT seconds numeric) LANGUAGE plpgsql AS $$
DECLARE
	start CONSTANT numeric := pg_temp.cpu_seconds();
BEGIN
	PERFORM set_config('jsonrow.accelerate', accelerate, true);
	BEGIN
		EXECUTE query;
		state := 'done';
	EXCEPTION WHEN query_canceled THEN
		state := SQLSTATE;
	END;
	seconds := pg_temp.cpu_seconds() - start;
END $$;
CREATE TEMPORARY TABLE endless AS SELECT q FROM unnest(ARRAY['json_to_recordset(j) x(a int, b text, c float8)',
	'jsonb_to_recordset(b) x(a int, b text, c float8)',
	'json_to_recordset(j) x(nothing int)', 'json_array_elements(j) x', 'jsonb_array_elements(b) x',
		'json_array_elements_text(j) x', 'jsonb_array_elements_text(b) x',
	'json_to_record(json_build_object(''a'', j)) x(a text)', 'json_populate_recordset(NULL::altered, j) x',
		'json_each(json_build_object(''a'', j)) x',
	'json_object_keys(json_build_object(''a'', j)) x']) q;
CREATE TEMPORARY TABLE ended (query text, state text, seconds numeric);
-- A server that is looked at (valgrind) takes longer until it can be stopped at all.
SELECT ceil(greatest(10, coalesce((pg_temp.ending('SELECT 1', 'on')).seconds, 0) * 10000)) AS patience \gset
SET LOCAL statement_timeout = :patience;
-- The call is made again for each number.
SELECT format('INSERT INTO ended SELECT %L, e.* FROM pg_temp.ending(%L, ''on'') e', q,
	'SELECT count(*) FROM generate_series(1, 1000) g, LATERAL (SELECT j, b FROM large LIMIT g) large, ' || q)
FROM endless \gexec
SET LOCAL statement_timeout = 0;
SELECT is(state, '57014', 'cancelled: ' || query) FROM ended;
SELECT pg_temp.takes_less(seconds, CASE WHEN :patience <= 100 THEN 0.3 ELSE :patience / 100 END,
	'cancelled in time: ' || query) FROM ended;

-- a few of many elements: no more are made, in the select list and in FROM
CREATE TEMPORARY TABLE few AS SELECT q FROM unnest(ARRAY['SELECT jsonb_array_elements(b) FROM large LIMIT 10',
	'SELECT jsonb_array_elements_text(b) FROM large LIMIT 10', 'SELECT json_array_elements(j) FROM large LIMIT 10',
	'SELECT e FROM large, jsonb_array_elements(b) e LIMIT 10',
	'SELECT e FROM large, json_array_elements(j) e LIMIT 10',
	'SELECT e FROM large, jsonb_array_elements_text(b) e WHERE e LIKE ''%0}'' LIMIT 10']) q;
SELECT pg_temp.same(q) FROM few;
SELECT pg_temp.takes_less((e).seconds, 0.2, 'stops early: ' || q) FROM (SELECT q,
	pg_temp.ending(format('SELECT count(*) FROM generate_series(1, 3), LATERAL (%s) s', q), 'on') AS e FROM few) s;
-- an error in an element that is not reached is still raised
SELECT pg_temp.same('SELECT json_array_elements_text(''["a","b","\u0000"]'') LIMIT 1');
SELECT pg_temp.same('SELECT * FROM json_each(''{"a":1,"b":"\ud800"}'') LIMIT 1');

-- in FROM, read again: with the same argument, with others, with NULL, in the middle
SET LOCAL enable_material = off;
SET LOCAL enable_hashjoin = off;
SET LOCAL enable_mergejoin = off;
SELECT pg_temp.same(q) FROM unnest(ARRAY[
	'SELECT * FROM generate_series(1, 3) i, json_array_elements(''[1,[2],null]'') e',
	'SELECT * FROM json_array_elements(''[1,2]'') e, jsonb_array_elements(''[3,4]'') f, jsonb_each(''{"a":1}'') g',
	'SELECT v.i, e::text FROM (VALUES (1, json ''[1,2]''), (2, ''[1,2]''), (3, NULL), (4, ''[]''), (5, ''[5]''), '
		'(6, NULL), (7, ''[5]'')) v(i, j), LATERAL (SELECT * FROM json_array_elements(j) LIMIT 1) e',
	'SELECT * FROM (VALUES (1, jsonb ''{"a":1,"b":null}''), (2, ''{"a":1,"b":null}''), (3, ''{"b":2}'')) v(i, j) '
		'LEFT JOIN LATERAL jsonb_each_text(j || ''{"c":3}'') e ON e.value <> ''2''',
	'SELECT i, (SELECT count(*) FROM jsonb_object_keys(CASE WHEN i % 2 = 0 THEN ''{"a":1,"b":2}''::jsonb END)) '
		'FROM generate_series(1, 4) i',
	'SELECT e, f FROM stored, json_array_elements((SELECT j FROM stored s WHERE s.id = stored.id + 1)) e, '
		'jsonb_each(b) f WHERE id < 4',
	'SELECT * FROM json_array_elements(''[1,2,3]'') e '
		'WHERE EXISTS (SELECT FROM json_array_elements_text(''["2","3"]'') f WHERE f = e::text)',
	'SELECT array_agg(e::text ORDER BY e::text), count(*) OVER () FROM json_array_elements(''[3,1,2]'') e '
		'GROUP BY e::text ORDER BY 1',
	'SELECT * FROM (SELECT * FROM json_array_elements_text(''["b","a"]'') '
		'UNION ALL SELECT * FROM jsonb_array_elements_text(''["c"]'')) u(v) ORDER BY v',
	'WITH c AS MATERIALIZED (SELECT * FROM jsonb_each(''{"a":[1,2]}'')) '
		'SELECT * FROM c, c AS d, LATERAL jsonb_array_elements(c.value)',
	'SELECT x, x.key FROM json_each(''{"a":1,"b":[2]}'') x',
	'SELECT DISTINCT ON (x.key) x.* FROM json_each_text(''{"a":1,"a":"2"}'') x ORDER BY x.key, x.value']) q;

SET LOCAL jsonrow.accelerate = on;
-- memory: at the last row there is not more of it than at the first but the document
CREATE FUNCTION note_memory() RETURNS boolean LANGUAGE sql AS $$
	SELECT set_config('jsonrow_test.used', sum(total_bytes)::text, true) IS NOT NULL FROM
		pg_backend_memory_contexts WHERE name NOT LIKE 'Cache%' $$;
CREATE DOMAIN measured AS int CHECK (VALUE > 0 OR note_memory());
CREATE TYPE measured_row AS (a int, n numeric(10,2), t text, l int[], p pair, ps pair[], d timestamptz,
	v varchar(10), c char(9), i interval, m measured);
CREATE TABLE measuring (nrows int, j json, b jsonb);
ALTER TABLE measuring ALTER j SET STORAGE EXTERNAL, ALTER b SET STORAGE EXTERNAL;
INSERT INTO measuring SELECT nrows,
	('[' || string_agg(format('{"a":%s,"n":%1$s.5,"t":"text\n%1$s","l":[1,2,%1$s],'
		'"p":{"x":%1$s,"y":"z"},"ps":[{"x":2}],'
	'"d":"2020-01-02T03:04:05Z","v":"v","c":"c","i":"1 day","m":%s}', i, CASE WHEN i < nrows THEN 1 ELSE 0 END),
		',' ORDER BY i) || ']')::json
FROM unnest(ARRAY[100, 20000 / :one_in]) nrows, generate_series(1, nrows) i GROUP BY nrows;
UPDATE measuring SET b = j::jsonb;
CREATE FUNCTION pg_temp.used(query text, n int) RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
	PERFORM set_config('work_mem', '64kB', true);
	EXECUTE query || ' AND nrows = ' || n;
	RETURN current_setting('jsonrow_test.used');
END $$;
CREATE TEMPORARY TABLE measured_query AS SELECT q FROM unnest(ARRAY['SELECT count(x) FROM measuring, '
	'json_populate_recordset(NULL::measured_row, j) x WHERE true',
	'SELECT count(x) FROM measuring, jsonb_populate_recordset(NULL::measured_row, b) x WHERE true',
	'SELECT count(x) FROM measuring, '
		'json_populate_recordset(ROW(1,2,3,NULL,NULL,NULL,NULL,4,5,NULL,6)::measured_row, j) x WHERE true',
	'SELECT count(*) FROM measuring, json_array_elements(j) e, json_populate_record(NULL::measured_row, e) x WHERE '
		'true',
	'SELECT count(*) FROM measuring, jsonb_array_elements(b) e, jsonb_to_record(e) x(a int, l int[], m measured) '
		'WHERE true',
	'SELECT count(*) FROM (SELECT nrows, json_array_elements(j) e FROM measuring) s WHERE e ->> ''m'' = ''0'' AND '
		'note_memory()',
	'SELECT count(*) FROM (SELECT nrows, jsonb_array_elements_text(b) e FROM measuring) s WHERE e LIKE ''%"m": '
		'0%'' AND note_memory()']) q;
SELECT cmp_ok(pg_temp.used(q, 20000 / :one_in) - pg_temp.used(q, 100), '<', size::bigint, 'memory: ' || q)
FROM measured_query, (SELECT greatest(pg_column_size(j), pg_column_size(b)) + 300000 AS size FROM measuring WHERE
	nrows = 20000 / :one_in) s;

-- Since 17, a jsonb may hold a number that is NaN or infinite, which jsonb_out prints without quotes.
CREATE FUNCTION pg_temp.odd_numbers(accelerate text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	PERFORM set_config('jsonrow.accelerate', accelerate, true);
	IF current_setting('server_version_num')::int >= 170000 THEN
		EXECUTE $q$WITH n AS MATERIALIZED (SELECT JSON_QUERY('[1]'::jsonb, '$x' PASSING 'NaN'::numeric AS x) j,
			JSON_QUERY('[1]'::jsonb, '$x' PASSING '-Infinity'::numeric AS x WITH WRAPPER) k)
			SELECT format('%s %s %s', row_to_json(n), r, json_agg(k)) FROM n, jsonb_to_record(jsonb_build_object('a', j,
			'b', j, 'c', j, 'd', k)) AS r(a numeric, b text, c float8, d jsonb) GROUP BY n, r$q$ INTO result;
	END IF;
	PERFORM set_config('jsonrow.accelerate', 'off', true);
	RETURN result;
END $$;
SELECT is(pg_temp.odd_numbers('on'), pg_temp.odd_numbers('off'), 'numbers that JSON does not have');

-- An argument is computed once, as often as the rows are read.
CREATE FUNCTION pg_temp.counted() RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
BEGIN
	PERFORM set_config('test.calls', (coalesce(current_setting('test.calls', true), '0')::int + 1)::text, true);
	RETURN '[1, 2]';
END $$;
CREATE FUNCTION pg_temp.calls_of(query text, accelerate text) RETURNS int LANGUAGE plpgsql AS $$
BEGIN
	PERFORM set_config('test.calls', '0', true), set_config('jsonrow.accelerate', accelerate, true);
	EXECUTE query;
	PERFORM set_config('jsonrow.accelerate', 'off', true);
	RETURN current_setting('test.calls');
END $$;
SELECT is(pg_temp.calls_of(q, 'on'), pg_temp.calls_of(q, 'off'), 'calls: ' || q) FROM unnest(ARRAY[
	'SELECT count(e) FROM generate_series(1, 3) g, jsonb_array_elements(pg_temp.counted()) e',
	'SELECT count(e) FROM generate_series(1, 3) g LEFT JOIN jsonb_array_elements(pg_temp.counted()) e ON g > 0',
	'SELECT (SELECT count(e) FROM jsonb_array_elements(pg_temp.counted()) e WHERE g > 0)
		FROM generate_series(1, 3) g']) q;
SET LOCAL jsonrow.accelerate = on;
SELECT is(count(DISTINCT e), 1::bigint, 'volatile: ' || name) FROM (
	SELECT 'comma' AS name, e FROM generate_series(1, 3) g, jsonb_array_elements(jsonb_build_array(random())) e
	UNION ALL SELECT 'left join', e FROM generate_series(1, 3) g
		LEFT JOIN jsonb_array_elements(jsonb_build_array(random())) e ON g > 0) x GROUP BY name;

SELECT * FROM finish();
ROLLBACK;

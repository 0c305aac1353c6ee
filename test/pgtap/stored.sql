-- Readers of stored documents (->, ->>, #>, #>>, subscripts, json[b]_extract_path) with
-- jsonrow.accelerate off and on: the same results, errors and plans, however the documents are stored,
-- and whatever happens between two rows.
\ir oracle.psql

SELECT no_plan();
\set at_least 1655
SELECT setseed(0.42);

-- Documents: nested, of few and many members, with odd keys, of all sizes; scalars, too.
CREATE FUNCTION scalar(i int) RETURNS jsonb LANGUAGE sql AS $$
	SELECT (ARRAY['null', 'true', 'false', '0', '-0', '1.50', '-12345678901234567890.000001', '1e300', '""', '"x"',
		'"é€𝄞"', '"a\"b\\c"', '"\n"'])[1 + i % 13]::jsonb $$;
CREATE FUNCTION words(size int) RETURNS jsonb LANGUAGE sql AS $$
	SELECT to_jsonb(string_agg(md5(random()::text), CASE WHEN i % 3 = 0 THEN '' ELSE ' the same words again ' END))
	FROM generate_series(1, size / 32) i $$;
CREATE FUNCTION keys(n int) RETURNS text[] LANGUAGE sql AS $$
	SELECT ('{"",a,b,e,k,0,1,-1,"é","a b","\"q\"",aa,key,name,email,meta,"null"}'::text[] ||
		array_agg(left(md5(i::text), 1 + i % 20)))[1 : n] FROM generate_series(1, n) i $$;
CREATE FUNCTION document(n int, size int, depth int) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
	result jsonb;
BEGIN
	IF n % 7 = 3 THEN
		SELECT coalesce(jsonb_agg(CASE WHEN i % 4 = 1 AND depth > 0 THEN document(i, size / n, depth - 1)
			WHEN i % 4 = 2 THEN words(size / n) ELSE scalar(i) END), '[]') INTO result FROM generate_series(1, n) i;
	ELSE
		SELECT coalesce(jsonb_object_agg(k, CASE WHEN i % 4 = 1 AND depth > 0 THEN document(1 + i::int % 9,
			size / n, depth - 1)
			WHEN i % 4 = 2 THEN words(size / n) ELSE scalar(i::int) END), '{}') INTO result
		FROM unnest(keys(n)) WITH ORDINALITY x(k, i);
	END IF;
	RETURN result;
END $$;
CREATE TABLE documents AS SELECT row_number() OVER () AS id, d FROM (
	SELECT scalar(i) FROM generate_series(0, 12) i
	UNION ALL VALUES ('{}'::jsonb), ('[]'), (NULL), ('[[]]'), ('{"a":{}}'), ('[{"a":[{"b":null}]}]'),
		('{"a":{"b":{"a":{"b":[1,2,{"e":"deep"}]}}},"0":{"-1":"digits"}}')
	UNION ALL SELECT document(n, size, 3)
	FROM unnest('{1,2,3,9,17,31,32,33,45,100}'::int[]) n, unnest('{100,2000,9000,40000,300000}'::int[]) size
	WHERE size > n * 8 AND (size < 20000 OR n IN (3, 9, 45)) AND (size < 200000 OR n = 9)) s(d);
-- The larger ones have the members that are read most.
UPDATE documents SET d = d || '{"a":{"b":[1,{"e":"found"},null]},"e":[0,1,[2,[3]]],"zz":"last"}'
WHERE jsonb_typeof(d) = 'object' AND length(d::text) > 200;
SELECT cmp_ok((SELECT max(length(d::text)) FROM documents), '>', 100000, 'some documents are large');

-- How they are stored: each way in a table of its own, stored_...
CREATE FUNCTION store(storage text, compression text, target int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	name CONSTANT text := format('stored_%s_%s_%s', storage, compression, target);
BEGIN
	EXECUTE format('CREATE TABLE %I (id int, d jsonb, j json)', name);
	EXECUTE format('ALTER TABLE %I ALTER d SET STORAGE %s, ALTER j SET STORAGE %2$s', name, storage);
	EXECUTE format('ALTER TABLE %I SET (toast_tuple_target = %s)', name, target);
	BEGIN
		EXECUTE format('ALTER TABLE %I ALTER d SET COMPRESSION %s, ALTER j SET COMPRESSION %2$s', name, compression);
	EXCEPTION WHEN feature_not_supported THEN
		EXECUTE format('DROP TABLE %I', name);	-- this server has no lz4
		RETURN;
	END;
	-- as text in between, lest values stay compressed as they were
	EXECUTE format('INSERT INTO %I SELECT id, d::text::jsonb, d::text::json FROM documents
		WHERE %L <> %L OR length(d::text) < 1500
		ORDER BY id', name, storage, 'plain');
END $$;
SELECT store(storage, compression, target)
FROM unnest('{plain,main,extended,external}'::text[]) storage, unnest('{pglz,lz4}'::text[]) compression,
	unnest('{128,2040}'::int[]) target
WHERE storage IN ('main', 'extended') OR compression = 'pglz' \g /dev/null
-- Short values, and values in memory that were never stored
CREATE VIEW stored_in_memory AS SELECT id::int, d::text::jsonb AS d, d::text::json AS j FROM documents OFFSET 0;

-- All ways are there: inline and compressed, out of line, both, and neither.
SELECT cmp_ok((SELECT count(*) FROM stored_main_pglz_2040 WHERE pg_column_compression(d) = 'pglz'
	AND pg_column_size(d) BETWEEN 200 AND 8000), '>', 3::bigint, 'some are compressed and inline');
SELECT cmp_ok((SELECT count(*) FROM stored_extended_pglz_128 WHERE pg_column_compression(d) = 'pglz'
	AND pg_column_size(d) > 10000), '>', 1::bigint, 'some are compressed and out of line');
SELECT cmp_ok((SELECT count(*) FROM stored_external_pglz_128 WHERE pg_column_compression(d) IS NULL
	AND pg_column_size(d) > 40000), '>', 1::bigint, 'some are out of line and not compressed');

-- What a query gives with the setting off and on, and how it is planned
CREATE FUNCTION pg_temp.plan_of(query text, accelerate text) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
	line text;
	lines text[] := '{}';
BEGIN
	PERFORM set_config('jsonrow.accelerate', accelerate, true);
	FOR line IN EXECUTE 'EXPLAIN (VERBOSE) ' || query LOOP
		lines := lines || line;
	END LOOP;
	PERFORM set_config('jsonrow.accelerate', 'off', true);
	RETURN lines;
END $$;
-- But for the expressions that nothing compares.  (The keys of a merge join are columns of what is sorted below.)
CREATE FUNCTION pg_temp.shape_of(plan text[]) RETURNS text LANGUAGE sql AS $$
	SELECT string_agg(regexp_replace(line, 'on \w+\.(jsonrow_core_)?(json)', 'on \2'), E'\n' ORDER BY i)
	FROM unnest(plan) WITH ORDINALITY p(line, i)
	WHERE line !~ ('^ *(Output|(Join |Conflict )?Filter|Function Call|(Sort|Presorted|Group|Hash) Key|Merge Cond|'
		'Window):') $$;
CREATE FUNCTION pg_temp.calls_in(plan text[]) RETURNS bigint LANGUAGE sql AS $$
	SELECT count(*) FROM unnest(plan) line, regexp_matches(line, '\mjsonrow_core_(get|subscript)', 'g') $$;
CREATE FUNCTION pg_temp.test(query text, at_least int DEFAULT 1) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	name CONSTANT text := left(regexp_replace(query, '\s+', ' ', 'g'), 200);
	plan_off CONSTANT text[] := pg_temp.plan_of(query, 'off');
	plan_on CONSTANT text[] := pg_temp.plan_of(query, 'on');
BEGIN
	RETURN NEXT is(pg_temp.outcome(query, '{jsonrow.accelerate, on}'),
		pg_temp.outcome(query, '{jsonrow.accelerate, off}'), 'same: ' || name);
	RETURN NEXT is(pg_temp.shape_of(plan_on), pg_temp.shape_of(plan_off), 'same plan: ' || name);
	IF at_least = 0 THEN
		RETURN NEXT is(pg_temp.calls_in(plan_on), 0::bigint, 'nothing replaced: ' || name);
	ELSE
		RETURN NEXT cmp_ok(pg_temp.calls_in(plan_on), '>=', at_least::bigint, 'replaced: ' || name);
	END IF;
	RETURN NEXT is(pg_temp.calls_in(plan_off), 0::bigint, 'off: ' || name);
END $$;

-- What is read: one, and several in one query
CREATE TABLE readers (number serial, jsonb boolean, json boolean, expression text);
INSERT INTO readers (jsonb, json, expression) SELECT true, true, format('DOC %s', chain)
FROM unnest(ARRAY[$$-> 'a'$$, $$->> 'a'$$, $$-> 'e'$$, $$->> 'e'$$, $$->> 'zz'$$, $$->> 'no such member'$$,
	$$->> ''$$, $$-> 'é'$$,
	$$-> '0'$$, $$-> 0$$, $$->> 0$$, $$-> -1$$, $$->> -1$$, $$-> 31$$, $$-> 32$$, $$->> 33$$, $$-> -33$$, $$-> 1000$$,
	$$-> 2147483647$$, $$-> (-2147483648)$$, $$->> NULL::text$$, $$-> NULL::int$$,
	$$-> 'a' -> 'b'$$, $$-> 'a' -> 'b' ->> 0$$, $$-> 'a' -> 'b' -> 1 ->> 'e'$$, $$-> 'e' -> -1 -> -1 ->> 0$$,
		$$-> 'zz' -> 0$$,
	$$-> 'zz' ->> -1$$, $$-> 'zz' -> 'a'$$, $$-> 'a' -> NULL -> 'b'$$, $$-> 0 ->> 'a'$$, $$-> 0 -> 0 -> 0$$,
	$$#> '{}'$$, $$#>> '{}'$$, $$#> '{a}'$$, $$#>> '{a,b,1,e}'$$, $$#> '{a,b,-2}'$$, $$#>> '{e, 2,+1, 0}'$$,
		$$#> '{0}'$$, $$#> '{-1}'$$,
	$$#>> '{0,0}'$$, $$#> '{a,NULL}'$$, $$#> NULL$$, $$#> '{zz,0}'$$, $$#> '{e,1x}'$$,
		$$#> '{e,99999999999}'$$, $$#> '{e,""}'$$,
	$$#> '{e,-2147483648}'$$, $$#> '{{a,b},{1,e}}'$$, $$#> '{a}' #>> '{b,0}'$$, $$#> '{a,b}' -> 1 ->> 'e'$$,
		$$-> 'a' #>> '{}'$$,
	$$-> left('abc', 1)$$, $$->> chr(97 + id % 5)$$, $$-> (id % 7 - 3)$$, $$#>> ARRAY[chr(97), 'b', (id % 3)::text]$$,
	$$-> 'a' -> chr(98)$$, $$-> 'a' -> 'b' -> (id % 2) ->> 'e'$$]) chain;
INSERT INTO readers (jsonb, json, expression) SELECT expression !~ '^json_', expression ~ '^json_', expression
FROM unnest(ARRAY[$$DOC['a']$$, $$DOC['a']['b'][1]['e']$$, $$DOC[0]$$, $$DOC['0']$$, $$DOC[-1]$$,
	$$DOC['e'][2][-1] ->> 0$$, $$(DOC -> 'a')['b']$$, $$DOC[NULL]$$, $$DOC[chr(97)]$$, $$DOC['a'][id % 2]$$,
	$$DOC[id]$$, $$DOC[id % 40 - 20]$$, $$DOC[id::text]$$,
	$$DOC['a'][CASE WHEN id % 2 = 0 THEN 'b' ELSE '-1' END][1]$$,
	$$DOC['e'][-(id % 4)]$$, $$DOC['e'][2][(id % 2)::text] ->> 0$$, $$DOC[NULLIF(id % 3, 0)]$$,
	$$DOC['a'][DOC ->> 'zz']$$, $$DOC[DOC ->> 'zz']$$, $$(DOC -> 'a')[id % 2]$$, $$DOC[' ' || id % 9]$$,
	$$DOC['+' || id % 9]$$, $$DOC[repeat('9', id % 20)]$$,
	$$DOC[(ARRAY['', 'é', '1x', '-', '0'])[1 + id % 5]]$$, $$DOC[NULL::int]['a']$$,
	$$jsonb_extract_path(DOC, 'a', 'b', '1')$$, $$jsonb_extract_path_text(DOC, 'a', 'b')$$,
	$$jsonb_extract_path_text(DOC, VARIADIC '{e,2}')$$, $$jsonb_object_field(DOC, 'a') ->> 'b'$$,
	$$json_extract_path(DOC, 'a', 'b', '1')$$, $$json_extract_path_text(DOC, 'a', NULL)$$]) expression;

-- Each by itself, over all documents in one storage, and all of them together in each
SELECT pg_temp.test(format('SELECT id, %s FROM stored_extended_pglz_2040 ORDER BY id', replace(expression,
	'DOC', 'd')),
	CASE WHEN expression ~ ' NULL' THEN 0 ELSE 1 END)
FROM readers WHERE jsonb ORDER BY number;
SELECT pg_temp.test(format('SELECT id, md5(ROW(%s)::text) FROM %I ORDER BY id',
	string_agg(replace(expression, 'DOC', 'd'), ', ' ORDER BY (number * 7919) % 101), relname), 20)
FROM readers, pg_class WHERE jsonb AND relname ~ '^stored_' GROUP BY relname ORDER BY relname;
SELECT pg_temp.test(format('SELECT id, md5(ROW(%s)::text) FROM %I WHERE id %% 3 = 0 ORDER BY id',
	string_agg(replace(expression, 'DOC', 'j'), ', ' ORDER BY number), relname), 20)
FROM readers, pg_class WHERE json AND relname ~ '^stored_' GROUP BY relname ORDER BY relname;
-- The bytes of jsonb, and the same for calls by name
SELECT is((SELECT count(*) FROM stored_extended_pglz_2040 WHERE NOT record_image_eq(
	ROW(d -> 'a', d -> 'e' -> 2, d #> '{}', d -> -1, d #> '{a,b,1}'),
	ROW(jsonrow_core_get(d, 'a'), jsonrow_core_get(d, 'e', 2), jsonrow_core_get(d, '{}'::text[]),
		jsonrow_core_get(d, -1),
		jsonrow_core_get(d, '{a,b,1}'::text[])))), 0::bigint, 'the bytes are the same');

-- Places: conditions, aggregates, joins, subqueries, windows, sets, RETURNING
CREATE TABLE t AS SELECT i AS id, i % 5 AS g, jsonb_build_object('a', i, 'k', i % 7, 'b',
	jsonb_build_object('e', 'e' || i),
	'list', (SELECT jsonb_agg(jsonb_build_object('n', x, 'h', md5(x::text))) FROM generate_series(1,
		30 * (i % 20)) x), 'zz', i::text) AS d
FROM generate_series(1, 60) i;
ALTER TABLE t ADD j json, ADD PRIMARY KEY (id);
UPDATE t SET j = d::text::json;
INSERT INTO t VALUES (0, NULL, NULL, NULL), (-1, 1, 'null', '[]'), (-2, 2, '{"a":"text"}', '{"a":1,"a":2}');
CREATE INDEX ON t ((d ->> 'zz'));
CREATE INDEX t_k ON t (((d -> 'k')::int)) WHERE d -> 'k' IS NOT NULL AND jsonb_typeof(d -> 'k') = 'number';
CREATE INDEX t_gin ON t USING gin (d);
CREATE INDEX t_path ON t USING gin ((d -> 'b') jsonb_path_ops);
CREATE STATISTICS t_stats ON (d ->> 'a'), (d ->> 'k') FROM t;
ANALYZE t;
CREATE VIEW v AS SELECT id, d ->> 'a' AS a, d -> 'b' ->> 'e' AS e, d FROM t;
SELECT pg_temp.test(query) FROM unnest(ARRAY[
	$$SELECT id FROM t WHERE d ->> 'a' = '17' AND d -> 'b' ->> 'e' = 'e17' AND j ->> 'zz' = '17'$$,
	$$SELECT g, count(*), max(d ->> 'zz'), string_agg(d -> 'b' ->> 'e', ',' ORDER BY id), count(DISTINCT d ->> 'k')
		FILTER (WHERE d ->> 'a' > '3') FROM t GROUP BY g ORDER BY g$$,
	$$SELECT d ->> 'k', count(*), sum((d ->> 'zz')::int) FROM t
		WHERE id > 0 GROUP BY d ->> 'k' HAVING max(d ->> 'a') > '2' ORDER BY 1$$,
	$$SELECT d -> 'k', count(*) FROM t GROUP BY ROLLUP (d -> 'k') ORDER BY 1, 2$$,
	$$SELECT DISTINCT d ->> 'k' FROM t ORDER BY 1$$,
	$$SELECT d ->> 'a', d ->> 'zz' FROM t ORDER BY d ->> 'k', id LIMIT 7$$,
	$$SELECT x.id, y.id, x.d ->> 'a', y.d ->> 'a', x.d -> 'b' FROM t x JOIN t y ON x.d ->> 'k' = y.d ->> 'k'
		WHERE x.id < 20
		AND x.d ->> 'zz' > y.d ->> 'zz' ORDER BY 1, 2$$,
	$$SELECT x.id, y.d ->> 'a' FROM t x LEFT JOIN t y ON y.id = x.id + 1 AND x.d ->> 'a' < y.d ->> 'zz' ORDER BY 1$$,
	$$SELECT id, (SELECT t.d ->> 'a' || i::text FROM generate_series(1, 3) i WHERE i::text = t.d ->> 'k')
		FROM t ORDER BY 1$$,
	$$SELECT id, l.a, l.n FROM t, LATERAL (SELECT t.d ->> 'a' AS a, count(*) AS n FROM generate_series(1, 3) i
		WHERE i > (t.d ->> 'k')::int) l WHERE id > 0 ORDER BY 1$$,
	$$SELECT id, x ->> 'n' FROM t, jsonb_array_elements(t.d -> 'list') x WHERE id IN (7, 9) AND x ->> 'h' > 'c'
		ORDER BY 1, 2$$,
	$$SELECT id, jsonb_array_elements(d -> 'list') ->> 'n', d ->> 'a' FROM t WHERE id IN (7, 9)$$,
	$$SELECT id, d ->> 'a', rank() OVER (PARTITION BY d ->> 'k' ORDER BY d ->> 'zz', id), lag(d)
		OVER (ORDER BY id) ->> 'a' FROM t ORDER BY 1$$,
	$$SELECT id, e ->> 'a', e ->> 'zz' FROM (SELECT id, lag(d) OVER (ORDER BY id) AS e FROM t) s ORDER BY 1$$,
	$$SELECT d ->> 'a' FROM t WHERE id < 9 UNION SELECT d ->> 'zz' FROM t WHERE id > 50 ORDER BY 1$$,
	$$SELECT a, e, d ->> 'zz' FROM v WHERE e > 'e3' ORDER BY id$$,
	$$WITH w AS MATERIALIZED (SELECT id, d FROM t) SELECT id, d ->> 'a', d ->> 'zz' FROM w
		WHERE d ->> 'k' = '3' ORDER BY 1$$,
	$$SELECT id, d -> 'b' -> (SELECT max(d ->> 'a') FROM t) FROM t ORDER BY id$$,
	$$SELECT id FROM t WHERE d -> 'b' @> '{"e":"e7"}' AND d ->> 'a' = '7'$$,
	$$SELECT id FROM t WHERE d @> '{"k":3}' AND d ->> 'a' > '3' ORDER BY id$$,
	$$SELECT id, d ->> 'zz' FROM t WHERE (d -> 'k')::int = 3 AND d -> 'k' IS NOT NULL
		AND jsonb_typeof(d -> 'k') = 'number' ORDER BY id$$,
	$$SELECT id, CASE WHEN id > 5 THEN d ->> 'a' ELSE d ->> 'zz' END, coalesce(d ->> 'nothing',
		d -> 'b' ->> 'e') FROM t ORDER BY 1$$,
	$$SELECT id, ARRAY[d ->> 'a', d ->> 'k'], ROW(d -> 'a', d -> 'zz') FROM t ORDER BY 1$$,
	$$SELECT id, (d ->> 'a')::int FROM t WHERE d ->> 'a' IS NOT NULL ORDER BY id DESC$$,
	$$SELECT id, j ->> 'a', j -> 'b' -> 'e', j #>> '{b,e}' FROM t ORDER BY id$$,
	$$SELECT id, d ->> (d ->> 'zz'), d -> 'b' ->> (j #>> '{b,e}') FROM t ORDER BY id$$,
	$$SELECT id, d ->> 'a' FROM t WHERE id IN (SELECT (d ->> 'k')::int FROM t WHERE id > 0) AND d ->> 'zz' NOT IN
		(SELECT d ->> 'k' FROM t WHERE id BETWEEN 1 AND 5) ORDER BY id$$,
	$$SELECT json_agg(json_build_object('a', d ->> 'a', 'e', d -> 'b' ->> 'e') ORDER BY id) FROM t$$]) query;
-- What stays: indexes match expressions; grouping functions; no columns
SELECT pg_temp.test(query, 0) FROM unnest(ARRAY[$$SELECT id FROM t WHERE d @> '{"a":3}'$$,
	$$SELECT '{"a":1}'::jsonb ->> 'a'$$,
	$$SELECT (d || '{"x":1}') ->> 'x' FROM t ORDER BY id$$]) query;

-- Indexes on the expressions are used as before, and index-only scans, bitmaps, GIN.
SET LOCAL enable_seqscan = off;
SELECT pg_temp.test(query) FROM unnest(ARRAY[
	$$SELECT d ->> 'a' FROM t WHERE d ->> 'zz' = '17'$$, $$SELECT d ->> 'a' FROM t WHERE d ->> 'zz' IN ('17',
		'18') ORDER BY d ->> 'zz'$$,
	$$SELECT d ->> 'zz' FROM t WHERE d @> '{"k":3}' AND d ->> 'a' > '3' ORDER BY id$$,
	$$SELECT id, d ->> 'a' FROM t WHERE d -> 'b' @> '{"e":"e7"}'$$,
	$$SELECT d ->> 'a' FROM t WHERE (d -> 'k')::int = 3 AND d -> 'k' IS NOT NULL AND jsonb_typeof(d -> 'k')
		= 'number' ORDER BY id$$,
	$$SELECT x.d ->> 'a', y.d ->> 'b' FROM t x, t y WHERE x.d ->> 'zz' = y.d ->> 'zz' AND x.id < 9
		ORDER BY 1$$]) query;
CREATE TABLE narrow AS SELECT i AS id, jsonb_build_object('a', i, 'zz', repeat('x', 3000 + i)) AS d
	FROM generate_series(1, 9) i;
CREATE INDEX ON narrow (id, d);
SET LOCAL enable_bitmapscan = off;
SELECT alike(array_to_string(pg_temp.plan_of($$SELECT d ->> 'a' FROM narrow WHERE id < 5$$, 'on'), E'\n'),
	'%Index Only Scan%',
	'an index-only scan');
SELECT pg_temp.test($$SELECT id, d ->> 'a', d ->> 'zz' FROM narrow WHERE id < 5 AND d ->> 'zz' > '2' ORDER BY id$$);
RESET enable_seqscan;
RESET enable_bitmapscan;
SET LOCAL enable_hashjoin = off;
SET LOCAL enable_mergejoin = off;
SELECT pg_temp.test($$SELECT x.id, y.id, x.d ->> 'a', y.d ->> 'zz' FROM t x, LATERAL (SELECT * FROM t y
	WHERE y.id = x.g) y WHERE x.d ->> 'k'
	< y.d ->> 'zz' ORDER BY 1, 2$$);
SET LOCAL enable_material = off;
SELECT pg_temp.test($$SELECT x.id, y.id, x.d ->> 'a', y.d ->> 'zz' FROM t x JOIN t y
	ON x.d ->> 'k' = y.d ->> 'a' ORDER BY 1, 2$$);
RESET enable_hashjoin;
RESET enable_mergejoin;
RESET enable_material;

-- Parallel plans, JIT, partitions
SET LOCAL parallel_setup_cost = 0;
SET LOCAL parallel_tuple_cost = 0;
SET LOCAL min_parallel_table_scan_size = 0;
ALTER TABLE t SET (parallel_workers = 2);
SELECT alike(array_to_string(pg_temp.plan_of($$SELECT d ->> 'a', d ->> 'zz' FROM t$$, 'on'), E'\n'),
	'%Gather%', 'a parallel plan');
SELECT pg_temp.test(query) FROM unnest(ARRAY[$$SELECT id, d ->> 'a', d ->> 'zz' FROM t WHERE d ->> 'k' > '2'
	ORDER BY id$$,
	$$SELECT g, count(*), max(d ->> 'a'), min(d -> 'b' ->> 'e') FROM t GROUP BY g ORDER BY g$$]) query;
RESET parallel_setup_cost;
RESET parallel_tuple_cost;
RESET min_parallel_table_scan_size;
ALTER TABLE t RESET (parallel_workers);
SET LOCAL jit = on;
SET LOCAL jit_above_cost = 0;
SELECT pg_temp.test($$SELECT id, d ->> 'a', d -> 'b' ->> 'e' FROM t WHERE d ->> 'k' > '2' ORDER BY id$$);
RESET jit;
RESET jit_above_cost;
CREATE TABLE parted (d jsonb, id int) PARTITION BY LIST ((d ->> 'k'));
CREATE TABLE parted_3 (id int, d jsonb);
ALTER TABLE parted ATTACH PARTITION parted_3 FOR VALUES IN ('3');
CREATE TABLE parted_rest PARTITION OF parted DEFAULT;
INSERT INTO parted SELECT d, id FROM t;
SELECT is((SELECT count(*) FROM unnest(pg_temp.plan_of($$SELECT d ->> 'a' FROM parted WHERE d ->> 'k' = '3'$$,
	'on')) line
	WHERE line ~ 'Scan'), 1::bigint, 'partitions are pruned');
SELECT pg_temp.test(query) FROM unnest(ARRAY[$$SELECT d ->> 'a', d ->> 'zz' FROM parted WHERE d ->> 'k' = '3'
	ORDER BY id$$,
	$$SELECT x.d ->> 'a', y.d ->> 'a' FROM parted x, parted y WHERE x.d ->> 'k' = y.d ->> 'zz' ORDER BY x.id, y.id$$,
	$$SELECT d ->> 'a' FROM parted ORDER BY id DESC$$]) query;

-- Lifetimes: rows that come back, that change, that end in errors.  c is compressed and out of line, i inline, e is
-- neither compressed nor inline.
CREATE TABLE life (id int PRIMARY KEY, c jsonb, i jsonb, e jsonb, j json);
ALTER TABLE life ALTER e SET STORAGE EXTERNAL, SET (toast_tuple_target = 128);
INSERT INTO life SELECT id, d || jsonb_build_object('a', id, 'k', id % 7), jsonb_build_object('a', id, 'zz',
	repeat('z', 2000), 'k', id % 3),
	(d || jsonb_build_object('a', id))::text::jsonb, (d || jsonb_build_object('a', -id))::text::json
FROM (SELECT row_number() OVER (ORDER BY length(d::text), id)::int AS id, d FROM documents WHERE d ? 'zz') s;
CREATE FUNCTION itself(jsonb) RETURNS jsonb LANGUAGE plpgsql VOLATILE AS 'BEGIN RETURN $1; END';
CREATE FUNCTION change(int) RETURNS text LANGUAGE plpgsql VOLATILE AS $$
DECLARE
	result text;
BEGIN
	UPDATE life SET c = c || '{"a":"changed"}', e = e || '{"a":"changed","zz":"changed"}',
		i = i || '{"a":"changed"}' WHERE id = $1;
	SELECT concat(c ->> 'a', c ->> 'zz', e ->> 'a', e ->> 'zz', i ->> 'a') INTO result FROM life WHERE id = $1;
	RETURN result;
END $$;
CREATE FUNCTION fail(int) RETURNS text LANGUAGE plpgsql VOLATILE AS $$
DECLARE
	result text;
BEGIN
	UPDATE life SET c = c || '{"a":"undone"}', e = e || '{"zz":"undone"}' WHERE id = $1;
	SELECT concat(c ->> 'a', e ->> 'zz', 1 / (id - $1), c ->> 'zz') INTO result FROM life WHERE id = $1;
	RETURN result;
EXCEPTION WHEN division_by_zero THEN
	RETURN 'failed ' || (SELECT concat(c ->> 'a', e ->> 'zz') FROM life WHERE id = $1);
END $$;
CREATE FUNCTION nest(depth int) RETURNS text LANGUAGE plpgsql VOLATILE AS $$
DECLARE
	r record;
	result text = '';
BEGIN
	FOR r IN SELECT id, c ->> 'a' AS a, e ->> 'a' AS b, i ->> 'a' AS c, c ->> 'zz' AS d FROM life
		WHERE id % 3 = depth % 3 ORDER BY id LIMIT 2 LOOP
		result := concat_ws(',', result, r, CASE WHEN depth > 0 THEN nest(depth - 1) END);
	END LOOP;
	RETURN result;
END $$;
CREATE FUNCTION to_and_fro(query text) RETURNS text LANGUAGE plpgsql VOLATILE AS $$
DECLARE
	c refcursor;
	r record;
	result text = '';
	way text;
BEGIN
	OPEN c SCROLL FOR EXECUTE query;
	FOREACH way IN ARRAY string_to_array('NEXT,NEXT,PRIOR,NEXT,NEXT,NEXT,PRIOR,PRIOR,FIRST,LAST,PRIOR,RELATIVE -2,'
		'ABSOLUTE 3,NEXT', ',') LOOP
		CASE way WHEN 'NEXT' THEN FETCH NEXT FROM c INTO r; WHEN 'PRIOR' THEN FETCH PRIOR FROM c INTO r;
			WHEN 'FIRST' THEN FETCH FIRST FROM c INTO r; WHEN 'LAST' THEN FETCH LAST FROM c INTO r;
			WHEN 'RELATIVE -2' THEN FETCH RELATIVE -2 FROM c INTO r; ELSE FETCH ABSOLUTE 3 FROM c INTO r; END CASE;
		result := concat_ws(',', result, way, r);
	END LOOP;
	CLOSE c;
	RETURN result;
END $$;
SELECT pg_temp.test(query) FROM unnest(ARRAY[
	$$SELECT c ->> 'a', c ->> 'zz', e ->> 'a', e ->> 'zz', i ->> 'a' FROM (SELECT * FROM life
		ORDER BY e ->> 'a' DESC, c ->> 'zz', id OFFSET 0) s$$,
	$$SELECT x.c ->> 'a', y.c ->> 'a', x.e ->> 'a', y.e ->> 'zz', y.i ->> 'k' FROM life x JOIN life y
		ON x.c ->> 'k' = y.c ->> 'k' AND x.i ->> 'k'
		<= y.i ->> 'a' ORDER BY x.id, y.id$$,
	$$SELECT id, b ->> 'a', b ->> 'zz', c ->> 'a', f ->> 'a', c ->> 'zz' FROM (SELECT id, c, lag(c) OVER w
		AS b, first_value(e) OVER w AS f FROM life
		WINDOW w AS (ORDER BY id DESC)) s ORDER BY id$$,
	$$SELECT id, s ->> 'a', c ->> 'a', s ->> 'zz', (SELECT s ->> 'e'), f ->> 'a' FROM (SELECT id, itself(c)
		AS s, itself(e) AS f, c FROM life OFFSET 0) x ORDER BY id$$,
	$$SELECT id, c ->> 'a', change(id), c ->> 'a', c ->> 'zz', e ->> 'a', e ->> 'zz', i ->> 'a' FROM life
		ORDER BY id$$,
	$$SELECT x.id, x.c ->> 'a', change(y.id), y.c ->> 'a', y.e ->> 'zz' FROM life x, life y
		WHERE y.id = x.id + 1 ORDER BY x.id$$,
	$$SELECT id, c ->> 'a', e ->> 'zz', fail(id), c ->> 'a', e ->> 'zz' FROM life ORDER BY id$$,
	$$SELECT id, c ->> 'a', nest(3), c ->> 'zz', e ->> 'a', i ->> 'a' FROM life ORDER BY id LIMIT 4$$,
	$$SELECT id, c ->> 'a', 1 / (id - 7), c ->> 'zz' FROM life$$,
	$$SELECT id, c ->> 'a', (e ->> 'zz')::int FROM life$$,
	$$SELECT l.id, x.a, x.z, l.c ->> 'a' FROM life l, LATERAL (SELECT l.c ->> 'a' AS a, m.c ->> 'zz' AS z
		FROM life m WHERE m.id > l.id ORDER BY m.id LIMIT 2) x
		ORDER BY 1, 2, 3$$,
	$$UPDATE life SET c = c || '{"a":"new"}' WHERE c ->> 'k' = '3' RETURNING id, c ->> 'a', c ->> 'zz',
		e ->> 'a', i ->> 'a'$$,
	$$UPDATE life SET e = c, c = e WHERE e ->> 'a' > '1' RETURNING id, c ->> 'a', c ->> 'zz', e ->> 'a', e ->> 'k'$$,
	$$DELETE FROM life WHERE e ->> 'a' > '1' RETURNING id, c ->> 'a', c ->> 'zz', e ->> 'zz', j ->> 'a', j ->> 'zz'$$,
	$$INSERT INTO life SELECT id + 1000, e, c, i, j FROM life WHERE c ->> 'k' = '2' RETURNING id, c ->> 'a',
		c ->> 'zz', i ->> 'a'$$]) query;
SELECT is(pg_temp.outcome(query, '{jsonrow.accelerate, on}'), pg_temp.outcome(query, '{jsonrow.accelerate,
	off}'), left(query, 100))
FROM unnest(ARRAY[$$SELECT to_and_fro('SELECT id, c ->> ''a'', c ->> ''zz'', e ->> ''a'', i ->> ''a'' FROM life
	ORDER BY id')$$,
	$$SELECT to_and_fro('SELECT x.id, x.c ->> ''a'', y.c ->> ''zz'', y.e ->> ''a'' FROM life x, life y
		WHERE y.id <= x.id ORDER BY x.id, y.id')$$,
	$$SELECT to_and_fro('SELECT id, c ->> ''a'', nest(1), e ->> ''a'' FROM life')$$, $$SELECT nest(12)$$]) query;
CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	NEW.j := json_build_object('old', OLD.c ->> 'a', 'new', NEW.c ->> 'a', 'others',
		(SELECT string_agg(c ->> 'a' || (e ->> 'a'), ',' ORDER BY id) FROM life WHERE id < 5), 'old e',
			OLD.e ->> 'zz');
	RETURN NEW;
END $$;
CREATE TRIGGER note BEFORE UPDATE ON life FOR EACH ROW EXECUTE FUNCTION note();
SELECT pg_temp.test($$UPDATE life SET c = c || '{"a":"new"}' WHERE c ->> 'k' = '3' RETURNING id, c ->> 'a',
	j ->> 'others', j ->> 'new', e ->> 'a'$$);

-- As Django, SQLAlchemy and Prisma filter, sort and return members, with literals in the place of parameters
CREATE TABLE "Product" AS SELECT id, c || jsonb_build_object('name', 'Name ' || id, 'price', id % 5, 'owner',
	jsonb_build_object('name', left(md5(id::text), 3), 'age', id), 'tags', jsonb_build_array('new', id % 3),
	'pets', jsonb_build_array(jsonb_build_object('name', 'Rex ' || id % 4))) AS data FROM life;
ALTER TABLE "Product" ADD old json;
UPDATE "Product" SET old = data::text::json;
INSERT INTO "Product" VALUES (-1, NULL, NULL),
	(-2, '{"name": null, "price": "high"}', '{"name": null, "price": "high"}'),
	(-3, '"text"', '"text"'), (-4, '[{"name": 1}]', '[{"name": 1}]');
SELECT pg_temp.test(query) FROM unnest(ARRAY[
	-- Django: data__name, data__owner__name, data__pets__0__name__icontains, data__price__gt, isnull, KT, order_by
	$$SELECT "Product"."id" FROM "Product" WHERE ("Product"."data" -> 'name') = ('"Name 3"')::jsonb ORDER BY 1$$,
	$$SELECT "Product"."id", ("Product"."data" #> '{owner,name}') AS "data__owner__name" FROM "Product"
		WHERE NOT (("Product"."data" #> '{owner,name}') = ('"x"')::jsonb
		AND ("Product"."data" #> '{owner,name}') IS NOT NULL) ORDER BY 1$$,
	$$SELECT "Product"."id" FROM "Product" WHERE UPPER(("Product"."data" #>> '{pets,0,name}')::text)
		LIKE UPPER('%rex 2%') ORDER BY ("Product"."data" -> 'name') ASC, 1 LIMIT 21$$,
	$$SELECT "Product"."id" FROM "Product" WHERE ("Product"."data" -> 'price') > ('2')::jsonb
		AND "Product"."data" ? 'name' ORDER BY ("Product"."data" -> 'price') DESC, "Product"."id"$$,
	$$SELECT ("Product"."data" ->> 'price') AS "price", COUNT("Product"."id") AS "n", COUNT(("Product"."data" -> 'name'))
		FROM "Product" GROUP BY ("Product"."data" ->> 'price') HAVING COUNT("Product"."id") > 1 ORDER BY 1$$,
	$$SELECT (("Product"."data" ->> 'price'))::integer FROM "Product" WHERE jsonb_typeof("Product"."data" -> 'price')
		= 'number' AND ("Product"."data" ->> 'name')::text LIKE 'Name%' ORDER BY 1$$,
	$$SELECT "Product"."id" FROM "Product" WHERE ("Product"."data" -> 'name') IN ('"Name 1"'::jsonb, 'null'::jsonb)$$,
	-- SQLAlchemy: data["a"].astext, data["a"]["b"].as_string(), data[("a", "b")], as_integer(), JSON beside JSONB
	$$SELECT "Product".id, "Product".data ->> 'name' AS anon_1 FROM "Product"
		WHERE ("Product".data ->> 'name') = 'Name 4'$$,
	$$SELECT "Product".id FROM "Product" WHERE (("Product".data -> 'owner') ->> 'name') > '5' ORDER BY
		CAST((("Product".data -> 'owner') ->> 'age') AS INTEGER)$$,
	$$SELECT "Product".data['owner']['name'] AS anon_1, "Product".data #>> '{owner, age}' FROM "Product"
		WHERE CAST("Product".data #>> '{owner, age}' AS INTEGER) BETWEEN 2 AND 7 ORDER BY "Product".id$$,
	$$SELECT "Product".id, "Product".old -> 'owner' AS anon_1, "Product".old #>> '{pets, 0, name}' FROM "Product"
		WHERE ("Product".old ->> 'name') LIKE '%' || 'ame' || '%' ORDER BY 1$$,
	$$SELECT "Product".id FROM "Product" WHERE CAST(("Product".old -> 'price') AS TEXT) = '"high"'$$,
	-- Prisma: path with equals, string_contains, gt, array_contains, array_starts_with
	$$SELECT "public"."id", "public"."data"::text FROM "Product" AS "public" WHERE
		("public"."data"#>ARRAY['owner','name']::text[])::jsonb::jsonb <> '"x"' ORDER BY 1 LIMIT 5 OFFSET 0$$,
	$$SELECT p."id" FROM "Product" p WHERE ((p."data"#>>ARRAY['name']::text[])::text LIKE '%me 1%'
		AND JSONB_TYPEOF(p."data"#>ARRAY['name']::text[]) = 'string') ORDER BY 1$$,
	$$SELECT p."id" FROM "Product" p WHERE ((p."data"#>ARRAY['price']::text[])::jsonb > '2'::jsonb
		AND JSONB_TYPEOF((p."data"#>ARRAY['price']::text[])::jsonb) = JSONB_TYPEOF('2'::jsonb)) ORDER BY 1$$,
	$$SELECT p."id" FROM "Product" p WHERE ((p."data"#>ARRAY['tags']::text[])::jsonb @> '["new"]'::jsonb
		AND ((p."data"#>ARRAY['tags']::text[])::jsonb->1) = '2') OR (p."data"#>ARRAY['name']::text[]) IS NULL ORDER BY 1$$
	]) query;

-- What is done with rows: ON CONFLICT and MERGE, where a row may be one that was changed
CREATE TABLE target AS SELECT id, c AS d, e FROM life WHERE id % 2 = 0;
ALTER TABLE target ADD PRIMARY KEY (id), ALTER e SET STORAGE EXTERNAL;
SELECT pg_temp.test(query, at_least) FROM (VALUES
	($$INSERT INTO target SELECT id, c, e FROM life WHERE id > 2 ON CONFLICT (id) DO UPDATE
		SET d = jsonb_build_object('a', target.d ->> 'a', 'new', excluded.d ->> 'zz', 'e', excluded.e -> 'e')
		WHERE target.d ->> 'k' <> excluded.e ->> 'zz' RETURNING id, d, e ->> 'a'$$, 3),
	($$INSERT INTO target AS t SELECT id, c, e FROM life ON CONFLICT (id) DO UPDATE SET e = t.d || excluded.e
		WHERE (t.d ->> 'k')::int < 5 AND excluded.d ->> 'zz' IS NOT NULL RETURNING id, t.d ->> 'a', e ->> 'zz'$$, 4),
	($$WITH m AS MATERIALIZED (SELECT id, c, e FROM life), i AS (INSERT INTO target SELECT * FROM m ON CONFLICT (id)
		DO UPDATE SET d = target.e, e = target.d WHERE target.d ->> 'a' > '1' RETURNING d, id)
		SELECT id, d ->> 'a', d ->> 'zz' FROM i ORDER BY id$$, 3)) q(query, at_least);
CREATE FUNCTION merged(accelerate text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	PERFORM set_config('jsonrow.accelerate', accelerate, true);
	MERGE INTO target t USING life l ON t.id = l.id AND t.d ->> 'a' = l.c ->> 'a'
		WHEN MATCHED AND l.e ->> 'k' = '3' AND t.d ->> 'zz' IS NOT NULL THEN DELETE
		WHEN MATCHED AND t.e ->> 'k' > l.c ->> 'k' THEN DO NOTHING
		WHEN MATCHED THEN UPDATE SET d = jsonb_build_object('was', t.d ->> 'a', 'e', l.e -> 'e', 'zz', t.e ->> 'zz'),
			e = t.d
		WHEN NOT MATCHED AND l.c ->> 'k' = '1' THEN INSERT VALUES (l.id, jsonb_build_object('c', l.c ->> 'zz'), l.e)
		WHEN NOT MATCHED THEN INSERT (id, d) VALUES (l.id, jsonb_build_object('e', l.e ->> 'a', 'i', l.i ->> 'k'));
	SELECT string_agg(t::text, ',' ORDER BY id) INTO result FROM target t;
	RAISE '%', md5(result) USING ERRCODE = 'P0001';
EXCEPTION WHEN SQLSTATE 'P0001' THEN
	RETURN SQLERRM;
END $$;
SELECT is(merged('on'), merged('off'), 'MERGE');
SELECT isnt(merged('on'), md5((SELECT string_agg(t::text, ',' ORDER BY id) FROM target t)), '... changes something');
SELECT matches(merged('on'), '^[0-9a-f]{32}$', '... without an error');
SELECT set_config('jsonrow.accelerate', 'off', true) \g /dev/null
-- Whether a row has a match is asked again if it matters: that, too, finds what is kept.
CREATE FUNCTION toast_scans(accelerate text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	before bigint;
	result bigint;
BEGIN
	PERFORM set_config('jsonrow.accelerate', accelerate, true);
	SELECT sum(pg_stat_get_xact_numscans(indexrelid)) INTO before FROM pg_index
	WHERE indrelid = (SELECT reltoastrelid FROM pg_class WHERE oid = 'life'::regclass);
	EXECUTE 'MERGE INTO life t USING (SELECT id FROM life) s ON t.id = s.id AND t.c ->> ''a'' > ''''
		WHEN MATCHED AND t.c ->> ''zz'' IS NULL THEN DELETE WHEN NOT MATCHED BY SOURCE THEN DELETE';
	SELECT sum(pg_stat_get_xact_numscans(indexrelid)) - before INTO result FROM pg_index
	WHERE indrelid = (SELECT reltoastrelid FROM pg_class WHERE oid = 'life'::regclass);
	RETURN result;
END $$;
SELECT current_setting('server_version_num')::int >= 170000 AS has_by_source \gset
\if :has_by_source
SELECT cmp_ok(toast_scans('off'), '>', 9::bigint, 'MERGE reads the documents');
SELECT cmp_ok(toast_scans('on') * 2, '<', toast_scans('off'), 'once instead of three times with the setting on');
SELECT set_config('jsonrow.accelerate', 'off', true) \g /dev/null
\endif

-- Memory: less than 20 MB more for values of 1 MB each
CREATE TABLE large AS SELECT id, jsonb_build_object('a', id, 'b', string_agg(md5(random()::text), ''), 'zz',
	'last') AS d
FROM generate_series(1, 12) id, generate_series(1, 30000) GROUP BY id;
-- json: a reader may raise an error; the next step must not hide it, or raise another one before
CREATE TABLE raising (j json, k text, n int, ks text[]);
INSERT INTO raising VALUES ('{"a":"\ud800"}', NULL, NULL, NULL);
CREATE FUNCTION boom() RETURNS text LANGUAGE plpgsql STABLE AS 'BEGIN RAISE ''boom''; END';
SELECT pg_temp.test(q) FROM unnest(ARRAY['SELECT j->''a''->>k FROM raising', 'SELECT j->''a''->n FROM raising',
	'SELECT j->''a''#>>ks FROM raising', 'SELECT j->''a''->>(SELECT boom()) FROM raising']) q;

-- Subscripts of a value that is NULL are not computed, and all of them are of one that is not.
CREATE TABLE subscripted (id int, d jsonb, k text, n int);
INSERT INTO subscripted VALUES (1, NULL, 'a', 0), (2, '[[1,2],{"0":"key"}]', '1', 1), (3, '{"1":{"1":"x"},"a":"text"}',
	'a', 1), (4, '"text"', '0', 2147483647), (5, '{"1":1}', NULL, NULL);
SELECT pg_temp.test(format('SELECT id, %s FROM subscripted WHERE %s ORDER BY id', read, rows))
FROM unnest(ARRAY['d[1 / n]', 'd[k][n]', 'd[n][n]', 'd[n + 1]', 'd[k::int]', 'd[n][k::int]', 'd[NULL::int][1 / n]',
	'd[(SELECT max(s.n) FROM subscripted s WHERE s.k = subscripted.k)]', 'd[boom()]', 'd[n][0]', 'd[k][k]',
	'(SELECT d[s.n] FROM subscripted s WHERE s.id = subscripted.n + 1)']) read,
	unnest('{"id = 1","id > 1","id = 2","id IN (3, 5)","id = 4"}'::text[]) rows;

-- Readers that the planner brings: bodies of functions in SQL, and virtual columns
CREATE FUNCTION zz_of(jsonb) RETURNS text LANGUAGE sql IMMUTABLE AS 'SELECT $1 ->> ''zz''';
CREATE FUNCTION a_of(life) RETURNS text LANGUAGE sql STABLE AS 'SELECT $1.e ->> ''a''';
CREATE FUNCTION read_all() RETURNS SETOF text LANGUAGE sql STABLE AS 'SELECT c ->> ''zz'' FROM life ORDER BY id';
SELECT pg_temp.test(q) FROM unnest(ARRAY['SELECT id, zz_of(c), zz_of(e) FROM life ORDER BY id',
	'SELECT id, a_of(life) FROM life ORDER BY id', 'SELECT * FROM read_all()',
	'SELECT id FROM life WHERE zz_of(c) IS NOT NULL AND a_of(life) > ''1'' ORDER BY id']) q;
SELECT current_setting('server_version_num')::int >= 180000 AS has_virtual \gset
\if :has_virtual
CREATE TABLE virtual (id int, d jsonb, a text GENERATED ALWAYS AS (d ->> 'a') VIRTUAL,
	e text GENERATED ALWAYS AS (d -> 'e' ->> 0) VIRTUAL);
INSERT INTO virtual SELECT id, c FROM life;
SELECT pg_temp.test(q) FROM unnest(ARRAY['SELECT id, a, e FROM virtual ORDER BY id',
	'SELECT id, v FROM virtual v WHERE a > ''3'' ORDER BY id', 'SELECT a, count(e) FROM virtual GROUP BY a ORDER BY a',
	'UPDATE virtual SET d = d || ''{"a":"new"}'' WHERE a > ''2''
		RETURNING old.a, new.a, e, old.d ->> ''a'', new.d ->> ''a''',
	'DELETE FROM virtual WHERE e = ''0'' RETURNING a, old.d ->> ''a'', new.d ->> ''a''']) q;
\endif

-- json as it was written: white space, keys that are repeated or escaped, numbers, what is wrong after the wanted part
CREATE TABLE written (id int, j json);
INSERT INTO written SELECT row_number() OVER (), j FROM unnest(ARRAY[
	' { "a" : 1 , "a" : [ 1 , 2.50e+1 , { "b" : null } ] } ',
	'{"a":{"b":1},"a":{}}', '{"a":{"b":1},"a":{"b":2}}', '{"a":{"b":{"c":1}},"a":{"b":3},"a":{"c":4}}',
	'{"\u0061":"x\n\u00e9\"\\/"}',
	'{"a":"é","\u00e9":"a"}', '{"a":[[1,2],[],{"0":"key"}],"0":{"a":"zero"},"-1":7}',
	'[{"a":1},{"a":[{"a":2}]},null,"s",-0.0]',
	'"a"', 'null', ' true ', '{}', '[]', '{"":{"":1}}', '{"a":null}', '{"a":"\ud83d\ude00"}',
	'{"a":"\u0041\t","b":"\u0000"}',
	'{"a":1,"b":"\ud800"}', '{"b":"\ude00x","a":1}', '[1,"\ud800"]', '{"a":{"b":"\ud800"}}']::json[]) j;
SELECT pg_temp.test(format('SELECT id, j %s FROM written WHERE %s ORDER BY id', step, rows))
FROM unnest(ARRAY[$$-> 'a'$$, $$->> 'a'$$, $$-> 'a' -> 'b'$$, $$-> 'a' ->> 'b'$$, $$#> '{a}'$$, $$#>> '{a}'$$,
	$$#> '{a,b}'$$, $$#>> '{a,b,c}'$$, $$#>> '{a,2,b}'$$, $$-> 'a' -> 2 ->> '0'$$, $$#> '{}'$$, $$#>> '{}'$$,
	$$-> 0$$, $$->> 0$$, $$-> -1$$,
	$$->> 3$$, $$->> 4$$,
	$$-> 1 -> 'a' -> 0 ->> 'a'$$, $$#>> '{1,a,0,a}'$$, $$#> '{-1}'$$, $$#>> '{0,a}'$$, $$-> '0' ->> 'a'$$, $$->> ''$$,
	$$#> '{"",""}'$$, $$-> 'é'$$, $$->> 'b'$$, $$->> left('abc', 1)$$, $$-> (id - 8)$$,
	$$#>> ARRAY['a', (id % 3)::text]$$,
	$$#> '{a,NULL}'$$, $$#>> '{+0}'$$]) step,
	unnest('{"id < 17","id >= 17","id = 19","id = 20","id > 20"}'::text[]) rows;

CREATE FUNCTION pg_temp.memory(accelerate text) RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
	PERFORM set_config('jsonrow.accelerate', accelerate, true);
	RETURN max(bytes) FROM (SELECT d ->> 'a', d ->> 'zz', d -> 'nothing', (SELECT sum(total_bytes)
		FROM pg_backend_memory_contexts WHERE d ->> 'a' <> '')
		FROM large) s(a, zz, n, bytes);
END $$;
SELECT cmp_ok(pg_temp.memory('on'), '<', pg_temp.memory('off') + 20000000, 'memory stays');

-- Plans that are kept
CREATE FUNCTION pg_temp.reads_by_ours(query text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
	line text;
	lines text[] := '{}';
BEGIN
	FOR line IN EXECUTE 'EXPLAIN (VERBOSE) ' || query LOOP
		lines := lines || line;
	END LOOP;
	RETURN pg_temp.calls_in(lines) > 0;
END $$;
CREATE TABLE altered AS SELECT id, c AS d FROM life;
SET LOCAL jsonrow.accelerate = on;
PREPARE reading AS SELECT id, d ->> 'a', d ->> 'zz' FROM altered ORDER BY id;
CREATE TEMP TABLE answers (number serial, answer text);
CREATE FUNCTION pg_temp.note_answer() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	r record;
	result text[] := '{}';
BEGIN
	FOR r IN EXECUTE 'EXECUTE reading' LOOP
		result := result || r::text;
	END LOOP;
	INSERT INTO answers (answer) VALUES (result::text);
END $$;
SELECT pg_temp.note_answer() \g /dev/null
SELECT ok(pg_temp.reads_by_ours('EXECUTE reading'), 'a prepared statement reads by ours');
ALTER TABLE altered ALTER d SET STORAGE EXTERNAL;
UPDATE altered SET d = d::text::jsonb;
SELECT pg_temp.note_answer() \g /dev/null
SELECT ok(pg_temp.reads_by_ours('EXECUTE reading'), 'also after SET STORAGE');
SET LOCAL jsonrow.accelerate = off;
SELECT ok(NOT pg_temp.reads_by_ours('EXECUTE reading'), 'not when the setting is off');
SELECT pg_temp.note_answer() \g /dev/null
SET LOCAL jsonrow.accelerate = on;
SELECT ok(pg_temp.reads_by_ours('EXECUTE reading'), 'when it is on again');
REVOKE EXECUTE ON FUNCTION pg_catalog.jsonb_object_field_text(jsonb, text) FROM PUBLIC;
SELECT ok(NOT pg_temp.reads_by_ours('EXECUTE reading'), 'not when not everybody may call the original');
GRANT EXECUTE ON FUNCTION pg_catalog.jsonb_object_field_text(jsonb, text) TO PUBLIC;
DISCARD PLANS;
SELECT ok(pg_temp.reads_by_ours('EXECUTE reading'), 'when everybody may again');
REVOKE EXECUTE ON FUNCTION jsonrow_core_get_text(jsonb, VARIADIC "any") FROM PUBLIC;
SELECT ok(NOT pg_temp.reads_by_ours('EXECUTE reading'), 'not when not everybody may call ours');
GRANT EXECUTE ON FUNCTION jsonrow_core_get_text(jsonb, VARIADIC "any") TO PUBLIC;
SELECT ok(pg_temp.reads_by_ours('EXECUTE reading'), 'when everybody may again');
DROP EXTENSION jsonrow CASCADE;
SELECT ok(NOT pg_temp.reads_by_ours('EXECUTE reading'), 'not when the extension is dropped');
SELECT pg_temp.note_answer() \g /dev/null
SELECT is((SELECT array_agg(DISTINCT answer)::text FROM answers), (SELECT ARRAY[answer]::text FROM answers
	WHERE number = 3),
	'the same answers all the time');
\ir finish.psql

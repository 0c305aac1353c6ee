-- Nested collections with parameters that are known while planning: the same rows, the same errors; and where they
-- become joins.
\ir oracle.psql
\ir unnest.psql

SELECT pg_temp.plan_most(1395);

CREATE TABLE p (id int, owner uuid, name text);
INSERT INTO p SELECT i, format('00000000-0000-4000-a000-%s', lpad((i % 3)::text, 12, '0'))::uuid, 'p' || i
FROM generate_series(1, 9) i;
CREATE TABLE c (id int, pid int, owner uuid, n numeric, f float8, big bigint, s text, v varchar);
INSERT INTO c SELECT i, i % 11, format('00000000-0000-4000-a000-%s', lpad((i % 3)::text, 12, '0'))::uuid,
	i % 4, i % 4, i % 4, CASE WHEN i % 4 = 0 THEN 'Ab\' ELSE 'x' || i END, 'v' || i % 4
FROM generate_series(1, 60) i;
CREATE TYPE mood AS ENUM ('fine', 'bad');
ANALYZE;

-- A collection with a condition on what is passed as a parameter of a type: is it the same with each of some values,
-- and with which does it become a join?
CREATE FUNCTION pg_temp.known(condition text, type text, VARIADIC given text[]) RETURNS SETOF text
LANGUAGE plpgsql AS $$
DECLARE
	call text;
BEGIN
	EXECUTE format('PREPARE known_of(%s) AS SELECT id, (SELECT json_agg(s ORDER BY id) FROM c
		WHERE pid = p.id AND %s) FROM p ORDER BY id', type, condition);
	FOR i IN 1 .. cardinality(given) BY 2 LOOP
		call := format('EXECUTE known_of(%L)', given[i + 1]);
		RETURN QUERY SELECT is(pg_temp.outcome(call, ARRAY['plan_cache_mode', mode, 'jsonrow.unnest', 'on']),
			pg_temp.outcome(call, ARRAY['plan_cache_mode', mode, 'jsonrow.unnest', 'off']),
			format('%s: %s with %s', mode, condition, given[i + 1]))
		FROM unnest('{force_custom_plan,force_generic_plan}'::text[]) mode;
		PERFORM set_config('plan_cache_mode', 'force_custom_plan', true);
		RETURN NEXT is(pg_temp.groupings(call, 'on'), given[i]::int, format('joins: %s with %s', condition, given[i + 1]));
	END LOOP;
	PERFORM set_config('plan_cache_mode', 'force_generic_plan', true);
	RETURN NEXT is(pg_temp.groupings(call, 'on'), 0, 'joins in a generic plan: ' || condition);
	DEALLOCATE known_of;
END $$;

-- Patterns
SELECT pg_temp.known('s ' || operator || ' $1', 'text', '1', 'x%', '1', '%B%', '0', 'a\%', '0', '\_%', '1', '')
FROM unnest('{LIKE,NOT LIKE,ILIKE,NOT ILIKE}'::text[]) operator;
SELECT pg_temp.known(condition, 'text', '1', 'b', '0', '\a', '0', 'a\b', '0', NULL) FROM unnest(ARRAY[
	$$s ILIKE '%' || $1 || '%'$$, $$s LIKE $1 || '_' || $1$$, $$v LIKE '%' || $1$$]) condition;
SELECT pg_temp.known('s LIKE $1', 'varchar', '1', 'x%', '0', 'x\%');
SELECT pg_temp.known('s LIKE pid || $1', 'text', '0', 'x%', '0', '\%');
SELECT pg_temp.known('s LIKE upper($1)', 'text', '0', 'x%');
SELECT pg_temp.known($$s COLLATE "C" LIKE $1 || '%'$$, 'text', '1', 'x');

-- What Hasura knows of its user; and texts that are cast
SELECT pg_temp.known($$owner = ($1 ->> 'x-hasura-user-id')::uuid$$, type,
	'1', '{"x-hasura-user-id":"00000000-0000-4000-a000-000000000001"}',
	'1', '{"x-hasura-user-id":"00000000-0000-4000-A000-000000000002","x-hasura-role":"user"}',
	'1', '{"a":1, "x-hasura-user-id" : "no", "x-hasura-user-id" : "00000000-0000-4000-a000-000000000001"}')
FROM unnest('{json,jsonb}'::text[]) type;
SELECT pg_temp.known(format('%s = ($1 ->> ''id'')::%s', name, of), type,
	'1', '{"id":"1"}', '1', '{"id":2}', '1', '{"id":"000000003"}', '0', '{"id":"1234567890"}')
FROM (VALUES ('id', 'int'), ('big', 'bigint'), ('n', 'numeric'), ('f', 'float8')) q(name, of),
	unnest('{json,jsonb}'::text[]) type;
SELECT pg_temp.known($$s = $1 ->> 'id'$$, 'json', '1', '{"id":"x1"}', '1', '{"id":"\\"}', '1', '{"id":{"a":1}}');
SELECT pg_temp.known($$s LIKE '%' || ($1 ->> 'id') || '%'$$, type, '1', '{"id":"x1"}', '0', '{"id":"\\"}')
FROM unnest('{json,jsonb}'::text[]) type;
SELECT pg_temp.known('id = $1::int', 'text', '1', '1', '0', ' 1', '0', '-1', '0', '0000000001');
SELECT pg_temp.known('owner = $1::uuid', 'text', '1', '00000000-0000-4000-a000-000000000001',
	'0', '{00000000-0000-4000-a000-000000000001}', '0', '0000-0000-0000-4000-a000-000000000001');
SELECT pg_temp.known('id = ($1 || $1)::int', 'text', '1', '1');

-- ... of which some are errors, unless PostgreSQL never computes them
CREATE FUNCTION pg_temp.erring(condition text, type text, VARIADIC given text[]) RETURNS SETOF text
LANGUAGE plpgsql AS $$
DECLARE
	call text;
	value text;
	written text;
BEGIN
	FOREACH written IN ARRAY ARRAY['SELECT id, (SELECT json_agg(s ORDER BY id) FROM c WHERE pid = p.id AND %s) FROM p
		ORDER BY id', 'SELECT id FROM (SELECT id, (SELECT json_agg(s ORDER BY id) FROM c WHERE pid = p.id AND %s), (SELECT
		count(*) FROM c WHERE pid = p.id) FROM p) x ORDER BY id', 'SELECT id, (SELECT json_agg(s ORDER BY id) FROM c
		WHERE pid = p.id AND false AND %s) FROM p ORDER BY id']
	LOOP
		EXECUTE format('PREPARE known_of(%s) AS ' || written, type, condition);
		FOREACH value IN ARRAY given LOOP
			call := format('EXECUTE known_of(%L)', value);
			RETURN NEXT is(pg_temp.outcome(call, '{plan_cache_mode, force_custom_plan, jsonrow.unnest, on}'),
				pg_temp.outcome(call, '{plan_cache_mode, force_custom_plan, jsonrow.unnest, off}'),
				format('%s with %s: %s', condition, value, written));
		END LOOP;
		DEALLOCATE known_of;
	END LOOP;
END $$;
SELECT pg_temp.erring($$id = ($1 ->> 'id')::int$$, 'json', '{"id":"x"}', '{"id":""}', '{"id":null}', '{"b":"1"}', '[]',
	'7', '{"id":"\u0000"}', '{"id":"\ud800"}', '{"id":"\u0031"}', NULL);
SELECT pg_temp.erring($$owner = ($1 ->> 'id')::uuid$$, 'jsonb', '{"id":"x"}', '{"id":null}', '"id"', NULL,
	'{"id":"00000000-0000-4000-a000-00000000000"}', '{"id":"00000000-0000-4000-a000-00000000000g"}');
SELECT pg_temp.erring('s LIKE $1', 'text', '\', 'A%\', 'Ab\');

-- Counts
CREATE FUNCTION pg_temp.counted(joins int, count text, skipped text DEFAULT '0') RETURNS SETOF text LANGUAGE sql AS $$
	SELECT pg_temp.test(joins, format('SELECT id, (SELECT json_agg(x) FROM (SELECT s FROM c WHERE pid = p.id ORDER BY id
		LIMIT %s OFFSET %s) x) FROM p ORDER BY id', count, skipped));
$$;
SELECT pg_temp.counted(1, '1 + 1');
SELECT pg_temp.counted(1, '2 * 1 + 1', '(2 - 1) * 2');
SELECT pg_temp.counted(1, '2::int8 + 1', '1 * 1::int8');
SELECT pg_temp.counted(1, '3 - 3');
SELECT pg_temp.counted(0, '1 + NULL::int');
SELECT pg_temp.counted(0, '1 / 1');
SELECT pg_temp.counted(0, '40000 + 1');
SELECT is(pg_temp.outcome(query, '{jsonrow.unnest, on}'), pg_temp.outcome(query, '{jsonrow.unnest, off}'),
	'errors: ' || count)
FROM unnest('{2147483647 + 1,40000 * 40000 * 4,2 / 0,1 - 2}'::text[]) count, format('SELECT id, (SELECT json_agg(x)
	FROM (SELECT s FROM c WHERE pid = p.id ORDER BY id LIMIT %s) x) FROM p ORDER BY id', count) query;
SELECT pg_temp.counted(0, '+ 2');
DEALLOCATE ALL;
PREPARE known_of(int, int) AS SELECT id, (SELECT json_agg(x) FROM (SELECT s FROM c WHERE pid = p.id ORDER BY id
	LIMIT $1 + 1 OFFSET ($2 - 1) * $1) x) FROM p ORDER BY id;
SELECT is(pg_temp.outcome(call, ARRAY['plan_cache_mode', mode, 'jsonrow.unnest', 'on']),
	pg_temp.outcome(call, ARRAY['plan_cache_mode', mode, 'jsonrow.unnest', 'off']), mode || ': ' || call)
FROM unnest('{"(2, 1)","(1, 3)","(0, 1)","(-2, 1)","(2, 0)","(NULL, 1)","(2147483647, 1)","(2, NULL)"}'::text[])
	q(given), unnest('{force_custom_plan,force_generic_plan}'::text[]) mode, format('EXECUTE known_of%s', given) call;
SET LOCAL plan_cache_mode = force_custom_plan;
SELECT is(pg_temp.groupings(format('EXECUTE known_of(%s)', given), 'on'), joins, 'joins: ' || given)
FROM (VALUES (1, '2, 1'), (1, '1, 3'), (0, 'NULL, 1')) q(joins, given);
-- Functions that raise no error with what is known; the rows of pid 200, which no parent reaches, have the most and
-- the least values
CREATE TABLE t (id int, pid int, at timestamp, atz timestamptz, d date, s text, n numeric, e mood, j jsonb);
INSERT INTO t SELECT i, i % 11, timestamp '2026-01-01' + i * interval '7 hours',
	timestamptz '2026-01-01 00:00+00' + i * interval '11 days', DATE '2026-01-01' + i, 's' || i, i / 7.0, 'fine',
	'{"a": [1]}' FROM generate_series(1, 40) i;
INSERT INTO t SELECT 100 + i, 200, at, at AT TIME ZONE 'UTC', d, repeat('x', i), n, 'bad', NULL
FROM (VALUES (1, '-infinity'::timestamp, '-infinity'::date, 'NaN'::numeric),
	(2, 'infinity', 'infinity', 'Infinity'),
	(3, '4714-11-24 00:00:00 BC', '4714-11-24 BC', 9e131071),
	(4, '294276-12-31 23:59:59.999999', '5874897-12-31', -9e131071))
	q(i, at, d, n);
ANALYZE t;
CREATE FUNCTION pg_temp.calls(joins int, VARIADIC calls text[]) RETURNS SETOF text LANGUAGE sql AS $$
	SELECT pg_temp.test(joins, format('SELECT id, (SELECT json_agg(%s ORDER BY id) FROM t WHERE pid = p.id)
		FROM p ORDER BY id', call)) FROM unnest(calls) call;
$$;
SELECT pg_temp.calls(1, format('extract(%s FROM %s)', part, value),
	format('date_part(%L, %s)', part, value))
FROM unnest('{year,month,day,quarter,week,dow,isodow,doy,isoyear,epoch,hour,minute,second}'::text[]) part,
	unnest('{at,atz}'::text[]) value;
SELECT pg_temp.calls(1, format('extract(%s FROM d)', part))
FROM unnest('{year,month,day,quarter,week,dow,isodow,doy,isoyear,epoch}'::text[]) part;
SELECT pg_temp.calls(0, 'extract(hour FROM d)', 'extract(timezone FROM at)', $$date_part('fine', at)$$);
SELECT pg_temp.calls(1, format('to_char(%s, %L)', value, format))
FROM unnest(ARRAY['YYYY-MM-DD', 'DD/MM/YY HH24:MI', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"', 'US', '']) format,
	unnest('{at,atz}'::text[]) value;
SELECT pg_temp.calls(0, $$to_char(at, 'TMMS')$$, $$to_char(at, 'DYTH')$$, $$to_char(at, 'TMMonth')$$,
	$$to_char(n, '999')$$, 'to_char(at, s)',
	$$to_char(d, 'YYYY')$$, $$to_char(atz, 'DYYYY')$$, $$to_char(atz, 'TZ')$$);
SELECT pg_temp.calls(1, $$concat(s, ' ', id, at, atz, d, n, e, j, NULL)$$, $$concat_ws(', ', s, e)$$,
	$$replace(s, '1', s)$$,
	'char_length(s)', 'octet_length(s)', 'concat(ARRAY[s])', 'atz::date', 'at::date',
	'id || s', $$s || ' ' || id$$, $$to_jsonb(t) - 's'$$, 'e || s',
	$$(to_jsonb(t) || jsonb_build_object('x', 1)) - 's' - 'x'$$, 'mod(id, 3)', 'reverse(s)',
	$$jsonb_concat(to_jsonb(t), jsonb_build_object('x', 1)) - 's'$$,
	$$position('1' IN s)$$,
	$$strpos(s, '1')$$, 'array_length(ARRAY[id, n], 1)', $$split_part(s, '1', 2)$$,
	$$format('%s (%s) 100%%', s, e)$$, $$format('%s', at)$$, $$format('')$$);
SELECT pg_temp.calls(0, 'mod(id, id)', $$j - 's'$$, 'jsonb_strip_nulls(j)', $$to_jsonb(s) - 's'$$, 
	$$(to_jsonb(t) || j) - 's'$$,
	'to_jsonb(t) - 1',
	$$split_part(s, '1', id)$$, $$split_part(s, '1', 0)$$, $$format('%s %s', s)$$,
	$$format('%I', s)$$, $$format('%', s)$$, $$format('%5s', s)$$, 'format(s)', $$format('%s', VARIADIC ARRAY[s])$$,
	$$format('%s', t)$$);
CREATE TYPE odd AS ENUM ('x');
CREATE FUNCTION odd_text(odd) RETURNS text IMMUTABLE LANGUAGE plpgsql AS 'BEGIN RETURN 1 / 0; END';
CREATE CAST (odd AS text) WITH FUNCTION odd_text;
ALTER TABLE t ADD o odd;
SELECT pg_temp.calls(0, 'o || s', 's || o');
ALTER TABLE t ADD price numeric(10, 2) DEFAULT 'NaN', ADD long numeric(400, 200) DEFAULT 1;
UPDATE t SET price = id / 3.0 WHERE id % 3 = 1;
SELECT pg_temp.calls(1, 'price::float8', 'price::float4', '(price * id)::float8', '(price - 1.5)::float4');
SELECT pg_temp.calls(0, 'n::float8', 'long::float8', '(price / 3)::float8', '(price * price * price * price)::float4',
	'price::int');
SELECT pg_temp.test(joins, format('SELECT p.id, (SELECT %s FROM t WHERE pid = p.id) FROM p ORDER BY id', total))
FROM (VALUES (1, 'sum(price)::float8'), (1, 'avg(price)::float8'), (1, 'max(price)::float4'),
	(1, 'sum(id::bigint)::float8'), (1, 'avg(id)::float4'), (0, 'sum(n)::float8')) q(joins, total);
SELECT pg_temp.calls(0, $$concat(VARIADIC ARRAY[s, ' '])$$, 'concat(t)');
-- To print these may fail, or warn; and some collations are not for every function.
ALTER TABLE t ADD m money, ADD path jsonpath, ADD x xml, ADD v oidvector, ADD ms money[];
SELECT pg_temp.calls(0, format('concat(%s)', name)) FROM unnest('{m,path,x,v,ms}'::text[]) name;
SELECT pg_temp.calls(0, 'm', 'path', 'x', 'ms', 'm::text', 'path::text', 'v::text');
SELECT pg_temp.has_icu() AS has_icu \gset
\if :has_icu
SELECT pg_temp.calls(0, $$replace(s COLLATE any_case, '', s)$$);
\else
SELECT skip('no ICU', 3);
\endif
DEALLOCATE ALL;
SELECT pg_temp.known('s LIKE $1', 'text', '1', repeat('%', 900), '0', repeat('%', 1100));
SELECT pg_temp.known('s LIKE $1 || $1', 'text', '1', repeat('%', 400), '0', repeat('%', 600), '0', repeat('%', 9000));

-- Numbers that are never too large: those of pid 200 have the most digits of their types.
CREATE TABLE n (id int, pid int, i int, big bigint, m numeric(12, 2), w numeric(1000, 500), x numeric,
	s text, f float8);
INSERT INTO n SELECT i, i % 11, i, i, i / 7.0, i / 7.0, i, 's' || i, i FROM generate_series(1, 40) i;
INSERT INTO n SELECT 100 + i, 200, 2147483647, 9223372036854775807, sign * 9999999999.99, sign * (1e500 - 1e-500),
	sign * 9.9e131071, 's', 1e308 FROM (VALUES (1, 1), (2, -1), (3, 'NaN'::numeric)) q(i, sign);
INSERT INTO n SELECT 110, 200, -2147483648, -9223372036854775808, 0, 0, 0, '', 0;
ANALYZE n;
CREATE FUNCTION pg_temp.numbers(joins int, VARIADIC calls text[]) RETURNS SETOF text LANGUAGE sql AS $$
	SELECT pg_temp.test(joins, format('SELECT id, (SELECT %s FROM n WHERE pid = p.id) FROM p ORDER BY id', call))
	FROM unnest(calls) call;
$$;
SELECT pg_temp.numbers(1, 'sum(i * m)', 'avg(m + w * big - 1.5)', 'sum(coalesce(m, 0) * w * w)', 'sum(m / 7)',
	'sum(round(m * 1.1, 1))', 'json_agg(trunc(w / 3.5, 2000) ORDER BY id)',
	'json_agg(ceil(-m) + floor(abs(m)) ORDER BY id)',
	'json_agg(-x ORDER BY id)', 'json_agg(abs(x) ORDER BY id)', 'json_agg(i / 2 + m ORDER BY id)',
	'json_agg(i % 2 ORDER BY id)', 'json_agg(big % 3 ORDER BY id)', 'json_agg(big / 3 ORDER BY id)',
	'count(*) FILTER (WHERE i % 2 = 0)');
SELECT pg_temp.numbers(0, 'sum(x * m)', 'sum(m / m)', 'sum(m / 0.0)', 'sum(m / -2)', 'sum(round(x, 1))',
	'sum(ceil(x))',
	'json_agg(i + 1 ORDER BY id)', 'json_agg(i * 2 ORDER BY id)', 'json_agg(i / i ORDER BY id)',
	'json_agg(i / 0 ORDER BY id)', 'json_agg(big / -1 ORDER BY id)', 'json_agg(-i ORDER BY id)', 'sum(f * 2)',
	'sum(' || repeat('w * ', 12) || '1.5)');
-- ... unless there are very many of them; nor does that take long
SELECT pg_temp.numbers(joins, format('sum(%sm)', repeat(operator, n))) FROM (VALUES (1, 'm + ', 40), (0, 'm + ', 999),
	(1, '- ', 40), (0, '- ', 200)) q(joins, operator, n);
SELECT pg_temp.numbers(1, 'sum(coalesce(m, coalesce(i * m, 0), 1))');
-- ... or an operator that only begins with a number
CREATE FUNCTION equal(numeric, text) RETURNS boolean LANGUAGE plpgsql IMMUTABLE COST 1 AS $$
BEGIN
	IF $2 = 'none' THEN RAISE 'equal to %', $1; END IF;
	RETURN false;
END $$;
CREATE OPERATOR = (LEFTARG = numeric, RIGHTARG = text, FUNCTION = equal);
UPDATE n SET s = 'none' WHERE id = 40;
SELECT is(pg_temp.outcome(query, '{jsonrow.accelerate, on}'), pg_temp.outcome(query, '{jsonrow.accelerate, off}'),
	query)
FROM format('SELECT json_agg(x.j) FROM (SELECT json_build_array(NULLIF(m, s)%s) j FROM n ORDER BY id LIMIT 1) x',
	repeat(', NULLIF(m, s)', 10)) query;
UPDATE n SET s = 's40' WHERE id = 40;
-- ... or what PL/pgSQL thinks that a record holds
CREATE FUNCTION pg_temp.sums() RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	r record;
BEGIN
	SELECT 1::numeric(5, 2) AS n INTO r;
	FOR i IN 1 .. 2 LOOP
		RETURN QUERY SELECT json_agg(x)::text FROM (SELECT id, (SELECT count(n.m * r.n) FROM n WHERE pid = p.id AND m < 9)
			FROM p) x;
		SELECT 9e131071::numeric AS n INTO r;
	END LOOP;
END $$;
SELECT is(pg_temp.outcome('SELECT pg_temp.sums()', '{jsonrow.unnest, on}'),
	pg_temp.outcome('SELECT pg_temp.sums()', '{jsonrow.unnest, off}'), 'a variable of another type than it was');
-- What a document is to contain may be too deep.
SELECT pg_temp.calls(1, $$j @> '{"a": []}'$$);
SELECT pg_temp.calls(0, 'j @> j');
SELECT pg_temp.numbers(1, 'json_agg(substring(s FOR 2) ORDER BY id)', 'json_agg(substring(s FROM i) ORDER BY id)',
	'json_agg(substr(s, i, 2147483647) ORDER BY id)', 'json_agg(s::varchar(1) ORDER BY id)');
SELECT pg_temp.numbers(0, 'json_agg(substring(s FOR i) ORDER BY id)', 'json_agg(substr(s, 1, -1) ORDER BY id)');

SELECT * FROM finish();
ROLLBACK;

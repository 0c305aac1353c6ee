-- Values of collections that could raise an error: joined where those of each parent are wanted, and computed for no
-- other rows.
\ir oracle.psql
\ir unnest.psql

SELECT pg_temp.plan_most(376);

CREATE TABLE p (id int PRIMARY KEY, k int, name text);
INSERT INTO p SELECT i, i % 9, 'p' || i FROM generate_series(1, 100) i;
CREATE TABLE c (id int PRIMARY KEY, pid int, v int, s text);
-- By 0 cannot be divided: what belongs to nobody, or to those who are not asked for
INSERT INTO c SELECT i, 1 + i * 13 % 100, 1 + i % 4, 's' || i FROM generate_series(1, 300) i;
INSERT INTO c SELECT 1000 + i, CASE i % 3 WHEN 0 THEN -1 WHEN 1 THEN NULL ELSE 200 END, 0, 'nobody''s'
FROM generate_series(1, 50) i;
INSERT INTO c VALUES (2000, 100, 0, 'the last one''s');
CREATE TABLE g (id int PRIMARY KEY, cid int, v int);
INSERT INTO g SELECT i, 1 + i * 17 % 300, 1 + i % 5 FROM generate_series(1, 500) i;
INSERT INTO g SELECT 1000 + i, CASE i % 2 WHEN 0 THEN 1000 + i ELSE 2000 END, 0 FROM generate_series(1, 20) i;
ANALYZE;
CREATE FUNCTION pg_temp.one(rows text) RETURNS text LANGUAGE sql AS $$
	SELECT format('SELECT json_agg(q ORDER BY q.id) FROM (%s) q', rows) $$;

-- What cannot fail but for its size is computed for any row, as pg_graphql's cursors, in the server's encoding.
SELECT pg_temp.test(joins, format('SELECT id, (SELECT json_agg(%s ORDER BY id) FROM c WHERE pid = p.id) FROM p
	ORDER BY id', value)) FROM (VALUES
	(1, format('translate(encode(convert_to(jsonb_build_array(to_jsonb(c.id))::text, %L), ''base64''), E''\n'', '''')',
		current_setting('server_encoding'))),
	(1, 's || '' '' || left(s, 2) || right(s, 1)'), (1, 'encode(''\x00ff''::bytea, ''hex'')'),
	(0, format('convert_to(s, %L)', CASE current_setting('server_encoding') WHEN 'UTF8' THEN 'LATIN1' ELSE 'UTF8' END)),
	(1, 'greatest(v, 3)'), (1, 'least(s, ''s2'')'), (0, 'greatest(ARRAY[v], ARRAY[3])'),
	(0, 'convert_to(s, ''no encoding'')'), (0, 'encode(''\x00'', s)'),
	(0, 'encode(''\xff'', ''escape'')'), (1, '(v > 2)::text'), (1, '(c IS NULL)::text'),
	(1, 'trim(s) || rtrim(s, ''1'') || initcap(s)'), (1, 'cardinality(ARRAY[s, s])'),
	(1, 'jsonb_build_array(v, s) ->> 1'), (1, 'jsonb_build_array(s) #>> ''{0,a}'''),
	(1, 'jsonb_build_array(s) #> ''{x,NULL}'''), (0, 'jsonb_build_array(s) - s'),
	(0, 'jsonb_build_array(s) #>> s::text[]'),
	(1, 'NULL::inet::text'), (0, '(s || ''x'')::inet::text')) q(joins, value);
-- PostGraphile asks of each row that it looks up whether there is one.
SELECT pg_temp.test(1, 'SELECT id, array(SELECT array[c.id::text, g.v::text, (NOT (g IS NULL))::text]::text[] FROM c
	LEFT JOIN g ON g.id = c.id WHERE pid = p.id ORDER BY c.id)::text FROM p ORDER BY id');

-- Where all rows become one
SELECT pg_temp.test_parts(1, pg_temp.one(format('SELECT id, (SELECT %s FROM c WHERE pid = p.id) FROM p WHERE id < 100',
	value))) FROM unnest(ARRAY['sum(10 / v)', 'count(*) FILTER (WHERE 10 / v > 4)', 'max(length(s) / v)',
	'sum(v * 3) + min(10 / v)', 'avg(v::numeric / v)']) value;
SELECT pg_temp.test(1, pg_temp.one(format('SELECT id, (SELECT %s FROM c WHERE pid = p.id) FROM p WHERE id < 100',
	value))) FROM unnest(ARRAY['json_agg(10 / v ORDER BY c.id)', 'string_agg(repeat(s, v), '','' ORDER BY c.id)',
	'json_agg(json_build_object(''q'', 10 / v, ''s'', s || ''!'') ORDER BY c.id)',
	'coalesce(jsonb_agg(jsonb_build_array(10 / v, (s || ''1'')) ORDER BY c.id), ''[]'')']) value;
SELECT pg_temp.test(1, pg_temp.one('SELECT id, x.* FROM p LEFT JOIN LATERAL (SELECT json_agg(10 / v ORDER BY c.id) s,
	count(*) n FROM c WHERE pid = p.id) x ON true WHERE id < 100'));
SELECT pg_temp.test_parts(1, pg_temp.one('SELECT id, x.* FROM p LEFT JOIN LATERAL (SELECT sum(10 / v) s FROM c
	WHERE pid = p.id) x ON true WHERE id < 100'));
-- Times that are not far from the clock's
SELECT pg_temp.test(joins, format('SELECT id, (SELECT count(*) FROM c WHERE pid = p.id
	AND timestamptz ''2020-01-01 00:00+00'' > %s) FROM p ORDER BY id', at)) FROM (VALUES
	(1, 'CASE WHEN v > 1 THEN now() - interval ''30 days'' END'), (1, 'CASE v WHEN 1 THEN current_timestamp END'),
	(1, 'CASE WHEN v > 1 THEN statement_timestamp() + interval ''-900 years 1 day'' END'),
	(0, 'CASE WHEN v > 1 THEN now() - interval ''9000 years'' END'),
	(0, 'CASE v WHEN 1 THEN now() - v * interval ''1 d'' END')) q(joins, at);
SELECT pg_temp.test(joins, format('SELECT id, (SELECT count(*) FROM c WHERE pid = p.id AND date ''2020-01-01'' > %s)
	FROM p ORDER BY id', at)) FROM (VALUES
	(1, 'CASE WHEN v > 1 THEN current_date - 30 END'), (1, 'CASE WHEN v > 1 THEN now()::date + 7 END'),
	(0, 'CASE WHEN v > 1 THEN current_date - v END'), (0, 'CASE WHEN v > 1 THEN current_date + 2000000 END'))
	q(joins, at);
-- ... as values of a subquery, whose rows are restricted
SELECT pg_temp.test(1, pg_temp.one(format('SELECT id, (SELECT json_agg(x) FROM (%s) x) FROM p WHERE id < 100', rows)))
FROM unnest(ARRAY['SELECT c.id, 10 / v q FROM c WHERE pid = p.id ORDER BY s',
	'SELECT y.id, y.q / y.q r FROM (SELECT *, 10 / v q FROM c WHERE pid = p.id ORDER BY id) y ORDER BY y.s']) rows;
-- ... nested
SELECT pg_temp.test_parts(2, pg_temp.one('SELECT id, (SELECT json_agg(json_build_object(''q'', 10 / v, ''gs'', (SELECT
	sum(10 / g.v) FROM g WHERE cid = c.id)) ORDER BY c.id) FROM c WHERE pid = p.id) FROM p WHERE id < 100'));
SELECT pg_temp.test(2, pg_temp.one('SELECT id, (SELECT json_agg(x) FROM (SELECT c.id, 10 / v q, (SELECT json_agg(y)
	FROM (SELECT 10 / g.v r FROM g WHERE cid = c.id ORDER BY g.id) y) gs FROM c WHERE pid = p.id ORDER BY c.id) x) FROM p
	WHERE id < 100'));
-- ... and when one that is asked for raises an error
SELECT pg_temp.test_parts(1, pg_temp.one(format('SELECT id, (SELECT %s FROM c WHERE pid = p.id) FROM p', value)))
FROM unnest(ARRAY['sum(10 / v)', 'min(10 / v)']) value;
SELECT pg_temp.test(1, pg_temp.one(format('SELECT id, (SELECT %s FROM c WHERE pid = p.id) FROM p', value)))
FROM unnest(ARRAY['json_agg(10 / v ORDER BY c.id)']) value;
SELECT pg_temp.test_parts(2, pg_temp.one('SELECT id, (SELECT json_agg((SELECT sum(10 / g.v) FROM g WHERE cid = c.id)
	ORDER BY c.id) FROM c WHERE pid = p.id) FROM p'));

-- ... beside one that PostgreSQL 19 cannot compute in parts, but which nobody uses
SELECT pg_temp.test_parts(1, pg_temp.one('SELECT id, x.s FROM p LEFT JOIN LATERAL (SELECT sum(10 / v) s, json_agg(v) j
	FROM c WHERE pid = p.id) x ON true WHERE id < 100'));
-- ... and beside one that cannot fail
SELECT pg_temp.test(1, pg_temp.one('SELECT id, x.s, x.j FROM p LEFT JOIN LATERAL (SELECT sum(v) s,
	json_agg(10 / v ORDER BY c.id) j FROM c WHERE pid = p.id) x ON true WHERE id < 100'));

-- A value that is the same for all rows: a parallel plan has it before it reads any.
SELECT pg_temp.test(0, pg_temp.one(format('SELECT id, (SELECT %s FROM c WHERE pid = p.id) FROM p WHERE id < 100',
	value)))
FROM unnest(ARRAY['sum(v + (SELECT 10 / y.v FROM c y WHERE y.id = 2000))',
	'count(*) FILTER (WHERE v > (SELECT 10 / y.v FROM c y WHERE y.id = 2000))']) value;
SELECT pg_temp.test(0, pg_temp.one('SELECT id, (SELECT json_agg(x.y ORDER BY x.id) FROM (SELECT id, v + (SELECT 10
	/ z.v
	FROM c z WHERE z.id = 2000) y FROM c WHERE pid = p.id) x) FROM p WHERE id < 100'));

-- Where not all rows may be computed
SELECT pg_temp.test(joins, query) FROM (VALUES
	-- Whoever asked may fetch some only.
	(0, 'SELECT id, (SELECT sum(10 / v) FROM c WHERE pid = p.id) FROM p WHERE id < 100 ORDER BY id'),
	(0, 'SELECT id, (SELECT json_agg((SELECT sum(10 / g.v) FROM g WHERE cid = c.id) ORDER BY c.id) FROM c
		WHERE pid = p.id) FROM p WHERE id < 100 ORDER BY id'),
	(1, pg_temp.one('SELECT id, (SELECT json_agg(10 / v ORDER BY c.id) FROM c WHERE pid = p.id) FROM p ORDER BY id
		LIMIT 5')),
	(0, pg_temp.one('SELECT id, CASE WHEN id < 100 THEN (SELECT sum(10 / v) FROM c WHERE pid = p.id) END FROM p')),
	(0, 'SELECT json_agg((SELECT sum(10 / v) FROM c WHERE pid = p.id)) FILTER (WHERE id < 100) FROM p'),
	(1, pg_temp.one('SELECT id, s FROM (SELECT id, (SELECT json_agg(10 / v ORDER BY id) FROM c WHERE pid = p.id) s
		FROM p) p WHERE id < 100')),
	-- What rows are found by, and sorted by
	(0, pg_temp.one('SELECT id, (SELECT count(*) FROM c WHERE pid = p.id AND 10 / v > 1) FROM p WHERE id < 100')),
	(0, pg_temp.one('SELECT id, (SELECT json_agg(v ORDER BY 10 / v, c.id) FROM c WHERE pid = p.id) FROM p
		WHERE id < 100')),
	(0, pg_temp.one('SELECT id, (SELECT count(DISTINCT 10 / v) FROM c WHERE pid = p.id) FROM p WHERE id < 100')),
	(0, pg_temp.one('SELECT id, (SELECT json_agg(x) FROM (SELECT v FROM c WHERE pid = p.id ORDER BY 10 / v, id) x) FROM p
		WHERE id < 100')),
	(0, pg_temp.one('SELECT id, (SELECT json_agg(x) FROM (SELECT 10 / v q FROM c WHERE pid = p.id ORDER BY id LIMIT 2) x)
		FROM p WHERE id < 100')),
	(0, pg_temp.one('SELECT id, (SELECT json_agg(x.q) FROM (SELECT 10 / v q FROM c WHERE pid = p.id) x WHERE x.q > 2)
		FROM p WHERE id < 100')),
	-- The value is computed below the restriction.
	(0, pg_temp.one('SELECT id, (SELECT json_agg(x.q) FROM (SELECT pid, 10 / v q FROM c ORDER BY id) x WHERE x.pid = p.id)
		FROM p WHERE id < 100')),
	(0, pg_temp.one('SELECT id, (SELECT sum(y.q) FROM c LEFT JOIN (SELECT cid, 10 / v q FROM g) y ON y.cid = c.id
		WHERE pid = p.id) FROM p WHERE id < 100')),
	(0, pg_temp.one('SELECT id, (SELECT json_agg(v ORDER BY ROW(v, to_json(s)), c.id) FROM c WHERE pid = p.id) FROM p
		WHERE id < 100')),
	-- EXISTS may read all rows once.
	(0, pg_temp.one('SELECT id, (SELECT json_agg(EXISTS (SELECT FROM g WHERE cid = c.id AND 10 / g.v > 1) ORDER BY c.id)
		FROM c WHERE pid = p.id) FROM p WHERE id < 100')),
	(0, pg_temp.one('SELECT id, (SELECT json_agg(x) FROM (SELECT EXISTS (SELECT FROM g WHERE cid = c.id AND 10 / g.v > 1)
		FROM c WHERE pid = p.id ORDER BY c.id) x) FROM p WHERE id < 100')),
	-- Of no rows
	(0, pg_temp.one('SELECT id, (SELECT sum(10 / v) FROM c WHERE pid = p.id HAVING count(*) > 2) FROM p WHERE id < 100')),
	(0, pg_temp.one('SELECT id, (SELECT json_agg(10 / v + NULL::int) FROM c WHERE pid = p.id), random() < 2 FROM p
		WHERE id < 100'))) q(joins, query);
-- Values passed to functions in SQL: their bodies may compute them for some rows only, or for none; then they are
-- constants.
CREATE FUNCTION chosen(v anyelement, b bool) RETURNS anyelement IMMUTABLE LANGUAGE sql AS
	'SELECT CASE WHEN b THEN v END';
CREATE FUNCTION dropped(v bigint, b int) RETURNS int IMMUTABLE LANGUAGE sql AS 'SELECT b';
CREATE OPERATOR <?> (LEFTARG = anyelement, RIGHTARG = bool, FUNCTION = chosen);
SELECT pg_temp.test(joins, query) FROM (VALUES
	(0, pg_temp.one('SELECT id, chosen((SELECT json_agg(10 / v) FROM c WHERE pid = p.id), id < 100) FROM p')),
	(0, pg_temp.one('SELECT id, (SELECT json_agg(10 / v) FROM c WHERE pid = p.id) <?> (id < 100) FROM p')),
	(0, 'SELECT json_agg(chosen(z.v, z.id < 100) ORDER BY z.id) FROM (SELECT id, (SELECT json_agg(10 / v) FROM c
		WHERE pid = p.id) v FROM p) z'),
	(0, 'SELECT json_agg(10 / q.z) FROM p LEFT JOIN LATERAL (SELECT dropped(count(*), 0) z FROM c WHERE pid = p.id) q
		ON true WHERE p.id < 0'),
	(0, 'SELECT id, 10 / q.z, q.n FROM p LEFT JOIN LATERAL (SELECT dropped(count(*), 0) z, json_agg(s) n FROM c
		WHERE pid = p.id) q ON true WHERE id < 0'),
	(1, pg_temp.one('SELECT id, (SELECT round(avg(v)) || '' in all'' FROM c WHERE pid = p.id) FROM p')))
	q(joins, query);
SELECT is_empty($$SELECT p.oid::regprocedure FROM pg_proc p JOIN pg_language l ON l.oid = prolang AND lanname = 'sql'
	CROSS JOIN LATERAL (SELECT coalesce(pg_get_function_sqlbody(p.oid), prosrc)) b(body) WHERE p.oid < 12000
	AND NOT proretset AND body !~ 'FROM pg' AND (body ~* '\mcase\M|coalesce|nullif|greatest|least|\mand\M|\mor\M'
		OR EXISTS (SELECT FROM generate_series(1, pronargs) n WHERE body !~ ('\$' || n || '\M')))$$,
	'PostgreSQL''s own functions in SQL compute all of their arguments');
-- Columns that PostgreSQL 18 computes where it reads a table, below an outer join for all of its rows
SELECT current_setting('server_version_num')::int >= 180000 AS has_virtual \gset
\if :has_virtual
CREATE TABLE virtual (cid int, v int, q int GENERATED ALWAYS AS (coalesce(10 / v, 0)) VIRTUAL);
INSERT INTO virtual (cid, v) SELECT 1 + i % 300, 1 + i % 5 FROM generate_series(1, 600) i;
INSERT INTO virtual (cid, v) VALUES (5000, 0);
ANALYZE virtual;
SELECT pg_temp.test(0, pg_temp.one(format('SELECT id, (SELECT json_agg(%s ORDER BY c.id) FROM c LEFT JOIN virtual y
	ON y.cid = c.id WHERE pid = p.id) FROM p WHERE id < 100', value))) FROM unnest('{y.q,y}'::text[]) value;
\else
SELECT skip('the columns of a table are stored', 6);
\endif
SELECT * FROM finish();
ROLLBACK;

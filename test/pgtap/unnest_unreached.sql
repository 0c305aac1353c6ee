-- Nested collections with a LIMIT that no group reaches, as far as statistics tell: rows are counted, not numbered;
-- and the same where some do.
\ir oracle.psql
\ir unnest.psql

SELECT no_plan();

CREATE TABLE p (id int PRIMARY KEY, name text, k int);
INSERT INTO p SELECT i, 'p' || i, i % 7 FROM generate_series(1, 120) i;
CREATE TABLE c (id int PRIMARY KEY, pid int, v int, kind text, n numeric);
INSERT INTO c SELECT i, i % 115, i % 6, 'kind ' || i % 4, i / 10.0 FROM generate_series(1, 460) i;
CREATE TABLE g (id int PRIMARY KEY, cid int, w text);
INSERT INTO g SELECT i, i % 500, 'w' || i FROM generate_series(1, 900) i;
CREATE INDEX ON c (pid);
ANALYZE p, c, g;
-- Some have more rows than statistics know: as many as LIMIT takes, one more, and many.
INSERT INTO c SELECT 1000 + i, 9, i % 6, 'more', i FROM generate_series(1, 6) i;
INSERT INTO c SELECT 2000 + i, 11, i % 6, 'more', i FROM generate_series(1, 7) i;
INSERT INTO c SELECT 3000 + i, 13, i % 6, 'many', i FROM generate_series(1, 90) i;
INSERT INTO g SELECT 1000 + i, 21, 'more' || i FROM generate_series(1, 40) i;

CREATE FUNCTION pg_temp.plan(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text := '';
	line text;
BEGIN
	SET LOCAL jsonrow.unnest = on;
	FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
		result := result || line || E'\n';
	END LOOP;
	SET LOCAL jsonrow.unnest = off;
	RETURN result;
END $$;
-- The same; and are rows counted, or numbered?
CREATE FUNCTION pg_temp.counted(joins int, query text, numbered boolean DEFAULT false) RETURNS SETOF text
LANGUAGE plpgsql AS $$
BEGIN
	RETURN QUERY SELECT pg_temp.test(joins, query);
	RETURN NEXT is(pg_temp.plan(query) LIKE '%WindowAgg%', numbered, 'numbered: ' || left(query, 150));
	IF NOT numbered THEN
		RETURN NEXT alike(pg_temp.plan(query), '%NOT pg_is_other_temp_schema%', 'counted: ' || left(query, 150));
	END IF;
END $$;

-- What is made of the rows, with an order and without
SELECT pg_temp.counted(1, format('SELECT id, (SELECT %s FROM (SELECT id, v, kind, n FROM c WHERE pid = p.id %s) x)
	FROM p ORDER BY id', made, cut)) FROM (VALUES ('json_agg(x ORDER BY x.id)'), ('jsonb_agg(x.v ORDER BY x.v, x.id)'),
	('coalesce(json_agg(x ORDER BY x.id), ''[]'')'), ('json_agg(x ORDER BY x.id) FILTER (WHERE x.v > 2)'),
	('array_agg(DISTINCT x.v)'), ('string_agg(kind, '','' ORDER BY id)'), ('count(DISTINCT kind) || '' kinds'''),
	('json_build_object(''a'', json_agg(x ORDER BY id), ''n'', 1)'), ('jsonrow_agg(x ORDER BY x.id)'),
	('json_agg(x ORDER BY id)::jsonb')) m(made), unnest(ARRAY['ORDER BY id LIMIT 10',
	'ORDER BY id DESC LIMIT 1000 OFFSET 0', 'ORDER BY v, id FETCH FIRST 12 ROWS ONLY']) cut;
SELECT pg_temp.counted(1, format('SELECT id, (SELECT json_agg(x) FROM (SELECT id, v FROM c WHERE pid = p.id
	ORDER BY %s) x) FROM p ORDER BY id', cut))
FROM unnest(ARRAY['id LIMIT 10', 'v DESC, id LIMIT 1000', 'id LIMIT 2147483647']) cut;
SELECT pg_temp.counted(1, query) FROM unnest(ARRAY[
	'SELECT id, ARRAY(SELECT v FROM c WHERE pid = p.id ORDER BY id LIMIT 10) FROM p ORDER BY id',
	'SELECT id, (SELECT json_agg(y) FROM (SELECT x.v, x.id FROM (SELECT * FROM c WHERE pid = p.id ORDER BY id LIMIT 10) x
		ORDER BY x.v, x.id) y) FROM p ORDER BY id',
	'SELECT id, (SELECT json_agg(x) FROM (SELECT c.id, q.name FROM c JOIN p q ON q.id = c.v WHERE c.pid = p.id
		ORDER BY c.id LIMIT 10) x) FROM p ORDER BY id',
	'SELECT p.id, row_to_json(q) FROM p CROSS JOIN LATERAL (SELECT json_agg(x) a FROM (SELECT id, v FROM c
		WHERE pid = p.id ORDER BY id LIMIT 10) x) q ORDER BY p.id',
	'SELECT id, (SELECT json_agg(x) FROM (SELECT id, v FROM c WHERE pid = p.id ORDER BY id LIMIT 10) x) FROM p
		ORDER BY name LIMIT 30',
	'SELECT json_agg(z) FROM (SELECT id, (SELECT json_agg(x) FROM (SELECT id FROM c WHERE pid = p.id ORDER BY id
		LIMIT 10) x) FROM p ORDER BY id) z',
	'WITH d AS MATERIALIZED (SELECT * FROM p WHERE id < 50) SELECT id, (SELECT json_agg(x) FROM (SELECT id FROM c
		WHERE pid = d.id ORDER BY id LIMIT 10) x) FROM d ORDER BY id']) query;
-- Groups, and two levels, each with a LIMIT
SELECT pg_temp.counted(2, query) FROM unnest(ARRAY[
	'SELECT id, (SELECT json_agg(x) FROM (SELECT kind, count(*) FROM c WHERE pid = p.id GROUP BY kind
		ORDER BY kind LIMIT 10) x) FROM p ORDER BY id',
	'SELECT id, (SELECT json_agg(x) FROM (SELECT c.id, (SELECT json_agg(y) FROM (SELECT w FROM g WHERE cid = c.id
		ORDER BY id LIMIT 20) y) AS g FROM c WHERE pid = p.id ORDER BY id LIMIT 10) x) FROM p ORDER BY id',
	'SELECT p.id, q.a FROM p LEFT JOIN LATERAL (SELECT json_agg(x) a FROM (SELECT c.id, r.b FROM c LEFT JOIN LATERAL
		(SELECT json_agg(y) b FROM (SELECT w FROM g WHERE cid = c.id ORDER BY id LIMIT 20 OFFSET 0) y) r ON true
		WHERE c.pid = p.id ORDER BY c.id LIMIT 10 OFFSET 0) x) q ON true ORDER BY p.id',
	'SELECT p.id, q.a FROM p LEFT JOIN LATERAL (SELECT json_agg(x)::jsonb a FROM (SELECT c.id, r.b FROM c LEFT JOIN
		LATERAL (SELECT json_agg(y)::jsonb b FROM (SELECT w FROM g WHERE cid = c.id ORDER BY id LIMIT 20 OFFSET 0) y) r ON
		true WHERE c.pid = p.id ORDER BY c.id LIMIT 10 OFFSET 0) x) q ON true ORDER BY p.name LIMIT 50']) query;

-- Rows are numbered where statistics tell of larger groups, where some are skipped, where something follows LIMIT, ...
SELECT pg_temp.counted(1, query, true) FROM unnest(ARRAY[
	'SELECT id, (SELECT json_agg(x) FROM (SELECT id FROM c WHERE pid = p.id ORDER BY id LIMIT 2) x) FROM p ORDER BY id',
	'SELECT id, (SELECT json_agg(x) FROM (SELECT id FROM c WHERE pid = p.id ORDER BY id LIMIT 10 OFFSET 1) x) FROM p
		ORDER BY id',
	'SELECT id, (SELECT json_agg(x) FROM (SELECT id, v FROM c WHERE pid = p.id ORDER BY id LIMIT 10) x WHERE x.v > 1)
		FROM p ORDER BY id',
	'SELECT id, (SELECT json_agg(q.name ORDER BY q.id, x.id) FROM (SELECT id, v FROM c WHERE pid = p.id ORDER BY id
		LIMIT 10) x JOIN p q ON q.k = x.v) FROM p ORDER BY id',
	'SELECT id, (SELECT json_agg(x) FROM (SELECT id FROM c WHERE pid = p.id ORDER BY id LIMIT 2147483648) x) FROM p
		ORDER BY id',
	'SELECT k, json_agg(json_build_array(id, (SELECT json_agg(x) FROM (SELECT id FROM c WHERE pid = p.id ORDER BY id
		LIMIT 10) x)) ORDER BY id) FROM p GROUP BY k ORDER BY k']) query;
-- ... where what is aggregated is used in two places, which should be of the same rows, ...
SELECT pg_temp.counted(1, query, true) FROM unnest(ARRAY[
	'SELECT p.id, q.a, q.a IS NULL FROM p LEFT JOIN LATERAL (SELECT json_agg(x) a FROM (SELECT id, v FROM c
		WHERE pid = p.id ORDER BY id LIMIT 10) x) q ON true ORDER BY p.id',
	'SELECT p.id, q.a, q.n FROM p LEFT JOIN LATERAL (SELECT json_agg(x) a, count(*) n FROM (SELECT id, v FROM c
		WHERE pid = p.id ORDER BY id LIMIT 10) x) q ON true ORDER BY p.id',
	'SELECT p.id, q.a, row_to_json(q) FROM p CROSS JOIN LATERAL (SELECT json_agg(x) a FROM (SELECT id, v FROM c
		WHERE pid = p.id ORDER BY id LIMIT 10) x) q ORDER BY p.id',
	'SELECT id, (SELECT json_build_array(json_agg(x), count(*)) FROM (SELECT id FROM c WHERE pid = p.id ORDER BY id
		LIMIT 10) x) FROM p ORDER BY id',
	'SELECT id, (SELECT json_build_array(max(id), max(id)) FROM (SELECT id FROM c WHERE pid = p.id ORDER BY id
		LIMIT 10) x) FROM p ORDER BY id']) query;
CREATE TABLE ties (pid int, v int, x int, y int);
CREATE INDEX ON ties (pid, v, x);
CREATE INDEX ON ties (pid, v, y);
INSERT INTO ties SELECT i, 0, 0, 0 FROM generate_series(1, 300) i;
ANALYZE ties;
INSERT INTO ties VALUES (5, 0, -1, 1), (5, 0, 1, -1);
SELECT is(pg_temp.outcome('SELECT x + y FROM p LEFT JOIN LATERAL (SELECT x, y FROM ties WHERE pid = p.id ORDER BY v
	LIMIT 1) q ON true ORDER BY p.id', '{jsonrow.unnest, on}'), pg_temp.outcome('SELECT 0 FROM p',
	'{}'), 'the first row, of some that are equal, is one row');
-- ... where groups are not told apart by the bytes of one key, ...
CREATE TABLE k (id int, pid numeric, f float8, v int);
INSERT INTO k SELECT i, CASE WHEN i % 2 = 0 THEN i % 60 ELSE (i % 60 || '.00')::numeric END, i % 60, i % 6
FROM generate_series(1, 240) i;
ANALYZE k;
INSERT INTO k SELECT 1000 + i, CASE WHEN i % 2 = 0 THEN 13 ELSE 13.00 END, 13, i % 6 FROM generate_series(1, 30) i;
SELECT pg_temp.counted(1, format('SELECT id, (SELECT json_agg(x) FROM (SELECT id, v FROM k WHERE %s ORDER BY id
	LIMIT 10) x) FROM (SELECT id, id::numeric AS n, id::float8 AS f, k AS v FROM p OFFSET 0) q ORDER BY id', condition),
	true) FROM unnest('{k.pid = q.n,k.f = q.f}'::text[]) condition;
SELECT pg_temp.counted(1, 'SELECT id, (SELECT json_agg(x) FROM (SELECT id FROM c WHERE pid = p.id AND v = p.k
	ORDER BY id LIMIT 10) x) FROM p ORDER BY id', true);
-- ... and where parts of a group may be aggregated, by workers or of partitions, which nobody counts together
SELECT pg_temp.counted(1, format('SELECT id, (SELECT %s FROM (SELECT id, v FROM c WHERE pid = p.id %s) x) FROM p
	ORDER BY id', made, cut), true) FROM unnest(ARRAY['count(*)', 'count(*) FILTER (WHERE v > 2)', 'max(v)', 'sum(v)',
	'count(*) + 1']) made, unnest(ARRAY['LIMIT 1000', 'ORDER BY id LIMIT 10']) cut;
CREATE TABLE shared (id int, pid int REFERENCES p) PARTITION BY HASH (id);
SELECT format('CREATE TABLE shared%s PARTITION OF shared FOR VALUES WITH (MODULUS 2, REMAINDER %1$s)', i)
FROM generate_series(0, 1) i \gexec
INSERT INTO shared SELECT i, i % 10 + 1 FROM generate_series(1, 9000) i;
ANALYZE shared;
INSERT INTO shared SELECT i, 1 FROM generate_series(1, 300) i;
SET LOCAL enable_partitionwise_aggregate = on;
SELECT pg_temp.test(1, format('SELECT id, (SELECT %s FROM (SELECT id FROM shared WHERE pid = p.id LIMIT 1000) x)
	FROM p ORDER BY id', made)) FROM unnest(ARRAY['count(*)', 'json_build_object(''n'', count(*))']) made;
RESET enable_partitionwise_aggregate;
-- ... and where not everybody may call what counts them
REVOKE EXECUTE ON FUNCTION jsonrow_is_small_group FROM PUBLIC;
SELECT pg_temp.counted(1, 'SELECT id, (SELECT json_agg(x) FROM (SELECT id FROM c WHERE pid = p.id ORDER BY id LIMIT 10)
	x) FROM p ORDER BY id', true);
GRANT EXECUTE ON FUNCTION jsonrow_is_small_group TO PUBLIC;

-- What is read again and again: the count of a group that is read once more goes on, and its rows are left out.
CREATE TABLE twice (id int, pid int);
INSERT INTO twice SELECT i, 13 FROM generate_series(1, 5) i;
INSERT INTO c SELECT 5000 + i, 13, i, 'many', i FROM generate_series(1, 300) i;
ANALYZE c, twice;
SELECT is(pg_temp.outcome(query, '{jsonrow.unnest, on, enable_hashjoin, off, enable_mergejoin, off,
	enable_material, off, enable_memoize, off}'), pg_temp.outcome(query, '{jsonrow.unnest, off}'),
	'read again: ' || query)
FROM unnest(ARRAY['SELECT id, (SELECT json_agg(x) FROM (SELECT id FROM c WHERE pid = t.pid ORDER BY id LIMIT 500) x)
	FROM twice t ORDER BY id', 'SELECT id, (SELECT count(*) FROM (SELECT id FROM c WHERE pid = t.pid LIMIT 500) x)
	FROM twice t ORDER BY id']) query;

-- A LIMIT that is a parameter
PREPARE of_each(int8) AS SELECT id, (SELECT json_agg(x) FROM (SELECT id FROM c WHERE pid = p.id ORDER BY id
	LIMIT $1) x) FROM p ORDER BY id;
SELECT is(pg_temp.outcome(format('EXECUTE of_each(%s)', n), '{jsonrow.unnest, on}'),
	pg_temp.outcome(format('EXECUTE of_each(%s)', n), '{jsonrow.unnest, off}'), 'LIMIT $1: ' || n)
FROM unnest('{1000,10,2,0,NULL,-1}'::text[]) n;

SELECT * FROM finish();
ROLLBACK;

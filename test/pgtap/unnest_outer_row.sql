-- Collections that refer to the row around them by more than column = column: they read that row themselves.
\ir oracle.psql
\ir unnest.psql

SELECT pg_temp.plan_most(439);

CREATE TABLE p (id int PRIMARY KEY, k int, name varchar(10) NOT NULL UNIQUE, n numeric(6, 2), tags text[], doc jsonb);
INSERT INTO p SELECT i, nullif(i % 9, 0), 'p' || i, i / 3.0, ARRAY['a' || i % 4], jsonb_build_object('v', i % 5)
FROM generate_series(1, 60) i;
CREATE TABLE c (id int PRIMARY KEY, pid int, k int, v int, s text);
INSERT INTO c SELECT i, nullif(1 + i * 13 % 70, 5), i % 9, i % 4, 's' || i FROM generate_series(1, 200) i;
INSERT INTO c SELECT 1000 + i, -1, 0, 0 FROM generate_series(1, 300) i;
CREATE TABLE pc (p int, c int, note text, PRIMARY KEY (p, c));
INSERT INTO pc SELECT 1 + i % 60, i FROM generate_series(1, 200) i;
INSERT INTO pc SELECT 1 + i % 7, i FROM generate_series(1, 200) i ON CONFLICT DO NOTHING;
CREATE TABLE two (a int, b text, v int, PRIMARY KEY (a, b));
INSERT INTO two SELECT i / 5, 'b' || i % 5, i % 4 FROM generate_series(1, 40) i;
CREATE TABLE parted (id int PRIMARY KEY, k int) PARTITION BY HASH (id);
CREATE TABLE parted_0 PARTITION OF parted FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE parted_1 PARTITION OF parted FOR VALUES WITH (MODULUS 2, REMAINDER 1);
INSERT INTO parted SELECT id, k FROM p;
CREATE TABLE named (name text PRIMARY KEY, kind varchar(3) UNIQUE NOT NULL, k int);
INSERT INTO named SELECT name, 'k' || id, k FROM p;
-- Without such a key
CREATE TABLE loose AS SELECT * FROM p;
CREATE TABLE nullable (id int UNIQUE, k int);
INSERT INTO nullable SELECT nullif(id, 3), k FROM p;
CREATE TABLE deferred (id int PRIMARY KEY DEFERRABLE, k int);
INSERT INTO deferred SELECT id, k FROM p;
CREATE TABLE partial (id int NOT NULL, k int);
CREATE UNIQUE INDEX ON partial (id) WHERE k > 0;
INSERT INTO partial SELECT id, k FROM p;
CREATE TABLE elder (id int PRIMARY KEY, k int);
CREATE TABLE heir () INHERITS (elder);
INSERT INTO elder SELECT id, k FROM p WHERE id < 30;
INSERT INTO heir SELECT id, k FROM p WHERE id < 40;
CREATE VIEW keyless AS SELECT k, name || '' AS name FROM p;
CREATE VIEW keys AS SELECT k, id AS key FROM p WHERE k > 2;
CREATE TABLE guarded (id int PRIMARY KEY, k int);
INSERT INTO guarded SELECT id, k FROM p;
ALTER TABLE guarded ENABLE ROW LEVEL SECURITY;
CREATE POLICY odd ON guarded USING (id % 2 = 1);
ANALYZE;

CREATE FUNCTION pg_temp.of(joins int, VARIADIC subqueries text[]) RETURNS SETOF text LANGUAGE sql AS $$
	SELECT pg_temp.test(joins, format('SELECT p.id, (%s) FROM p ORDER BY p.id', subquery)) FROM
		unnest(subqueries) subquery $$;

-- In a condition, beside a key and by itself; in values, and in what these are sorted by
SELECT pg_temp.of(1, 'SELECT json_agg(o.name ORDER BY o.id) FROM p o WHERE o.k = p.k AND o.id <> p.id',
	'SELECT count(*) FROM c WHERE c.pid = p.id AND c.v < p.k',
	'SELECT json_agg(c.s ORDER BY c.id) FROM c WHERE c.v > p.k',
	'SELECT json_agg(c.s ORDER BY c.id) FROM c WHERE c.pid = p.id OR c.k = p.k',
	'SELECT json_agg(c.s ORDER BY c.id) FROM c WHERE c.pid IS NOT DISTINCT FROM p.id',
	'SELECT json_agg(c.s ORDER BY c.id) FROM c WHERE c.k = ANY (ARRAY[p.k, p.id])',
	'SELECT json_agg(json_build_object(''s'', c.s, ''of'', p.name) ORDER BY c.id) FROM c WHERE c.pid = p.id',
	'SELECT json_agg(ROW(c.s, p.name, p) ORDER BY c.id) FROM c WHERE c.pid = p.id',
	'SELECT json_agg(p.name || c.s ORDER BY c.id) FILTER (WHERE c.v < p.k) FROM c WHERE c.pid = p.id',
	'SELECT json_agg(c.s ORDER BY c.v = p.k, c.id) FROM c WHERE c.pid = p.id',
	'SELECT coalesce(json_agg(x), ''[]'') FROM (SELECT c.s, p.name FROM c WHERE c.pid = p.id ORDER BY c.id) x',
	'SELECT coalesce(json_agg(x), ''[]'') FROM (SELECT c.s, p.name FROM c WHERE c.pid = p.id ORDER BY c.id LIMIT
		2) x',
	'SELECT json_agg(x) FROM (SELECT o.name FROM p o WHERE o.k = p.k AND o.id <> p.id ORDER BY o.id DESC OFFSET 1) x',
	'SELECT json_agg(x) FROM (SELECT c.s FROM c JOIN pc ON pc.c = c.id WHERE pc.p = p.id AND c.v <= p.k ORDER BY
		c.id) x',
	'SELECT json_agg(c.s ORDER BY c.id) FROM c LEFT JOIN pc ON pc.c = c.id AND pc.p = c.pid WHERE c.pid = p.id
		AND c.v < p.k',
	'SELECT sum(c.v) FROM c, p o WHERE c.pid = o.id AND o.k = p.k AND o.id < p.id',
	'SELECT json_agg(c.s ORDER BY c.id) FROM c WHERE c.pid = p.id AND (SELECT count(*) FROM pc WHERE pc.c = c.id)
		> p.k');
-- ... as an array, and the first one; in FROM, and as a page
SELECT pg_temp.of(1, 'ARRAY(SELECT o.name FROM p o WHERE o.k = p.k AND o.id <> p.id ORDER BY o.id)'::text);
SELECT pg_temp.of(1, 'SELECT o.name FROM p o WHERE o.k = p.k AND o.id > p.id ORDER BY o.id LIMIT 1');
SELECT pg_temp.test(1, format('SELECT p.id, x.d FROM p %s JOIN LATERAL (SELECT json_agg(o.name ORDER BY o.id) d
	FROM p o WHERE o.k = p.k AND o.id <> p.id) x ON true %s', kind, rest))
FROM unnest('{LEFT,INNER}'::text[]) kind, unnest(ARRAY['ORDER BY p.id', 'WHERE p.k > 3 ORDER BY p.name, p.id',
	'ORDER BY p.name LIMIT 7', 'ORDER BY p.name LIMIT 7 OFFSET 3', 'WHERE p.id < 7']) rest;
SELECT pg_temp.test(1, 'SELECT coalesce(jsonb_agg(r), ''[]'') FROM (SELECT to_jsonb(p.*) ||
		jsonb_build_object(''o'', x.d) AS r
	FROM p LEFT JOIN LATERAL (SELECT coalesce(jsonb_agg(r), ''[]'') AS d FROM (SELECT jsonb_build_object(''id'', o.id)
	AS r FROM p o WHERE o.k = p.k AND o.id <> p.id ORDER BY o.id) y) x ON true ORDER BY p.id) z');
-- ... two beside each other, and within another, of which either may be read
SELECT pg_temp.test(2, 'SELECT p.id, (SELECT count(*) FROM c WHERE c.pid = p.id AND c.v < p.k), (SELECT count(*)
		FROM c
	WHERE c.pid = p.id AND c.v > p.k) FROM p ORDER BY p.id');
SELECT pg_temp.test(2, 'SELECT p.id, (SELECT json_agg(json_build_object(''c'', c.id, ''pc'', (SELECT
		json_agg(pc.p ORDER BY pc.p)
	FROM pc WHERE pc.c = c.id AND pc.p <> c.pid)) ORDER BY c.id) FROM c WHERE c.pid = p.id) FROM p ORDER BY p.id');

-- IN and EXISTS
SELECT pg_temp.of(1, 'SELECT json_agg(c.s ORDER BY c.id) FROM c WHERE c.id IN (SELECT pc.c FROM pc WHERE pc.p =
		p.id)',
	'SELECT json_agg(c.s ORDER BY c.id) FROM c WHERE EXISTS (SELECT FROM pc WHERE pc.p = p.id AND pc.c = c.id)',
	'SELECT json_agg(c.s ORDER BY c.id) FROM c WHERE NOT EXISTS (SELECT FROM pc WHERE pc.p = p.id AND pc.c = c.id)',
	'SELECT json_agg(c.s ORDER BY c.id) FROM c WHERE c.id = ANY (SELECT pc.c FROM pc WHERE pc.p = p.id ORDER BY 1)
		AND c.v > 1',
	'SELECT json_agg(c.s ORDER BY c.id) FROM c WHERE (c.id, p.id) IN (SELECT pc.c, pc.p FROM pc WHERE pc.p <= p.id)',
	'SELECT json_agg(c.s ORDER BY c.id) FROM c WHERE (c.v, c.k) < ANY (SELECT pc.c, pc.p FROM pc WHERE pc.p = p.k)',
	'SELECT json_agg(c.s ORDER BY c.id) FROM c WHERE c.id > ANY (SELECT pc.c FROM pc WHERE pc.p = p.id)',
	'SELECT json_agg(x) FROM (SELECT c.s FROM c WHERE c.id IN (SELECT pc.c FROM pc WHERE pc.p = p.id) ORDER BY c.id
		LIMIT 3) x');
-- ... that PostgreSQL hashes, or might make of all rows
SELECT pg_temp.of(0, 'SELECT json_agg(c.s ORDER BY c.id) FROM c WHERE c.id NOT IN (SELECT pc.c FROM pc WHERE
		pc.p = p.id)',
	'SELECT json_agg(c.s ORDER BY c.id) FROM c WHERE c.id IN (SELECT pc.c FROM pc WHERE pc.p = p.id) OR c.pid = p.id',
	'SELECT json_agg(c.s ORDER BY c.id) FROM c WHERE c.id IN (SELECT max(pc.c) FROM pc WHERE pc.p = p.id)',
	'SELECT json_agg(c.s ORDER BY c.id) FROM c WHERE c.id IN (SELECT pc.c FROM pc WHERE pc.p = p.id LIMIT 400)',
	'SELECT json_agg(c.s ORDER BY c.id) FROM c WHERE c.id IN (SELECT pc.c FROM pc JOIN two ON two.v = pc.c WHERE
		pc.p = p.id)',
	'SELECT json_agg(c.s ORDER BY c.id) FROM c WHERE EXISTS (SELECT FROM pc, two WHERE two.v = pc.c AND pc.c = c.id
		AND pc.p = p.id)');
-- A condition about the row alone is asked before anything is read.
SELECT pg_temp.of(0, 'SELECT count(*) FROM c WHERE p.k = 7', 'SELECT count(*) FROM c WHERE c.pid = p.id AND p.k = 7');

-- Keys of several columns, of partitions, of text
SELECT pg_temp.test(1, 'SELECT a, b, (SELECT json_agg(o.v ORDER BY o.a, o.b) FROM two o WHERE o.a = two.a AND o.b
		<> two.b)
	FROM two ORDER BY a, b');
SELECT pg_temp.test(1, format('SELECT q.k, (SELECT json_agg(c.s ORDER BY c.id) FROM c WHERE c.k = q.k AND c.v <
		q.k) FROM %s q
	ORDER BY q.k, 2::text', source))
FROM unnest('{parted,named}'::text[]) source;
-- ... none, or none that is known to be one
SELECT pg_temp.test(0, format('SELECT q.k, (SELECT json_agg(c.s ORDER BY c.id) FROM c WHERE c.k = q.k AND c.v <
		q.k)::text
	FROM %s q ORDER BY 1, 2', source))
FROM unnest(ARRAY['loose', 'nullable', 'deferred', 'partial', 'elder', '(SELECT 1 AS id, 2 AS k)', 'keyless',
	'(SELECT id, k FROM p UNION ALL SELECT id, k FROM loose)', '(SELECT DISTINCT id, k FROM p)', '(SELECT id,
		nullif(k, 3) AS k FROM p)',
	'(SELECT p.id, c.k FROM p JOIN c ON c.pid = p.id)', '(SELECT p.id, p.k FROM c LEFT JOIN p ON p.id = c.pid)'])
		source;
-- ... that is handed on
SELECT pg_temp.test(1, format('SELECT q.k, (SELECT json_agg(c.s ORDER BY c.id) FROM c WHERE c.k = q.k AND c.v <
		q.k)::text
	FROM %s q ORDER BY 1, 2', source))
FROM unnest(ARRAY['(SELECT k, id FROM p OFFSET 0)', 'keys', 'ONLY elder', '(SELECT k, id FROM p ORDER BY id LIMIT
		20)',
	'(SELECT p.k, p.id FROM p JOIN c ON c.pid = p.id)']) source;
-- What a join may have made NULL, rows further out, and of two items
SELECT pg_temp.test(0, 'SELECT c.id, p.id, (SELECT count(*) FROM p o WHERE o.k = p.k AND o.id IS DISTINCT FROM
		p.id) FROM c LEFT JOIN p
	ON p.id = c.pid ORDER BY 1');
SELECT pg_temp.test(1, 'SELECT c.id, p.id, (SELECT count(*) FROM p o WHERE o.k = p.k AND o.id IS DISTINCT FROM
		p.id) FROM c JOIN p
	ON p.id = c.pid ORDER BY 1');
SELECT pg_temp.test(0, 'SELECT c.id, p.id, (SELECT count(*) FROM p o WHERE o.k = p.k AND o.id <> c.pid) FROM c JOIN p
	ON p.id = c.pid ORDER BY 1');
SELECT pg_temp.of(1, 'SELECT json_agg((SELECT count(*) FROM pc WHERE pc.c = c.id AND pc.p <> p.id) ORDER BY c.id)
		FROM c WHERE
	c.pid = p.id');
-- What stands outside of aggregates, or in FROM
SELECT pg_temp.of(0, 'SELECT json_build_array(p.name, json_agg(c.s ORDER BY c.id)) FROM c WHERE c.pid = p.id AND
		c.v < p.k',
	'SELECT json_agg(t) FROM unnest(p.tags) t',
	'SELECT json_agg(c.s ORDER BY c.id) FROM c, unnest(p.tags) t WHERE c.pid = p.id',
	'SELECT json_agg(c.s ORDER BY c.id) FROM c LEFT JOIN pc ON pc.c = c.id AND pc.p = p.id WHERE c.v < p.k',
	'SELECT json_agg(x) FROM (SELECT DISTINCT c.v FROM c WHERE c.pid = p.id AND c.v < p.k) x',
	'SELECT json_agg(x) FROM (SELECT c.v FROM c WHERE c.pid = p.id AND c.v < p.k GROUP BY c.v) x',
	'SELECT count(*) FROM c, LATERAL (SELECT 1 WHERE c.v < p.k) x WHERE c.pid = p.id');
-- What could raise an error, or reveal what it sees
SELECT pg_temp.of(0, 'SELECT count(*) FROM c WHERE c.pid = p.id AND 10 / (c.v - p.k) > 1',
	'SELECT json_agg(10 / (c.v - p.k)) FROM c WHERE c.pid = p.id AND c.v <> p.k',
	'SELECT json_agg(c.s ORDER BY 10 / (c.v + p.k)) FROM c WHERE c.pid = p.id');
CREATE ROLE jsonrow_outer_reader;
GRANT USAGE ON SCHEMA jsonrow_test TO jsonrow_outer_reader;
GRANT SELECT ON guarded, c TO jsonrow_outer_reader;
GRANT SELECT (k, n) ON p TO jsonrow_outer_reader;
SET LOCAL ROLE jsonrow_outer_reader;
-- Without a policy, EXPLAIN would tell how many rows meet a condition.
SELECT pg_temp.test(0, 'SELECT g.id, (SELECT count(*) FROM c WHERE c.k = g.k AND c.v <> g.id) FROM guarded g
		ORDER BY 1');
-- The key need not be one that the user may read; what is referred to must be.
SELECT pg_temp.test(1, 'SELECT k, (SELECT count(*) FROM c WHERE c.k = p.k AND c.v < p.n) FROM p ORDER BY 1, 2');
SELECT is(pg_temp.outcome(query, '{jsonrow.unnest, on}'), pg_temp.outcome(query, '{jsonrow.unnest, off}'), 'not
		allowed')
FROM (VALUES ('SELECT k, (SELECT count(*) FROM c WHERE c.k = p.k AND c.v < p.id) FROM p')) q(query);
RESET ROLE;
-- What another plan of the same row would see
SELECT pg_temp.test(0, 'SELECT p.id, (SELECT count(*) FROM c WHERE c.pid = p.id AND c.v < p.k) FROM p FOR UPDATE
		OF p');
SELECT pg_temp.test(0, 'SELECT p.id, (SELECT count(*) FROM c WHERE c.pid = p.id AND p.ctid > ''(0,0)'') FROM p
		ORDER BY 1');

-- Any of its keys, and conditions in parentheses; a table that a user calls so
CREATE TABLE keyed (id int NOT NULL, name text NOT NULL UNIQUE, k int);
ALTER TABLE keyed ADD PRIMARY KEY (id);
INSERT INTO keyed SELECT id, name, k FROM p;
SELECT pg_temp.test(1, 'SELECT x.k, (SELECT count(*) FROM c WHERE c.k = x.k AND c.v < x.k) FROM (SELECT id, k
		FROM keyed
	OFFSET 0) x ORDER BY 1, 2');
SELECT pg_temp.of(1, 'SELECT count(*) FROM c WHERE c.v > 0 AND (c.k > 0 AND c.id IN (SELECT pc.c FROM pc WHERE
	pc.p = p.id))');
SELECT pg_temp.test(1, 'SELECT q.k, (SELECT count(*) FROM c "row" WHERE "row".k = q.k) FROM (SELECT DISTINCT k
		FROM p) q
	ORDER BY 1');
-- Under a condition, it is not.
SELECT pg_temp.of(0, 'CASE WHEN p.id > 3 THEN (SELECT count(*) FROM c WHERE c.pid = p.id AND c.v < p.k) END');

-- It is not read where the collection stays for another reason: here, an order could be lost.
CREATE TABLE many (id int PRIMARY KEY, k int) PARTITION BY HASH (id);
SELECT format('CREATE TABLE many_%1$s PARTITION OF many FOR VALUES WITH (MODULUS 64, REMAINDER %1$s)', i)
FROM generate_series(0, 63) i \gexec
INSERT INTO many SELECT i, i % 9 FROM generate_series(1, 5000) i;
CREATE TABLE large AS SELECT i % 500 AS k FROM generate_series(1, 20000) i;
ANALYZE many, large;
SELECT pg_temp.test(1, 'SELECT p.id, (SELECT json_agg(x.id) FROM (SELECT id, k, v FROM c WHERE id < 30 ORDER BY
		id DESC) x
	WHERE x.k = p.k AND x.v <> p.id), (SELECT count(*) FROM large WHERE large.k = p.k) FROM many p WHERE p.id < 300
	ORDER BY 1');

SELECT * FROM finish();
ROLLBACK;

-- Nested collections as joins: of groups, and of values without duplicates.  The same rows and errors.
\ir oracle.psql
\ir unnest.psql

SELECT pg_temp.plan_most(525);

CREATE TABLE p (id int PRIMARY KEY, name text);
INSERT INTO p SELECT i, 'p' || i FROM generate_series(1, 300) i;
CREATE TYPE mood AS ENUM ('sad', 'ok');
CREATE TABLE c (id int PRIMARY KEY, pid int, kind text, v int, amount numeric, x float8, day date, m mood);
INSERT INTO c SELECT i, i * 13 % 310, 'kind ' || i * 7 % 4, i % 6, i % 3 + 0.50, i % 2, date '2020-01-01' + i % 5,
	CASE i % 3 WHEN 0 THEN 'sad'::mood WHEN 1 THEN 'ok' END FROM generate_series(1, 4000) i;
INSERT INTO c SELECT 4000 + i, CASE WHEN i % 2 = 0 THEN 1 END, NULL, NULL, 7.0, '-0', NULL, NULL
FROM generate_series(1, 20) i;
CREATE TABLE l (v int PRIMARY KEY, name text);
INSERT INTO l SELECT i, 'l' || i FROM generate_series(0, 4) i;
CREATE TABLE nobodys (pid int, kind text, v int);		-- some of it could not be computed, but belongs to nobody
INSERT INTO nobodys SELECT i % 400, 'k' || i % 3, CASE WHEN i % 400 > 300 THEN 0 ELSE 1 END
FROM generate_series(1, 2000) i;
CREATE VIEW grouped AS SELECT pid, kind, count(*) AS n FROM c GROUP BY pid, kind;
ANALYZE;

CREATE FUNCTION pg_temp.nested(value text, source text) RETURNS text LANGUAGE sql AS $$
	SELECT format('SELECT json_agg(z) FROM (SELECT id, (SELECT %s FROM (%s) g) AS g FROM p ORDER BY id) z', value, source)
$$;

-- One group for each parent, at each level, as it is written, too
CREATE TABLE levels AS SELECT format('SELECT id, coalesce((SELECT jsonb_agg(jsonb_build_object(''id'', c.id, ''l'', %s)
	ORDER BY c.id) FROM c WHERE c.pid = p.id GROUP BY c.pid), ''[]'') FROM p ORDER BY id', within) AS query FROM
	unnest(ARRAY['coalesce((SELECT jsonb_agg(d.v ORDER BY d.id) FROM c d WHERE d.pid = c.id GROUP BY d.pid), ''[]'')',
	'(SELECT count(*) FROM c d WHERE d.pid = c.id GROUP BY d.pid)']) within;
SELECT is(pg_temp.outcome(query, ('{jsonrow.unnest, on, ' || setting || '}')::text[]), pg_temp.outcome(query),
	setting || ': ' || query) FROM levels, unnest(ARRAY['jsonrow.accelerate, off', 'jsonrow.accelerate, on']) setting;
SELECT set_config('jsonrow.unnest', 'on', true) \g /dev/null
SELECT is((SELECT count(*)::int FROM jsonrow_explain(query) WHERE what = 'collection' AND outcome = 'joined'), 2,
	query) FROM levels;
SELECT set_config('jsonrow.unnest', 'off', true) \g /dev/null
-- GROUP BY: in what order, of which columns, with which aggregates
SELECT pg_temp.test(1, pg_temp.nested('json_agg(g)', source)) FROM unnest(ARRAY[
	'SELECT kind, count(*) FROM c WHERE pid = p.id GROUP BY kind ORDER BY kind',
	'SELECT kind, count(*), min(v), max(day), bool_and(v > 1), count(DISTINCT m) FROM c WHERE pid = p.id GROUP BY kind
		ORDER BY count(*) DESC, kind DESC NULLS LAST',
	'SELECT count(*) FILTER (WHERE v = 1) AS n FROM c WHERE pid = p.id GROUP BY kind, day ORDER BY kind, day',
	'SELECT v > 2 AS large, m, count(*) FROM c WHERE pid = p.id GROUP BY 1, m ORDER BY m, large',
	'SELECT pid, kind, count(*) FROM c WHERE pid = p.id GROUP BY kind, pid ORDER BY kind',
	'SELECT c.*, count(*) FROM c WHERE pid = p.id GROUP BY id ORDER BY id',
	'SELECT kind FROM c WHERE pid = p.id AND v > 2 GROUP BY kind ORDER BY kind',
	'SELECT 1 AS one FROM c WHERE pid = p.id GROUP BY kind',
	'SELECT kind, count(*) FROM c WHERE pid = p.id GROUP BY kind HAVING count(*) > 2 ORDER BY kind',
	'SELECT kind, count(*) FROM c WHERE pid = p.id GROUP BY kind HAVING kind > ''kind 1'' ORDER BY kind',
	'SELECT l.name, count(*) FROM c JOIN l USING (v) WHERE pid = p.id GROUP BY l.name ORDER BY l.name',
	'SELECT l.name, count(c.id) FROM c LEFT JOIN l USING (v) WHERE pid = p.id GROUP BY l.v ORDER BY l.v',
	'SELECT kind, count(*) FROM (SELECT * FROM c WHERE pid = p.id AND v < 4) c GROUP BY kind ORDER BY kind',
	'SELECT kind, n FROM grouped WHERE pid = p.id ORDER BY kind']) source;
SELECT pg_temp.test_parts(1, pg_temp.nested('json_agg(g)',
	'SELECT kind, sum(amount), avg(amount), sum(v) FROM c WHERE pid = p.id GROUP BY kind ORDER BY kind'));
-- What is made of the groups
SELECT pg_temp.test(1, pg_temp.nested(value,
	'SELECT kind, count(*) AS n FROM c WHERE pid = p.id GROUP BY kind ORDER BY kind')) FROM unnest(ARRAY[
	'jsonb_agg(g)', 'jsonb_agg(to_jsonb(g))', 'json_agg(json_build_object(''k'', kind, ''n'', n))', 'array_agg(n)',
	'string_agg(kind, '','')', 'coalesce(json_agg(row_to_json(g)), ''[]'')', 'count(*)', 'sum(n)', 'max(n)',
	'json_agg(g ORDER BY n, kind)', 'json_agg(kind) FILTER (WHERE n > 2)']) value;
-- ... a document, whose header is that of no rows: of no groups, too
SELECT pg_temp.test(2, pg_temp.nested(value,
	'SELECT kind, count(*) AS n FROM c WHERE pid = p.id GROUP BY kind ORDER BY kind'))
FROM unnest(ARRAY['jsonrow_agg(g)', 'jsonrow_agg_json(''{kind,n}'', kind, n)']) value;
-- Groups within: joined, grouped once more, restricted
SELECT pg_temp.test(1, pg_temp.nested('json_agg(g)', source)) FROM unnest(ARRAY[
	'SELECT * FROM (SELECT kind, count(*) AS n FROM c WHERE pid = p.id GROUP BY kind) g ORDER BY n, kind',
	'SELECT * FROM (SELECT kind, count(*) AS n FROM c WHERE pid = p.id GROUP BY kind ORDER BY kind) g WHERE n > 2',
	'SELECT g.kind, g.n, l.name FROM (SELECT kind, count(*) AS n FROM c WHERE pid = p.id GROUP BY kind) g
		LEFT JOIN l ON l.v = g.n ORDER BY g.kind',
	'SELECT n, count(*) FROM (SELECT kind, count(*) AS n FROM c WHERE pid = p.id GROUP BY kind) g GROUP BY n ORDER BY n',
	'SELECT n, kind FROM (SELECT DISTINCT v AS n, kind FROM c WHERE pid = p.id) g GROUP BY kind, n
		ORDER BY n DESC, kind']) source;
-- DISTINCT
SELECT pg_temp.test(1, pg_temp.nested('json_agg(g)', source)) FROM unnest(ARRAY[
	'SELECT DISTINCT kind FROM c WHERE pid = p.id ORDER BY kind',
	'SELECT DISTINCT kind, v FROM c WHERE pid = p.id ORDER BY v DESC NULLS LAST, kind',
	'SELECT DISTINCT pid, m FROM c WHERE pid = p.id ORDER BY m',
	'SELECT DISTINCT v > 3 AS w FROM c WHERE pid = p.id ORDER BY w',
	'SELECT DISTINCT l.name FROM c JOIN l USING (v) WHERE pid = p.id ORDER BY l.name',
	'SELECT DISTINCT kind FROM (SELECT * FROM c WHERE pid = p.id) c WHERE v > 2 ORDER BY kind']) source;
SELECT pg_temp.test(1, format('SELECT id, %s FROM p ORDER BY id', made)) FROM unnest(ARRAY[
	'ARRAY(SELECT DISTINCT kind FROM c WHERE pid = p.id ORDER BY kind)',
	'ARRAY(SELECT DISTINCT day FROM c WHERE pid = p.id ORDER BY day DESC)',
	'ARRAY(SELECT count(*) FROM c WHERE pid = p.id GROUP BY kind ORDER BY kind LIMIT 2)',
	'ARRAY(SELECT ARRAY[count(*), min(v)] FROM c WHERE pid = p.id GROUP BY kind ORDER BY kind)',
	'(SELECT count(*) FROM (SELECT DISTINCT kind FROM c WHERE pid = p.id) g)']) made;
-- Groups that gather rows, of the parents' children only
SELECT pg_temp.test(1, pg_temp.nested('json_agg(g)', source)) FROM unnest(ARRAY[
	'SELECT kind, json_agg(v ORDER BY id) FROM c WHERE pid = p.id GROUP BY kind ORDER BY kind',
	'SELECT kind, string_agg(v::text, '','' ORDER BY id) FROM c WHERE pid = p.id GROUP BY kind ORDER BY kind',
	'SELECT kind, string_agg(v::text, '','' ORDER BY id), count(*) FROM c WHERE pid = p.id GROUP BY kind ORDER BY kind',
	'SELECT kind, array_agg(id ORDER BY id) FROM c WHERE pid = p.id GROUP BY kind ORDER BY kind LIMIT 2',
	'SELECT kind, json_agg(s ORDER BY s.v, s.id) FROM (SELECT * FROM c WHERE pid = p.id AND v > 0) s GROUP BY kind
		ORDER BY kind',
	'SELECT n, json_agg(kind ORDER BY kind) FROM (SELECT kind, count(*) AS n FROM c WHERE pid = p.id GROUP BY kind) s
		GROUP BY n ORDER BY n']) source;
SELECT pg_temp.test_parts(1, pg_temp.nested('json_agg(g)', source)) FROM unnest(ARRAY[
	'SELECT c.kind, count(*), (SELECT json_agg(d.v ORDER BY d.id) FROM c d WHERE d.kind = c.kind AND d.id < 20) AS j
		FROM c WHERE pid = p.id GROUP BY c.kind ORDER BY c.kind']) source;
SELECT pg_temp.test(0, pg_temp.nested('json_agg(g)', 'SELECT s.kind, s.j FROM (SELECT pid, kind,
	json_agg(v ORDER BY id) AS j FROM c GROUP BY pid, kind) s WHERE s.pid = p.id ORDER BY s.kind'));
-- LIMIT of the groups of each parent; of one that is not reached, these are also in the subquery as it is written
SELECT pg_temp.test(CASE WHEN cut ~ '1000' THEN 2 ELSE 1 END, pg_temp.nested('json_agg(g)',
	'SELECT kind, count(*) AS n FROM c WHERE pid = p.id GROUP BY kind ORDER BY n DESC, kind ' || cut))
FROM unnest(ARRAY['LIMIT 2', 'LIMIT 1 OFFSET 1', 'OFFSET 2', 'LIMIT 1000 OFFSET 0', 'LIMIT 0']) cut;
-- Pages, and parents in other places
SELECT pg_temp.test(CASE WHEN query ~ '1000' THEN 2 ELSE 1 END, query) FROM unnest(ARRAY[
	'SELECT id, (SELECT json_agg(g) FROM (SELECT kind, count(*) FROM c WHERE pid = p.id GROUP BY kind ORDER BY kind) g)
		FROM p ORDER BY name, id LIMIT 20',
	'SELECT p.id, q.g FROM p LEFT JOIN LATERAL (SELECT json_agg(g) AS g FROM (SELECT kind, count(*) FROM c
		WHERE pid = p.id GROUP BY kind ORDER BY kind) g) q ON true ORDER BY p.id',
	'SELECT json_agg(z) FROM (SELECT p.name, g.g FROM p LEFT JOIN LATERAL (SELECT json_agg(g) AS g FROM (SELECT kind,
		count(id) FROM c WHERE pid = p.id GROUP BY kind ORDER BY kind LIMIT 1000 OFFSET 0) g) g ON true
		ORDER BY p.id LIMIT 100) z']) query;
-- What belongs to nobody is not computed.
SELECT pg_temp.test_parts(1, pg_temp.nested('json_agg(g)',
	'SELECT kind, sum(1 / v) FROM nobodys WHERE pid = p.id GROUP BY kind ORDER BY kind'));
SELECT pg_temp.test(0, pg_temp.nested('json_agg(g)', source)) FROM unnest(ARRAY[
	'SELECT 1 / v AS w, count(*) FROM nobodys WHERE pid = p.id GROUP BY 1 ORDER BY 1',
	'SELECT DISTINCT 1 / v AS w FROM nobodys WHERE pid = p.id ORDER BY 1',
	'SELECT kind, count(*) FROM nobodys WHERE pid = p.id GROUP BY kind, v HAVING 1 / v > 0 ORDER BY kind',
	'SELECT kind, sum(1 / v) FROM nobodys WHERE pid = p.id GROUP BY kind ORDER BY kind LIMIT 2']) source;
-- What stays: two subqueries that refer to the row outside, as without groups,
SELECT pg_temp.test(0, pg_temp.nested('json_agg(g)',
	'SELECT a.n, b.m FROM (SELECT kind, count(*) AS n FROM c WHERE pid = p.id GROUP BY kind) a
		JOIN (SELECT DISTINCT kind, m FROM c WHERE pid = p.id) b USING (kind) ORDER BY a.n, b.m, kind'));
-- ... groups in other ways, or of values of which equal ones differ
SELECT pg_temp.test(0, pg_temp.nested('json_agg(g)', source)) FROM unnest(ARRAY[
	'SELECT kind, count(*) FROM c WHERE pid = p.id GROUP BY ROLLUP (kind) ORDER BY kind',
	'SELECT kind, count(*) FROM c WHERE pid = p.id GROUP BY kind, GROUPING SETS ((v), (m)) ORDER BY kind, 2',
	'SELECT kind, count(*), row_number() OVER (ORDER BY kind) FROM c WHERE pid = p.id GROUP BY kind ORDER BY kind',
	'SELECT DISTINCT ON (kind) kind, v FROM c WHERE pid = p.id ORDER BY kind, v, id',
	'SELECT DISTINCT kind FROM c WHERE pid = p.id ORDER BY kind LIMIT 2',
	'SELECT DISTINCT kind, count(*) FROM c WHERE pid = p.id GROUP BY kind, v ORDER BY kind, 2',
	'SELECT DISTINCT amount FROM c WHERE pid = p.id ORDER BY amount',
	'SELECT x, count(*) FROM c WHERE pid = p.id GROUP BY x ORDER BY x',
	'SELECT kind, count(*) AS n FROM c WHERE pid = p.id GROUP BY kind ORDER BY kind LIMIT NULL',
	'SELECT count(*) FROM c WHERE pid = p.id HAVING count(*) > 1',
	'SELECT count(*) FROM c WHERE pid = p.id GROUP BY ()',
	'SELECT kind, count(*) + p.id FROM c WHERE pid = p.id GROUP BY kind ORDER BY kind',
	'SELECT kind, count(*) FROM c WHERE pid = p.id GROUP BY kind HAVING count(*) > p.id % 3 ORDER BY kind']) source;
-- The key, and the number of a row, are columns, too, of which there may be 1,664.
SELECT pg_temp.test(0, format('SELECT id, (SELECT count(*) FROM (%s) x) FROM p ORDER BY id', source))
FROM (SELECT string_agg(i || ' AS c' || i, ', ') FROM generate_series(1, 1663) i) l(list), LATERAL (VALUES
	(format('SELECT DISTINCT kind, %s FROM c WHERE pid = p.id', list)),
	(format('SELECT kind, %s FROM c WHERE pid = p.id GROUP BY kind LIMIT 100', list)),
	(format('SELECT kind, %s FROM c WHERE pid = p.id LIMIT 100', list))) q(source);

CREATE TABLE groups AS SELECT outcome, value, format('SELECT id, coalesce((%s)::text, ''none'') FROM p ORDER BY id',
	value) AS query FROM (VALUES
	('joined', 'SELECT count(*) FROM c WHERE pid = p.id GROUP BY pid'),
	('joined', 'SELECT count(id) FROM c WHERE pid = p.id AND v > 2 GROUP BY c.pid'),
	('joined', 'SELECT max(kind) FROM c WHERE p.id = pid AND ''kind 2'' = kind GROUP BY kind, pid'),
	('joined', 'SELECT json_agg(v ORDER BY id) FROM c WHERE pid = p.id GROUP BY pid'),
	('stays', 'SELECT sum(v) FROM c WHERE pid = p.id::bigint GROUP BY pid'),
	(NULL, 'SELECT 1 FROM c WHERE pid = p.id GROUP BY pid'),
	(NULL, 'SELECT percentile_cont(p.id / 299.5) WITHIN GROUP (ORDER BY v) FROM c WHERE pid = p.id AND p.id <> 300
		GROUP BY pid'),
	(NULL, 'SELECT count(*) + pid FROM c WHERE pid = p.id GROUP BY pid'),
	('joined', 'SELECT count(*) FROM c WHERE pid = p.id GROUP BY pid, x > 5 ORDER BY x > 5 LIMIT 1 OFFSET 1'),
	(NULL, 'SELECT count(*) FROM c WHERE pid = p.id AND kind COLLATE "C" = ''kind 2'' GROUP BY pid, kind'),
	('joined', 'SELECT count(*) FROM c WHERE pid = p.id GROUP BY GROUPING SETS ((pid))'),
	(NULL, 'SELECT count(*) FROM c WHERE pid <= p.id AND pid >= p.id GROUP BY pid')) q(outcome, value);
-- One group for each parent, which is what Django writes; NULL if there is none.
SELECT is(pg_temp.outcome(query, ('{jsonrow.unnest, on, ' || setting || '}')::text[]), pg_temp.outcome(query),
	setting || ': ' || value)
FROM groups, unnest(ARRAY['enable_sort, on', 'enable_hashagg, off', 'enable_hashjoin, off',
	'jsonrow.accelerate, on']) setting;
SET LOCAL jsonrow.unnest = on;
SELECT is((SELECT string_agg(outcome, ' ') FROM jsonrow_explain(query) WHERE what = 'collection'), outcome, value)
FROM groups;

-- Objects of groups: a key that is grouped by, and never NULL, is there once.
CREATE TABLE reactions (pid int NOT NULL, kind text NOT NULL, v int);
INSERT INTO reactions SELECT i * 13 % 310, 'r' || i * 7 % 4, i % 5 FROM generate_series(1, 2000) i;
ANALYZE reactions;
SELECT pg_temp.test(joins, format('SELECT id, (SELECT %s FROM (SELECT %s FROM %s WHERE pid = p.id %s) g) FROM p
	ORDER BY id',	value, columns, of, clauses)) FROM (VALUES
	(1, 'json_object_agg(g.kind, g.n ORDER BY g.kind)', 'kind, count(*) n', 'reactions', 'GROUP BY kind'),
	(1, 'jsonb_object_agg(g.kind, g.n)', 'kind, count(*) n', 'reactions', 'GROUP BY 1 ORDER BY 2'),
	(1, 'coalesce(jsonb_object_agg(g.kind, g.n), ''{}'')', 'kind, sum(v) n', 'reactions', 'AND v > 1 GROUP BY kind
	HAVING count(*) > 1'), (0, 'jsonb_object_agg(g.kind, g.n)', 'kind, count(*) n', 'reactions', 'GROUP BY kind, v'),
	(0, 'jsonb_object_agg(g.a, g.n)', 'min(kind) a, v, count(*) n', 'reactions', 'GROUP BY v'),
	(0, 'jsonb_object_agg(g.kind, g.n)', 'kind, count(*) n', 'reactions', 'GROUP BY ROLLUP (kind)'),
	(0, 'jsonb_object_agg(g.kind, g.n)', 'kind, count(*) n', 'c', 'GROUP BY kind'),
	(0, 'jsonb_object_agg(g.v, g.n)', 'v, count(*) n', 'reactions', 'GROUP BY v')) q(joins, value, columns, of, clauses);

SELECT * FROM finish();
ROLLBACK;

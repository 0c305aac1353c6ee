-- Nested collections as joins: the first row of what belongs to each.  The same rows and errors.
\ir oracle.psql
\ir unnest.psql

SELECT pg_temp.plan_most(549);

CREATE TABLE p (id int PRIMARY KEY, name text);
INSERT INTO p SELECT i, 'p' || i FROM generate_series(1, 320) i;
CREATE TYPE mood AS ENUM ('sad', 'ok');
CREATE DOMAIN positive AS int CHECK (VALUE > 0);
CREATE DOMAIN words AS text[];
CREATE TABLE c (id int PRIMARY KEY, pid int, kind text, v int, amount numeric(10, 2), x float8, day date, m mood,
	short varchar(5), fixed char(8), n name, num positive, j json, b jsonb, tags text[], w words);
INSERT INTO c SELECT i, i * 13 % 310, 'kind ' || i * 7 % 4, i % 6, i % 3 + 0.5, i % 2, date '2020-01-01' + i * 7 % 90,
	CASE i % 3 WHEN 0 THEN 'sad'::mood WHEN 1 THEN 'ok' END, 's' || i, 'f' || i, 'n' || i, 1 + i % 5,
	json_build_object('i', i), CASE WHEN i % 4 > 0 THEN jsonb_build_array(i) END, ARRAY['a', i::text], ARRAY['b']
FROM generate_series(1, 3000) i;
INSERT INTO c (id, pid, day) SELECT 4000 + i, CASE WHEN i % 2 = 0 THEN 1 END,
	CASE WHEN i % 3 = 0 THEN 'infinity'::date END
FROM generate_series(1, 20) i;
CREATE TABLE l (v int PRIMARY KEY, name text);
INSERT INTO l SELECT i, 'l' || i FROM generate_series(0, 4) i;
CREATE VIEW latest AS SELECT DISTINCT ON (pid) * FROM c ORDER BY pid, day DESC, id;
CREATE VIEW recent AS SELECT id, pid, day FROM c WHERE day > '2020-01-20';
ANALYZE;

CREATE FUNCTION pg_temp.first(value text, cut text DEFAULT 'LIMIT 1') RETURNS text LANGUAGE sql AS $$
	SELECT format('SELECT id, (SELECT %s FROM c WHERE pid = p.id ORDER BY day DESC, id %s) FROM p ORDER BY p.id',
		value, cut)
$$;
CREATE FUNCTION pg_temp.joined(list text, item text, rest text DEFAULT '') RETURNS text LANGUAGE sql AS $$
	SELECT format('SELECT p.id, %s FROM p LEFT JOIN LATERAL (%s) q ON true %s ORDER BY p.id', list, item, rest)
$$;

-- Values of any type, and what is made of them
SELECT pg_temp.test(1, pg_temp.first(value)) FROM unnest(ARRAY[
	'id', 'kind', 'amount', 'x', 'day', 'm', 'short', 'fixed',
	'n', 'num', 'j',
	'b', 'tags[2]', 'kind || short', 'lower(kind)', 'NULL::int', '1', 'v IS NULL',
	'coalesce(v, -1)', 'day::text']) value;
SELECT pg_temp.test(1, pg_temp.first(value)) FROM unnest(ARRAY[
	'to_json(day)', 'json_build_object(''k'', kind, ''v'', v)',
	'row_to_json(c)', 'jsonb_build_object(''a'', amount, ''tags'', tags)']) value;
SELECT pg_temp.test(1, format('SELECT %s FROM p ORDER BY id', made)) FROM (SELECT
	'(SELECT v FROM c WHERE pid = p.id ORDER BY day DESC, id LIMIT 1)') f(first), LATERAL (VALUES
	(format('coalesce(%s, -1)', first)), (format('json_build_object(''id'', id, ''v'', %s)', first)),
	(format('ROW(id, %s)', first)), (format('%s IS NULL', first))) q(made);
-- In what order, after how many, of what
SELECT pg_temp.test(1, pg_temp.first('short', cut)) FROM unnest(ARRAY['LIMIT 1 OFFSET 0', 'LIMIT 1 OFFSET 2',
	'FETCH FIRST ROW ONLY']) cut;
SELECT pg_temp.test(1, format('SELECT id, (%s) FROM p ORDER BY p.id', source)) FROM unnest(ARRAY[
	'SELECT id FROM c WHERE pid = p.id ORDER BY v NULLS FIRST, x DESC, id LIMIT 1',
	'SELECT v AS value FROM c WHERE pid = p.id ORDER BY value DESC NULLS LAST LIMIT 1',
	'SELECT c.id FROM c WHERE pid = p.id AND v > 2 ORDER BY id DESC LIMIT 1',
	'SELECT l.name FROM c JOIN l USING (v) WHERE pid = p.id ORDER BY c.id LIMIT 1',
	'SELECT l.name FROM c LEFT JOIN l USING (v) WHERE pid = p.id ORDER BY c.id DESC LIMIT 1',
	'SELECT kind FROM c WHERE pid = p.id GROUP BY kind ORDER BY count(*) DESC, kind LIMIT 1',
	'SELECT day FROM recent WHERE pid = p.id ORDER BY day, id LIMIT 1',
	'SELECT day FROM (SELECT * FROM c WHERE pid = p.id) y ORDER BY day, id LIMIT 1',
	'SELECT coalesce(id, 0) FROM (SELECT * FROM c WHERE pid = p.id ORDER BY day, id LIMIT 1) y',
	'SELECT day FROM (SELECT * FROM c WHERE pid = p.id ORDER BY day, id LIMIT 1) y ORDER BY id',
	'SELECT (SELECT name FROM l WHERE l.v = c.v) FROM c WHERE pid = p.id ORDER BY day, id LIMIT 1']) source;
-- As an item of FROM: of one column, of several, of some that nothing reads
SELECT pg_temp.test(1, pg_temp.joined(list, item)) FROM (VALUES
	('q.day', 'SELECT day FROM c WHERE pid = p.id ORDER BY day DESC, id LIMIT 1'),
	('q.*', 'SELECT id, kind, amount, day, m, short, fixed FROM c WHERE pid = p.id ORDER BY day DESC, id LIMIT 1'),
	('q.kind, q.day, q.kind', 'SELECT id, kind, day FROM c WHERE pid = p.id ORDER BY v, id DESC LIMIT 1 OFFSET 1'),
	('json_build_object(''k'', q.kind, ''v'', q.v), q.kind IS NULL', 'SELECT kind, v FROM c WHERE pid = p.id
		ORDER BY day DESC, id LIMIT 1'),
	('coalesce(q.k, ''none'')', 'SELECT coalesce(kind, ''nothing'') AS k FROM c WHERE pid = p.id
		ORDER BY day, id LIMIT 1'),
	('q.n', 'SELECT kind, count(*) AS n FROM c WHERE pid = p.id GROUP BY kind
		ORDER BY n DESC, kind LIMIT 1')) q(list, item);
SELECT pg_temp.test(2, pg_temp.joined('q.day, r.v', 'SELECT day FROM c WHERE pid = p.id ORDER BY day DESC, id LIMIT 1',
	'LEFT JOIN LATERAL (SELECT v FROM c WHERE pid = p.id ORDER BY v DESC, id LIMIT 1) r ON true'));
-- Pages, and parents in other places
SELECT pg_temp.test(1, query) FROM unnest(ARRAY[
	'SELECT id, (SELECT day FROM c WHERE pid = p.id ORDER BY day DESC, id LIMIT 1) FROM p ORDER BY name, id LIMIT 20',
	'SELECT id, (SELECT day FROM c WHERE pid = p.id ORDER BY day DESC, id LIMIT 1) AS d FROM p
		ORDER BY d DESC NULLS LAST, id LIMIT 20',
	'SELECT p.id, q.day FROM p LEFT JOIN LATERAL (SELECT day FROM c WHERE pid = p.id ORDER BY day DESC, id LIMIT 1) q
		ON true ORDER BY name, p.id LIMIT 20',
	'SELECT json_agg(json_build_object(''id'', id, ''day'', (SELECT day FROM c WHERE pid = p.id ORDER BY day DESC, id
		LIMIT 1)) ORDER BY id) FROM p',
	'SELECT json_agg(z) FROM (SELECT p.id, q.day FROM p LEFT JOIN LATERAL (SELECT day FROM c WHERE pid = p.id
		ORDER BY day DESC, id LIMIT 1) q ON true ORDER BY p.id) z']) query;
SELECT pg_temp.test(2, 'SELECT l.v, (SELECT json_agg(json_build_array(c.id, (SELECT d.day FROM c d WHERE d.pid = c.pid
	ORDER BY d.day, d.id LIMIT 1)) ORDER BY c.id) FROM c WHERE c.v = l.v) FROM l ORDER BY l.v');

-- What stays: an order that is not asked for, more than one row, a look-up, arrays,
SELECT pg_temp.test(0, format('SELECT id, (%s) FROM p ORDER BY p.id', source)) FROM unnest(ARRAY[
	'SELECT max(id) OVER () FROM c WHERE pid = p.id ORDER BY id LIMIT 1',
	'SELECT kind FROM c WHERE pid = p.id AND id = 7 LIMIT 1',
	'SELECT id FROM c WHERE pid = p.id ORDER BY id LIMIT 0',
	'SELECT id FROM c WHERE pid = p.id ORDER BY id LIMIT 2',
	'SELECT id FROM c WHERE pid = p.id AND id < 10 ORDER BY id LIMIT NULL',
	'SELECT id FROM c WHERE pid = p.id ORDER BY id FETCH FIRST 1 ROW WITH TIES',
	'SELECT id FROM c WHERE pid = p.id ORDER BY id LIMIT -1',
	'SELECT id FROM c WHERE pid = p.id ORDER BY id LIMIT 1 OFFSET -1',
	'SELECT id FROM c WHERE pid = p.id ORDER BY id LIMIT 1 FOR UPDATE',
	'SELECT kind FROM c WHERE id = p.id ORDER BY id LIMIT 1',
	'SELECT tags FROM c WHERE pid = p.id ORDER BY id LIMIT 1',
	'SELECT w FROM c WHERE pid = p.id ORDER BY id LIMIT 1',
	'SELECT ROW(id, day) FROM c WHERE pid = p.id ORDER BY id LIMIT 1',
	'SELECT id FROM c WHERE pid < p.id + 1 ORDER BY id DESC LIMIT 1',
	-- ... errors, here of nobody's rows
	'SELECT 1 / (pid - 305) FROM c WHERE pid = p.id ORDER BY id LIMIT 1']) source;
-- ... conditions, and what is asked about the item where it need not be
SELECT pg_temp.test(0, pg_temp.joined(list,
	'SELECT id, day FROM c WHERE pid = p.id ORDER BY day DESC, id LIMIT 1', rest))
FROM (VALUES ('q IS NULL', ''), ('q.day', 'WHERE q.day > ''2020-02-01'''), ('q.day', 'WHERE q IS NOT NULL'),
	('CASE WHEN p.id > 1 THEN q.day END', ''), ('(SELECT q FROM l WHERE l.v = 1)', ''),
	('json_build_object(''q'', q, ''id'', (SELECT to_json(q) FROM l WHERE l.v = 1))', '')) q(list, rest);
SELECT pg_temp.test(0, query) FROM unnest(ARRAY[
	'SELECT p.id, q.day FROM p LEFT JOIN LATERAL (SELECT day FROM c WHERE pid = p.id ORDER BY day DESC, id LIMIT 1) q
		ON q.day > ''2020-02-01'' ORDER BY p.id',
	'SELECT p.id FROM p LEFT JOIN LATERAL (SELECT FROM c WHERE pid = p.id ORDER BY day LIMIT 1) q ON true
		ORDER BY p.id',
	'SELECT p.id, q.day FROM p JOIN LATERAL (SELECT day FROM c WHERE pid = p.id ORDER BY day DESC, id LIMIT 1 OFFSET 9) q
		ON true ORDER BY p.id',
	-- an error for a row that an inner join drops
	'SELECT p.id, q.day FROM p CROSS JOIN LATERAL (SELECT day FROM c WHERE pid = p.id ORDER BY day DESC, id LIMIT 1) q
		WHERE 1 / (p.id - 315) < 5 ORDER BY p.id',
	'SELECT p.id, q.day FROM p CROSS JOIN LATERAL (SELECT day FROM c WHERE pid = p.id ORDER BY day DESC, id LIMIT 1) q
		LEFT JOIN l ON l.v = 1 / (p.id - 315) ORDER BY p.id']) query;

-- An item as a whole, with names of its own, in subqueries
SELECT pg_temp.test(1, pg_temp.joined(list, item)) FROM (VALUES
	('SELECT id, day FROM c WHERE pid = p.id ORDER BY day DESC, id LIMIT 1'),
	('SELECT id, kind, m FROM c WHERE pid = p.id AND id < 1000 ORDER BY m, id LIMIT 1 OFFSET 1')) i(item),
	unnest(ARRAY['q', 'to_json(q)', 'row_to_json(q)', 'to_jsonb(q.*), q.id', 'q::text',
		'json_build_array(q, q.id, q)']) list;
SELECT pg_temp.test(1, query) FROM unnest(ARRAY[
	'SELECT p.id, row_to_json(q) FROM p LEFT JOIN LATERAL (SELECT id, day FROM c WHERE pid = p.id
		ORDER BY day DESC, id LIMIT 1) AS q(i, d) ON true ORDER BY p.id',
	'SELECT p.id, row_to_json(q) FROM p LEFT JOIN LATERAL (SELECT id AS i, NULL AS n, id AS i FROM c WHERE pid = p.id
		ORDER BY day DESC, id LIMIT 1) q ON true ORDER BY p.id',
	'SELECT json_agg(q ORDER BY p.id) FROM p LEFT JOIN LATERAL (SELECT id, day FROM c WHERE pid = p.id
		ORDER BY day DESC, id LIMIT 1) q ON true',
	'SELECT json_agg(z) FROM (SELECT p.id, row_to_json(q) AS q FROM p LEFT JOIN LATERAL (SELECT id, day FROM c
		WHERE pid = p.id ORDER BY day DESC, id LIMIT 1) q ON true ORDER BY p.id) z']) query;
-- Inner joins, which drop rows
SELECT pg_temp.test(1, format('SELECT %s FROM %s ORDER BY p.id', list, items)) FROM (VALUES
	('p.id, q.day', 'p, %s'), ('p.id, q.*', 'p CROSS JOIN %s'), ('p.id, q.day', 'p JOIN %s ON true'),
	('p.id, to_json(q)', 'p CROSS JOIN %s'), ('q.id, l.name', 'p CROSS JOIN %s LEFT JOIN l
	ON l.v = p.id')) x(list, item),
	format(item, 'LATERAL (SELECT id, day FROM c WHERE pid = p.id ORDER BY day DESC, id LIMIT 1) q') items;
SELECT pg_temp.test(2, query) FROM unnest(ARRAY[
	'SELECT p.id, q.*, r.* FROM p, LATERAL (SELECT id, day FROM c WHERE pid = p.id ORDER BY day DESC, id LIMIT 1) q,
		LATERAL (SELECT v FROM c WHERE pid = p.id ORDER BY v LIMIT 1) r ORDER BY p.id']) query;

-- A number of rows that is known when the plan is made, and one that is not
PREPARE first AS SELECT id, (SELECT day FROM c WHERE pid = p.id ORDER BY day DESC, id LIMIT $1) FROM p ORDER BY id;
SET LOCAL plan_cache_mode = force_custom_plan;
SELECT pg_temp.test(1, 'EXECUTE first(1)');
SET LOCAL plan_cache_mode = force_generic_plan;
SELECT pg_temp.test(0, 'EXECUTE first(1)');
RESET plan_cache_mode;

SELECT * FROM finish();
ROLLBACK;

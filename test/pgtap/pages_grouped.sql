-- Pages whose rows are grouped with what is left-joined to them, as it is written by hand, and by Django, SQLAlchemy
-- and Ecto, and pages to whose rows one of many groups is joined: the same rows, errors and orders under every kind of
-- plan; and for each query how many of its pages have their parents first.
\ir oracle.psql
\ir unnest.psql
\ir leaked.psql
\ir pages.psql

SELECT pg_temp.plan_most(916);

CREATE TABLE author (id int PRIMARY KEY, name text NOT NULL, code text UNIQUE);
INSERT INTO author SELECT i, 'author ' || i % 4, nullif('a' || i, 'a3') FROM generate_series(1, 9) i;
CREATE TABLE f (id int PRIMARY KEY, title text NOT NULL, rating int, aid int, cost numeric, score float8,
	slug text UNIQUE,
	uuid int NOT NULL UNIQUE);
INSERT INTO f
	SELECT i, 'film ' || lpad((i * 7 % 151)::text, 3, '0'), i * 11 % 151, nullif(i % 10, 4), i / 4.0, i / 8.0,
	nullif('s' || i, 's7'), -i FROM generate_series(1, 150) i;
CREATE TABLE c (id int PRIMARY KEY, fid int, v int, x float8);
INSERT INTO c SELECT i, 1 + i * 13 % 130, i % 4, i / 3.0 FROM generate_series(1, 300) i;
CREATE INDEX ON c (fid);
CREATE TABLE g (id int PRIMARY KEY, cid int, w text);
INSERT INTO g SELECT i, i * 17 % 300, 'w' || i FROM generate_series(1, 400) i;
CREATE TABLE two (a int, b int8, name text, PRIMARY KEY (a, b));
INSERT INTO two SELECT i / 3, i % 3, 'two ' || i FROM generate_series(0, 80) i;
-- Its rows are in pages enough for an index to be of use.
CREATE TABLE many (fid int, kind int, v int, t text, x float8, at timestamptz);
INSERT INTO many SELECT 1 + i * 13 % 130, i % 3, i,
	repeat('t', 40) || i % 50, i / 3.0, '2026-01-01'::timestamptz + i * interval '1 day'
	FROM generate_series(1, 3000) i;
CREATE INDEX ON many (fid, kind);
CREATE INDEX ON many (t);
CREATE INDEX ON many (at);
CREATE TABLE empty (id int PRIMARY KEY, fid int);
ANALYZE;

/*
 * Grouped with what is joined
 */

-- Collections in one query with the page
SELECT pg_temp.paged(1, format('SELECT f.id, f.title, %s FROM f LEFT JOIN c ON c.fid = f.id GROUP BY f.id
	ORDER BY f.title LIMIT 7', value))
FROM unnest(ARRAY['json_agg(c.v ORDER BY c.id)', 'count(c.id)', 'count(*)', 'sum(c.v), max(f.rating)',
	'coalesce(json_agg(json_build_object(''id'', c.id, ''v'', v)
		ORDER BY c.id) FILTER (WHERE c.id IS NOT NULL), ''[]'')',
	'CASE WHEN count(c) = 0 THEN ''[]'' ELSE jsonb_agg(c ORDER BY c.id) END',
	'coalesce(nullif(json_agg(c.v ORDER BY c.id)::text, ''[null]''), ''[]'')::json',
	'jsonb_agg(DISTINCT jsonb_build_object(''v'', c.v))', 'string_agg(c.v::text, f.title ORDER BY c.id)',
	'10 / sum(c.v)', 'array_agg(10 / nullif(c.v, 3) ORDER BY c.id)',
	'json_build_object(''r'', f.rating, ''vs'', json_agg(c.v ORDER BY c.id)), f.rating + 1',
	'(SELECT count(*) FROM g WHERE g.cid = f.id), min(c.v)', '(SELECT json_agg(w ORDER BY g.id) FROM g
		WHERE g.cid = max(c.id))']) value;
-- ... of several levels, or several of them
SELECT pg_temp.paged(1, format('SELECT f.id, json_agg(json_build_array(c.id, %s) ORDER BY c.id, %1$s) FROM f %s
	GROUP BY f.id
	ORDER BY f.rating DESC, f.id LIMIT 5 OFFSET 3', value, joins))
FROM (VALUES ('g.w', 'LEFT JOIN c ON c.fid = f.id LEFT JOIN g ON g.cid = c.id'),
	('g.w', 'LEFT JOIN c ON f.id = c.fid AND c.v > 0 LEFT JOIN g ON g.cid = c.id AND g.w <> f.title'),
	('o.w', 'LEFT JOIN c ON c.fid = f.id LEFT JOIN g o ON o.cid = f.id'),
	('q.v', 'LEFT JOIN c ON c.fid = f.id LEFT JOIN (SELECT cid, length(w) v FROM g) q ON q.cid = c.id'),
	('q.v', 'LEFT JOIN c ON c.fid = f.id LEFT JOIN (SELECT fid, sum(v) v FROM c GROUP BY fid) q
		ON q.fid = f.id')) j(value, joins);
-- What is looked up for a row is a part of it, wherever it is joined, and one may sort and group by that.
SELECT pg_temp.paged(1, format('SELECT f.id, a.name, json_agg(c.v ORDER BY c.id) FROM f %s GROUP BY f.id, %s
	ORDER BY %s, f.id LIMIT 6',
	joins, grouped, sorted))
FROM unnest(ARRAY['LEFT JOIN author a ON a.id = f.aid LEFT JOIN c ON c.fid = f.id', 'LEFT JOIN c ON c.fid = f.id LEFT
	JOIN author a
	ON f.aid = a.id', 'LEFT JOIN c ON c.fid = f.id JOIN author a ON a.id = f.aid', 'JOIN author a ON a.id = f.aid
		AND a.name <> ''''
	LEFT JOIN c ON c.fid = f.id', 'LEFT JOIN (SELECT * FROM author) a ON a.id = f.aid LEFT JOIN c
		ON c.fid = f.id']) joins,
	(VALUES ('a.name', 'a.name'), ('a.name, f.cost', 'f.title'), 
		('lower(a.name), a.name', 'lower(a.name)')) s(grouped, sorted);
SELECT pg_temp.paged(1, 'SELECT f.id, a.id, count(c.id) FROM f LEFT JOIN c ON c.fid = f.id, author a
	WHERE a.id = f.aid
	GROUP BY f.id, a.id ORDER BY f.title LIMIT 4');
SELECT pg_temp.paged(1, 'SELECT f.id, count(*) FROM (f JOIN author a ON a.code = f.slug || '''') LEFT JOIN c
	ON c.fid = f.id
	GROUP BY f.id, a.name ORDER BY f.id LIMIT 5');
-- Orders, filters, and other keys
SELECT pg_temp.paged(1, format('SELECT f.title, json_agg(c.v ORDER BY c.id) FROM f LEFT JOIN c ON c.fid = f.id %s
	GROUP BY %s
	ORDER BY %s LIMIT 5', filter, grouped, sorted))
FROM unnest(ARRAY['', 'WHERE f.rating > 20 AND f.aid IN (SELECT id FROM author WHERE id < 6)',
	'WHERE EXISTS (SELECT FROM c x WHERE x.fid = f.id AND x.v = 2)']) filter,
	(VALUES ('f.id', 'f.rating'), ('f.id, f.cost, f.score', 'f.cost DESC NULLS LAST, 1'), 
		('f.uuid, f.title, f.rating', 'f.rating % 7, f.title')) s(grouped, sorted);
SELECT pg_temp.paged(1, 'SELECT t.name, count(c.id) FROM two t LEFT JOIN c ON c.v = t.a AND c.id = t.b
	GROUP BY t.a, t.b, t.name
	ORDER BY t.name LIMIT 6');
SELECT pg_temp.paged(1, 'SELECT row_to_json(f), json_agg(c.v ORDER BY c.id) FROM f LEFT JOIN c ON c.fid = f.id
	GROUP BY f.id ORDER BY f.title LIMIT 3');
-- Within another query, and one that runs for each row
SELECT pg_temp.paged(1, 'SELECT json_agg(q) FROM (SELECT f.id, json_agg(c.v ORDER BY c.id) FROM f LEFT JOIN c
	ON c.fid = f.id
	GROUP BY f.id ORDER BY f.title LIMIT 7) q');
SELECT pg_temp.paged(1, 'WITH q AS (SELECT f.id, count(c.v) AS n FROM f LEFT JOIN c ON c.fid = f.id GROUP BY f.id
	ORDER BY f.title LIMIT 7)
	SELECT * FROM q');
SELECT pg_temp.same('SELECT a.id, q.* FROM author a LEFT JOIN LATERAL (SELECT f.id, json_agg(c.v
	ORDER BY c.id) vs FROM f
	LEFT JOIN c ON c.fid = f.id AND c.v <> a.id WHERE f.aid = a.id GROUP BY f.id ORDER BY f.title LIMIT 2) q ON true
		ORDER BY a.id, q.id');
PREPARE grouped(int, int) AS SELECT f.id, json_agg(c.v ORDER BY c.id) FROM f LEFT JOIN c ON c.fid = f.id
	WHERE f.rating > $1
	GROUP BY f.id ORDER BY f.title LIMIT $2;
SELECT pg_temp.same('EXECUTE grouped(20, 5)', ARRAY['plan_cache_mode', mode])
FROM unnest('{force_custom_plan,force_generic_plan}'::text[]) mode;
-- What stays
SELECT pg_temp.paged(0, query) FROM unnest(ARRAY[
	-- rows are not told apart, or by a key that may be NULL
	'SELECT f.title, count(c.id) FROM f LEFT JOIN c ON c.fid = f.id GROUP BY f.title ORDER BY 1 LIMIT 5',
	'SELECT f.slug, count(c.id) FROM f LEFT JOIN c ON c.fid = f.id GROUP BY f.slug ORDER BY 1 LIMIT 5',
	'SELECT t.a, count(c.id) FROM two t LEFT JOIN c ON c.fid = t.a GROUP BY t.a ORDER BY 1 LIMIT 5',
	'SELECT f.id, count(c.id) FROM f JOIN author a ON a.name <> f.title LEFT JOIN c ON c.fid = f.id GROUP BY f.id
		ORDER BY f.title LIMIT 5',
	'SELECT f.id + 0, count(c.id) FROM f LEFT JOIN c ON c.fid = f.id GROUP BY f.id + 0 ORDER BY 1 LIMIT 5',
	-- what is joined decides which rows there are, or their order
	'SELECT f.id, count(c.id) FROM f LEFT JOIN c ON c.fid = f.id GROUP BY f.id ORDER BY count(c.id), f.id LIMIT 5',
	'SELECT f.id, count(c.id) FROM f LEFT JOIN c ON c.fid = f.id GROUP BY f.id HAVING count(c.id) > 1
		ORDER BY f.title LIMIT 5',
	'SELECT f.id, count(c.id) FROM f LEFT JOIN c ON c.fid = f.id WHERE c.v IS NULL OR c.v > 1 GROUP BY f.id
		ORDER BY f.title LIMIT 5',
	'SELECT f.id, count(c.id) FROM f JOIN c ON c.fid = f.id GROUP BY f.id ORDER BY f.title LIMIT 5',
	'SELECT f.id, count(c.id) FROM c RIGHT JOIN f ON c.fid = f.id FULL JOIN author a ON a.id = f.id GROUP BY f.id
		ORDER BY f.title LIMIT 5',
	'SELECT f.id, c.v, count(c.id) FROM f LEFT JOIN c ON c.fid = f.id GROUP BY f.id, c.v ORDER BY f.title, c.v
		LIMIT 5',
	'SELECT f.id, count(*) FROM f LEFT JOIN c ON c.fid = f.id JOIN g ON g.cid = c.id GROUP BY f.id ORDER BY f.title
		LIMIT 5',
	'SELECT f.id, count(*) FROM f LEFT JOIN c ON c.fid = f.id, LATERAL (SELECT c.v + 1 AS n) q WHERE q.n > 2
		GROUP BY f.id ORDER BY f.title LIMIT 5',
	-- groups that come in the order of the page, others of which could raise an error
	'SELECT f.id, f.rating, 10 / (count(c.id) - 7) FROM f LEFT JOIN c ON c.fid = f.id GROUP BY f.id, f.rating
		ORDER BY f.rating LIMIT 5',
	-- other clauses
	'SELECT f.id, count(c.id) FROM f LEFT JOIN c ON c.fid = f.id GROUP BY GROUPING SETS ((f.id), ()) ORDER BY f.id
		LIMIT 5',
	'SELECT DISTINCT f.id, count(c.id) FROM f LEFT JOIN c ON c.fid = f.id GROUP BY f.id ORDER BY f.id LIMIT 5',
	'SELECT f.id, sum(count(c.id)) OVER (ORDER BY f.id) FROM f LEFT JOIN c ON c.fid = f.id GROUP BY f.id
		ORDER BY f.id LIMIT 5',
	'SELECT f.id, count(c.id) FROM f LEFT JOIN c ON c.fid = f.id GROUP BY f.id
		ORDER BY f.rating / 10 FETCH FIRST 5 ROWS WITH TIES',
	-- what is seen of the way in which rows are joined, and errors
	'SELECT f.id, sum(c.x) FROM f LEFT JOIN c ON c.fid = f.id GROUP BY f.id ORDER BY f.title LIMIT 5',
	'SELECT f.id, json_agg(c.v) FROM f LEFT JOIN (SELECT * FROM c ORDER BY v DESC, id) c ON c.fid = f.id
		GROUP BY f.id ORDER BY f.title LIMIT 5',
	'SELECT f.id, count(c.id) FROM f LEFT JOIN c ON c.fid = f.id AND 10 / (c.v + 1) > 2 GROUP BY f.id
		ORDER BY f.title LIMIT 5',
	'SELECT f.id, count(c.id) FROM f LEFT JOIN c ON c.fid = f.id WHERE 10 / (f.rating + 1) >= 0 GROUP BY f.id
		ORDER BY f.title LIMIT 5',
	'SELECT f.id, random() < 2, count(c.id) FROM f LEFT JOIN c ON c.fid = f.id GROUP BY f.id ORDER BY f.title LIMIT 5',
	'SELECT row_to_json(f), json_build_array(f, count(c.id)) FROM f LEFT JOIN c ON c.fid = f.id GROUP BY f.id
		ORDER BY f.title LIMIT 5'])
	query;
-- Rows that nobody orders may come in another order, but they are the same.
SELECT is(pg_temp.rows(query, '{jsonrow.unnest, on}'), pg_temp.rows(query, '{jsonrow.unnest, off}'),
	pg_temp.name_of(query))
FROM unnest(ARRAY['SELECT id, (SELECT json_agg(v ORDER BY v) FROM unnest(vs) v) FROM (SELECT f.id, array_agg(c.v) vs
	FROM f
	LEFT JOIN c ON c.fid = f.id GROUP BY f.id ORDER BY f.title LIMIT 9) q']) query;

-- Who may not compare what is grouped by: PostgreSQL groups by the key alone.
REVOKE EXECUTE ON FUNCTION texteq(text, text) FROM PUBLIC;
SELECT pg_temp.paged(0, 'SELECT f.id, count(c.id) FROM f LEFT JOIN c ON c.fid = f.id GROUP BY f.id, f.slug
	ORDER BY f.rating LIMIT 5');
GRANT EXECUTE ON FUNCTION texteq(text, text) TO PUBLIC;

/*
 * One of many groups
 */

SELECT pg_temp.paged(1, format('SELECT f.id, f.title, q.d FROM f LEFT JOIN (SELECT fid, %s AS d FROM many
	GROUP BY fid) q ON q.fid = f.id
	ORDER BY f.title LIMIT 7', value))
FROM unnest(ARRAY['json_agg(v ORDER BY v)', 'count(*)', 'count(*) FILTER (WHERE v > 2000)', 'max(t)',
	'coalesce(json_agg(json_build_object(''v'', v, ''t'', t) ORDER BY v) FILTER (WHERE kind = 1), ''[]'')',
		'10 / sum(v)']) value;
SELECT pg_temp.paged(1, query) FROM unnest(ARRAY[
	'SELECT f.id, coalesce(q.vs, ''[]'') FROM f LEFT JOIN (SELECT json_agg(v ORDER BY v) vs, fid FROM many
		WHERE kind > 0 GROUP BY fid) q
		ON f.id = q.fid ORDER BY f.rating LIMIT 5 OFFSET 2',
	'SELECT f.id, q.* FROM f LEFT JOIN (SELECT json_agg(v ORDER BY v) vs, count(*) n FROM many m
		GROUP BY m.fid, m.kind HAVING true) q
		ON true ORDER BY f.rating LIMIT 0',
	'SELECT f.id, q.n, r.n FROM f LEFT JOIN (SELECT fid, count(*) n FROM many GROUP BY fid) q ON q.fid = f.id LEFT JOIN
		(SELECT fid, kind, json_agg(v ORDER BY v) n FROM many GROUP BY kind, fid) r ON r.fid = f.id
		AND r.kind = f.aid ORDER BY f.title LIMIT 6',
	'SELECT f.id, r.n FROM f LEFT JOIN (SELECT fid, max(v) % 130 n FROM many GROUP BY fid) q ON q.fid = f.id LEFT JOIN
		(SELECT fid, count(*) n FROM many GROUP BY fid) r ON r.fid = q.n ORDER BY f.title LIMIT 6',
	'SELECT f.id, q.n FROM f LEFT JOIN LATERAL (SELECT fid, count(*) FILTER (WHERE v > f.id) n FROM many
		WHERE fid = f.id GROUP BY fid) q
		ON q.fid = f.id ORDER BY f.title LIMIT 6',
	'SELECT f.id, q.n FROM f LEFT JOIN (SELECT fid, json_agg(w ORDER BY g.id) n FROM many JOIN g ON g.id = many.v
		GROUP BY fid) q
		ON q.fid = f.id ORDER BY f.title LIMIT 6',
	'SELECT f.id, q.n FROM f JOIN author a ON a.id = f.aid LEFT JOIN (SELECT fid, count(*) n FROM many GROUP BY 1) q
		ON q.fid = a.id
		ORDER BY a.name, f.id LIMIT 6'])
	query WHERE query !~ 'LIMIT 0';
SELECT pg_temp.same(query) FROM unnest(ARRAY['SELECT a.id, ARRAY(SELECT q.n FROM f LEFT JOIN (SELECT fid, count(*) n
	FROM many
	GROUP BY fid) q ON q.fid = a.id ORDER BY f.title LIMIT 3) FROM author a
		ORDER BY a.id', 'SELECT a.id, ARRAY(SELECT q.n FROM f
	LEFT JOIN (SELECT fid, count(*) n FROM many GROUP BY fid) q ON q.fid = a.id ORDER BY f.title LIMIT 3) FROM
		(SELECT 1 OFFSET 0) r,
	(SELECT 1 OFFSET 0) s, (SELECT 1 OFFSET 0) t, author a ORDER BY a.id']) query;
SELECT pg_temp.paged(0, query) FROM unnest(ARRAY[
	-- the key is looked at, or something else is
	'SELECT f.id, q.* FROM f LEFT JOIN (SELECT fid, json_agg(v ORDER BY v) FROM many GROUP BY fid) q ON q.fid = f.id
		ORDER BY f.title LIMIT 7',
	'SELECT f.id, q.n FROM f LEFT JOIN (SELECT fid, count(*) n FROM many GROUP BY fid) q ON q.fid = f.id AND q.n > 3
		ORDER BY f.title LIMIT 7',
	'SELECT f.id, q.n FROM f LEFT JOIN (SELECT fid, count(*) n FROM many GROUP BY fid) q ON q.fid = f.id
		AND f.rating > 3 ORDER BY f.title LIMIT 7',
	'SELECT f.id, q.n FROM f LEFT JOIN (SELECT fid, count(*) n FROM many GROUP BY fid) q ON q.fid >= f.id
		ORDER BY f.title, q.n LIMIT 7',
	'SELECT f.id, q.n FROM f LEFT JOIN (SELECT fid, count(*) n FROM many GROUP BY fid, kind) q ON q.fid = f.id
		ORDER BY f.title, q.n LIMIT 7',
	'SELECT f.id, q.n FROM f LEFT JOIN (SELECT fid, count(*) n FROM many GROUP BY fid) q ON q.fid = f.id
		ORDER BY q.n, f.title LIMIT 7',
	'SELECT f.id, q.n FROM f LEFT JOIN (SELECT fid, count(*) n FROM many GROUP BY fid) q ON q.fid = f.id
		WHERE q.n > 3 ORDER BY f.title LIMIT 7',
	'SELECT f.id, q.n FROM f JOIN (SELECT fid, count(*) n FROM many GROUP BY fid) q ON q.fid = f.id ORDER BY f.title
		LIMIT 7',
	'SELECT f.id, q.n FROM f LEFT JOIN (SELECT fid, json_build_array(fid, count(*)) n FROM many GROUP BY fid) q
		ON q.fid = f.id ORDER BY f.title LIMIT 7',
	'SELECT f.id, q.n FROM f LEFT JOIN (SELECT fid, count(*) n FROM many GROUP BY fid HAVING count(*) > 3) q
		ON q.fid = f.id ORDER BY f.title LIMIT 7',
	'SELECT f.id, q.n FROM f LEFT JOIN (SELECT at, count(*) n FROM many GROUP BY at) q
		ON q.at = timestamp ''2026-01-01'' + f.id * interval ''1 day''
		ORDER BY f.title LIMIT 7',
	-- no index, as none finds an expression, sums that depend on the order, errors
	'SELECT f.id, q.n FROM f LEFT JOIN (SELECT t, count(*) n FROM many GROUP BY t) q ON q.t =
		repeat(''t'', 40) || f.id ORDER BY f.title LIMIT 6',
	'SELECT f.id, q.n FROM f LEFT JOIN (SELECT cid, count(*) n FROM g GROUP BY cid) q ON q.cid = f.id
		ORDER BY f.title LIMIT 7',
	'SELECT f.id, q.n FROM f LEFT JOIN (SELECT fid, sum(x) n FROM many GROUP BY fid) q ON q.fid = f.id
		ORDER BY f.title LIMIT 7',
	'SELECT f.id, q.n FROM f LEFT JOIN (SELECT fid, json_agg(v) n FROM (SELECT * FROM many ORDER BY v DESC) m
		GROUP BY fid) q
		ON q.fid = f.id ORDER BY f.title LIMIT 7',
	'SELECT f.id, q.n FROM f LEFT JOIN (SELECT fid, count(*) n FROM many WHERE 10 / v < 9 GROUP BY fid) q
		ON q.fid = f.id ORDER BY f.title LIMIT 7'])
	query;

-- Who may not compare what a loop keeps results by
CREATE TABLE far (id bigint PRIMARY KEY, name text);
INSERT INTO far SELECT i, 'far ' || i FROM generate_series(1, 200) i;
ANALYZE far;
CREATE TABLE keeping (query text);
INSERT INTO keeping VALUES
	('SELECT far.id, q.n FROM far LEFT JOIN (SELECT fid, count(*) n FROM many GROUP BY fid) q ON q.fid = far.id
		ORDER BY name LIMIT 7'),
	('SELECT f.id, count(far.name) FROM f LEFT JOIN far ON far.id = f.rating GROUP BY f.id ORDER BY f.title LIMIT 7');
REVOKE EXECUTE ON FUNCTION int8eq(bigint, bigint) FROM PUBLIC;
SELECT pg_temp.paged(0, query) FROM keeping;
GRANT EXECUTE ON FUNCTION int8eq(bigint, bigint) TO PUBLIC;
SELECT pg_temp.paged(1, query) FROM keeping;

SELECT * FROM finish();
ROLLBACK;

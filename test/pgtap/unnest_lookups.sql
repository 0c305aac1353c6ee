-- Look-ups by a unique key in a select list, with jsonrow.unnest off and on: the same rows, the same errors; and how
-- many of them became joins.
\ir oracle.psql
\ir unnest.psql

SELECT pg_temp.plan_most(679);

CREATE TABLE director (id int PRIMARY KEY, code text UNIQUE, name text, born date, boss int, v int);
INSERT INTO director SELECT i, 'c' || i, nullif('n' || i, 'n7'), date '1950-01-01' + i * 100, i / 2, i % 4
FROM generate_series(1, 40) i;
CREATE TABLE film (id int PRIMARY KEY, director int, code text, title text, big bigint, n numeric);
INSERT INTO film SELECT i, nullif(i * 7 % 55, 3), 'c' || i % 50, 't' || i, i % 45, i % 45
FROM generate_series(1, 120) i;
CREATE TABLE two (a int, b int, name text, UNIQUE (a, b));
INSERT INTO two SELECT i / 5, i % 5, 'two ' || i FROM generate_series(1, 60) i;
CREATE TABLE loose (id int, name text);
INSERT INTO loose SELECT i, 'loose ' || i FROM generate_series(1, 50) i;
CREATE TABLE partial (id int, name text);
CREATE UNIQUE INDEX ON partial (id) WHERE name <> 'other';
INSERT INTO partial VALUES (1, 'one'), (2, 'two');
CREATE TABLE deferred (id int UNIQUE DEFERRABLE INITIALLY DEFERRED, name text);
INSERT INTO deferred SELECT id, name FROM director;
CREATE TABLE parted (id int PRIMARY KEY, name text) PARTITION BY HASH (id);
CREATE TABLE parted_0 PARTITION OF parted FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE parted_1 PARTITION OF parted FOR VALUES WITH (MODULUS 2, REMAINDER 1);
INSERT INTO parted SELECT id, name FROM director;
CREATE TABLE elder (id int PRIMARY KEY, name text);
CREATE TABLE heir () INHERITS (elder);
CREATE TABLE award (film int, year int);
INSERT INTO award SELECT i % 130, 1990 + i % 30 FROM generate_series(1, 200) i;
CREATE VIEW directors AS SELECT id, upper(name) AS name FROM director WHERE born < '1960-01-01';
CREATE VIEW barrier WITH (security_barrier) AS SELECT * FROM parted;
ANALYZE;

-- How many subqueries that run for each row become joins
CREATE FUNCTION pg_temp.planned(query text, unnest text) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	PERFORM set_config('jsonrow.unnest', unnest, true);
	EXECUTE 'EXPLAIN (COSTS OFF, FORMAT json) ' || query INTO plan;
	PERFORM set_config('jsonrow.unnest', 'off', true);
	RETURN plan;
END $$;
CREATE FUNCTION pg_temp.subplans(query text, unnest text) RETURNS bigint LANGUAGE sql AS $$
	SELECT count(*) FROM jsonb_path_query(pg_temp.planned(query, unnest), 'strict $.** ? (exists (@."Subplan Name"))')
	AS plan WHERE plan ->> 'Subplan Name' LIKE 'SubPlan%' $$;
CREATE FUNCTION pg_temp.looked_up(joins int, query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	name CONSTANT text := left(regexp_replace(query, '\s+', ' ', 'g'), 200);
	off CONSTANT text := pg_temp.outcome(query, '{jsonrow.unnest, off, jsonrow.accelerate, off}');
	settings text;
BEGIN
	FOREACH settings IN ARRAY ARRAY['{jsonrow.unnest, on}', '{jsonrow.unnest, on, jsonrow.accelerate, on}',
		'{jsonrow.unnest, on, enable_hashjoin, off}',
		'{jsonrow.unnest, on, enable_nestloop, off, enable_hashjoin, off}']
	LOOP
		CONTINUE WHEN (joins = 0 AND settings ~ 'enable') OR NOT pg_temp.chosen(settings || query);
		RETURN NEXT is(pg_temp.outcome(query, settings::text[]), off, 'same: ' || settings || ' ' || name);
	END LOOP;
	RETURN NEXT is(pg_temp.subplans(query, 'off') - pg_temp.subplans(query, 'on'), joins::bigint, 'joins: ' || name);
END $$;

-- What is looked up, and by what
SELECT pg_temp.looked_up(joins, format('SELECT f.id, (%s) FROM film f ORDER BY f.id', query)) FROM (VALUES
	(1, 'SELECT name FROM director d WHERE d.id = f.director'),
	(1, 'SELECT d FROM director d WHERE f.director = d.id'),
	(1, 'SELECT row_to_json(d) FROM director d WHERE d.id = f.director'),
	(1, 'SELECT json_build_object(''d'', d, ''f'', f, ''name'', d.name) FROM director d WHERE d.id = f.director'),
	(0, 'SELECT to_jsonb(d) - 1 FROM director d WHERE d.id = f.director'),
	(1, 'SELECT d IS NULL FROM director d WHERE d.id = f.director'),
	(1, 'SELECT to_json(o) FROM (SELECT d.name, d.born FROM director d WHERE d.id = f.director) o'),
	(1, 'SELECT jsonb_build_object(''name'', d.name, ''film'', f.title) FROM director d WHERE d.id = f.director'),
	(1, 'SELECT o FROM (SELECT d.name, d.born FROM director d WHERE d.id = f.director) o'),
	(1, 'SELECT json_build_array(d.tableoid, f.id) FROM director d WHERE d.id = f.director'),
	(1, 'SELECT to_json(o) FROM (SELECT d.name || ''!'' AS n FROM director d WHERE d.id = f.director) o'),
	(1, 'SELECT o.n FROM (SELECT d.name AS n, born AS b FROM director d WHERE d.id = f.director) o ORDER BY b'),
	(1, 'SELECT 1 FROM director d WHERE d.id = f.director'),
	(1, 'SELECT f.title FROM director d WHERE d.id = f.director'),
	(1, 'SELECT NULL::int FROM director d WHERE d.id = f.director'),
	(1, 'SELECT name FROM director d WHERE d.code = f.code'), (1, 'SELECT name FROM director d WHERE d.id = f.big'),
	(0, 'SELECT name FROM director d WHERE d.id = f.n'), (0, 'SELECT name FROM director d WHERE d.id = f.n::int'),
	(1, 'SELECT name FROM director d WHERE d.id = f.director AND d.v > 1'),
	(1, 'SELECT name FROM director d WHERE d.id = f.director AND d.name <> f.title'),
	(0, 'SELECT name FROM director d WHERE d.id = f.director AND 10 / d.v > 1'),
	(0, 'SELECT 10 / d.v FROM director d WHERE d.id = f.director AND d.v > 0'),
	(1, 'SELECT name FROM director d WHERE d.id = f.director LIMIT 1'),
	(1, 'SELECT name FROM director d WHERE d.id = f.director ORDER BY name LIMIT 1'),
	(1, 'SELECT name FROM director d WHERE d.id = f.director ORDER BY name'),
	(1, 'SELECT * FROM (SELECT name FROM director d WHERE d.id = f.director LIMIT 5) x'),
	(1, 'SELECT row_to_json(x) FROM (SELECT name, born FROM director d WHERE d.id = f.director LIMIT 1) x'),
	(0, 'SELECT name FROM director d WHERE d.id = f.director LIMIT 0'),
	(0, 'SELECT name FROM director d WHERE d.id = f.director OFFSET 1'),
	(0, 'SELECT name FROM director d WHERE d.id = f.director FOR SHARE'),
	(0, 'SELECT DISTINCT name FROM director d WHERE d.id = f.director'),
	(0, 'SELECT name FROM director d WHERE d.id = f.director AND d.id = 4 UNION ALL SELECT ''x'' WHERE false'),
	(0, 'SELECT name FROM director d WHERE d.id > f.director LIMIT 1'),
	(0, 'SELECT name FROM director d WHERE d.id = 4'), (0, 'SELECT name FROM loose d WHERE d.id = f.director'),
	(0, 'SELECT name FROM partial d WHERE d.id = f.director AND f.director < 3'),
	(0, 'SELECT name FROM deferred d WHERE d.id = f.director'),
	(1, 'SELECT name FROM parted d WHERE d.id = f.director'),
	(0, 'SELECT name FROM barrier d WHERE d.id = f.director'), (0, 'SELECT name FROM elder WHERE id = f.director'),
	(1, 'SELECT name FROM ONLY elder WHERE id = f.director'),
	(1, 'SELECT name FROM directors d WHERE d.id = f.director'),
	(1, 'SELECT to_json(d) FROM directors d WHERE d.id = f.director LIMIT 1'),
	(1, 'SELECT to_json(o) FROM (SELECT d.id, d.name FROM directors d) o WHERE f.director = o.id AND o.name > ''N2'''),
	(1, 'SELECT x.name FROM (SELECT id AS i, name FROM (SELECT * FROM director WHERE v < 3 ORDER BY v) y) x
		WHERE x.i = f.director'),
	(0, 'SELECT d.name FROM directors d, directors e WHERE d.id = e.id AND e.id = f.director'),
	(0, 'SELECT d.name FROM directors d WHERE d.id + 0 = f.director'),
	(0, 'SELECT x.name FROM (SELECT id + 0 AS id, name FROM director) x WHERE x.id = f.director'),
	(0, 'SELECT x.name FROM (SELECT DISTINCT id, name FROM director) x WHERE x.id = f.director'),
	(0, 'SELECT x.name FROM (SELECT v AS id, name FROM director) x WHERE x.id = f.director LIMIT 1'),
	(1, 'SELECT name FROM two WHERE a = f.director AND b = 2'),
	(0, 'SELECT name FROM two WHERE a = f.director AND b < 1'),
	(0, 'SELECT name FROM director d TABLESAMPLE system (100) WHERE d.id = f.director'),
	(0, 'SELECT d.name FROM director d JOIN two ON a = d.id WHERE d.id = f.director AND b = 1'),
	(2, 'SELECT (SELECT b.name FROM director b WHERE b.id = d.boss) FROM director d WHERE d.id = f.director'),
	(2, 'SELECT json_build_object(''d'', d.name, ''boss'', (SELECT json_build_array(b.name, d.id, f.title) FROM director b
		WHERE b.id = d.boss)) FROM director d WHERE d.id = f.director'),
	(2, 'SELECT to_json(x) FROM (SELECT (SELECT to_json(y) FROM (SELECT b.id, b.name FROM director b WHERE b.id = d.boss)
		y) AS boss, d.name FROM director d WHERE d.id = f.director) x'),
	(1, 'SELECT (SELECT b.name FROM director b WHERE b.id = f.big) FROM director d WHERE d.id = f.director'),
	(2, 'SELECT (SELECT b.name FROM director b WHERE b.id = coalesce(d.boss, 4)) FROM director d
		WHERE d.id = f.director'),
	(3, 'SELECT json_build_object(''boss'', (SELECT json_build_object(''n'', b.name, ''boss'', (SELECT c FROM director c
		WHERE c.id = b.boss AND c.name <> f.title)) FROM director b WHERE b.id = d.boss)) FROM director d
		WHERE d.id = f.director'),
	(3, 'SELECT json_build_array((SELECT b.name FROM director b WHERE b.id = d.boss), (SELECT b.born FROM director b
		WHERE b.id = d.v), d.id) FROM director d WHERE d.id = f.director'),
	-- what is computed once, where it is limited
	(0, 'SELECT x.n || x.n FROM (SELECT lower(d.name) AS n FROM director d WHERE d.id = f.director LIMIT 1) x'),
	(1, 'SELECT x.n || x.i FROM (SELECT lower(d.name) AS n, d.code AS i FROM director d WHERE d.id = f.director
		LIMIT 1) x'),
	-- conditions and orders of what is looked up
	(1, 'SELECT y.i FROM (SELECT x.id AS i, (SELECT name FROM director b WHERE b.id = x.boss) AS n FROM (SELECT id, boss
		FROM director WHERE id = f.director) x) y WHERE y.n > ''n1'''),
	(2, 'SELECT y.n FROM (SELECT x.id AS i, (SELECT name FROM director b WHERE b.id = x.boss) AS n FROM (SELECT id, boss
		FROM director WHERE id = f.director ORDER BY v) x ORDER BY i) y'),
	(0, 'SELECT to_json(y) FROM (SELECT x.id AS i, x AS r FROM (SELECT id, v FROM director WHERE id = f.director) x) y
		WHERE (y.r).v > 1'),
	(2, 'SELECT CASE WHEN d.v > 1 THEN (SELECT b.name FROM director b WHERE b.id = d.boss) END FROM director d
		WHERE d.id = f.director'),
	(0, 'SELECT (SELECT b.name FROM director b WHERE b.id > d.boss LIMIT 1) FROM director d WHERE d.id = f.director
		AND 10 / d.v > 0'),
	(0, 'SELECT (SELECT 10 / b.v FROM director b WHERE b.id = d.boss) FROM director d WHERE d.id = f.director'),
	(0, 'SELECT (SELECT count(*) FROM award WHERE film = f.id) FROM director d WHERE d.id = f.director'),
	(0, 'SELECT generate_series(1, 1) FROM director d WHERE d.id = f.director'),
	(0, 'SELECT name || random() FROM director d WHERE d.id = f.director AND d.id < 0'),
	(0, 'SELECT count(*) OVER () FROM director d WHERE d.id = f.director')) q(joins, query);

-- ... and where
SELECT pg_temp.looked_up(joins, replace(query, 'LOOK', '(SELECT name FROM director d WHERE d.id = f.director)'))
FROM (VALUES
	(1, 'SELECT coalesce(LOOK, ''none'') FROM film f ORDER BY id'),
	(1, 'SELECT LOOK || ''!'' FROM film f ORDER BY id'),
	(2, 'SELECT LOOK, json_build_array(LOOK) FROM film f ORDER BY id'),
	(0, 'SELECT CASE WHEN f.id > 5 THEN LOOK END FROM film f ORDER BY id'),
	(0, 'SELECT coalesce(title, LOOK) FROM film f ORDER BY id'),
	(0, 'SELECT id FROM film f WHERE LOOK > ''n2'' ORDER BY id'), (1, 'SELECT id FROM film f ORDER BY LOOK, id'),
	(1, 'SELECT id, LOOK AS x FROM film f ORDER BY x, id'), (0, 'SELECT DISTINCT LOOK FROM film f ORDER BY 1'),
	(0, 'SELECT id, LOOK FROM film f WHERE id = 4'), (0, 'SELECT id, LOOK FROM film f ORDER BY id LIMIT 10'),
	(1, 'SELECT id, LOOK FROM film f WHERE n > 10 ORDER BY id'),
	(0, 'SELECT id, LOOK FROM film f WHERE 10 / id > 0 AND n > 0 ORDER BY id'),
	(1, 'SELECT id, LOOK, 10 / id FROM film f ORDER BY id'),
	(1, 'SELECT f.id, LOOK, a.year FROM award a LEFT JOIN film f ON f.id = a.film ORDER BY a.ctid'),
	(1, 'SELECT f.id, LOOK, a.year FROM film f RIGHT JOIN award a ON f.id = a.film ORDER BY a.ctid'),
	(1, 'SELECT json_agg(LOOK ORDER BY id) FROM film f'),
	(1, 'SELECT big, json_agg(LOOK ORDER BY id) FROM film f GROUP BY big
		ORDER BY big'), (0, 'SELECT LOOK, count(*) FROM film f GROUP BY director ORDER BY director'),
	(1, 'SELECT count(*) FILTER (WHERE LOOK > ''n2'') FROM film f'), (0, 'SELECT id, max(LOOK) OVER () FROM film f'),
	(1, 'SELECT json_agg(q ORDER BY id) FROM (SELECT id, LOOK FROM film f) q'),
	(0, 'SELECT json_agg(q ORDER BY id) FROM (SELECT id, LOOK AS x FROM film f) q WHERE x > ''n2'''),
	(1, 'SELECT a.year, (SELECT json_agg(json_build_object(''t'', f.title, ''d'', LOOK) ORDER BY f.id) FROM film f
		WHERE f.big = a.film) FROM award a ORDER BY a.ctid'),
	(1, 'WITH f AS MATERIALIZED (SELECT * FROM film) SELECT id, LOOK FROM f ORDER BY id'),
	(0, 'SELECT id, LOOK FROM film f FOR UPDATE'),
	(2, 'SELECT f.id, LOOK, (SELECT json_agg(year ORDER BY a.ctid) FROM award a WHERE a.film = f.id) FROM film f
		ORDER BY f.id'),
	(0, 'SELECT a.film, x.n FROM award a, LATERAL (SELECT LOOK AS n FROM film f WHERE f.id <> a.film OFFSET 0) x'),
	(1, 'SELECT id, LOOK FROM film f UNION ALL SELECT 1, ''x'' ORDER BY 1, 2')) q(joins, query);

-- What is looked up with what belongs to it: both become joins
CREATE TABLE country (id int PRIMARY KEY, name text);
INSERT INTO country SELECT i, 'country ' || i FROM generate_series(1, 5) i;
ALTER TABLE director ADD country int, ADD tags text[];
UPDATE director SET country = id % 7, tags = ARRAY['a', name];
CREATE TABLE prize (director int, year int, note text, v int);
INSERT INTO prize SELECT i * 3 % 50, 1980 + i % 9, nullif('note ' || i, 'note 5'), i % 4
FROM generate_series(1, 150) i;
ANALYZE country, director, prize;
CREATE FUNCTION pg_temp.with_more(joins int, lookup text) RETURNS SETOF text LANGUAGE sql AS $$
	SELECT pg_temp.test(joins, format('SELECT f.id, (%s) FROM film f ORDER BY f.id', lookup))
$$;
SELECT pg_temp.with_more(joins, replace(query, 'PRIZES', '(SELECT json_agg(p.year ORDER BY p.year, p.v) FROM prize p
	WHERE p.director = d.id)')) FROM (VALUES
	(2, 'SELECT PRIZES FROM director d WHERE d.id = f.director'),
	(2, 'SELECT coalesce(PRIZES, ''[]'') FROM director d WHERE d.code = f.code'),
	(2, 'SELECT json_build_object(''name'', d.name, ''prizes'', PRIZES) FROM director d WHERE d.id = f.director'),
	(2, 'SELECT json_build_object(''name'', d.name, ''prizes'', PRIZES) FROM director d WHERE d.id = f.director LIMIT 1'),
	(2, 'SELECT json_build_array(d, PRIZES) FROM director d WHERE d.id = f.director ORDER BY d.name LIMIT 1 OFFSET 0'),
	(2, 'SELECT to_json(o) FROM (SELECT d.name, PRIZES AS prizes FROM director d WHERE d.id = f.director) o'),
	(2, 'SELECT to_json(o) FROM (SELECT d.name, PRIZES AS prizes FROM director d WHERE d.id = f.director LIMIT 1) o'),
	(2, 'SELECT row_to_json(o) FROM (SELECT d.name, p.x FROM (SELECT * FROM director WHERE id = f.director LIMIT 1) d
		LEFT JOIN LATERAL (SELECT json_agg(p.v ORDER BY p.v) AS x FROM prize p WHERE p.director = d.id) p ON true) o'),
	(2, 'SELECT ARRAY(SELECT p.note FROM prize p WHERE p.director = d.id ORDER BY p.year, p.v)::text FROM director d
		WHERE d.id = f.director'),
	(2, 'SELECT (SELECT count(*) FROM prize p WHERE p.director = d.id) FROM director d WHERE d.id = f.director
		AND d.v > 1'),
	(3, 'SELECT json_build_array(PRIZES, (SELECT max(p.note) FROM prize p WHERE p.director = d.id)) FROM director d
		WHERE d.id = f.director'),
	(3, 'SELECT json_build_object(''d'', d.name, ''country'', (SELECT json_build_object(''n'', c.name, ''directors'',
		(SELECT json_agg(e.name ORDER BY e.id) FROM director e WHERE e.country = c.id)) FROM country c
		WHERE c.id = d.country)) FROM director d WHERE d.id = f.director'),
	(3, 'SELECT json_build_object(''d'', d.name, ''films'', (SELECT json_agg(json_build_array(g.id, (SELECT count(*) FROM
		award a WHERE a.film = g.id)) ORDER BY g.id) FROM film g WHERE g.director = d.id)) FROM director d
		WHERE d.id = f.director'),
	(2, 'SELECT json_build_object(''d'', d.name, ''country'', (SELECT c.name FROM country c WHERE c.id = d.country),
		''p'', PRIZES) FROM director d WHERE d.id = f.director'),
	(2, 'SELECT PRIZES FROM parted d WHERE d.id = f.director'),
	(2, 'SELECT PRIZES FROM (SELECT a AS id FROM two WHERE a = f.director AND b = 2) d'),
	-- what stays: more than one row, perhaps, other comparisons, arrays, errors of rows that nobody looks up
	(0, 'SELECT PRIZES FROM deferred d WHERE d.id = f.director'),
	(0, 'SELECT PRIZES FROM director d WHERE d.id = f.director LIMIT 0'),
	(0, 'SELECT PRIZES FROM director d WHERE d.id = f.director OFFSET 1'),
	(0, 'SELECT PRIZES FROM director d WHERE d.id = f.n'),
	(0, 'SELECT ARRAY(SELECT p.note FROM prize p WHERE p.director = d.id ORDER BY p.year, p.v) FROM director d
		WHERE d.id = f.director'),
	(0, 'SELECT PRIZES FROM director d WHERE d.id = f.director ORDER BY 10 / d.v LIMIT 1'),
	(0, 'SELECT json_build_array(10 / (4711 - d.id), PRIZES) FROM director d WHERE d.id = f.director AND 10 / d.v > 0'),
	(0, 'SELECT (SELECT json_agg(10 / (p.v - 7) ORDER BY p.year, p.v) FROM prize p WHERE p.director = d.id)
		FROM director d WHERE d.id = f.director')) q(joins, query);
-- ... after LATERAL
SELECT pg_temp.test(joins, format('SELECT f.id, %s FROM film f %s ORDER BY f.id', list, replace(replace(item, 'PRIZES',
	'(SELECT json_agg(p.note ORDER BY p.year, p.v) AS notes, count(*) AS n FROM prize p WHERE p.director = d.id)'), 'CUT',
	'LIMIT 1000 OFFSET 0'))) FROM (VALUES
	(2, 'q.name, q.notes', 'LEFT JOIN LATERAL (SELECT d.name, p.notes FROM director d LEFT JOIN LATERAL PRIZES p ON true
		WHERE d.id = f.director) q ON true'),
	(2, 'row_to_json(q.*)', 'LEFT JOIN LATERAL (SELECT d.name, p.notes FROM director d LEFT JOIN LATERAL PRIZES p ON true
		WHERE d.id = f.director CUT) q ON true'),
	(2, 'row_to_json(q.*)', 'JOIN LATERAL (SELECT d.name, p.notes, p.n FROM director d LEFT JOIN LATERAL PRIZES p ON true
		WHERE d.id = f.director CUT) q ON true'),
	(2, 'q.d', 'LEFT JOIN LATERAL (SELECT json_build_array(d.name, p.notes) AS d FROM (SELECT * FROM director WHERE
		id = f.director LIMIT 1) d LEFT JOIN LATERAL PRIZES p ON true) q ON true'),
	(2, 'q.*', 'CROSS JOIN LATERAL (SELECT d.name, coalesce(p.notes, ''[]'') FROM director d CROSS JOIN LATERAL PRIZES p
		WHERE d.id = f.director) q'),
	(4, 'q.d', 'LEFT JOIN LATERAL (SELECT json_build_array(d.name, p.notes, c.d) AS d FROM director d
		LEFT JOIN LATERAL PRIZES p ON true LEFT JOIN LATERAL (SELECT json_build_array(c.name, e.names) AS d FROM country c
		LEFT JOIN LATERAL (SELECT array_agg(e.name ORDER BY e.id) AS names FROM director e WHERE e.country = c.id) e ON true
		WHERE c.id = d.country) c ON true WHERE d.id = f.director) q ON true'),
	(0, 'q.x', 'LEFT JOIN LATERAL (SELECT CASE WHEN d.v > 0 THEN d.x END AS x, p.notes FROM (SELECT *, 10 / v AS x
		FROM director WHERE id = f.director LIMIT 1) d LEFT JOIN LATERAL PRIZES p ON true) q ON true'),
	(0, 'q.name', 'LEFT JOIN LATERAL (SELECT d.name, p.notes FROM director d LEFT JOIN LATERAL PRIZES p ON true
		WHERE d.id = f.director) q ON q.name > ''n2'''),
	(0, 'q.name', 'JOIN LATERAL (SELECT d.name, p.n FROM director d LEFT JOIN LATERAL PRIZES p ON true
		WHERE d.id = f.director) q ON q.n > 2')) q(joins, list, item);
-- ... of the rows of a page, of a collection, and of the latest row
SELECT pg_temp.test(joins, replace(query, 'LOOK', '(SELECT json_build_object(''name'', d.name, ''prizes'',
	(SELECT json_agg(p.year ORDER BY p.year, p.v) FROM prize p WHERE p.director = d.id)) FROM director d
	WHERE d.id = f.director)'))
FROM (VALUES
	(2, 'SELECT f.id, LOOK FROM film f ORDER BY f.title, f.id LIMIT 20'),
	(2, 'SELECT json_agg(json_build_array(f.id, LOOK) ORDER BY f.id) FROM film f'),
	(3, 'SELECT a.year, (SELECT json_agg(json_build_array(f.id, LOOK) ORDER BY f.id) FROM film f WHERE f.big = a.film)
		FROM award a ORDER BY a.ctid'),
	(3, 'SELECT c.id, (SELECT LOOK FROM film f WHERE f.big = c.id ORDER BY f.id LIMIT 1) FROM country c ORDER BY c.id'),
	(0, 'SELECT f.id, CASE WHEN f.id > 5 THEN LOOK END FROM film f ORDER BY f.id')) q(joins, query);

-- Values that could raise an error, or reveal what they see, for rows that nothing refers to
CREATE FUNCTION seen(text) RETURNS text LANGUAGE plpgsql COST 0.01 AS
	'BEGIN RAISE EXCEPTION ''seen %'', $1; RETURN $1; END';
INSERT INTO director VALUES (4711, 'lost', 'lost', NULL, NULL, 0);
SELECT pg_temp.looked_up(0, format('SELECT id, (SELECT %s FROM director d WHERE d.id = f.director AND %s) FROM film f
	ORDER BY id', value, condition))
FROM (VALUES ('CASE WHEN id > 4000 THEN seen(name) ELSE name END', 'true'),
	('name', 'id < 4000 OR seen(name) > ''x'''),
	('code::int', 'v < 0'), ('10 / (4711 - id)', 'true')) q(value, condition);

-- ... and what would be too large
CREATE TABLE huge (id int PRIMARY KEY, body text);
INSERT INTO huge SELECT i, 'b' || i FROM generate_series(1, 50) i;
INSERT INTO huge VALUES (100000, repeat(E'\x01', 200000000));
ANALYZE huge;
SELECT pg_temp.looked_up(1, 'SELECT f.id, (SELECT json_build_object(''b'', h.body) FROM huge h WHERE h.id = f.director)
	FROM film f ORDER BY f.id');
DROP TABLE huge;

-- At default costs: if that is cheaper; in FROM, only if as many rows look something up as its table has
CREATE TABLE large AS SELECT i AS id, 'l' || i AS name FROM generate_series(1, 3000) i;
ALTER TABLE large ADD PRIMARY KEY (id);
CREATE TABLE many AS SELECT i AS id, 1 + i % 3000 AS large FROM generate_series(1, 4000) i;
CREATE TABLE less AS SELECT * FROM many WHERE id < 2500;
ANALYZE large, many, less;
SET LOCAL jsonrow.unnest_above_cost = 500;
SELECT pg_temp.looked_up(joins, format('SELECT id, (SELECT name FROM large WHERE id = r.large) FROM %s', rows))
FROM (VALUES (1, 'many r ORDER BY id'), (1, 'less r ORDER BY id'), (1, 'many r WHERE id < 3500 ORDER BY id'),
	(0, 'less r WHERE id < 20 ORDER BY id'), (1, '(SELECT * FROM many) r ORDER BY id'),
	(0, 'many r ORDER BY id LIMIT 20')) q(joins, rows);
SELECT pg_temp.looked_up(0, 'SELECT r.id, x.d FROM less r LEFT JOIN LATERAL (SELECT to_json(l) AS d FROM (SELECT * FROM
	large WHERE id = r.large LIMIT 1) l) x ON true ORDER BY r.id');
SELECT unalike(pg_temp.planned(format('SELECT r.id, x.name FROM %s r LEFT JOIN LATERAL (SELECT name FROM large WHERE
	id = r.large LIMIT 1) x ON true', rows), 'on')::text, unwanted, 'a LIMIT of many: ' || rows)
FROM (VALUES ('many', '%Limit%'), ('less', '%Hash Join%')) q(rows, unwanted);
SET LOCAL jsonrow.unnest_above_cost = 0;

-- A policy for what is looked up
CREATE ROLE jsonrow_lookups_reader;
GRANT USAGE ON SCHEMA jsonrow_test TO jsonrow_lookups_reader;
GRANT SELECT ON film, director TO jsonrow_lookups_reader;
ALTER TABLE director ENABLE ROW LEVEL SECURITY;
SET LOCAL test.v = 2;
CREATE POLICY some_rows ON director USING (v > 1);
SELECT format($$ALTER POLICY some_rows ON director USING (%s); SET LOCAL ROLE jsonrow_lookups_reader;
	SELECT pg_temp.looked_up(%s, 'SELECT id, (SELECT name FROM director d WHERE d.id = f.director) FROM film f ORDER BY
	id'); RESET ROLE$$, policy, joins)
FROM (VALUES (1, 'v > 1'), (1, 'v = current_setting(''test.v'')::int'), (0, '10 / (4711 - id) > 0'))
	q(joins, policy) \gexec
SET LOCAL ROLE jsonrow_lookups_reader;
SELECT matches(pg_temp.outcome('SELECT id, (SELECT year FROM award WHERE film = f.id LIMIT 1) FROM film f',
	'{jsonrow.unnest, on}'), 'permission denied for table award');
RESET ROLE;

SELECT * FROM finish();
ROLLBACK;

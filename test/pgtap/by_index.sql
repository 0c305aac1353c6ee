-- What PostgreSQL finds by an index stays as it is written, for nothing is to be gained: pages in the order of an
-- index, and collections of few rows; what has no such index does not stay.
\ir oracle.psql

SELECT no_plan();

SET LOCAL jsonrow.unnest = on;
SET LOCAL max_parallel_workers_per_gather = 0;
CREATE TABLE f (id int PRIMARY KEY, lang int, rating int, code text COLLATE "POSIX", made timestamp NOT NULL);
INSERT INTO f SELECT i, nullif(i % 3, 2), nullif(i * 37 % 509, 7), 'c' || i * 7 % 500, timestamp '2026-01-01'
	+ i * interval '1 hour' FROM generate_series(1, 500) i;
CREATE TABLE c (id int PRIMARY KEY, fid int, v int);
INSERT INTO c SELECT i, 1 + i * 13 % 500, i % 4 FROM generate_series(1, 600) i;
CREATE TABLE g (id int PRIMARY KEY, cid int, w text);
INSERT INTO g SELECT i, i * 17 % 600, 'w' || i FROM generate_series(1, 700) i;
CREATE TABLE heir () INHERITS (f);
CREATE TABLE parted (LIKE f) PARTITION BY RANGE (id);
CREATE TABLE parted_1 PARTITION OF parted FOR VALUES FROM (MINVALUE) TO (250);
CREATE TABLE parted_2 PARTITION OF parted FOR VALUES FROM (250) TO (MAXVALUE);
INSERT INTO parted SELECT * FROM f;
CREATE MATERIALIZED VIEW stored AS SELECT * FROM ONLY f;
ANALYZE f, c, g, parted, stored;

CREATE FUNCTION pg_temp.plan(query text, settings text[]) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	line text;
	result text := '';
BEGIN
	FOR i IN 1 .. cardinality(settings) BY 2 LOOP
		PERFORM set_config(settings[i], settings[i + 1], true);
	END LOOP;
	FOR line IN EXECUTE 'EXPLAIN (VERBOSE) ' || query LOOP
		result := result || line || E'\n';
	END LOOP;
	RETURN result;
END $$;
-- With these indexes: does a query stay as it is, and how often is c read?
CREATE FUNCTION pg_temp.with_index(ddl text, query text, settings text[]) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	written text;
	plan json;
BEGIN
	EXECUTE ddl;
	written := pg_temp.plan(query, settings || '{jsonrow.unnest, off}');
	IF pg_temp.plan(query, '{jsonrow.unnest, on}') = written THEN
		written := 'as written';
	ELSE
		written := 'changed';
	END IF;
	EXECUTE 'EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, FORMAT json) ' || query INTO plan;
	RAISE SQLSTATE 'TDONE' USING MESSAGE = written || ', ' || coalesce((
		SELECT sum((scan ->> 'Actual Loops')::numeric)
		FROM jsonb_path_query(plan::jsonb, 'strict $.** ? (@."Relation Name" == "c")') scan), 0);
EXCEPTION WHEN SQLSTATE 'TDONE' THEN
	RETURN SQLERRM;
END $$;

/*
 * Pages in the order of an index: what is beside them is computed for five rows in any case; but for
 * six as it is written, where PostgreSQL sorts those that have the first columns of the order in common.
 */
SELECT is(pg_temp.with_index(coalesce('CREATE INDEX ON ' || index, ''), format('SELECT f.id, x.a FROM ONLY f
	LEFT JOIN LATERAL (SELECT json_agg(v ORDER BY id) a FROM c WHERE fid = f.id) x ON true %s LIMIT 5', clauses),
	'{jsonrow.unnest_above_cost, 1e30}'), coalesce('as written, ' || nwritten, 'changed, 5'),
	format('%s: %s', index, clauses))
FROM (VALUES
	(5, NULL, 'ORDER BY id'), (5, NULL, 'ORDER BY id DESC'), (5, NULL, 'WHERE id > 7 ORDER BY id'),
	(5, NULL, 'WHERE 7 < id AND id <= 100 ORDER BY 1'), (5, NULL, 'WHERE code > ''c2'' ORDER BY id'),
	(NULL, NULL, 'ORDER BY -id'), (NULL, NULL, 'ORDER BY rating'), (6, NULL, 'ORDER BY id, rating'),
	(5, 'f (rating)', 'ORDER BY rating'), (5, 'f (rating)', 'ORDER BY rating DESC'),
	(NULL, 'f (rating)', 'ORDER BY rating NULLS FIRST'), (NULL, 'f (rating)', 'ORDER BY rating DESC NULLS LAST'),
	(6, 'f (rating)', 'ORDER BY rating, id'), (NULL, 'f (lang, rating)', 'ORDER BY rating'),
	(5, 'f (rating DESC)', 'ORDER BY rating'), (5, 'f (rating DESC)', 'ORDER BY rating DESC'),
	(NULL, 'f (rating DESC)', 'ORDER BY rating NULLS FIRST'),
	(5, 'f (rating NULLS FIRST)', 'ORDER BY rating NULLS FIRST'),
	(NULL, 'f (rating NULLS FIRST)', 'ORDER BY rating'),
	(5, 'f (rating NULLS FIRST)', 'ORDER BY rating DESC NULLS LAST'),
	(5, 'f (rating, id)', 'ORDER BY rating, id'), (5, 'f (rating, id)', 'ORDER BY rating'),
	(5, 'f (rating, id)', 'ORDER BY rating DESC, id DESC'),
	(6, 'f (rating, id)', 'ORDER BY rating, id DESC'),
	(5, 'f (rating, id DESC)', 'ORDER BY rating, id DESC'), (6, 'f (rating, id)', 'ORDER BY rating, lang'),
	(5, 'f (rating, id)', 'WHERE rating >= 50 ORDER BY rating, id'),
	(5, 'f (rating, lang)', 'WHERE rating >= 50 AND lang > 0 ORDER BY rating, lang'),
	(5, 'f (lang, rating)', 'WHERE lang = 1 ORDER BY rating'),
	(5, 'f (lang, rating)', 'WHERE 1 = lang ORDER BY rating'),
	(5, 'f (lang, rating)', 'WHERE lang = 1 ORDER BY lang, rating'),
	(5, 'f (lang, rating)', 'ORDER BY lang, rating'),
	(5, 'f (lang, rating)', 'WHERE lang = 1 ORDER BY lang DESC, rating'),
	(5, 'f (lang, rating)', 'WHERE lang = (SELECT 1) AND rating < 400 ORDER BY rating DESC'),
	(5, 'f (lang, rating)', 'WHERE lang = 1 AND code > '''' ORDER BY rating'),
	(NULL, 'f (lang, rating)', 'WHERE lang > 0 ORDER BY rating'),
	(NULL, 'f (lang, rating)', 'WHERE lang = id OR lang = 1 ORDER BY rating'),
	(NULL, 'f (lang, rating)', 'WHERE lang IN (0, 1) ORDER BY rating'),
	(NULL, 'f (lang, rating)', 'WHERE lang IS NULL ORDER BY rating'),
	(NULL, 'f (rating) WHERE rating > 0', 'ORDER BY rating'),
	(5, 'f (rating) WHERE rating > 0', 'WHERE rating > 0 ORDER BY rating'),
	(5, 'f ((rating + 1))', 'ORDER BY rating + 1'),
	(5, 'f (rating) INCLUDE (id)', 'ORDER BY rating'), (6, 'f (rating) INCLUDE (id)', 'ORDER BY rating, id'),
	(NULL, 'f USING hash (rating)', 'ORDER BY rating'),
	(5, 'f (code)', 'ORDER BY code'), (NULL, 'f (code COLLATE "C")', 'ORDER BY code'),
	(NULL, 'f (code text_pattern_ops)', 'ORDER BY code'),
	(5, 'f (code text_pattern_ops)', 'ORDER BY code USING ~<~'),
	(5, 'f (code)', 'WHERE code > ''c3'' ORDER BY code'),
	(5, 'f (made)', 'WHERE made > date ''2026-01-05'' ORDER BY made'),
	(NULL, NULL, 'ORDER BY id OFFSET 20')
	) q(nwritten, index, clauses);
SELECT is(pg_temp.with_index('', format('SELECT f.id, x.* FROM %s ORDER BY f.id LIMIT 5', source), settings
		|| '{jsonrow.unnest_above_cost, 1e30}'),
	CASE WHEN stays THEN 'as written' ELSE 'changed' END || ', 5', format('%s %s', source, settings)) FROM (VALUES
	(true, 'ONLY f, LATERAL (SELECT count(*) FROM c WHERE fid = f.id) x', '{}'::text[]),
	(true, 'ONLY f CROSS JOIN LATERAL (SELECT count(*) FROM c WHERE fid = f.id) x', '{}'),
	(true, 'ONLY f LEFT JOIN LATERAL (SELECT v FROM c WHERE fid = f.id LIMIT 1) x ON true', '{}'),
	(false, 'ONLY f LEFT JOIN LATERAL (SELECT o.rating, y.n FROM ONLY f o LEFT JOIN LATERAL (SELECT count(*) n FROM c
		WHERE fid = o.id) y ON true WHERE o.id = f.id) x ON true', '{}'),
	(true, 'ONLY f LEFT JOIN LATERAL (SELECT o.rating, y.n FROM ONLY f o LEFT JOIN LATERAL (SELECT count(*) n FROM c
		WHERE fid = o.id) y ON true WHERE o.id = f.id LIMIT 1) x ON true', '{}'),
	(true, 'ONLY f, LATERAL (SELECT 1) y, LATERAL (SELECT count(*) FROM c WHERE fid = f.id) x', '{}'),
	(false, 'ONLY f JOIN g ON g.id = f.id, LATERAL (SELECT count(*) FROM c WHERE fid = f.id) x', '{}'),
	(false, 'f, LATERAL (SELECT count(*) FROM c WHERE fid = f.id) x', '{}'),
	(false, 'parted f, LATERAL (SELECT count(*) FROM c WHERE fid = f.id) x', '{}'),
	(false, 'ONLY f, LATERAL (SELECT count(*) FROM c WHERE fid = f.id) x', '{enable_indexscan, off,
		enable_bitmapscan, off}')
	) q(stays, source, settings);
SELECT is(pg_temp.with_index('CREATE INDEX ON stored (rating)', 'SELECT f.id, x.* FROM stored f, LATERAL
	(SELECT count(*)
	FROM c WHERE fid = f.id) x ORDER BY rating LIMIT 5', '{jsonrow.unnest_above_cost, 1e30}'), 'as written, 5',
	'a materialized view');

-- How many rows meet a condition is not known of a table that was never analyzed: few, for the page by itself.
CREATE TABLE fresh (id int PRIMARY KEY, state text);
INSERT INTO fresh SELECT i, 's' || i % 3 FROM generate_series(1, 20000) i;
SELECT is(pg_temp.with_index('CREATE INDEX ON c (fid)', format('SELECT f.id, x.a FROM fresh f LEFT JOIN LATERAL (SELECT
	json_agg(v ORDER BY id) a FROM c WHERE fid = f.id) x ON true WHERE state = ''s1'' ORDER BY %s LIMIT 20', by),
	'{jsonrow.unnest_above_cost, 1e30}'), outcome, 'never analyzed: ORDER BY ' || by)
FROM (VALUES ('id', 'as written, 20'), ('-id', 'changed, 20')) q(by, outcome);

/*
 * Collections of few rows: no joins are tried if each is found by an index.  The page is in an order that no
 * index has, or in that of the key.
 */
CREATE FUNCTION pg_temp.tried(ddl text, query text, settings text[]) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	EXECUTE ddl;
	PERFORM pg_temp.plan(query, settings || '{jsonrow.unnest, on, jsonrow.unnest_above_cost, 1}');
	result := CASE WHEN EXISTS (SELECT FROM jsonrow_explain(query) WHERE reason ~ 'an index finds what belongs')
		THEN 'found' ELSE 'tried' END;
	RAISE SQLSTATE 'TDONE' USING MESSAGE = result;
EXCEPTION WHEN SQLSTATE 'TDONE' THEN
	RETURN SQLERRM;
END $$;
SELECT is(pg_temp.tried(ddl, format(query, sorted), settings), expected, regexp_replace(format('%s; %s,
		%s, %s', ddl, query,
	sorted, settings), '\s+', ' ', 'g'))
FROM (VALUES
	('found', 'CREATE INDEX ON c (fid)', 'SELECT f.id, (SELECT json_agg(v ORDER BY id) FROM c WHERE fid = f.id)
		FROM ONLY f ORDER BY %s LIMIT 100', '{}'::text[]),
	('tried', '', 'SELECT f.id, (SELECT json_agg(v ORDER BY id) FROM c WHERE fid = f.id) FROM ONLY f ORDER BY
		%s LIMIT 100', '{}'),
	('tried', 'CREATE INDEX ON c (fid)', 'SELECT f.id, (SELECT json_agg(v ORDER BY id) FROM c WHERE fid = f.id)
		FROM ONLY f ORDER BY %s LIMIT 200', '{}'),
	('found', 'CREATE INDEX ON c (fid)', 'SELECT f.id, (SELECT json_agg(v ORDER BY id) FROM c WHERE fid = f.id)
		FROM ONLY f ORDER BY %s LIMIT (SELECT 200)', '{}'),
	('tried', 'CREATE INDEX ON c (fid)', 'SELECT f.id, (SELECT json_agg(v ORDER BY id) FROM c WHERE fid = f.id)
		FROM ONLY f ORDER BY %s', '{}'),
	('tried', 'CREATE INDEX ON c (fid)', 'SELECT f.id, (SELECT json_agg(v ORDER BY id) FROM c WHERE fid = f.id)
		FROM ONLY f ORDER BY %s LIMIT 100', '{enable_indexscan, off, enable_bitmapscan, off}'),
	('tried', 'CREATE INDEX ON c (v, fid)', 'SELECT f.id, (SELECT json_agg(v ORDER BY id) FROM c WHERE fid = f.id
		AND v >= 0) FROM ONLY f ORDER BY %s LIMIT 100', '{}'),
	('tried', 'CREATE INDEX ON c (v)', 'SELECT f.id, (SELECT json_agg(v ORDER BY id) FROM c WHERE fid = f.id
		AND v = 1) FROM ONLY f ORDER BY %s LIMIT 100', '{}'),
	('tried', 'CREATE INDEX ON c (fid) WHERE v < 4', 'SELECT f.id, (SELECT json_agg(v ORDER BY id) FROM c
		WHERE fid = f.id)
		FROM ONLY f ORDER BY %s LIMIT 100', '{}'),
	('found', 'CREATE INDEX ON c (fid)', 'SELECT json_agg(z) FROM (SELECT f.id, x.a FROM ONLY f LEFT JOIN
		LATERAL (SELECT
		json_agg(s) a FROM (SELECT v FROM c WHERE fid = f.id ORDER BY id) s) x ON true ORDER BY %s LIMIT 100) z',
		'{}'),
	('found', 'CREATE INDEX ON c (fid)', 'WITH w AS (SELECT f.id, x.a FROM ONLY f LEFT JOIN LATERAL (SELECT
		json_agg(v ORDER BY id) a FROM c WHERE fid = f.id) x ON true ORDER BY %s LIMIT 100) SELECT
		coalesce(json_agg(z), ''[]'')
		FROM (SELECT * FROM w) z', '{}'),
	('tried', '', 'WITH w AS (SELECT f.id, x.a FROM ONLY f LEFT JOIN LATERAL (SELECT
		json_agg(v ORDER BY id) a FROM c WHERE fid = f.id) x ON true ORDER BY %s LIMIT 100) SELECT
		coalesce(json_agg(z), ''[]'')
		FROM (SELECT * FROM w) z', '{}'),
	-- levels: each table is found from a row around it, or from another table
	('found', 'CREATE INDEX ON c (fid); CREATE INDEX ON g (cid)', 'SELECT f.id, (SELECT
		json_agg(json_build_array(v, (SELECT
		json_agg(w ORDER BY id) FROM g WHERE cid = c.id)) ORDER BY id) FROM c WHERE fid = f.id) FROM ONLY f ORDER
		BY %s
		LIMIT 100', '{}'),
	('tried', 'CREATE INDEX ON c (fid)', 'SELECT f.id, (SELECT json_agg(json_build_array(v, (SELECT
		json_agg(w ORDER BY id) FROM g WHERE cid = c.id)) ORDER BY id) FROM c WHERE fid = f.id) FROM ONLY f ORDER
		BY %s
		LIMIT 100', '{}'),
	('found', 'CREATE INDEX ON g (cid)', 'SELECT f.id, (SELECT json_agg(v ORDER BY c.id) FROM g JOIN c ON c.id
		= g.id
		WHERE g.cid = f.id) FROM ONLY f ORDER BY %s LIMIT 100', '{}'),
	('tried', '', 'SELECT f.id, (SELECT json_agg(v ORDER BY c.id) FROM g JOIN c ON c.id = g.id
		WHERE g.cid = f.id) FROM ONLY f ORDER BY %s LIMIT 100', '{}'),
	-- what is asked of all rows, before there is a page
	('tried', 'CREATE INDEX ON c (fid)', 'SELECT f.id, x.a FROM ONLY f JOIN LATERAL (SELECT json_agg(v ORDER BY id) a
		FROM c WHERE fid = f.id) x ON x.a IS NOT NULL ORDER BY %s LIMIT 20', '{}'),
	-- what else is read for each row of something that is not limited
	('tried', 'CREATE INDEX ON c (fid)', 'SELECT (SELECT json_agg(z) FROM (SELECT f.id, (SELECT json_agg(v
		ORDER BY id)
		FROM c WHERE fid = f.id) FROM ONLY f ORDER BY %s LIMIT 100) z),
	(SELECT json_agg(z) FROM (SELECT g.id, (SELECT count(*)
		FROM c WHERE fid = g.cid) FROM g) z)', '{}')
	) q(expected, ddl, query, settings), unnest('{f.id,f.rating}'::text[]) sorted
WHERE expected = 'found' OR sorted = 'f.rating' OR query !~ 'json_agg\(z\)';

/*
 * A table of few blocks PostgreSQL reads as a whole, index or not.  If that is most of what a query costs, joins
 * are tried though it costs less than 500 for each collection.
 */
CREATE TABLE few (id int PRIMARY KEY, fid int, v int);
INSERT INTO few SELECT i, 1 + i % 200, i % 4 FROM generate_series(1, 300) i;
CREATE INDEX ON few (fid);
ANALYZE few;
SELECT is(pg_temp.tried('', 'SELECT f.id, (SELECT json_agg(v ORDER BY id) FROM few WHERE fid = f.id)
	FROM ONLY f ORDER BY f.rating LIMIT 100', settings), expected, settings::text)
FROM (VALUES ('tried', '{}'::text[]), ('found', '{seq_page_cost, 10}')) q(expected, settings);
CREATE FUNCTION pg_temp.becomes(query text, settings text[]) RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
	PERFORM pg_temp.plan(query, settings || '{jsonrow.unnest, on, jsonrow.unnest_above_cost, 500}');
	RETURN QUERY SELECT DISTINCT regexp_replace(concat_ws(': ', outcome, reason), '[0-9.]+', 'N')
		FROM jsonrow_explain(query) WHERE what = 'collection';
END $$;
SELECT set_eq(format('SELECT pg_temp.becomes(%L, %L)', 'SELECT f.id,
		(SELECT json_agg(v ORDER BY id) FROM few WHERE fid = f.id) a, (SELECT max(v) FROM few WHERE fid = f.id) b
		FROM ONLY f ORDER BY f.rating LIMIT 200', settings), ARRAY[expected], settings::text)
FROM (VALUES
	('joined', '{}'::text[]),
	('stays: the query costs N, less than jsonrow.unnest_above_cost', '{random_page_cost, 0.1}')
	) q(expected, settings);

-- What PostgreSQL remembers of other rows (Memoize) costs less, but not nothing.
CREATE TABLE repeating AS SELECT i AS id, i / 4 AS pid, i % 20 AS ref FROM generate_series(1, 60000) i;
CREATE INDEX ON repeating (pid);
ANALYZE repeating;
CREATE FUNCTION pg_temp.cost(query text) RETURNS SETOF numeric LANGUAGE plpgsql AS $$
BEGIN
	PERFORM pg_temp.plan(query, '{jsonrow.unnest, on, jsonrow.unnest_above_cost, 1e9}');
	RETURN QUERY SELECT substring(reason, 'costs ([0-9.]+)')::numeric FROM jsonrow_explain(query) WHERE reason ~ 'costs';
END $$;
SELECT cmp_ok(pg_temp.cost('SELECT p.id, l.j FROM repeating p LEFT JOIN LATERAL (SELECT json_agg(json_build_array(c.id,
	m.j)) j FROM repeating c LEFT JOIN LATERAL (SELECT json_agg(id) j FROM repeating WHERE pid = c.ref) m ON true
	WHERE pid = p.ref) l ON true'), '>', 100.0, 'what is remembered costs something') LIMIT 1;

-- The deeper, the longer takes planning, but no longer than that.
CREATE FUNCTION pg_temp.nested(depth int) RETURNS text LANGUAGE plpgsql AS $$
DECLARE value text := 'id';
BEGIN
	FOR i IN REVERSE depth .. 1 LOOP
		value := format('(SELECT json_agg(json_build_object(''a'', %s) ORDER BY id) FROM repeating q%s
			WHERE pid = q%s.ref AND id < 40)', value, i, i - 1);
	END LOOP;
	RETURN format('SELECT id, %s FROM repeating q0 WHERE id < 20', value);
END $$;
SET LOCAL statement_timeout = '10s';
SELECT isnt(pg_temp.plan(pg_temp.nested(14), '{jsonrow.unnest, on, jsonrow.unnest_above_cost, 0}'), NULL,
	'deeply nested');
SET LOCAL statement_timeout = 0;

\set at_least 94
\ir finish.psql
ROLLBACK;

-- Nested collections as joins: joins to a table together with what is joined to each of its rows.
\ir oracle.psql
\ir unnest.psql

SELECT plan(64);
SELECT jsonrow_is_valid(jsonb '{}') \g /dev/null

CREATE TABLE film (id int PRIMARY KEY, title text);
INSERT INTO film SELECT i, 'film ' || i FROM generate_series(1, 1000) i;
CREATE TABLE actor (id int PRIMARY KEY, name text, unsure int, deferred int UNIQUE DEFERRABLE, part int, low text);
INSERT INTO actor SELECT i, 'actor ' || i, i, i, i, 'A' || i FROM generate_series(1, 2000) i;
INSERT INTO actor SELECT i, 'twin', i - 3000, i, i - 3000, 'a' || i - 3000 FROM generate_series(3001, 3100) i;
CREATE UNIQUE INDEX ON actor (part) WHERE id <= 2000;
CREATE UNIQUE INDEX ON actor (low);			-- which is not, in small letters
CREATE TABLE film_actor (film_id int, actor_id int, name text, low text);
INSERT INTO film_actor SELECT i % 1000 + 1, i * 7 % 2000 + 1, 'actor ' || i * 7 % 2000 + 1, 'a' || i * 7 % 2000 + 1
FROM generate_series(1, 30000) i;
CREATE TABLE award (actor_id int, year int);
INSERT INTO award SELECT i * 3 % 2000 + 1, 1990 + i % 4 FROM generate_series(1, 5000) i;
CREATE INDEX ON award (actor_id);
CREATE TABLE agent (actor_id int PRIMARY KEY, name text);
CREATE TABLE agents (actor_id int, name text);
INSERT INTO agents SELECT 1 + i % 40, 'agent ' || i FROM generate_series(1, 1000) i;
INSERT INTO agent SELECT i, 'agent ' || i FROM generate_series(1, 2000, 2) i;
ANALYZE film, actor, film_actor, award, agent, agents;

-- How many hash joins stop at the first match in a join of several
CREATE FUNCTION pg_temp.unique_joins(query text, unnest text) RETURNS bigint LANGUAGE sql AS $$
	WITH RECURSIVE node(node) AS (
		SELECT pg_temp.executed(query, unnest) -> 0 -> 'Plan'
		UNION ALL SELECT jsonb_array_elements(node -> 'Plans') FROM node
	)
	SELECT count(*) FROM node
	WHERE node ->> 'Node Type' = 'Hash Join' AND (node ->> 'Inner Unique')::bool AND
		node #>> '{Plans,1,Plans,0,Node Type}' IN ('Hash Join', 'Merge Join', 'Nested Loop')
$$;

CREATE FUNCTION pg_temp.test_unique(expected int, joins int, query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	name CONSTANT text := left(regexp_replace(query, '\s+', ' ', 'g'), 300);
BEGIN
	RETURN QUERY SELECT is(pg_temp.unique_joins(query, 'on'), expected::bigint, 'unique joins: ' || name);
	RETURN QUERY SELECT is(pg_temp.unique_joins(query, 'off'), 0::bigint, 'unique joins, as written: ' || name);
	RETURN QUERY SELECT pg_temp.test(joins, query);
END $$;

CREATE FUNCTION pg_temp.films(joined text) RETURNS text LANGUAGE sql AS $$
	SELECT format('SELECT f.id, (SELECT json_agg(json_build_array(a.name,
		(SELECT json_agg(year ORDER BY year) FROM award w WHERE w.actor_id = a.id)) ORDER BY a.id, a.name)
		FROM film_actor fa %s WHERE fa.film_id = f.id)
		FROM film f ORDER BY f.id', joined)
$$;
SELECT pg_temp.test_unique(1, 2, pg_temp.films('JOIN actor a ON fa.actor_id = a.id'));
SELECT pg_temp.test_unique(1, 2, pg_temp.films('LEFT JOIN actor a ON fa.actor_id = a.id'));
SELECT pg_temp.test_unique(2, 2,
	pg_temp.films('JOIN actor a ON fa.actor_id = a.id JOIN agent g ON a.id = g.actor_id'));
SELECT pg_temp.test_unique(0, 2, pg_temp.films('JOIN actor a ON fa.actor_id = a.unsure'));
SELECT pg_temp.test_unique(0, 2, pg_temp.films('JOIN actor a ON fa.actor_id = a.deferred'));
SELECT pg_temp.test_unique(0, 2, pg_temp.films('JOIN actor a ON fa.actor_id = a.part'));
SELECT pg_temp.test_unique(0, 2, pg_temp.films('JOIN actor a ON fa.low = lower(a.low)'));
SELECT pg_temp.test_unique(0, 2,
	pg_temp.films('JOIN (actor a JOIN agents g ON g.actor_id = a.id) ON fa.actor_id = a.id'));

SELECT * FROM finish();
ROLLBACK;

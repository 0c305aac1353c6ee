-- Row-level policies as services write them: a function reads from a setting who the user is.  What it gives is the
-- same for all rows, and planning must not run a user's function once more.
\ir oracle.psql
\ir unnest.psql

SELECT pg_temp.plan_most(952);

CREATE TABLE post (id int PRIMARY KEY, owner int, team int, title text);
INSERT INTO post SELECT i, i % 7, i % 5, 'title ' || i FROM generate_series(1, 60) i;
CREATE TABLE note (id int, post int, owner int, team int, body text);
INSERT INTO note SELECT i, i * 7 % 70, i % 7, i % 5, 'body ' || i FROM generate_series(1, 400) i;
CREATE TABLE member (team int, usr int);
INSERT INTO member SELECT i % 5, i % 7 FROM generate_series(1, 70, 3) i;
ANALYZE;

-- Who is the user?  Those in PL/pgSQL tell how often they are asked.
CREATE FUNCTION uid() RETURNS int STABLE LANGUAGE sql AS $$
	SELECT coalesce(nullif(current_setting('test.uid', true), ''),
		nullif(current_setting('test.claims', true), '')::jsonb ->> 'sub')::int $$;
CREATE FUNCTION uid_atomic() RETURNS int STABLE RETURN current_setting('test.uid')::int;
CREATE FUNCTION uid_block() RETURNS int STABLE BEGIN ATOMIC SELECT current_setting('test.uid')::int; END;
CREATE FUNCTION uid_of(setting text, other text DEFAULT '') RETURNS int STABLE LANGUAGE sql AS $$
	SELECT current_setting($1 || other)::int $$;
CREATE FUNCTION told() RETURNS int STABLE LANGUAGE plpgsql AS $$ BEGIN
	PERFORM set_config('test.calls', current_setting('test.calls') || '.', true);
	RETURN current_setting('test.uid')::int; END $$;
CREATE FUNCTION told_soon(int) RETURNS int IMMUTABLE LANGUAGE plpgsql AS $$ BEGIN
	PERFORM set_config('test.calls', current_setting('test.calls') || ',', true); RETURN $1; END $$;
CREATE FUNCTION sees(int) RETURNS boolean STABLE LANGUAGE sql AS $$ SELECT $1 = told() $$;
CREATE FUNCTION wrapped() RETURNS int STABLE LANGUAGE sql AS $$ SELECT 1 + told() - 1 $$;
CREATE FUNCTION wrapped_soon() RETURNS int STABLE LANGUAGE sql AS $$ SELECT told_soon(3) + 1 $$;
CREATE FUNCTION with_default(i int DEFAULT told_soon(4)) RETURNS int STABLE LANGUAGE sql AS $$ SELECT i $$;
CREATE FUNCTION counted() RETURNS int STABLE LANGUAGE sql AS $$
	SELECT 0 * length(set_config('test.calls', current_setting('test.calls') || ';', true)) + 4 $$;
CREATE FUNCTION reading() RETURNS int STABLE LANGUAGE sql AS $$
	SELECT max(usr) + 0 * told() FROM member GROUP BY () $$;
CREATE FUNCTION hidden() RETURNS int STABLE LANGUAGE sql AS $$ SELECT (SELECT told()) $$;
CREATE FUNCTION hidden_soon() RETURNS int STABLE LANGUAGE sql AS $$
	SELECT (SELECT max(told_soon(usr)) FROM member WHERE usr = 4) $$;
CREATE FUNCTION at_once() RETURNS int IMMUTABLE LANGUAGE sql AS $$ SELECT told() $$;
CREATE FUNCTION named(x anyelement, y text) RETURNS int STABLE LANGUAGE sql AS $$ SELECT (x + length(y))::int $$;
CREATE FUNCTION any_default(a anyelement DEFAULT 4) RETURNS int STABLE LANGUAGE sql AS $$ SELECT 4 $$;
CREATE DOMAIN four AS int CHECK (told_soon(VALUE) = 4);
CREATE FUNCTION checked() RETURNS int STABLE LANGUAGE sql AS $$ SELECT current_setting('test.uid')::int::four::int $$;
CREATE FUNCTION from_atomic() RETURNS int STABLE LANGUAGE sql BEGIN ATOMIC SELECT u FROM (SELECT told() u) x; END;
CREATE FUNCTION in_values() RETURNS int STABLE LANGUAGE sql AS $$ VALUES (told()) $$;
CREATE FUNCTION cast_to() RETURNS four STABLE LANGUAGE sql AS $$ SELECT current_setting('test.uid')::int $$;
-- What is in these may be read by their owner, or by themselves.
CREATE SCHEMA private;
CREATE FUNCTION private.uid() RETURNS int STABLE LANGUAGE sql AS $$ SELECT 4 $$;
CREATE SCHEMA other;
GRANT USAGE ON SCHEMA other TO PUBLIC;
CREATE FUNCTION other.other_uid() RETURNS int STABLE LANGUAGE sql AS $$ SELECT 4 $$;
CREATE FUNCTION of_owner() RETURNS int STABLE SECURITY DEFINER LANGUAGE sql AS $$ SELECT private.uid() $$;
SET LOCAL check_function_bodies = off;
CREATE FUNCTION elsewhere() RETURNS int STABLE SET search_path = other LANGUAGE sql AS $$ SELECT other_uid() $$;
CREATE FUNCTION two() RETURNS int STABLE LANGUAGE sql AS $$ SELECT told(); SELECT 4 $$;
CREATE FUNCTION teams() RETURNS SETOF int STABLE SECURITY DEFINER LANGUAGE sql AS $$
	SELECT team FROM member WHERE usr = uid() $$;
CREATE FUNCTION teams_of(int) RETURNS SETOF int STABLE LANGUAGE plpgsql AS $$ BEGIN
	RETURN QUERY SELECT m.team FROM member m WHERE m.usr = $1 AND told() = 4; END $$;
CREATE FUNCTION many_teams() RETURNS SETOF int STABLE ROWS 1001 LANGUAGE sql AS $$
	SELECT team FROM member WHERE usr = uid() $$;
CREATE FUNCTION endless(i int) RETURNS int STABLE LANGUAGE sql AS $$ SELECT 4 $$;
CREATE OR REPLACE FUNCTION endless(i int) RETURNS int STABLE LANGUAGE sql AS $$
	SELECT CASE WHEN i > 0 THEN endless(i - 1) ELSE 4 END $$;

ALTER TABLE note ENABLE ROW LEVEL SECURITY;
CREATE POLICY some_rows ON note USING (true);
ALTER TABLE post ENABLE ROW LEVEL SECURITY;
CREATE POLICY some_rows ON post USING (true);
CREATE ROLE jsonrow_policies_reader;
GRANT USAGE ON SCHEMA jsonrow_test TO jsonrow_policies_reader;
GRANT SELECT ON post, note, member TO jsonrow_policies_reader;
SET LOCAL test.uid = 4;
SET LOCAL test.calls = '';
CREATE TEMP TABLE texts AS SELECT
	'SELECT id, (SELECT json_agg(n ORDER BY n.id) FROM note n WHERE n.post = p.id) FROM post p ORDER BY id' AS rows,
	'SELECT id, title, x.d FROM post p LEFT JOIN LATERAL (SELECT json_agg(r)::jsonb d FROM (SELECT id, body FROM note n
	WHERE n.post = p.id ORDER BY id LIMIT 1000 OFFSET 0) r) x ON true ORDER BY title, id LIMIT 20' AS page;
GRANT SELECT ON texts TO jsonrow_policies_reader;

-- How often functions told that they were run, while a query was planned
CREATE FUNCTION pg_temp.told(query text, unnest text) RETURNS text LANGUAGE plpgsql AS $$ BEGIN
	PERFORM set_config('test.calls', '', true), set_config('jsonrow.unnest', unnest, true);
	EXECUTE 'EXPLAIN ' || query;
	PERFORM set_config('jsonrow.unnest', 'off', true);
	RETURN current_setting('test.calls');
END $$;
CREATE FUNCTION pg_temp.test_policy(joins int, policy text) RETURNS SETOF text LANGUAGE sql AS $$
	SELECT pg_temp.test(joins, rows) FROM texts
	UNION ALL SELECT pg_temp.test(joins, page) FROM texts
	UNION ALL SELECT is(pg_temp.told(query, 'on'), pg_temp.told(query, 'off'), 'planned once: ' || policy)
	FROM texts, unnest(ARRAY[rows, page]) query $$;

SELECT format($$ALTER POLICY some_rows ON note USING (%s); SET LOCAL ROLE jsonrow_policies_reader;
	SELECT pg_temp.test_policy(%s, %L); RESET ROLE;$$, policy, joins, policy)
FROM (VALUES
	(1, 'owner = uid()'), (1, 'uid() = owner AND team > 0'), (1, 'owner = (SELECT uid())'),
	(1, '(SELECT uid()) = owner'),
	(1, 'team = 0 OR owner = uid()'), (1, 'owner IS NULL OR (owner = uid() AND team > 0)'),
	(0, 'owner = 0 OR 10 / owner > 2'), (0, 'team = 0 OR owner = told()'),
	(1, 'uid() IS NOT NULL'), (1, 'owner = uid_atomic()'), (1, 'owner = uid_block()'),
	(1, 'owner = uid_of(''test.'', ''uid'')'),
	(1, 'owner = (SELECT uid_of(''test.'', ''uid''))'), (0, 'owner = uid_of(''test.uid'')'),
	(0, 'owner = told()'), (1, 'owner = (SELECT told())'),
	(0, 'owner = told_soon(4)'), (0, 'owner = (SELECT told_soon(4))'), (0, 'owner = wrapped()'),
	(0, 'owner = (SELECT wrapped())'), (0, 'owner = wrapped_soon()'), (0, 'owner = (SELECT wrapped_soon())'),
	(0, 'owner = with_default()'), (0, 'owner = (SELECT with_default())'), (1, 'owner = with_default(4)'),
	(0, 'owner = counted()'), (0, 'owner = (SELECT counted())'), (0, 'owner = hidden()'),
	(1, 'owner = (SELECT hidden())'), (0, 'owner = hidden_soon()'), (0, 'owner = (SELECT at_once())'),
	(1, 'owner = (SELECT of_owner())'), (1, 'owner = (SELECT elsewhere())'), (0, 'owner = elsewhere()'),
	(0, 'owner = checked()'), (0, 'owner = named(y => ''a'', x => 3)'), (1, 'owner = named(3, ''a'')'),
	(0, 'owner = any_default()'), (0, 'owner = from_atomic()'), (0, 'owner = in_values()'),
	(0, 'owner = cast_to()'),
	(0, 'owner = reading()'),
	(1, 'owner = (SELECT reading())'), (0, 'owner = two()'), (1, 'owner = (SELECT two())'), (0, 'sees(owner)'),
	(0, 'owner = (SELECT told() FROM member WHERE team = 1 GROUP BY ())'), (0, 'owner = endless(3)'),
	(1, 'team IN (SELECT team FROM member WHERE usr = uid())'),
	(1, 'team IN (SELECT m.team FROM member m WHERE m.usr = (SELECT uid()))'),
	(1, 'EXISTS (SELECT FROM member m WHERE m.team = note.team AND m.usr = uid())'),
	(1, 'NOT EXISTS (SELECT FROM member m WHERE m.team = note.team AND m.usr = uid())'),
	(1, 'team IN (SELECT teams())'), (1, 'team IN (SELECT teams_of(uid()))'),
	(1, 'team IN (SELECT teams()) AND owner > 0'), (0, 'team IN (SELECT teams_of(owner))'),
	(0, 'team IN (SELECT teams_of(10 / (owner + 1)))'), (0, 'team IN (SELECT many_teams())'),
	(0, 'team IN (SELECT teams() LIMIT 2)'), (0, 'team IN (SELECT teams() + 0)'),
	(0, '10 / (team + 1) IN (SELECT teams())'),
	(0, 'team IN (SELECT t FROM teams() t)'), (0, 'team IN (SELECT t FROM teams_of(4) t)'),
	(1, 'team = ANY (ARRAY(SELECT teams()))'), (1, 'team = (SELECT teams())'), (1, 'EXISTS (SELECT teams())'),
	(0, 'team NOT IN (SELECT teams())'), (0, 'EXISTS (SELECT FROM member WHERE usr = 10 / note.owner)'),
	(0, 'EXISTS (SELECT FROM member m WHERE m.team = note.team AND 10 / m.usr > 2)'),
	(0, 'EXISTS (SELECT FROM member m WHERE m.team = note.team AND 10 / note.owner > 2)'),
	(0, 'team IN (SELECT 10 / usr FROM member)'), (1, 'team = (SELECT team FROM member WHERE usr = uid())')
	) q(joins, policy) \gexec

-- The same for the rows around a collection, and for both
ALTER POLICY some_rows ON note USING (true);
SELECT format($$ALTER POLICY some_rows ON post USING (%s); SET LOCAL ROLE jsonrow_policies_reader;
	SELECT pg_temp.test_policy(%s, %L); RESET ROLE;$$, policy, joins, policy)
FROM (VALUES
	(1, 'owner = uid()'), (1, 'owner = (SELECT uid())'), (0, 'owner = told()'), (1, 'owner = (SELECT told())'),
	(1, 'team IN (SELECT teams())'), (1, 'team IN (SELECT teams_of(uid()))'),
	(1, 'team IN (SELECT team FROM member WHERE usr = uid())'),
	(1, 'EXISTS (SELECT FROM member m WHERE m.team = post.team AND m.usr = (SELECT uid()))'),
	(0, 'EXISTS (SELECT FROM member m WHERE m.team = post.team AND 10 / m.usr > 2)')) q(joins, policy) \gexec
SELECT format($$ALTER POLICY some_rows ON note USING (%1$s); ALTER POLICY some_rows ON post USING (%1$s);
	SET LOCAL ROLE jsonrow_policies_reader; SELECT pg_temp.test_policy(1, 'both: %1$s'); RESET ROLE;$$, policy)
FROM unnest(ARRAY['owner = uid()', 'team IN (SELECT teams())']) policy \gexec

-- Functions in the select list, of what planning may know: columns of subqueries, what is folded
ALTER POLICY some_rows ON note USING (true);
ALTER POLICY some_rows ON post USING (true);
CREATE FUNCTION three(int) RETURNS int IMMUTABLE LANGUAGE sql AS $$ SELECT 3 $$;
SELECT line FROM (VALUES
	(0, '%s, told_soon(CASE WHEN true THEN 1 ELSE p.id END) FROM post p'),
	(0, '%s, told_soon(coalesce(1, p.id)) FROM post p'), (0, '%s, told_soon(three(p.id)) FROM post p'),
	(0, '%s, told_soon(x) FROM post p, (SELECT 4 AS x) v'), (1, '%s, told_soon(p.owner) FROM post p'),
	(1, '%s, told_soon(x) FROM (SELECT id, owner AS x FROM post) p'), (1, '%s, three(p.owner + 1) FROM post p'),
	(0, 'WITH v AS (SELECT 4 AS x) %s, told_soon(x) FROM v, post p')) q(joins, part),
	format(part, 'SELECT id, (SELECT json_agg(n ORDER BY n.id) FROM note n WHERE n.post = p.id)') written,
	concat(written, ' ORDER BY id') query, LATERAL (SELECT pg_temp.test(joins, query)
	UNION ALL SELECT is(pg_temp.told(query, 'on'), pg_temp.told(query, 'off'), 'planned once: ' || query)) lines(line);

-- A function that may not be called, and one whose text has become wrong: the errors are the same.
REVOKE EXECUTE ON FUNCTION uid() FROM PUBLIC;
SET LOCAL ROLE jsonrow_policies_reader;
SELECT is(pg_temp.outcome(rows, '{jsonrow.unnest, on}'), pg_temp.outcome(rows, '{jsonrow.unnest, off}'), 'not allowed')
FROM texts;
RESET ROLE;
GRANT EXECUTE ON FUNCTION uid() TO PUBLIC;
CREATE FUNCTION part() RETURNS int STABLE LANGUAGE sql AS 'SELECT 4';
CREATE FUNCTION broken(int) RETURNS int STABLE LANGUAGE sql AS 'SELECT $1 + part() - 4';
DROP FUNCTION part();
CREATE FUNCTION pg_temp.error_of(query text, unnest text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	context text;
BEGIN
	PERFORM set_config('jsonrow.unnest', unnest, true);
	EXECUTE query;
	RETURN 'none';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS context = PG_EXCEPTION_CONTEXT;
	RETURN SQLSTATE || SQLERRM || replace(context, quote_literal(unnest), 'mode');
END $$;
SELECT matches(pg_temp.error_of(query, 'off'), CASE WHEN is_read THEN 'function "broken" during' ELSE '^none$' END,
	'error: ' || query)
	|| E'\n' || is(pg_temp.error_of(query, 'on'), pg_temp.error_of(query, 'off'), 'same error: ' || query)
FROM (VALUES (true, '%s, broken(p.id) FROM post p'), (true, '%s FROM post p WHERE owner = broken(4)'),
	(false, '%s, CASE WHEN false THEN broken(p.id) END FROM post p'), (false, '%s, coalesce(1, broken(4)) FROM post p'),
	(false, '%s FROM post p WHERE true OR broken(id) = 1'), (false, '%s FROM (SELECT *, broken(id) FROM post) p')
	) q(is_read, part), format(part, 'SELECT p.id, (SELECT json_agg(n ORDER BY n.id) FROM note n WHERE n.post = p.id)')
	query;

SELECT * FROM finish();
ROLLBACK;

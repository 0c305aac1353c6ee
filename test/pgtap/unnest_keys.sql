-- Nested collections by keys of all kinds with jsonrow.unnest off and on; what equals what is said by the operator
-- of the condition.  And groups that are larger than work_mem, or that nothing is known of.
\ir oracle.psql
\ir unnest.psql

SELECT pg_temp.plan_most(1013);

CREATE TYPE mood AS ENUM ('fine', 'bad', 'none');
CREATE DOMAIN positive AS int CHECK (VALUE > 0);
CREATE DOMAIN word AS text;
CREATE DOMAIN price AS numeric(10,2);

/*
 * Parents and children with keys of these types, of which the texts are made; joins: is the collection joined?  Each
 * parent's key is there twice, and NULL; each child has one that no parent has.
 */
CREATE FUNCTION pg_temp.test_keys(joins int, parent text, child text, parents text[], children text[],
	condition text DEFAULT 'c.k = p.k') RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('CREATE TABLE kp (id int, k %s)', parent);
	EXECUTE format('CREATE TABLE kc (id int, k %s, s text)', child);
	EXECUTE format('INSERT INTO kp SELECT i, k::%s FROM unnest($1 || $1 || ARRAY[NULL]) WITH ORDINALITY u(k, i)', parent)
		USING parents;
	EXECUTE format('INSERT INTO kc SELECT i, k::%s, ''s'' || i
		FROM unnest($1 || ARRAY[NULL] || $1) WITH ORDINALITY u(k, i)',
		child) USING children;
	ANALYZE kp, kc;
	RETURN QUERY SELECT pg_temp.test(joins, format('SELECT p.id, (SELECT json_agg(s ORDER BY c.id)
		FROM kc c WHERE %s) AS '
		'%I, (SELECT 1) FROM kp p ORDER BY p.id', condition, left(concat_ws(' ', parent, child), 60)));
	RETURN QUERY SELECT pg_temp.test(joins, format('SELECT p.id, x.* FROM kp p LEFT JOIN LATERAL (SELECT count(*) AS n, '
		'string_agg(s, '','' ORDER BY c.id DESC) AS %I FROM kc c WHERE %s) x ON true ORDER BY p.id',
		left(concat_ws(' ', parent, child), 60), condition));
	RETURN NEXT isnt(pg_temp.outcome(format('SELECT DISTINCT true FROM kp p, kc c WHERE %s', condition), '{}'), 'no rows',
		format('some %s are equal to some %s', parent, child));
	DROP TABLE kp, kc;
END $$;

-- One type
SELECT pg_temp.test_keys(joins, type, type, keys, keys || nobody)
FROM (VALUES (1, 'int', '{1,2,-2147483648}'::text[], '99'), (1, 'bigint', '{1,9007199254740993}', '99'),
	(1, 'smallint', '{1,2}', '99'), (1, 'oid', '{1,4294967295}', '99'), (1, 'boolean', '{true}', 'false'),
	(1, 'text', '{a,A,"a ",""}', 'z'), (1, 'varchar(5)', '{a,A,"a "}', 'z'), (1, 'char(3)', '{a,"a ",A}', 'z'),
	(1, 'text COLLATE "C"', '{a,A}', 'z'), (1, 'name', '{a,A}', 'z'), (1, '"char"', '{a,A}', 'z'),
	(1, 'numeric', '{1,1.0,1.00,NaN,Infinity,0,-0.0}', '99'), (1, 'float8', '{0,-0,NaN,Infinity,1e-300}', '99'),
	(1, 'float4', '{0,-0,NaN,-Infinity}', '99'), (1, 'date', '{2026-01-01,infinity}', '2000-01-01'),
	(1, 'timestamp', '{2026-01-01,-infinity}', '2000-01-01'), (1, 'timestamptz',
		'{2026-01-01 00:00+00,2026-01-01 01:00+01}',
	'2000-01-01'), (1, 'uuid', '{00000000-0000-0000-0000-000000000001}', '00000000-0000-0000-0000-000000000002'),
	(1, 'mood', '{fine,bad}', 'none'), (1, 'positive', '{1,2}', '99'), (1, 'word', '{a,A}', 'z'),
	(1, 'price', '{1,1.001}', '99'), (1, 'inet', '{10.0.0.1,10.0.0.1/8}', '10.0.0.2')) v(joins, type, keys, nobody);
-- Their operators are not known to raise nothing about any value.
SELECT pg_temp.test_keys(0, type, type, keys, keys || nobody)
FROM (VALUES ('jsonb', '{1,1.0,"\"a\""}'::text[], '99'), ('int[]', '{"{1,2}","{}"}', '{9}'),
	('float8[]', '{"{0}","{-0}","{NaN}"}', '{9}'), ('int4range', '{"[1,3)","[1,2]"}', '[1,9)')) v(type, keys, nobody);
-- Equality of boxes is that of their areas, which nothing can be grouped by; that of tids is by place.
SELECT pg_temp.test_keys(0, 'box', 'box', '{"(1,1),(0,0)","(2,1),(0,0)"}', '{"(3,1),(2,0)","(9,9),(0,0)"}');

-- Two types: the operator is of one family with that of the groups, or nothing is joined.
SELECT pg_temp.test_keys(joins, parent, child, parents, children)
FROM (VALUES (1, 'int', 'bigint', '{1,2}'::text[], '{1,2,99}'::text[]), (1, 'bigint', 'smallint', '{1,70000}',
	'{1,99}'),
	(1, 'smallint', 'bigint', '{1,2}', '{1,70000}'), (1, 'float8', 'float4', '{0.5,-0,NaN}', '{0.5,0,NaN,9}'),
	(1, 'float4', 'float8', '{0.1,0.5,-0}', '{0.1,0.5,0}'), (1, 'text', 'varchar(9)', '{a,A}', '{a,A,"a "}'),
	(1, 'varchar(9)', 'text', '{a,A}', '{a,A,"a "}'), (1, 'int', 'positive', '{1,-1}', '{1,99}'),
	(1, 'positive', 'int', '{1}', '{1,-1}'), (1, 'positive', 'bigint', '{1}', '{1,-1}'), (1, 'word', 'text', '{a}',
		'{a,z}'),
	(1, 'text', 'word', '{a}', '{a,z}'), (1, 'numeric', 'price', '{1,1.00}', '{1,99}'),
	(1, 'price', 'numeric', '{1,1.005}', '{1,1.00,1.01,99}'),
	(0, 'int', 'numeric', '{1,2}', '{1,1.0,1.5}'), (0, 'numeric', 'int', '{1,1.0}', '{1,99}'),
	(0, 'float8', 'numeric', '{1,NaN}', '{1,1.00,NaN}'), (0, 'numeric', 'float8', '{1,NaN}', '{1,NaN,9}'),
	(0, 'int', 'float8', '{1,0}', '{1,-0,9}'), (0, 'date', 'timestamp', '{2026-01-01}', '{2026-01-01,2026-01-01 01:00}'),
	(0, 'text', 'char(3)', '{a,"a "}', '{a,"a "}'), (1, 'oid', 'int', '{1}', '{1,99}'))
	v(joins, parent, child, parents, children);

-- Several keys, one twice, in a row; and one by two columns
SELECT pg_temp.test_keys(1, 'int', 'int', '{1,2}', '{1,2,9}', condition)
FROM unnest(ARRAY['c.k = p.k AND p.k = c.k', '(c.k, c.id) = (p.k, p.id)', 'c.k IN (p.k)', 'c.k = p.k AND c.id = p.k',
	'c.k = p.k AND c.k = p.id', 'c.k = p.k AND c.k IS NOT NULL AND c.s <> ''s1''']) condition;
-- What is no equality of two columns, all that ties them
SELECT pg_temp.test_keys(0, 'int', 'int', '{1,2}', '{1,2,9}', condition)
FROM unnest(ARRAY['c.k >= p.k', 'c.k <> p.k', 'c.k = p.k + 0', 'c.k + 0 = p.k', 'c.k = p.k OR c.k = 9',
	'NOT c.k <> p.k',
	'c.k IS NOT DISTINCT FROM p.k', 'c.k = ANY (ARRAY[p.k])', 'c.k BETWEEN p.k AND p.k', 'c.k IN (p.k, p.id)',
	'(c.k = p.k) IS TRUE', 'c.k = p.k AND c.id > p.id', 'c.k = coalesce(p.k, 9)', 'ROW(c.k) = ROW(p.k) AND p.id = 1',
	'CASE WHEN true THEN c.k = p.k END', 'c.k = (SELECT p.k)']) condition;

-- NULLs would be one large group: they are left out, unless there are none.
CREATE TABLE filled (id int, k int NOT NULL);
CREATE TABLE of_all (id int, k int NOT NULL);
CREATE TABLE heir () INHERITS (of_all);
CREATE TABLE unchecked (id int, k int);
INSERT INTO unchecked VALUES (1, NULL), (2, 1);
-- (Since 17, PostgreSQL drops the condition of each table of which it is known.)
SELECT current_setting('server_version_num')::int >= 180000 AS has_unchecked,
	current_setting('server_version_num')::int < 170000 AS asks_children \gset
\if :has_unchecked
ALTER TABLE unchecked ADD NOT NULL k NOT VALID;
\endif
SET LOCAL jsonrow.unnest = on;
SELECT is(pg_temp.plan_of(format('SELECT id, (SELECT count(*) FROM %s c WHERE k = filled.id) FROM filled', child)) ~
	'IS NOT NULL', asks, 'does it ask for NULL: ' || child)
FROM (VALUES ('filled', false), ('of_all', :'asks_children'::boolean), ('ONLY of_all', false), ('unchecked', true))
	v(child, asks);
SET LOCAL jsonrow.unnest = off;

-- An operator of a user's own: it is called "=", but nothing is hashed or merged by it, or it is not strict.
CREATE FUNCTION near(int, int) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT abs($1 - $2) < 2';
CREATE OPERATOR === (FUNCTION = near, LEFTARG = int, RIGHTARG = int);
CREATE FUNCTION same(int, int) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT $1 IS NOT DISTINCT FROM $2';
CREATE OPERATOR ==== (FUNCTION = same, LEFTARG = int, RIGHTARG = int, HASHES, MERGES, COMMUTATOR = ====);
SELECT pg_temp.test_keys(0, 'int', 'int', '{1,2}', '{1,2,9}', format('c.k %s p.k', operator))
FROM unnest('{===,====}'::text[]) operator;

-- An order of a user's own, for what PostgreSQL sorts in another way, or does not sort: it may raise an error for a
-- value, and tell it.
CREATE FUNCTION pg_temp.make_order(type text, rank text, options text, equals text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	operator text;
BEGIN
	EXECUTE format('CREATE FUNCTION compared(a %1$s, b %1$s) RETURNS int LANGUAGE plpgsql IMMUTABLE STRICT AS
		''BEGIN RETURN sign(0 / (9 - %2$s) + 0 / (9 - %3$s) + %2$s - %3$s); END''', type, format(rank, 'a'),
		format(rank, 'b'));
	FOREACH operator IN ARRAY '{#<#,#<=#,#=#,#>=#,#>#}'::text[] LOOP
		EXECUTE format('CREATE FUNCTION %1$I(a %2$s, b %2$s) RETURNS boolean LANGUAGE plpgsql IMMUTABLE STRICT AS
			''BEGIN RETURN compared(a, b) %3$s 0; END''', operator, type, trim('#' FROM operator));
		EXECUTE format('CREATE OPERATOR %1$s (FUNCTION = %1$I, LEFTARG = %2$s, RIGHTARG = %2$s)', operator, type);
	END LOOP;
	EXECUTE format('CREATE OPERATOR CLASS order_of_%1$s %2$s FOR TYPE %1$s USING btree AS OPERATOR 1 #<#,
		OPERATOR 2 #<=#, OPERATOR 3 %3$s, OPERATOR 4 #>=#, OPERATOR 5 #>#, FUNCTION 1 compared(%1$s, %1$s)',
		type, options, equals);
END $$;
SELECT pg_temp.make_order('int', '%s', '', '#=#');
SELECT pg_temp.make_order('point', '%s[0]::int', 'DEFAULT', '#=#');
SELECT pg_temp.make_order('xid', '%s::text::int', 'DEFAULT', '=');
CREATE TABLE ranks AS SELECT i AS id, i / 3 AS pid, i % 9 AS v, point(i % 9, 0) AS at, (100 + i / 3)::text::xid AS k
	FROM generate_series(1, 60) i;
CREATE TABLE ranked AS SELECT i AS id, (100 + i)::text::xid AS k FROM generate_series(1, 20) i;
ANALYZE ranks, ranked;
INSERT INTO ranks VALUES (70, 30, 9, point(9, 0), '9'), (71, 30, 1, point(1, 0), '10');
SELECT pg_temp.test(joins, format('SELECT id, %s FROM ranked p ORDER BY id', replace(collection, 'FROM ranks',
	'FROM ranks WHERE pid = p.id')))
FROM (VALUES (0, '(SELECT json_agg(id ORDER BY v USING #<#, id) FROM ranks)'),
	(0, '(SELECT json_agg(x.id) FROM (SELECT id FROM ranks ORDER BY v USING #>#, id) x)'),
	(0, '(SELECT json_agg(x.id) FROM (SELECT id FROM ranks ORDER BY v USING #>#, id LIMIT 2) x)'),
	(0, '(SELECT array_agg(DISTINCT v ORDER BY v USING #<#) FROM ranks)'),
	(0, '(SELECT json_agg(id ORDER BY at, id) FROM ranks)'), (0, '(SELECT count(DISTINCT at) FROM ranks)'),
	(0, '(SELECT json_agg(x) FROM (SELECT count(*) FROM ranks GROUP BY at) x)'),
	(1, '(SELECT json_agg(id ORDER BY v USING >, id) FROM ranks)'),
	(1, '(SELECT json_agg(at ORDER BY v, id) FROM ranks)')) c(joins, collection);
SELECT pg_temp.test(0, 'SELECT id, (SELECT json_agg(id ORDER BY id) FROM ranks WHERE k = p.k) FROM ranked p
	ORDER BY id');

-- Collations: equal is what the condition's says; if the column's own is another, nothing is joined.
SELECT pg_temp.test_keys(0, 'text', 'text', '{a,A}', '{a,A,z}', 'c.k COLLATE "C" = p.k');
SELECT pg_temp.test_keys(0, 'text', 'text', '{a,A}', '{a,A,z}', 'c.k = p.k COLLATE "C"');
SELECT pg_temp.test_keys(0, 'text COLLATE "C"', 'text', '{a,A}', '{a,A,z}', 'c.k = p.k COLLATE "POSIX"');
SELECT pg_temp.has_icu() AS has_icu \gset
\if :has_icu
SELECT pg_temp.test_keys(1, 'text COLLATE any_case', 'text COLLATE any_case', '{a,A,b}', '{a,A,B,z}');
SELECT pg_temp.test_keys(0, 'text', 'text', '{a,b}', '{a,A,B,z}', 'c.k = p.k COLLATE any_case');
SELECT pg_temp.test_keys(0, 'text COLLATE any_case', 'text COLLATE any_case', '{a,b}', '{a,A,B,z}',
	'c.k = p.k COLLATE "C"');
SELECT pg_temp.test_keys(1, 'varchar(9) COLLATE any_case', 'text COLLATE any_case', '{a,b}', '{a,A,B,z}');
-- Whether one starts with another cannot be asked of all collations.
CREATE TABLE ids AS SELECT generate_series(1, 9) AS id;
CREATE TABLE lost AS SELECT -1 AS pid, 'a'::text COLLATE any_case AS s;
SELECT pg_temp.test(0, format('SELECT id, (SELECT count(%s) FROM lost WHERE pid = id) FROM ids', value))
FROM unnest(ARRAY['s ^@ s', 'starts_with(s, s)']) value;
-- Which of equal texts is the least depends on the order.
CREATE TABLE cased (k int, s text COLLATE any_case);
INSERT INTO cased VALUES (1, 'b'), (1, 'A'), (1, 'a'), (2, 'c');
SELECT pg_temp.test(0, format($$SELECT i, (SELECT %s FROM cased WHERE k = i) FROM generate_series(1, 3) i ORDER BY i$$,
	least)) FROM unnest('{min(s),max(s)}'::text[]) least;
\else
SELECT skip('a server without ICU has no such collations', 52);
\endif
SELECT EXISTS (SELECT FROM pg_available_extensions WHERE name = 'citext') AS has_citext \gset
\if :has_citext
	CREATE EXTENSION citext;
	SELECT pg_temp.test_keys(0, 'citext', 'citext', '{a,b}', '{a,A,B,z}');
	-- The operator is that of text.
	SELECT pg_temp.test_keys(1, 'text', 'citext', '{a,b}', '{a,A,B,z,b}');
	SELECT pg_temp.test_keys(1, 'citext', 'text', '{A,b}', '{a,A,B,z}');
\else
SELECT skip('there is no citext', 33);
\endif

/*
 * Many rows in groups that are written to disk, sorted or hashed, with what is sorted by the subquery, by the
 * aggregate, and in two orders; and without statistics.
 */
CREATE TEMPORARY TABLE large (id int, pid int, r int, s text);
INSERT INTO large SELECT i, i * 7 % 3000, i * 7919 % 20011, repeat(md5(i::text), 2) FROM generate_series(1, 20000) i;
CREATE TEMPORARY TABLE parent AS SELECT i AS id FROM generate_series(0, 3100) i;
CREATE TEMPORARY TABLE grouped (sql text);
-- PostgreSQL hashes only what has no order.
INSERT INTO grouped VALUES
('SELECT id, (SELECT json_build_array(count(*), sum(r), min(s), max(r)) FROM large WHERE pid = parent.id)
	FROM parent'),
('SELECT id, (SELECT json_agg(s ORDER BY r, large.id) FROM large WHERE pid = parent.id) FROM parent'),
('SELECT id, (SELECT json_agg(x) FROM (SELECT s, r FROM large WHERE pid = parent.id ORDER BY r DESC, id) x)
	FROM parent'),
('SELECT id, (SELECT json_build_array(array_agg(r ORDER BY r), string_agg(s, '','' ORDER BY s DESC),
	count(DISTINCT r)) '
	'FROM large WHERE pid = parent.id) FROM parent'),
('SELECT id, (SELECT jsonrow_agg(''{r,s}'', r, s ORDER BY s) FROM large WHERE pid = parent.id) FROM parent'),
('SELECT parent.id, x.*
	FROM parent LEFT JOIN LATERAL (SELECT jsonb_agg(jsonb_build_array(r, s) ORDER BY r DESC, id DESC) '
	'AS a FROM large WHERE pid = parent.id) x ON true'),
('SELECT json_agg(json_build_array(y.id, y.a) ORDER BY y.id)
	FROM (SELECT parent.id, (SELECT jsonrow_array_agg(x.r, x.s) '
	'FROM (SELECT * FROM large ORDER BY s) x WHERE x.pid = parent.id) AS a FROM parent) y');
UPDATE grouped SET sql = regexp_replace(sql, '\s+', ' ', 'g');
CREATE FUNCTION pg_temp.set_all(settings text) RETURNS void LANGUAGE sql AS $$
	SELECT count(set_config(split_part(s, '=', 1), split_part(s, '=', 2), true))
	FROM unnest(string_to_array(settings, ', ')) s $$;
CREATE FUNCTION pg_temp.digest(query text, settings text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	PERFORM pg_temp.set_all(settings);
	EXECUTE format('SELECT md5(array_agg(q::text ORDER BY q::text)::text) FROM (%s) q', query) INTO result;
	RAISE SQLSTATE 'TDONE';
EXCEPTION WHEN SQLSTATE 'TDONE' THEN	-- and the settings are as before
	RETURN result;
END $$;
CREATE FUNCTION pg_temp.test_large(what text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	small CONSTANT text := 'work_mem=64kB, hash_mem_multiplier=1, enable_indexscan=off, enable_bitmapscan=off, ';
	query text;
	settings text;
	oracle text;
BEGIN
	FOR query IN SELECT sql FROM grouped LOOP
		oracle := pg_temp.known(pg_temp.digest(query, 'jsonrow.unnest=off'));
		FOREACH settings IN ARRAY ARRAY['work_mem=64MB', small || 'enable_sort=on', small || 'enable_sort=off',
			small || 'enable_hashagg=off', small || 'enable_hashjoin=off'] LOOP
			CONTINUE WHEN NOT pg_temp.chosen(what || settings || query);
			settings := 'jsonrow.unnest=on, ' || settings;
			RETURN NEXT is(pg_temp.digest(query, settings), oracle, format('%s, %s: %s', what, settings, query));
		END LOOP;
	END LOOP;
END $$;
-- Nothing has been analyzed; and then it has.
CREATE INDEX ON large (pid);
SELECT pg_temp.test_large('no statistics');
SELECT is(pg_temp.groupings(sql, 'on'), 1, 'joined: ' || sql) FROM grouped;
ANALYZE large, parent;
SELECT pg_temp.test_large('statistics');

-- Groups were on disk: by hashing and by sorting.
CREATE FUNCTION pg_temp.analyzed(query text, settings text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	line text;
	result text := '';
BEGIN
	PERFORM pg_temp.set_all('jsonrow.unnest=on, enable_indexscan=off, enable_bitmapscan=off, work_mem=64kB, '
		|| settings);
	FOR line IN EXECUTE 'EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) ' || query LOOP
		result := concat(result, line, E'\n');
	END LOOP;
	RAISE SQLSTATE 'TDONE';
EXCEPTION WHEN SQLSTATE 'TDONE' THEN
	RETURN result;
END $$;
DROP INDEX large_pid_idx;
SELECT matches(pg_temp.analyzed(sql, 'enable_sort=off, hash_mem_multiplier=1'),
	'HashAggregate.*Group Key: large\.pid.*Disk Usage', 'hashed groups are on disk: ' || sql)
FROM grouped WHERE sql !~ 'ORDER';
SELECT matches(pg_temp.analyzed(sql, 'enable_hashagg=off'), 'GroupAggregate.*Group Key: large\.pid.*external',
	'sorted groups are on disk: ' || sql)
FROM grouped;

SELECT * FROM finish();
ROLLBACK;

-- A table in two databases: each makes its document, the coordinator puts
-- them together.  The databases are real, so they are made and removed
-- outside of the transaction that the tests run in.
\set QUIET 1
\set ON_ERROR_STOP on
SET client_min_messages = warning;
-- An aggregate is sent by the name of its schema, too: that of the extension here.
SELECT current_database() AS coordinator, left(current_database(), 40) || '_shard_1' AS shard_1,
	left(current_database(), 40) || '_shard_2' AS shard_2,
	coalesce((SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'jsonrow')::text, 'jsonrow_test')
	AS schema \gset
DROP DATABASE IF EXISTS :"shard_1";
DROP DATABASE IF EXISTS :"shard_2";
CREATE DATABASE :"shard_1" TEMPLATE template0;
CREATE DATABASE :"shard_2" TEMPLATE template0;
\c :"shard_1"
CREATE SCHEMA IF NOT EXISTS :schema;
CREATE EXTENSION jsonrow SCHEMA :schema;
CREATE TABLE orders AS SELECT i AS id, 'customer ' || i % 10 AS customer, i * 1.25 AS amount,
	timestamp '2020-01-01' + i * interval '1 hour' AS ordered FROM generate_series(1, 1000) i;
\c :"shard_2"
CREATE SCHEMA IF NOT EXISTS :schema;
CREATE EXTENSION jsonrow SCHEMA :schema;
CREATE TABLE orders AS SELECT i AS id, 'customer ' || i % 10 AS customer, i * 1.25 AS amount,
	timestamp '2020-01-01' + i * interval '1 hour' AS ordered FROM generate_series(1001, 2500) i;
\c :"coordinator"

\ir oracle.psql
SELECT plan(10);

\ir connect.psql
CREATE EXTENSION IF NOT EXISTS postgres_fdw;
SELECT format('CREATE SERVER shard_%s FOREIGN DATA WRAPPER postgres_fdw
		OPTIONS (host %L, port %L, dbname %L, extensions %L)', n, :'host', :'port', dbname, 'jsonrow'),
	format('CREATE USER MAPPING FOR CURRENT_USER SERVER shard_%s %s', n,
		CASE WHEN :'user_option' <> '' THEN format('OPTIONS (user %L)', current_user) END)
FROM (VALUES (1, :'shard_1'), (2, :'shard_2')) v(n, dbname) \gexec
CREATE TABLE orders (id int, customer text, amount numeric, ordered timestamp) PARTITION BY RANGE (id);
CREATE FOREIGN TABLE orders_1 PARTITION OF orders FOR VALUES FROM (1) TO (1001) SERVER shard_1
	
	OPTIONS (schema_name 'public', table_name 'orders');
CREATE FOREIGN TABLE orders_2 PARTITION OF orders FOR VALUES FROM (1001) TO (10000) SERVER shard_2
	
	OPTIONS (schema_name 'public', table_name 'orders');

CREATE TABLE local AS SELECT * FROM orders;
SELECT is(count(*)::int, 2500, 'all rows of both shards are there') FROM local;

CREATE FUNCTION pg_temp.remote_sql(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	line text;
	result text := '';
BEGIN
	FOR line IN EXECUTE 'EXPLAIN (VERBOSE, COSTS OFF) ' || query LOOP
		result := result || coalesce(substring(line FROM 'Remote SQL: .*'), '')
			|| coalesce(substring(line FROM 'jsonrow_concat_agg'), '');
	END LOOP;
	RETURN result;
END $$;

-- Either orientation, all rows: one document from each shard
CREATE FUNCTION pg_temp.sharded(agg text) RETURNS text LANGUAGE sql AS $$
	SELECT format('SELECT jsonrow_concat_agg(doc ORDER BY shard) FROM (
		SELECT 1 AS shard, %1$s(''{id,customer,amount,ordered}'', id, customer, amount, ordered ORDER BY id) AS '
			'doc FROM orders_1
		UNION ALL SELECT 2, %1$s(''{id,customer,amount,ordered}'', id, customer, amount, ordered ORDER BY id) FROM '
			'orders_2) s', agg) $$;
CREATE FUNCTION pg_temp.unsharded(agg text) RETURNS text LANGUAGE sql AS $$
	SELECT format('SELECT %s(''{id,customer,amount,ordered}'', id, customer, amount, ordered ORDER BY id) FROM '
		'local', agg) $$;
CREATE FUNCTION pg_temp.run(query text) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
	result jsonb;
BEGIN
	EXECUTE query INTO result;
	RETURN result;
END $$;
SELECT matches(pg_temp.remote_sql(pg_temp.sharded(agg)), 'jsonrow_concat_agg.*Remote SQL: SELECT (1, )?[a-z_.]*'
	|| agg || '\(.*Remote SQL: SELECT (2, )?[a-z_.]*' || agg || '\(', agg || ' runs on both shards')
FROM unnest(ARRAY['jsonrow_agg', 'jsoncol_agg']) agg;
SELECT ok(pg_temp.same(pg_temp.run(pg_temp.sharded(agg)), pg_temp.run(pg_temp.unsharded(agg))), agg
	|| ': the answer is that of one table')
FROM unnest(ARRAY['jsonrow_agg', 'jsoncol_agg']) agg;

-- ... in groups.  (postgres_fdw sends an aggregate with a collation, which that
-- of the names is, only if one of its columns has it, too.)
CREATE FUNCTION pg_temp.groups(source text) RETURNS text LANGUAGE sql AS $$
	SELECT 'SELECT customer, jsonrow_concat_agg(doc ORDER BY shard) AS doc FROM (
		SELECT 1 AS shard, customer, jsonrow_agg(''{id,customer}'', id, customer ORDER BY id) AS doc FROM orders_1 '
			'GROUP BY customer
		UNION ALL SELECT 2, customer, jsonrow_agg(''{id,customer}'', id, customer ORDER BY id) FROM orders_2 GROUP '
			'BY customer) s GROUP BY customer' $$;
SELECT matches(pg_temp.remote_sql(pg_temp.groups('')),
	'Remote SQL:.*jsonrow_agg.*GROUP BY.*Remote SQL:.*jsonrow_agg.*GROUP BY', 'groups are made on both shards');
SELECT is(pg_temp.run('SELECT jsonb_object_agg(customer, doc) FROM (' || pg_temp.groups('') || ') s'),
	(SELECT jsonb_object_agg(customer, doc) FROM (SELECT customer, jsonrow_agg('{id,customer}', id, customer
		ORDER BY id) AS doc FROM local GROUP BY customer) s), 'groups are those of one table');

-- The record form stays here: the row type that its names come from is not
-- known there.
SELECT doesnt_match(pg_temp.remote_sql('SELECT jsonrow_agg(orders_1) FROM orders_1'), 'jsonrow_agg',
	'the record form is not sent to a shard');
SELECT is((SELECT jsonrow_agg(o) -> 'cols' FROM orders_1 o), '["id", "customer", "amount", "ordered"]'::jsonb,
	'the record form over a foreign table has its names');

-- A shard that has no rows
SELECT is(jsonrow_concat_agg(doc), '{"cols": ["id", "n"], "rows": [[2500, 3125.00]]}', 'a shard without rows')
FROM (SELECT jsonrow_agg('{id,n}', id, amount) AS doc FROM orders_1 WHERE id >= 2500
	UNION ALL SELECT jsonrow_agg('{id,n}', id, amount) FROM orders_2 WHERE id >= 2500) s;

SELECT * FROM finish();
ROLLBACK;
DROP DATABASE :"shard_1" WITH (FORCE);
DROP DATABASE :"shard_2" WITH (FORCE);

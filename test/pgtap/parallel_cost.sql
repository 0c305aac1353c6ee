-- What the planner is told of aggregation in parallel workers: that a state
-- holds all of its rows, which must come to the leader.  At PostgreSQL's
-- default costs: whether a plan is parallel depends on how many rows there
-- are left to ship, as with no aggregate of PostgreSQL.
\ir oracle.psql

SELECT plan(72);

SET LOCAL seq_page_cost = 1;
SET LOCAL random_page_cost = 4;
SET LOCAL cpu_tuple_cost = 0.01;
SET LOCAL cpu_operator_cost = 0.0025;
SET LOCAL parallel_setup_cost = 1000;
SET LOCAL parallel_tuple_cost = 0.1;
SET LOCAL min_parallel_table_scan_size = '8MB';
SET LOCAL max_parallel_workers_per_gather = 2;
SET LOCAL parallel_leader_participation = on;
SET LOCAL work_mem = '4MB';
SET LOCAL jit = off;

CREATE TABLE t AS SELECT i AS id, i % 10 AS g, i % 100 AS h, 'name of ' || i AS name FROM generate_series(1, 500000) i;
CREATE TABLE other AS SELECT i AS h, 'other ' || i AS note FROM generate_series(0, 99) i;
ALTER TABLE t SET (parallel_workers = 2);
ANALYZE t, other;

-- In a query, AGG stands for the aggregate's call.  Where ours is serial, it
-- must be so because of what it ships: sum() is not.
CREATE FUNCTION pg_temp.is_parallel(query text, call text) RETURNS boolean LANGUAGE sql AS $$
	SELECT pg_temp.plan_of(replace(query, 'AGG', call)) ~ 'Finalize .*Aggregate.*Gather.*Partial .*Aggregate' $$;
CREATE TABLE query AS SELECT * FROM (VALUES
	('all rows', 'SELECT AGG FROM t', false),
	('all rows, in groups', 'SELECT g, AGG FROM t GROUP BY g', false),
	('all rows, in many groups', 'SELECT h, AGG FROM t GROUP BY h', false),
	('all rows of a join', 'SELECT AGG FROM t JOIN other USING (h)', false),
	('all rows of a join, in groups', 'SELECT other.h, AGG FROM t JOIN other USING (h) GROUP BY other.h', false),
	('a tenth of the rows', 'SELECT AGG FROM t WHERE g = 1', true),
	('a tenth of the rows, in groups', 'SELECT h, AGG FROM t WHERE g = 1 GROUP BY h', true),
	('a tenth of the rows of a join', 'SELECT AGG FROM t JOIN other USING (h) WHERE g = 1', true)) q(name, query,
	parallel);
SELECT ok(pg_temp.is_parallel(query, 'sum(id)'), 'sum(), which ships little, is parallel: ' || name) FROM query;
SELECT is(pg_temp.is_parallel(query, call), parallel,
	format('%s: %s is %s', call, name, CASE WHEN parallel THEN 'parallel' ELSE 'serial' END))
FROM query, unnest(ARRAY['jsonrow_agg(t)', 'jsonrow_agg_json(''{id,name}'', id, name)', 'jsoncol_agg(t)',
	'jsoncol_agg_json(''{id}'', id)', 'jsonrow_array_agg(id, name)', 'jsonrow_array_agg_json(id, name)']) call;

-- It is the price of a row on its way that decides.
SET LOCAL parallel_tuple_cost = 0.001;
SELECT ok(pg_temp.is_parallel(query, 'jsonrow_agg(t)'), 'parallel where rows cost little on their way: ' || name)
FROM query;
SET LOCAL parallel_tuple_cost = 5;
SELECT ok(NOT pg_temp.is_parallel(query, 'jsonrow_agg(t)'), 'serial where rows are dear on their way: ' || name)
FROM query;

SELECT * FROM finish();
ROLLBACK;

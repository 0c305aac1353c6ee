-- Aggregates over windows, and by parallel workers.
\pset format unaligned
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS jsonrow;
RESET client_min_messages;

CREATE TEMP TABLE sale (id int, shop text, amount int);
INSERT INTO sale SELECT i, 'shop ' || i % 2, i * 10 FROM generate_series(1, 5) i;

SELECT id, jsonrow_agg('{id}', id) OVER (ORDER BY id) FROM sale ORDER BY id;
SELECT id, jsonrow_agg_json('{id}', id) OVER (PARTITION BY shop ORDER BY id) FROM sale ORDER BY id;
SELECT id, jsoncol_agg('{id,amount}', id, amount)
	OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) FROM sale ORDER BY id;
SELECT id, jsoncol_agg_json('{id}', id) FILTER (WHERE shop = 'shop 0') OVER (ORDER BY id) FROM sale
ORDER BY id;
SELECT id, jsonrow_array_agg(id, shop) OVER w, jsonrow_array_agg_json(id) OVER w FROM sale
WINDOW w AS (ORDER BY id ROWS 1 PRECEDING) ORDER BY id;
SELECT id, jsonrow_concat_agg(doc) OVER (ORDER BY id)
FROM (SELECT id, jsonrow_agg('{s}', shop) AS doc FROM sale GROUP BY id) s ORDER BY id;

-- in parallel: the same rows, in any order
CREATE SCHEMA jsonrow_windows;
CREATE TABLE jsonrow_windows.big AS SELECT i AS id, 'text ' || i AS t FROM generate_series(1, 10000) i;
ALTER TABLE jsonrow_windows.big SET (parallel_workers = 2);
ANALYZE jsonrow_windows.big;
SET max_parallel_workers_per_gather = 2;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
EXPLAIN (COSTS OFF) SELECT jsonrow_agg('{id,t}', id, t) FROM jsonrow_windows.big;
CREATE TEMP TABLE parallel AS
SELECT jsonrow_agg('{id,t}', id, t)::jsonb AS doc, jsonrow_agg_json(p)::jsonb AS json,
	jsoncol_agg('{id}', id)::jsonb AS col, jsonrow_array_agg(id)::jsonb AS rows FROM jsonrow_windows.big p;
SET max_parallel_workers_per_gather = 0;
SELECT jsonrow_count(doc), jsonrow_count(json), jsonrow_count(col), jsonb_array_length(rows),
	(SELECT sum(id) FROM jsonrow_to_recordset(doc) r(id int)) AS doc,
	(SELECT sum(id) FROM jsonrow_to_recordset(json) r(id int)) AS json,
	(SELECT sum(id) FROM jsonrow_to_recordset(col) r(id int)) AS col,
	(SELECT sum((r -> 0)::int) FROM jsonb_array_elements(rows) r) AS rows
FROM parallel;
SELECT bool_and(t = 'text ' || id) FROM parallel, jsonrow_to_recordset(doc) r(id int, t text);
DROP TABLE jsonrow_windows.big;
DROP SCHEMA jsonrow_windows;

-- The data of bench/documents, deterministic: documents of about 1 MB, and
-- those of up to 1,000,000 rows.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS jsonrow;

CREATE TABLE compressed AS
SELECT jsonrow_agg('{id,name,price,at,ok,note,measure}', i, 'name ' || i, (i * 1.25)::numeric(10, 2), timestamp '2020-01-01' + i * interval '1 min',
				   i % 2 = 0, CASE WHEN i % 3 = 0 THEN 'note ' || i END, i * 0.1::float8) AS doc
FROM generate_series(1, 10000) i;
ALTER TABLE compressed ADD col jsonrow;
UPDATE compressed SET col = jsonrow_to_columns(doc);
CREATE TABLE external (doc jsonb, col jsonb);
ALTER TABLE external ALTER doc SET STORAGE EXTERNAL, ALTER col SET STORAGE EXTERNAL;
INSERT INTO external SELECT doc || '{}', col || '{}' FROM compressed;

-- a bulk insert's parameter: as a document, as objects, as an array per column
CREATE TABLE item (id int, big bigint, name text, price numeric, measure float8, at timestamptz, ok boolean);
CREATE TABLE parameter AS
SELECT jsonrow_agg(i) AS doc, jsonb_agg(i) AS objects, array_agg(id) AS ids, array_agg(big) AS bigs, array_agg(name) AS names,
	   array_agg(price) AS prices, array_agg(measure) AS measures, array_agg(at) AS ats, array_agg(ok) AS oks
FROM (SELECT i::int AS id, i * 1000000007 AS big, 'name of item ' || i AS name, i::numeric / 100 AS price, sin(i) AS measure,
			 timestamptz '2020-01-01' + i * interval '137.123 s' AS at, i % 3 = 0 AS ok
	  FROM generate_series(1::bigint, 100000) i) i;

CREATE TABLE scaled (n int, doc jsonb, col jsonb, short jsonb, objects jsonb);
ALTER TABLE scaled ALTER doc SET STORAGE EXTERNAL, ALTER col SET STORAGE EXTERNAL, ALTER short SET STORAGE EXTERNAL, ALTER objects SET STORAGE EXTERNAL;
INSERT INTO scaled
SELECT n, doc, jsonrow_to_columns(doc), doc, jsonrow_to_objects(doc)
FROM unnest(ARRAY[10000, 100000, 1000000]) n, LATERAL (SELECT jsonrow_agg('{id,name}', i, 'name ' || i) AS doc FROM generate_series(1, n) i) s;
VACUUM ANALYZE;

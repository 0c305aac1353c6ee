-- The data of bench/access, deterministic: documents of :sizes rows each, in
-- every storage.  A row takes about 100 bytes.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS jsonrow;

CREATE FUNCTION document(n int) RETURNS jsonb LANGUAGE sql AS $$
	SELECT jsonrow_agg('{id,name,price,at,ok,note,measure}', i, 'name ' || i, (i * 1.25)::numeric(10, 2), timestamp '2020-01-01' + i * interval '1 min',
					   i % 2 = 0, CASE WHEN i % 3 = 0 THEN 'note ' || i END, i * 0.1::float8)
	FROM generate_series(1, n) i $$;

CREATE TABLE external (n int, doc jsonb);
ALTER TABLE external ALTER doc SET STORAGE EXTERNAL;
CREATE TABLE pglz (n int, doc jsonb COMPRESSION pglz);
CREATE TABLE inline (n int, doc jsonb);
ALTER TABLE inline ALTER doc SET STORAGE PLAIN;
-- not every server was built with lz4
DO $$ BEGIN
	EXECUTE 'CREATE TABLE lz4 (n int, doc jsonb COMPRESSION lz4)';
EXCEPTION WHEN feature_not_supported THEN
	RAISE WARNING 'no lz4 here';
END $$;

INSERT INTO external SELECT n, document(n) FROM unnest(ARRAY[1, 10, 100, 1000, 10000, 100000, 1000000]) n;
INSERT INTO pglz SELECT n, doc || '{}' FROM external WHERE n < 1000000;
INSERT INTO inline SELECT n, doc || '{}' FROM external WHERE n <= 50;
SELECT to_regclass('lz4') IS NOT NULL AS has_lz4 \gset
\if :has_lz4
INSERT INTO lz4 SELECT n, doc || '{}' FROM external WHERE n < 1000000;
\endif
VACUUM ANALYZE;

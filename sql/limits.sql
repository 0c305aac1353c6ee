-- Values given with names are arguments, of which an aggregate may have 99, unless PostgreSQL was built for more: as
-- an array there may be any number.
\pset format unaligned
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS jsonrow;
RESET client_min_messages;

-- the last cell of n
CREATE FUNCTION pg_temp.last_of(aggregate text, n int) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
	result jsonb;
BEGIN
	EXECUTE (SELECT format('SELECT jsonrow_get(%s(ARRAY[%s], %s)::jsonb, 0, -1)', aggregate,
			string_agg(quote_literal('c' || i), ', '), string_agg(i::text, ', '))
		FROM generate_series(1, n) i) INTO result;
	RETURN result;
END $$;
SELECT pg_temp.last_of('jsonrow_agg', 98), pg_temp.last_of('jsoncol_agg_json', 98);
SELECT jsonrow_get(doc, 0, 'c1000') AS last, cardinality(jsonrow_cols(doc)) AS columns
FROM (SELECT jsonrow_agg(names, VARIADIC numbers)::jsonb AS doc
	FROM (SELECT array_agg('c' || i ORDER BY i) AS names, array_agg(i ORDER BY i) AS numbers
		FROM generate_series(1, 1000) i) s) d;

-- jsonb's own limit: an error before anything is lost.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS jsonrow;
RESET client_min_messages;

SELECT jsonrow_agg('{x}', repeat('x', 1000000)) FROM generate_series(1, 300);
SELECT jsoncol_agg('{x}', repeat('x', 1000000)) FROM generate_series(1, 300);
SELECT jsonrow_array_agg(repeat('x', 1000000)) FROM generate_series(1, 300);
SELECT octet_length(jsonrow_agg_json('{x}', repeat('x', 1000000))::text) FROM generate_series(1, 300);

-- What is to be equal wherever stored.sql's database arrives, in another release, too: rows to the byte, and what our
-- functions make of them.  It changes nothing.
\pset null NULL
SELECT id, md5(r::text), jsonrow_count(doc), jsonrow_cols(columns), title, jsonrow_object(doc, 0),
	jsonrow_get(doc, 299, 'title')
FROM report r ORDER BY id;
SELECT id, pg_column_size(doc), pg_column_size(columns), pg_column_size(text_doc) FROM report ORDER BY id;
\echo The stored bytes are those that our functions make now, and those of PostgreSQL from the text.
SELECT id, record_image_eq(ROW(doc, columns), ROW(films(id), jsonrow_to_columns(films(id)))),
	record_image_eq(ROW(doc::jsonb), ROW(doc::text::jsonb)) FROM report WHERE id <= 300 ORDER BY id;
SELECT md5(films::text) FROM nested;
SELECT md5(doc::text) FROM listing;
SELECT md5(rows::text), md5(columns::text), md5(served::text) FROM kept;
SELECT md5(nested_json()::text), md5(films(100)::text);
SELECT md5(string_agg(s, '' ORDER BY o))
FROM jsonrow_stream('TABLE film ORDER BY id', NULL::int) WITH ORDINALITY t(s, o);
COPY (SELECT title FROM film ORDER BY id LIMIT 3) TO STDOUT (FORMAT jsonrow);
SELECT count(*) FROM jsonrow_to_recordset((SELECT doc FROM report WHERE id = 300)) r(id int, title text);

-- What the tests read: documents of all kinds, each with its name.
SET client_min_messages = warning;
CREATE EXTENSION jsonrow;
CREATE TYPE pair AS (x int, y text, doc jsonrow);
CREATE TABLE docs (name text, doc jsonrow);

INSERT INTO docs SELECT 'three levels', jsonrow_agg(n.*) FROM (
	SELECT nspname AS name, nspowner::int AS owner, (
		SELECT jsonrow_agg(t.*) FROM (
			SELECT relname, reltuples, (
				SELECT jsonrow_agg(a.*) FROM (
					SELECT attname, attnotnull, attlen FROM pg_attribute
					WHERE attrelid = c.oid AND attnum > 0 ORDER BY attnum LIMIT 5) a
				HAVING relnatts < 20) AS columns
			FROM pg_class c WHERE relnamespace = ns.oid ORDER BY relname LIMIT 20) t) AS tables
	FROM pg_namespace ns WHERE nspname IN ('pg_catalog', 'information_schema', 'public')) n;
INSERT INTO docs SELECT 'composites', jsonrow_agg('{i,p,list,p}', i, CASE WHEN i > 1 THEN
	ROW(i, '"quoted" \ é', (SELECT jsonrow_agg('{k}', j) FROM generate_series(1, i) j))::pair END,
	ARRAY[i, NULL], i % 2 = 0)
	FROM generate_series(1, 3) i;
INSERT INTO docs SELECT 'composites in documents', jsonrow_agg('{i,docs}', i, CASE WHEN i <> 2 THEN (
	SELECT jsonrow_agg('{p}', CASE WHEN j > 1 THEN ROW(j, NULL, NULL)::pair END) FROM generate_series(1, i) j) END)
	FROM generate_series(1, 4) i;
INSERT INTO docs SELECT 'flat', jsonrow_agg('{i,t,x,b}', i, 'text ' || i, i * 1.5, i % 2 = 0)
	FROM generate_series(1, 50) i;
INSERT INTO docs SELECT 'plain values', jsonrow_agg('{j,whole,a}', '{"a": [1, {"b": null}], "__proto__": 3}'::jsonb,
	(SELECT jsonrow_agg('{k}', j)::jsonb FROM generate_series(1, i) j), ARRAY['{}', '[[1],[2]]'])
	FROM generate_series(1, 3) i;
INSERT INTO docs VALUES
	('null rows', '{"cols": ["a", {"d": [["b"]]}, {"r": []}],
		"rows": [null, [1, [null, [2]], []], [2, null, null]]}'),
	('no rows', '{"cols": ["a", {"d": [["b"]]}], "rows": []}'),
	('no columns', '{"cols": [], "rows": [[], null, []]}'),
	('nothing known', '{"cols": [], "rows": []}'),
	('names that repeat', '{"cols": ["a", "b", "a", {"b": [["c", "c"]]}],
		"rows": [[1, 2, 3, [[4, 5]]], [6, 7, null, null]]}'),
	('names of JavaScript', '{"cols": ["__proto__", "constructor",
		{"toString": ["__proto__", {"__proto__": [["__proto__"]]}]}, "hasOwnProperty"],
		"rows": [[1, 2, [{"__proto__": 3}, [[[4]], null]], 5], [null, null, null, {"a": 1}]]}'),
	('an object named __proto__', '{"cols": [{"__proto__": ["a"]}, "b"], "rows": [[[1], 2]]}'),
	('strange names', '{"cols": ["", "1", "0", "a\"b\\c", "\n\u2028", "${x}", "é😀", "];//", {"": [[""]]}],
		"rows": [[1, 2, 3, 4, 5, 6, 7, 8, [[9]]]]}'),
	('strange text', '{"cols": ["a"],
		"rows": [["],["], ["\""], ["\\"], ["\\\\\""], ["]}"], ["é😀\u2028\n"], ["{\"rows\":["]]}');
INSERT INTO docs SELECT 'many columns', jsonb_build_object(
	'cols', (SELECT jsonb_agg('column ' || i) FROM generate_series(1, 1500) i),
	'rows', (SELECT jsonb_agg((SELECT jsonb_agg(i * j) FROM generate_series(1, 1500) i)) FROM generate_series(1, 3) j));
INSERT INTO docs SELECT name || ', by column', jsonrow_to_columns(doc) FROM docs;

CREATE TABLE film (id int, title text);
CREATE TABLE actor (film_id int, name text, born timestamptz, fee numeric);
CREATE TABLE award (actor text, year int, at timestamp);
INSERT INTO film VALUES (1, 'Alien'), (2, 'Brazil');
INSERT INTO actor VALUES (1, 'Weaver', '1949-10-08 12:00+00', 10.5), (1, 'Hurt', NULL, NULL);
INSERT INTO award VALUES ('Weaver', 1986, '1987-03-30 20:00'), ('Weaver', 1988, NULL);

CREATE TABLE kinds (id int, big int8, price numeric(20, 5), at timestamptz, bytes bytea, list int8[], flag bool,
	f float8, label text, tree jsonb, day date, oid oid);
INSERT INTO kinds VALUES
	(1, 9007199254740993, 0.10, '2024-05-01 12:00:00.5+02', '\x00ff10', '{{1,NULL},{9007199254740995,4}}', true, 'NaN',
		'é', '[{"a": "1"}]', '2024-05-01', 4000000000),
	(2, -1, 'NaN', 'infinity', '\x', '{}', false, '-Infinity', '', 'null', '-infinity', 0),
	(NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
	(4, 4, 123456789.12345, '0044-03-15 BC', '\x7f', '{4}', NULL, 1e300, '"', '7', '0044-03-15 BC', 7);

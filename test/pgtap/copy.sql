-- COPY ... TO ... (FORMAT jsonrow): the bytes are those of the streams; all else,
-- errors above all, is as in the same COPY with PostgreSQL's own formats.  Other
-- sessions have a database of their own, made and removed outside of the transaction.
\set suffix copy
\ir own_database.psql

SELECT plan(246);
LOAD 'jsonrow';

-- A file that the server writes and reads
SELECT format('%s/jsonrow_test_copy_%s', current_setting('data_directory'), pg_backend_pid()) AS file \gset
SELECT set_config('test.file', :'file', true) \g /dev/null
CREATE FUNCTION pg_temp.copied(what text, options text DEFAULT '') RETURNS bytea LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('COPY %s TO %L (FORMAT jsonrow%s)', what, current_setting('test.file'), options);
	RETURN pg_read_binary_file(current_setting('test.file'));
END $$;
CREATE FUNCTION pg_temp.copied_text(what text, options text DEFAULT '') RETURNS text LANGUAGE sql AS $$
	SELECT convert_from(pg_temp.copied(what, options), 'UTF8') $$;

-- Does COPY give what the stream of the query gives, in each form?
CREATE FUNCTION pg_temp.check_copy(what text, query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	problems text[];
	form text;
	suffix text;
BEGIN
	FOR form, suffix IN VALUES ('', ''), (', FORM rows', ''), (', FORM lines', '_lines'), (', FORM ''objects''',
		'_objects'),
		(', form object_lines', '_object_lines') LOOP
		problems := problems || CASE WHEN pg_temp.copied_text(what, form)
			IS DISTINCT FROM array_to_string(pg_temp.pieces(suffix, query), '') THEN 'form' || form END;
	END LOOP;
	RETURN nullif(array_to_string(problems, ' '), '');
END $$;

--
-- what is copied
--
CREATE TABLE film AS SELECT i AS id, 'Film "' || i || E'"\n' AS title, i % 3 AS studio FROM generate_series(1,
	3000) i;
CREATE TABLE actor AS SELECT i % 50 AS film, 'Actor ' || i AS name FROM generate_series(1, 100) i;
CREATE TABLE zero ();
INSERT INTO zero DEFAULT VALUES;
CREATE TABLE empty (a int, d jsonrow);
CREATE TABLE altered (a int, b text, c int);
INSERT INTO altered VALUES (1, 'x', 2);
ALTER TABLE altered DROP a, ADD "D ""d""" int DEFAULT 7;
CREATE TABLE generated (a int, b int GENERATED ALWAYS AS (a * 2) STORED, c text);
INSERT INTO generated VALUES (1, DEFAULT, 'x'), (2, DEFAULT, NULL);
CREATE TABLE parent (i int, t text);
CREATE TABLE child (more int) INHERITS (parent);
INSERT INTO parent VALUES (1, 'parent');
INSERT INTO child VALUES (2, 'child', 3);
CREATE TABLE parted (i int, t text) PARTITION BY LIST (i);
CREATE TABLE parted_1 PARTITION OF parted FOR VALUES IN (1);
CREATE TABLE parted_2 (t text, i int);
ALTER TABLE parted ATTACH PARTITION parted_2 FOR VALUES IN (2);
INSERT INTO parted VALUES (1, 'one'), (2, 'two');
CREATE VIEW films AS SELECT * FROM film;
CREATE MATERIALIZED VIEW few_films AS SELECT * FROM film WHERE id < 3;
CREATE SEQUENCE numbers;
CREATE FOREIGN DATA WRAPPER jsonrow_test_no_handler;
CREATE SERVER jsonrow_test_copy FOREIGN DATA WRAPPER jsonrow_test_no_handler;
CREATE FOREIGN TABLE elsewhere (a int) SERVER jsonrow_test_copy;
CREATE TYPE pair AS (x int, y text);
CREATE SCHEMA "jsonrow Test"
	CREATE TABLE "a Table" ("a Column" int, "select" text);
INSERT INTO "jsonrow Test"."a Table" VALUES (1, 'x');

SELECT is(pg_temp.check_copy(what, query), NULL, 'COPY ' || what)
FROM (VALUES ('film', 'TABLE film'), ('film (title, id)', 'SELECT title, id FROM film'), ('jsonrow_test.film',
	'TABLE film'),
	('zero', 'TABLE zero'), ('empty', 'TABLE empty'), ('altered', 'TABLE altered'),
	('altered ("D ""d""")', 'SELECT "D ""d""" FROM altered'),
	('generated', 'SELECT a, c FROM generated'), ('generated (c)', 'SELECT c FROM generated'),
	('(TABLE generated)', 'TABLE generated'),
	('parent', 'SELECT * FROM ONLY parent'), ('child', 'TABLE child'), ('(TABLE parent)', 'TABLE parent'),
	('parted_2', 'TABLE parted_2'), ('(TABLE parted)', 'TABLE parted'), ('(TABLE films)', 'TABLE films'),
	('(TABLE few_films)', 'TABLE few_films'),
	('"jsonrow Test"."a Table"', 'TABLE "jsonrow Test"."a Table"'),
	('"jsonrow Test"."a Table" ("select")', 'SELECT "select" FROM "jsonrow Test"."a Table"'),
	('pg_catalog.pg_am', 'TABLE pg_am'), ('pg_proc', 'TABLE pg_proc'), ('pg_statistic', 'TABLE pg_statistic'),
	('(VALUES (1, NULL), (2, ''x''))', 'VALUES (1, NULL), (2, ''x'')'),
	('(SELECT 1 AS a, 2 AS a WHERE false)', 'SELECT 1 AS a, 2 AS a WHERE false'), ('(SELECT)', 'SELECT'),
	('(WITH w AS (SELECT 1 AS a) TABLE w)', 'WITH w AS (SELECT 1 AS a) TABLE w'),
	('(SELECT * FROM film FOR UPDATE)', 'TABLE film'),
	('(SELECT id, count(*) OVER () FROM film ORDER BY id DESC)',
		'SELECT id, count(*) OVER () FROM film ORDER BY id DESC'),
	('(SELECT repeat(''xé'', 1000000) AS x FROM generate_series(1, 3))',
		'SELECT repeat(''xé'', 1000000) AS x FROM generate_series(1, 3)'),
	('(SELECT ROW(1, ''a'')::pair AS p, E''[\n]''::json AS j)',
		'SELECT ROW(1, ''a'')::pair AS p, E''[\n]''::json AS j')) v(what, query);
SELECT is(pg_temp.check_copy('(' || query || ')', query), NULL, 'COPY of nested documents, ' || agg)
FROM unnest('{jsonrow_agg,jsonrow_agg_json,jsoncol_agg}'::text[]) agg, LATERAL (SELECT format('SELECT title, '
	'(SELECT %s(a) FROM (SELECT name FROM actor WHERE film = id) a) AS actors, coalesce((SELECT %1$s(a) FROM actor a '
	'WHERE film = id HAVING count(*) > 100), ''[]'') AS none FROM film', agg) AS query) q;
SELECT is(pg_temp.copied_text('film', ', FORM lines'), pg_temp.copied_text('film',
	', FORM ''lines'', ENCODING ''UTF8'''),
	'COPY again');
SELECT throws_ok($$SELECT pg_temp.copied('(SELECT CASE WHEN i > 15000 THEN ''{"cols":["a"],"rows":[[1]]}'' END
	::jsonrow AS d FROM generate_series(1, 20000) i)')$$, '42804',
	'columns of nested document "d" were not known when the header was sent',
	'a nested document that comes too late');

-- Statements that change
CREATE TABLE changed (a int PRIMARY KEY, b text);
CREATE TABLE noted (what text);
CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO noted VALUES (format('%s %s', TG_OP, coalesce(NEW.a, OLD.a)));
	RETURN NULL;
END $$;
CREATE TRIGGER note AFTER INSERT OR UPDATE OR DELETE ON changed FOR EACH ROW EXECUTE FUNCTION note();
SELECT is(pg_temp.copied_text('(INSERT INTO changed VALUES (1, ''x''), (2, ''y'') RETURNING *)'),
	'{"cols":["a","b"],"rows":[[1,"x"],[2,"y"]]}', 'COPY of INSERT');
SELECT is(pg_temp.copied_text('(UPDATE changed SET a = a + 10 WHERE b = ''y'' RETURNING b, a)', ', FORM lines'),
	E'{"cols":["b","a"]}\n["y",12]\n{"rows":1}\n', 'COPY of UPDATE');
SELECT is(pg_temp.copied_text('(DELETE FROM changed WHERE a = 1 '
	'RETURNING (SELECT jsonrow_agg(c) FROM changed c) AS d)',
	', FORM objects'), '[{"d":[{"a":1,"b":"x"},{"a":12,"b":"y"}]}]', 'COPY of DELETE');
SELECT is(pg_temp.copied_text('(DELETE FROM changed WHERE a = 0 '
	'RETURNING (SELECT jsonrow_agg(c) FROM changed c) AS d)'),
	'{"cols":[{"d":[["a","b"]]}],"rows":[]}', 'COPY of DELETE of no rows');
SELECT is(pg_temp.copied_text('(WITH w AS (INSERT INTO changed VALUES (3, ''z'') RETURNING a) '
	'SELECT * FROM w, changed)',
	', FORM object_lines'), E'{"a":3,"a":12,"b":"y"}\n', 'COPY of a CTE that changes');
SELECT is((SELECT array_agg(a ORDER BY a) FROM changed), '{3,12}', 'what COPY was to change is changed');
SELECT is((SELECT array_agg(what ORDER BY what) FROM noted), '{DELETE 1,INSERT 1,INSERT 2,INSERT 3,UPDATE 12}',
	'its triggers have been called');

-- How many rows
CREATE FUNCTION pg_temp.row_count(statement text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	result bigint;
BEGIN
	EXECUTE statement;
	GET DIAGNOSTICS result = ROW_COUNT;
	RETURN result;
END $$;
SELECT is(pg_temp.row_count('COPY film TO ''/dev/null'' (FORMAT jsonrow, FORM ' || form || ')'), 3000::bigint,
	'ROW_COUNT of ' || form) FROM unnest('{rows,lines,objects,object_lines}'::text[]) form;
COPY actor TO '/dev/null' (FORMAT jsonrow);
SELECT is(:ROW_COUNT, 100, 'rows of the command tag');

-- In PL/pgSQL and SQL, and what it sees there
DO $$
BEGIN
	INSERT INTO noted VALUES ('just now');
	EXECUTE format('COPY (SELECT count(*) FROM noted WHERE what = ''just now'') TO %L (FORMAT jsonrow)',
		current_setting('test.file'));
	COPY film TO '/dev/null' (FORMAT jsonrow);
END $$;
SELECT is(pg_read_file(:'file'), '{"cols":["count"],"rows":[[1]]}',
	'COPY sees what the transaction has done before');
CREATE FUNCTION in_sql() RETURNS text LANGUAGE sql AS $$
	COPY (VALUES (1)) TO '/dev/null' (FORMAT jsonrow); SELECT 'done' $$;
SELECT is(in_sql(), 'done', 'COPY in a function in SQL');

-- To the client
\set client `mktemp`
COPY (SELECT i, 'é' AS t FROM generate_series(1, 2) i) TO STDOUT (FORMAT jsonrow) \g :client
\set got `cat :'client'`
SELECT is(:'got'::text, '{"cols":["i","t"],"rows":[[1,"é"],[2,"é"]]}', 'to the client');
COPY (SELECT i, 'é' AS t FROM generate_series(1, 2) i) TO STDOUT (FORMAT jsonrow, FORM lines) \g :client
\set got `cat :'client'`
SELECT is(:'got'::text, E'{"cols":["i","t"]}\n[1,"é"]\n[2,"é"]\n{"rows":2}', 'to the client, in lines');
COPY (SELECT i, repeat('é', 99) AS t FROM generate_series(1, 20000) i) TO STDOUT (FORMAT jsonrow,
	FORM objects) \g :client
\set got `md5sum <:'client'`
SELECT is(left(:'got', 32), md5(array_to_string(pg_temp.pieces('_objects', 'SELECT i, repeat(''é'', 99) AS t '
	'FROM generate_series(1, 20000) i'), '')), 'to the client, in many pieces');
COPY (SELECT 1 WHERE false) TO STDOUT (FORMAT jsonrow, FORM object_lines) \g :client
\set got `cat :'client'`
SELECT is(:'got'::text, '', 'to the client, nothing');
SELECT format('\copy actor TO %s (FORMAT jsonrow, FORM object_lines)', quote_literal(:'client')) AS copy \gset
:copy
\set got `md5sum <:'client'; rm :'client'`
SELECT is(left(:'got', 32), md5(array_to_string(pg_temp.pieces('_object_lines', 'TABLE actor'), '')), 'by \copy');

--
-- encodings
--
SELECT is(pg_temp.copied('(SELECT i, ''é "ü"'' AS "ä" FROM generate_series(1, 9000) i)',
	', ENCODING ''LATIN1'', FORM ' || form),
	convert_to(array_to_string(pg_temp.pieces(suffix, 'SELECT i, ''é "ü"'' AS "ä" FROM generate_series(1,
	9000) i'), ''),
		'LATIN1'), 'LATIN1, ' || form)
FROM (VALUES ('rows', ''), ('lines', '_lines'), ('objects', '_objects'), ('object_lines', '_object_lines')) v(form,
	suffix);
SELECT is(pg_temp.copied('(SELECT i, ''表ソ能'' AS t FROM generate_series(1, 9000) i)', ', ENCODING ''' || encoding
	|| ''''),
	convert_to(array_to_string(pg_temp.pieces('', 'SELECT i, ''表ソ能'' AS t FROM generate_series(1, 9000) i'), ''),
		encoding), encoding)
FROM unnest('{SJIS,EUC_JP,UTF8}'::text[]) encoding;
SET LOCAL client_encoding = 'LATIN1';
SELECT pg_temp.copied('(SELECT chr(233) AS t)', ', FORM object_lines') AS latin1,
	pg_temp.copied('(SELECT chr(233) AS t)', ', FORM object_lines, ENCODING ''UTF8''') AS utf8 \gset
SET LOCAL client_encoding = 'UTF8';
SELECT is(:'latin1'::bytea, convert_to(E'{"t":"é"}\n', 'LATIN1'), 'client_encoding is the default');
SELECT is(:'utf8'::bytea, convert_to(E'{"t":"é"}\n', 'UTF8'), 'ENCODING goes before client_encoding');

--
-- errors: those of the same COPY with a format of PostgreSQL's
--
CREATE TABLE compared (ours text, theirs text, name text);
-- In the statement, FMT stands for the format.
CREATE FUNCTION pg_temp.compare(statement text, format text DEFAULT 'text', about text DEFAULT '') RETURNS void
LANGUAGE sql AS $$
	INSERT INTO compared VALUES (pg_temp.error_of(replace(statement, 'FMT', 'jsonrow')),
		replace(pg_temp.error_of(replace(statement, 'FMT', format)), upper(format), 'JSONROW'), about || statement) $$;
CREATE FUNCTION pg_temp.compared() RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
	RETURN QUERY SELECT is(ours, theirs, name) FROM compared;
	DELETE FROM compared;
END $$;
CREATE FUNCTION pg_temp.all_fail() RETURNS boolean LANGUAGE sql AS $$
	SELECT bool_and(theirs <> 'no error') FROM compared $$;

-- What may be copied
CREATE VIEW ruled AS SELECT 1 AS a;
CREATE RULE ruled_insert AS ON INSERT TO ruled DO INSTEAD NOTHING;
CREATE RULE ruled_update AS ON UPDATE TO ruled DO INSTEAD (DELETE FROM changed; SELECT 1);
CREATE TABLE also (a int);
CREATE RULE also_insert AS ON INSERT TO also DO ALSO DELETE FROM changed;
CREATE RULE also_update AS ON UPDATE TO also WHERE old.a = 1 DO INSTEAD DELETE FROM changed;
CREATE RULE also_delete AS ON DELETE TO also DO INSTEAD SELECT 7 AS b;
SELECT pg_temp.compare(format('COPY %s TO ''/dev/null'' (FORMAT FMT)', what))
FROM unnest(ARRAY['missing', 'jsonrow_missing.film', 'film (missing)', 'film (id, id)', 'generated (b)',
	'altered (a)',
	'films', 'numbers', 'elsewhere', 'ruled', 'film_pkey_missing',
	'(SELECT 1 / 0)', '(SELECT missing FROM film)', '(SELECT $1)', '(INSERT INTO changed VALUES (99))',
	'(INSERT INTO changed VALUES (3) RETURNING a)', '(DELETE FROM changed)', '(UPDATE changed SET a = 1)',
	'(INSERT INTO ruled VALUES (1) RETURNING a)', '(UPDATE ruled SET a = 2)', '(UPDATE ruled SET a = 2 RETURNING a)',
	'(INSERT INTO also VALUES (1) RETURNING a)', '(INSERT INTO also VALUES (1))', '(UPDATE also SET a = 3)',
	'(UPDATE also SET a = 3 RETURNING a)', '(SELECT 1 AS a INTO made)', '(SELECT 1; SELECT 2)', '()', '(SHOW TimeZone)',
	'(WITH w AS (INSERT INTO also VALUES (1)) SELECT 1)']) what \g /dev/null
SELECT ok(pg_temp.all_fail(), 'all of these fail');
SELECT pg_temp.compared();
-- Some of these may be copied in some releases.
SELECT pg_temp.compare(format('COPY %s TO ''/dev/null'' (FORMAT FMT)', what))
FROM unnest(ARRAY['parted', 'few_films', '(DELETE FROM also)', '(DELETE FROM also RETURNING a)',
	'pg_am']) what \g /dev/null
SELECT pg_temp.compare('COPY (MERGE INTO changed USING film ON a = id WHEN MATCHED THEN DELETE) '
	'TO ''/dev/null'' (FORMAT FMT)') \g /dev/null
SELECT pg_temp.compared();

-- Where to
SELECT pg_temp.compare(format('COPY %s TO %s (FORMAT FMT)', what, target))
FROM unnest(ARRAY['film', '(VALUES (1))']) what, unnest(ARRAY['''relative''', '''/''', '''/missing/file''',
	quote_literal(current_setting('data_directory')), '''''', 'PROGRAM ''exit 3''',
		'PROGRAM ''missing_program 2>/dev/null''',
	'PROGRAM ''kill -9 $$''', 'PROGRAM ''cat >/dev/null; false''', 'STDOUT', 'STDIN']) target \g /dev/null
SELECT pg_temp.compare(format('COPY (SELECT repeat(''x'', 1000) FROM generate_series(1, 10000)) '
	'TO PROGRAM %L (FORMAT FMT)',
	'head -c 10 >/dev/null' || more)) FROM unnest(ARRAY['', '; exit 7']) more \g /dev/null
SELECT ok(pg_temp.all_fail(), 'nor can any of these be written to');
SELECT pg_temp.compared();
SELECT (pg_stat_file('/dev/full', true)).size IS NOT NULL AS has_full \gset
\if :has_full
	SELECT pg_temp.compare(format('COPY (SELECT repeat(''x'', 1000) FROM generate_series(1, %s)) '
		'TO ''/dev/full'' (FORMAT FMT)',
		rows)) FROM unnest('{1,10000}'::int[]) rows \g /dev/null
	SELECT ok(pg_temp.all_fail(), 'a disk that is full');
	SELECT pg_temp.compared();
\else
	SELECT skip('there is no /dev/full', 3);
\endif

-- Options: ours are fewer, as those of the binary format are.
SELECT pg_temp.compare(format('COPY film TO ''/dev/null'' (FORMAT FMT, %s)', options), 'binary')
FROM unnest(ARRAY['DELIMITER '',''', 'DELIMITER', 'NULL ''x''', 'HEADER', 'HEADER true',
	'HEADER match', 'HEADER false', 'HEADER 7', 'HEADER maybe', 'QUOTE ''"''', 'ESCAPE ''"''', 'FORCE_QUOTE *',
	'FORCE_QUOTE (id)', 'FORCE_QUOTE id', 'FORCE_NOT_NULL (id)', 'FORCE_NOT_NULL *', 'FORCE_NULL (id)', 'FREEZE',
	'FREEZE true', 'FREEZE false', 'ENCODING ''nonsense''', 'ENCODING', 'ENCODING ''UTF8''', 'ENCODING 7', 'bogus',
		'bogus 1',
	'"FORMAT" 1', 'CONVERT_SELECTIVELY (id)', 'ON_ERROR stop', 'ON_ERROR ignore', 'ON_ERROR bogus',
	'LOG_VERBOSITY verbose', 'LOG_VERBOSITY bogus', 'REJECT_LIMIT 3', 'FORCE_ARRAY', 'FORCE_ARRAY true', 'OIDS',
	'ENCODING ''UTF8'', ENCODING ''UTF8''', 'DELIMITER '','', DELIMITER '',''', 'HEADER, HEADER', 'FREEZE, FREEZE',
	'FORMAT FMT', 'FORMAT text', 'FORMAT csv', 'FORMAT bogus']) options \g /dev/null
SELECT ok(bool_or(theirs <> 'no error') AND bool_or(theirs = 'no error'), 'some options are refused, some are not')
	FROM compared;
SELECT pg_temp.compared();
SELECT pg_temp.compare(statement) FROM unnest(ARRAY['COPY film TO ''/dev/null'' (FORMAT FMT, DELIMITER ''ab'')',
	'COPY film TO ''/dev/null'' (FORMAT FMT, NULL E''\n'')', 'COPY film TO ''/dev/null'' (FORMAT FMT, DEFAULT ''x'')',
	'COPY film TO ''/dev/null'' (FORM rows, FORMAT text)',
	'COPY film TO ''/dev/null'' (FORMAT text, FORMAT FMT)', 'COPY film TO ''/dev/null'' (FORMAT FMT, FORMAT text)'])
	statement \g /dev/null
SELECT pg_temp.compared();
SELECT pg_temp.raises(format('COPY film TO ''/dev/null'' (%s)', options), state, message, NULL, hint, options)
FROM (VALUES ('FORMAT jsonrow, FORM bogus', '22023', 'COPY form "bogus" not recognized',
		'Available forms: rows, lines, objects, object_lines.'),
	('FORMAT jsonrow, FORM ''LINES''', '22023', 'COPY form "LINES" not recognized',
		'Available forms: rows, lines, objects, object_lines.'),
	('FORMAT jsonrow, FORM ''''', '22023', 'COPY form "" not recognized',
		'Available forms: rows, lines, objects, object_lines.'),
	('FORMAT jsonrow, FORM 1', '22023', 'COPY form "1" not recognized',
		'Available forms: rows, lines, objects, object_lines.'),
	('FORMAT jsonrow, FORM', '42601', 'form requires a parameter', NULL),
	('FORMAT jsonrow, FORM lines, FORM lines', '42601', 'conflicting or redundant options', NULL),
	('FORM lines', '42601', 'option "form" not recognized', NULL),
	('FORMAT csv, FORM lines', '42601', 'option "form" not recognized', NULL),
	('FORMAT ''JSONROW''', '22023', 'COPY format "JSONROW" not recognized', NULL)) v(options, state, message, hint);
SELECT pg_temp.raises('COPY film FROM ''/dev/null'' (FORMAT jsonrow)', '0A000',
	'COPY FORMAT JSONROW is not supported for COPY FROM', NULL, NULL, 'COPY FROM');
-- Others go on untouched.
SELECT is(pg_temp.row_count(statement), rows, statement)
FROM (VALUES ('COPY film TO ''/dev/null''', 3000::bigint), ('COPY film TO ''/dev/null'' (FORMAT csv, HEADER)', 3000),
	('COPY film FROM ''/dev/null'' (FORMAT text)', 0), ('COPY actor TO ''/dev/null'' (FORMAT binary)', 100),
	('COPY actor TO ''/dev/null'' WITH CSV', 100)) v(statement, rows);

-- In a transaction that reads only
SAVEPOINT read_only;
SET LOCAL transaction_read_only = on;
SELECT pg_temp.error_of('COPY (INSERT INTO changed VALUES (50) RETURNING a) TO ''/dev/null'' (FORMAT jsonrow)')
	AS ours,
	pg_temp.error_of('COPY (INSERT INTO changed VALUES (50) RETURNING a) TO ''/dev/null''') AS theirs,
	pg_temp.error_of('COPY changed TO ''/dev/null'' (FORMAT jsonrow)') AS reads \gset
ROLLBACK TO read_only;
SELECT ok(:'theirs' ~ '^25006' AND :'ours' = :'theirs', 'a read-only transaction');
SELECT is(:'reads'::text, 'no error', 'a table in a read-only transaction');

--
-- privileges, row-level security
--
CREATE ROLE jsonrow_test_copy;
GRANT USAGE ON SCHEMA jsonrow_test TO jsonrow_test_copy;
GRANT INSERT, DELETE, SELECT ON compared TO jsonrow_test_copy;
CREATE TABLE secret (i int, t text);
CREATE VIEW secret_view AS TABLE secret;
CREATE TABLE half (i int, t text, g int GENERATED ALWAYS AS (i * 2) STORED);
INSERT INTO half VALUES (1, 'x');
CREATE TABLE rows_of (i int, t text, g int GENERATED ALWAYS AS (i * 2) STORED);
INSERT INTO rows_of SELECT i, 'text ' || i FROM generate_series(1, 4) i;
CREATE TABLE more_rows () INHERITS (rows_of);
INSERT INTO more_rows VALUES (100, 'child');
GRANT SELECT (i) ON half TO jsonrow_test_copy;
GRANT SELECT ON rows_of, more_rows, films TO jsonrow_test_copy;
ALTER TABLE rows_of ENABLE ROW LEVEL SECURITY;
CREATE POLICY even ON rows_of USING (i % 2 = 0);
CREATE TABLE in_parts (i int, t text) PARTITION BY LIST (i);
CREATE TABLE all_parts PARTITION OF in_parts DEFAULT;
INSERT INTO in_parts VALUES (1, 'x'), (2, 'y');
GRANT SELECT ON in_parts TO jsonrow_test_copy;
ALTER TABLE in_parts ENABLE ROW LEVEL SECURITY;
CREATE POLICY even ON in_parts USING (i % 2 = 0);
CREATE TABLE forced (i int, t text);
ALTER TABLE forced ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY three ON forced USING (i = 3);
INSERT INTO forced SELECT i, 'x' FROM generate_series(1, 5) i;
ALTER TABLE forced OWNER TO jsonrow_test_copy;
GRANT CREATE ON SCHEMA jsonrow_test TO jsonrow_test_copy;

SET LOCAL ROLE jsonrow_test_copy;
SELECT pg_temp.compare(format('COPY %s TO %s (FORMAT FMT)', what, target), about => 'ordinary role: ')
FROM unnest(ARRAY['film', 'rows_of', '(VALUES (1))']) what, unnest(ARRAY['''/dev/null''',
	'PROGRAM ''cat >/dev/null'''])
	target \g /dev/null
SELECT pg_temp.all_fail() AS all_fail \gset
RESET ROLE;
SELECT ok(:'all_fail', 'an ordinary role may write to neither files nor programs');
SELECT pg_temp.compared();
GRANT pg_write_server_files TO jsonrow_test_copy;
SET LOCAL ROLE jsonrow_test_copy;
SELECT pg_temp.compare(format('COPY %s TO ''/dev/null'' (FORMAT FMT)', what), about => 'role that may write files: ')
FROM unnest(ARRAY['secret', 'secret (i)', 'secret_view', 'half', 'half (t)', 'half (i, t)', '(TABLE secret)',
	'(SELECT t FROM half)', '(TABLE secret_view)', 'film', '(DELETE FROM half RETURNING i)',
	'(SELECT pg_read_file(''x''))']) what \g /dev/null
SELECT pg_temp.compare('COPY (VALUES (1)) TO PROGRAM ''cat >/dev/null'' (FORMAT FMT)') \g /dev/null
SELECT pg_temp.all_fail() AS all_fail \gset
SELECT pg_temp.compare(format('COPY %s TO ''/dev/null'' (FORMAT FMT)', what), about => 'role that may write files: ')
FROM unnest(ARRAY['half (i)', 'in_parts', 'rows_of', 'rows_of (t)', 'rows_of (missing)', 'rows_of (g)',
	'films', 'forced',
	'(TABLE rows_of)']) what \g /dev/null
SET LOCAL row_security = off;
SELECT pg_temp.compare(format('COPY %s TO ''/dev/null'' (FORMAT FMT)', what), about => 'row_security = off: ')
FROM unnest(ARRAY['rows_of', 'rows_of (t)', 'forced', 'more_rows']) what \g /dev/null
RESET row_security;
RESET ROLE;
SELECT ok(:'all_fail', 'nor copy what it may not read');
SELECT pg_temp.compared();
-- What it gets is what PostgreSQL would give.
CREATE TABLE got (what text, form text, ours text, theirs text);
GRANT INSERT ON got TO jsonrow_test_copy;
GRANT EXECUTE ON FUNCTION pg_read_binary_file(text) TO jsonrow_test_copy;
SET LOCAL ROLE jsonrow_test_copy;
INSERT INTO got SELECT what, 'rows', pg_temp.copied_text(what) FROM unnest(ARRAY['half (i)', 'in_parts',
	'rows_of', 'rows_of (t)',
	'forced', 'more_rows', '(SELECT * FROM rows_of)']) what;
RESET ROLE;
SELECT is(ours, expected, 'row-level security, COPY ' || what)
FROM got JOIN (VALUES ('half (i)', '{"cols":["i"],"rows":[[1]]}'), ('in_parts', '{"cols":["i","t"],"rows":' ||
	CASE WHEN current_setting('server_version_num')::int < 190000 THEN '[]}' ELSE '[[2,"y"]]}' END),
	('rows_of', '{"cols":["i","t","g"],"rows":[[2,"text 2",4],[4,"text 4",8]]}'),
	('rows_of (t)', '{"cols":["t"],"rows":[["text 2"],["text 4"]]}'),
	('forced', '{"cols":["i","t"],"rows":[[3,"x"]]}'), ('more_rows', '{"cols":["i","t"],"rows":[[100,"child"]]}'),
	('(SELECT * FROM rows_of)', '{"cols":["i","t","g"],"rows":[[2,"text 2",4],[4,"text 4",8],[100,"child",200]]}'))
	v(name, expected) ON name = what;
SELECT is(pg_temp.copied_text('rows_of'),
	'{"cols":["i","t"],"rows":[[1,"text 1"],[2,"text 2"],[3,"text 3"],[4,"text 4"]]}',
	'who bypasses row-level security gets all, but no generated columns');

SELECT format('COPY (SELECT 1) TO PROGRAM %L', 'rm ' || :'file') AS remove \gset

--
-- other sessions
--
\ir connect.psql
CREATE FUNCTION pg_temp.other_fails(statement text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	RETURN dblink_exec('other', statement);
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || ' ' || SQLERRM;
END $$;
SELECT dblink_connect('other', :'conninfo') \g /dev/null
SELECT CASE WHEN concat_ws(',', current_setting('session_preload_libraries'),
	current_setting('shared_preload_libraries'),
		current_setting('local_preload_libraries')) ~ 'jsonrow' THEN skip('the library is loaded by the server', 2)
	ELSE is(pg_temp.other_fails('COPY (VALUES (1)) TO ''/dev/null'' (FORMAT jsonrow)'),
		'22023 COPY format "jsonrow" not recognized', 'before the library is loaded') END;
SELECT dblink_exec('other', 'LOAD ''jsonrow''') \g /dev/null
SELECT is(pg_temp.other_fails('COPY (VALUES (1), (2)) TO ''/dev/null'' (FORMAT jsonrow)'), 'COPY 2',
	'when it is loaded; the command tag');

-- Progress, told as of PostgreSQL's own
CREATE FUNCTION pg_temp.progress(database text, statement text, rows bigint) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
	result jsonb;
BEGIN
	PERFORM dblink_send_query('other', statement);
	LOOP
		PERFORM pg_sleep(0.02), pg_stat_clear_snapshot();
		SELECT to_jsonb(p) - 'pid' INTO result FROM pg_stat_progress_copy p WHERE datname = database;
		EXIT WHEN (result ->> 'tuples_processed')::bigint = rows OR dblink_is_busy('other') = 0;
	END LOOP;
	PERFORM * FROM dblink_get_result('other') q(r text);
	PERFORM * FROM dblink_get_result('other') q(r text);	-- there is no more
	RETURN result;
END $$;
SELECT dblink_exec('other', 'CREATE TABLE t AS SELECT i FROM generate_series(1, 30000) i') \g /dev/null
CREATE TABLE progress AS
SELECT what, pg_temp.progress(:'database', format(statement, what, ''), 30000) AS theirs,
	pg_temp.progress(:'database', format(statement, what, '(FORMAT jsonrow, FORM lines)'), 30000) AS ours
FROM unnest(ARRAY['t', '(TABLE t)']) what, (SELECT 'COPY %s TO PROGRAM ''cat >/dev/null; sleep 0.4'' %s'
	AS statement) s;
SELECT is(ours - 'bytes_processed', theirs - 'bytes_processed', 'progress of COPY ' || what) FROM progress;
SELECT is((ours ->> 'bytes_processed')::int, (SELECT sum(length(line))::int
	FROM unnest(pg_temp.pieces('_lines', 'SELECT i FROM generate_series(1, 30000) i')) line), 'bytes of COPY ' || what)
FROM progress;
SELECT pg_stat_clear_snapshot() \g /dev/null
SELECT is(count(*), 0::bigint, 'no progress is left') FROM pg_stat_progress_copy WHERE datname = :'database';

:remove;
SELECT dblink_disconnect('other') \g /dev/null
SELECT * FROM finish();
ROLLBACK;
DROP DATABASE :"database" WITH (FORCE);

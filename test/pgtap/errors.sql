-- Every error that a user can cause, with all that it says: state, message,
-- detail and hint.  The order is that of the table in doc/reference.md.

-- As long as the library is not loaded, COPY does not know the format.
SELECT EXISTS (SELECT FROM pg_settings WHERE name = 'jsonrow.accelerate') AS loaded \gset
\set ON_ERROR_STOP off
COPY (SELECT 1) TO STDOUT (FORMAT jsonrow) \g /dev/null
\set said :LAST_ERROR_MESSAGE
\ir oracle.psql

SELECT plan(204);

CREATE FUNCTION pg_temp.is_no_document(query text, detail text) RETURNS text LANGUAGE sql AS $$
	SELECT pg_temp.raises(query, '22023', 'jsonb value is not a jsonrow document', detail, NULL,
		format('no document, %s %s', detail, query)) $$;
CREATE CAST (jsonb AS bytea) WITHOUT FUNCTION;
CREATE CAST (bytea AS jsonb) WITHOUT FUNCTION;
CREATE CAST (bytea AS json) WITHOUT FUNCTION;
CREATE TYPE pair AS (x int, y text);

-- the helper itself
SELECT is(pg_temp.error_of('SELECT 1'), 'no error', 'a query without an error');
SELECT is(pg_temp.error_of($$DO 'BEGIN RAISE SQLSTATE ''TTEST'' USING MESSAGE = ''m'', DETAIL = ''d'', HINT '
	'= ''h''; END'$$),
	E'TTEST\nm\nd\nh', 'an error with everything');

-- names and values
SELECT pg_temp.raises(format('SELECT %s(%s)', agg, arguments), state, message, NULL, NULL,
	format('%s(%s)', agg, arguments))
FROM unnest(ARRAY['jsonrow_agg', 'jsonrow_agg_json', 'jsoncol_agg', 'jsoncol_agg_json']) agg, (VALUES
	('''{a,b}'', 1', '22023', pg_temp.count_error(2, 1)),
	('''{a}'', 1, 2', '22023', pg_temp.count_error(1, 2)),
	('''{}'', 1', '22023', pg_temp.count_error(0, 1)),
	('''{a,b}'', VARIADIC ARRAY[1, 2, 3]', '22023', pg_temp.count_error(2, 3)),
	('''{a,NULL}'', 1, 2', '22004', 'name of column 2 must not be null'),
	('NULL::text[], 1', '22004', 'column names must not be null')) v(arguments, state, message);

-- rows that differ
SELECT pg_temp.raises(query, '42804', 'columns differ from those of earlier rows', NULL,
	'All rows of one document must have the same columns. Use to_jsonb() for what differs.', query)
FROM unnest(ARRAY['SELECT jsonrow_agg(ARRAY[''k'' || i], i) FROM generate_series(1, 2) i',
	'SELECT jsoncol_agg_json(ARRAY[''k'' || i], i) FROM generate_series(1, 2) i',
	'SELECT jsonrow_agg(r) FROM (SELECT CASE i WHEN 1 THEN ROW(1) ELSE ROW(1, 2) END AS r FROM generate_series(1, '
		'2) i) s'])
	query;
SELECT pg_temp.raises(format('SELECT %s(''{"r 1"}'', r)
		FROM (SELECT CASE i WHEN 1 THEN ROW(1) ELSE ROW(1, 2) END AS r FROM generate_series(1, 2) i) s', agg),
	'42804', 'columns of record "r 1" differ from those of earlier rows', NULL,
	'Use to_jsonb() to write the record as an object.', agg || ' of records in a column that differ')
FROM unnest(ARRAY['jsonrow_agg', 'jsonrow_agg_json', 'jsoncol_agg', 'jsoncol_agg_json']) agg;
SELECT is(jsonrow_agg('{r}', to_jsonb(r))::text, '{"cols": ["r"], "rows": [[{"f1": 1}], [{"f1": 1, "f2": 2}]]}',
	'the way out that the hint names: to_jsonb()')
FROM (SELECT CASE i WHEN 1 THEN ROW(1) ELSE ROW(1, 2) END AS r FROM generate_series(1, 2) i) s;

-- documents that differ; (what advice there is, is the aggregates')
SELECT is(left(pg_temp.error_of(format('SELECT jsonrow_concat(%L, %L)', a, b)), length(message) + 6),
	format(E'42804\n%s', message), format('%s put together with %s', a, b))
FROM (VALUES ('{"cols":["a"],"rows":[]}', '{"cols":["b"],"rows":[]}', 'documents differ in their columns'),
	('{"cols":["a"],"rows":[]}', '{"cols":["a"],"vals":[[]]}', 'documents differ in orientation'),
	('{"cols":["a"],"rows":[],"types":[1]}', '{"cols":["a"],"rows":[]}', 'documents differ in member "types"'))
	v(a, b, message);

-- what is no document: to functions of whole documents, and to readers
SELECT pg_temp.is_no_document(format(call, doc), detail)
FROM unnest(ARRAY['SELECT jsonrow_delete(%L, 0)', 'SELECT jsonrow_to_objects(%L)', 'SELECT jsonrow_count(%L)',
		'SELECT jsonrow_get(%L, 0, 0)', 'SELECT count(*) FROM jsonrow_each(%L)']) call,
	(VALUES ('[]', 'It is not an object.'), ('1', 'It is not an object.'), ('[{"cols":[]}]', 'It is not an object.'),
	('{"cols":["a"],"rows":[],"vals":[],"x":1}', 'It has more than three members.'),
	('{"cols":["a"],"rows":[],"x":1}', 'It has a member other than "cols", "rows", "vals" and "types".'),
	('{"cols":["a"],"rows":[],"vals":[]}', 'It has both members "rows" and "vals".'),
	('{"rows":[]}', 'It has no member "cols".'), ('{"cols":[]}', 'It has no member "rows" or "vals".'),
	('{"cols":1,"rows":[]}', 'Member "cols" is not an array.'),
	('{"cols":[],"rows":{}}', 'Member "rows" is not an array.'),
	('{"cols":[],"vals":"x"}', 'Member "vals" is not an array.')) v(doc, detail);
SELECT pg_temp.is_no_document(query, detail)
FROM (VALUES ('SELECT jsonrow_to_rows(''{"cols":[1],"rows":[]}'')', 'Member "cols" is not a list of names.'),
	('SELECT jsonrow_cols(''{"cols":[1],"rows":[]}'')', 'Member "cols" is not a list of names.'),
	('SELECT jsonrow_to_rows(''{"cols":["a","b"],"vals":[[1],2]}'')', 'Vector 1 is not an array.'),
	('SELECT jsonrow_to_rows(''{"cols":["a","b"],"vals":[[1],[1,2]]}'')', 'Its vectors differ in length.'),
	('SELECT jsonrow_col(''{"cols":["a","b"],"vals":[[1],[1,2]]}'', 1)', 'Its vectors differ in length.'),
	('SELECT jsonrow_to_rows(''{"cols":["a","b"],"vals":[[1]]}'')',
		'The number of vectors (1) does not match the number of columns (2).'),
	('SELECT jsonrow_to_columns(''{"cols":["a","b"],"rows":[[1,2],[3]]}'')',
		'Row 1 is neither null nor an array of 2 cells.'),
	('SELECT jsonrow_to_objects(''{"cols":["a","b"],"rows":[[1,2],[3]]}'')',
		'Row 1 is neither null nor an array of 2 cells.'),
	('SELECT jsonrow_row(''{"cols":["a","b"],"rows":[[1,2],[3]]}'', 1)',
		'Row 1 is neither null nor an array of 2 cells.'),
	('SELECT * FROM jsonrow_to_recordset(''{"cols":["a"],"rows":[[1],[]]}'') r(a int)',
		'Row 1 is neither null nor an array of 1 cell.'),
	('SELECT jsonrow_to_objects(''{"cols":[{"a":[["x"]]}],"rows":[[5]]}'')',
		'The cell of a nested document is neither null nor an array.'),
	('SELECT jsonrow_to_objects(''{"cols":[{"a":["x"]}],"rows":[[5]]}'')',
		'A row is neither null nor an array of 1 cell.'),
	('SELECT jsonrow_to_columns(''{"cols":[{"a":["x"]}],"rows":[[[1]],[5]]}'')',
		'A nested cell of row 1 does not fit its header.'),
	('SELECT * FROM jsonrow_to_recordset(''{"cols":[{"p":["x","y"]}],"rows":[[[1]]]}'') r(p pair)',
		'A composite is not as wide as its header.')) v(query, detail);

-- damaged values
SELECT pg_temp.raises(format('SELECT %s', call), 'XX001', 'jsonb value is corrupt', NULL, NULL, 'damaged: ' || call)
FROM (SELECT overlay('{"cols":["a"],"rows":[[1]]}'::jsonb::bytea PLACING '\xff' FROM 8) AS bytes) d,
	unnest(ARRAY[format('jsonrow_get(%L::bytea::jsonb, 0, 0)', bytes), format('jsonrow_to_rows(%L::bytea::jsonb)',
		bytes)])
	call;

-- cells that a type doesn't accept: state and detail are PostgreSQL's, to the
-- number of dimensions; so is the message, unless it names a function of its own
SELECT CASE WHEN oracle = 'no error' THEN fail(format('PostgreSQL reads %s as %s', cell, type))
	ELSE is(said[1:3], CASE WHEN message IS NULL THEN expected[1:3] ELSE ARRAY[expected[1], message, expected[3]] END,
		format('%s as %s', cell, type)) END
FROM (VALUES ('5', 'int[]', NULL), ('[[1],[1,2]]', 'int[]', NULL), ('[1,[1,2]]', 'int[]', NULL),
	('{"a":1}', 'int[]', NULL),
	('"x"', 'int', NULL), ('1.5', 'int', NULL), ('3000000000', 'int', NULL), ('"{1"', 'int[]', NULL),
	('"(1,2,3)"', 'pair', NULL),
	('[[[[[[[1]]]]]]]', 'int[]', 'number of array dimensions (7) exceeds the maximum allowed (6)'),
	('5', 'pair', 'cannot make a composite from a cell that is neither a row nor an object')) v(cell, type, message),
	LATERAL (SELECT pg_temp.error_of(format('SELECT * FROM jsonrow_to_recordset(''{"cols":["c"],"rows":[[%s]]}'') '
		'r(c %s)',
			cell, type)), pg_temp.error_of(format('SELECT * FROM jsonb_to_recordset(''[{"c":%s}]'') r(c %s)', cell,
				type)))
	e(ours, oracle), LATERAL (SELECT string_to_array(ours, E'\n'), string_to_array(oracle, E'\n')) a(said, expected);

-- arguments
SELECT pg_temp.raises(query, state, message, detail, hint, query)
FROM (VALUES ('SELECT jsonrow_slice(''{"cols":[],"rows":[]}'', 0, -1)', '22023',
	'number of rows must not be negative', NULL, NULL),
	('SELECT jsonrow_chunks(''{"cols":[],"rows":[]}'', 0)', '22023', 'chunk size must be positive', NULL, NULL),
	('SELECT jsonrow_populate_recordset(1, ''{"cols":[],"rows":[]}'')', '42804',
		'first argument of jsonrow_populate_recordset must be a row type', NULL, NULL),
	('SELECT jsonrow_populate_recordset(NULL::record, ''{"cols":[],"rows":[]}'')', '0A000',
		'could not determine row type for result of jsonrow_populate_recordset', NULL,
		'Provide a non-null record argument, or call the function in the FROM clause using a column definition list.'),
	('SELECT jsonrow_append(''{"cols":["a","b"],"rows":[]}'', ''[1]'')', '22023', 'row does not fit the document',
		'A row of this document is an array of 2 cells, or null.', NULL),
	('SELECT jsonrow_append(''{"cols":["a","b"],"vals":[[],[]]}'', ''{}'')', '22023', 'row does not fit the document',
		'A row of this document is an array of 2 cells, or null.', NULL),
	('SELECT jsonrow_set(''{"cols":[{"d":[["x"]]}],"rows":[[null]]}'', 0, 0, ''[[1,2]]'')', '22023',
		'value does not fit column "d"', 'A cell of this column is null, or an array of rows of 1 cell.', NULL),
	('SELECT jsonrow_append(''{"cols":[{"d":[["x"]]}],"rows":[]}'', ''[5]'')', '22023',
		'value does not fit column "d"', 'A cell of this column is null, or an array of rows of 1 cell.', NULL),
	('SELECT jsonrow_set(''{"cols":[{"d":["x","y"]}],"rows":[[null]]}'', 0, 0, ''[1]'')', '22023',
		'value does not fit column "d"', 'A cell of this column is null, or a row of 2 cells.', NULL),
	('SELECT jsonrow_from_objects(''[1]'')', '22023', 'argument of jsonrow_from_objects must be an array of objects',
		NULL, NULL)) v(query, state, message, detail, hint);

-- the domains
SELECT throws_ok(format('SELECT %L::%s', '{"cols":["a"],"rows":[5]}', domain), '23514',
	format('value for domain %s violates check constraint "%1$s_check"', domain), 'no document as a ' || domain)
FROM unnest(ARRAY['jsonrow', 'jsonrow_json']) domain;

-- nested documents
SELECT pg_temp.raises(format('SELECT %s(ARRAY[''d "1"''], d::%s)
		FROM (VALUES (''{"cols":["a"],"rows":[]}''::%2$s), (''{"cols":["b"],"rows":[]}'')) v(d)', agg, domain),
	'42804', 'columns of nested document "d "1"" differ from those of earlier rows', NULL,
	'Cast the nested document to jsonb to keep it as it is, before COALESCE or CASE if it is in one.',
	format('%s of nested documents that differ, %s', agg, domain))
FROM unnest(ARRAY['jsonrow_agg', 'jsonrow_agg_json', 'jsoncol_agg', 'jsoncol_agg_json']) agg,
	unnest(ARRAY['jsonrow', 'jsonrow_json']) domain;
SELECT is((SELECT jsonrow_agg('{d}', d::jsonb)::text
		FROM (VALUES ('{"cols":["a"],"rows":[]}'::jsonrow), ('{"cols":["b"],"rows":[]}')) v(d)),
	'{"cols": ["d"], "rows": [[{"cols": ["a"], "rows": []}], [{"cols": ["b"], "rows": []}]]}',
	'the way out that the hint names: a cast to jsonb');

-- streams
SELECT pg_temp.raises(format('SELECT %s(%L)', stream, query), '42P11', 'cannot stream ' || what,
	'A stream takes one SELECT, VALUES or TABLE statement that changes nothing.', NULL,
	format('%s(%L)', stream, query))
FROM unnest(ARRAY['jsonrow_stream', 'jsonrow_stream_lines', 'jsonrow_stream_objects', 'jsonrow_stream_object_lines'])
	stream, (VALUES ('DELETE FROM literal', 'DELETE'), ('CREATE TABLE x()', 'CREATE TABLE'),
	('SELECT 1; SELECT 2', 'more than one statement'), ('', 'an empty statement'), (';', 'an empty statement'),
	('SELECT FROM literal FOR UPDATE', 'SELECT FOR UPDATE or SHARE'),
	('WITH d AS (DELETE FROM literal RETURNING *) SELECT FROM d', 'a statement that changes data')) v(query, what);
SELECT pg_temp.raises('SELECT jsonrow_stream(''c''::refcursor)', '34000', 'cursor "c" does not exist', NULL, NULL,
	'a stream of a cursor that is not open');
SELECT pg_temp.raises(format('SELECT %s(''SELECT repeat($1, 70000) AS x, NULL::%s AS "d 1"
		UNION ALL SELECT NULL, $2'', ''x'', %s)', stream, type, value), '42804',
	format('columns of %s "d 1" were not known when the header was sent', what), NULL, hint,
	format('%s: a %s that comes late', stream, what))
FROM unnest(ARRAY['jsonrow_stream', 'jsonrow_stream_lines']) stream,
	(VALUES ('jsonrow', '''{"cols":["a"],"rows":[[1]]}''::jsonrow', 'nested document',
		'Cast the nested document to jsonb to keep it as it is, before COALESCE or CASE if it is in one.'),
	('record', 'ROW(1)', 'record', 'Use to_jsonb() to write the record as an object.')) v(type, value, what, hint);
SELECT is((SELECT string_agg(piece, '' ORDER BY number) FROM jsonrow_stream('SELECT repeat($1, 70000) AS x, '
			'NULL::jsonb AS d UNION ALL SELECT NULL, $2::jsonb', 'x', '{"cols":["a"],"rows":[[1]]}'::jsonrow)
			WITH ORDINALITY p(piece, number)),
	format('{"cols":["x","d"],"rows":[["%s",null],[null,{"cols": ["a"], "rows": [[1]]}]]}', repeat('x', 70000)),
	'the way out that the hint names: a cast to jsonb');
SELECT pg_temp.raises(format('COPY (SELECT 1) TO ''/dev/null'' (FORMAT jsonrow, %s)', option), state, message, NULL,
	hint, format('COPY with %s', option))
FROM (VALUES
	('FORM x', '22023', 'COPY form "x" not recognized', 'Available forms: rows, lines, objects, object_lines.'),
	('HEADER', '0A000', 'cannot specify HEADER in JSONROW mode', NULL),
	('DELIMITER '';''', '42601', 'cannot specify DELIMITER in JSONROW mode', NULL),
	('NULL ''x''', '42601', 'cannot specify NULL in JSONROW mode', NULL)) v(option, state, message, hint);
SELECT pg_temp.raises('COPY literal FROM ''/dev/null'' (FORMAT jsonrow)', '0A000',
	'COPY FORMAT JSONROW is not supported for COPY FROM', NULL, NULL, 'COPY FROM');
SELECT CASE WHEN :'loaded' THEN skip('the library is preloaded', 1)
	ELSE is(:'said'::text, 'COPY format "jsonrow" not recognized', 'COPY before the library is loaded') END;

-- limits (of whole documents: limits.sql)
SELECT pg_temp.raises(format('SELECT %s', call), '54000',
	'total size of jsonb array elements exceeds the maximum of 268435455 bytes', NULL,
	'Use the aggregate''s _json form, or smaller batches of rows.', 'over 256 MB: ' || call)
FROM unnest(ARRAY['jsonrow_agg(''{x}'', repeat(''x'', 270000000))', 'jsonrow_array_agg(repeat(''x'', 270000000))',
	'jsoncol_agg(''{x,y}'', x, x) FROM (SELECT repeat(''x'', 140000000) AS x) s']) call;
SELECT is(octet_length(jsonrow_agg_json('{x}', repeat('x', 270000000))::text),
	octet_length('{"cols":["x"],"rows":[[""]]}') + 270000000, 'the way out that the hint names: the _json form');
SELECT pg_temp.raises(format('SELECT %s FROM generate_series(1, 3)', call), '54000',
	'JSON document exceeds the maximum of 1073741822 bytes', NULL,
	'Use jsonrow_stream, or smaller batches of rows.', 'over 1 GB: '
		|| call)
FROM unnest(ARRAY['jsonrow_agg_json(''{x}'', repeat(''x'', 400000000))']) call;
-- Minor releases differ in the text, and in whether 99 values are too many.
SELECT throws_ok(format('SELECT jsonrow_agg(''{a}'', %s)', (SELECT string_agg(i::text, ', ')
	FROM generate_series(1, 100) i)), '54023', NULL, '100 values in the names form');
SELECT is(jsonb_array_length(jsonrow_agg(ARRAY(SELECT 'c' || i FROM generate_series(1, 200) i),
		VARIADIC ARRAY(SELECT i FROM generate_series(1, 200) i)) #> '{rows,0}'), 200,
			'200 values as a VARIADIC array');

-- limits of another kind
SELECT is(jsonrow_agg(s)::text, '{"cols": ["a", "p", "d"], "rows": []}', 'WHERE false over a subquery with OFFSET')
FROM (SELECT 1 AS a, ROW(1, 'y')::pair AS p, '{"cols":["n"],"rows":[]}'::jsonrow AS d OFFSET 0) s WHERE false;
SELECT is((jsonrow_array_agg(VARIADIC ARRAY[1, 2]) OVER ())::text, '[[[1, 2]]]',
	'a VARIADIC array with OVER is one value');
SELECT pg_temp.raises('SELECT jsonrow_agg(''{a,b}'', VARIADIC ARRAY[1, 2]) OVER ()', '22023',
	pg_temp.count_error(2, 1), NULL, NULL,
	'a VARIADIC array with OVER has one name');

-- values that only force makes: of domains whose CHECK has been dropped
ALTER DOMAIN jsonrow DROP CONSTRAINT jsonrow_check;
ALTER DOMAIN jsonrow_json DROP CONSTRAINT jsonrow_json_check;
SELECT pg_temp.raises(format('SELECT jsonrow_agg(''{d}'', %L::%s)', doc, domain), '22023',
	'jsonb value is not a jsonrow document', detail, NULL,
	format('nested %s: %s', domain, doc))
FROM unnest(ARRAY['jsonrow', 'jsonrow_json']) domain, (VALUES ('{"rows":[]}', 'It has no member "cols".'),
	('[1]', 'It is not an object.'), ('{"cols":["a","b"],"vals":[[1],2]}', 'Vector 1 is not an array.'),
	('{"cols":["a","b"],"vals":[[1],[1,2]]}', 'Its vectors differ in length.')) v(doc, detail);
SELECT pg_temp.raises(format('SELECT jsonrow_agg_json(''{d}'', %L::jsonrow_json)', doc), '22023',
	'json value is not a jsonrow document', detail, NULL, 'nested jsonrow_json as JSON text: ' || doc)
FROM (VALUES ('{"rows":[]}', 'It has no member "cols".'), ('[1]', 'It is not an object.'),
	('{"cols":1,"rows":[]}', 'Member "cols" is not an array.'),
	('{"cols":[1],"rows":[]}', 'Member "cols" is not a list of names.'),
	('{"cols":["a","b"],"vals":[[1],2]}', 'Vector 1 is not an array.'),
	('{"cols":["a","b"],"vals":[[1],[1,2]]}', 'Its vectors differ in length.')) v(doc, detail);

SELECT * FROM finish();
ROLLBACK;

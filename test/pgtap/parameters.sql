-- Rows and columns by number, of whatever type the number comes.
\ir oracle.psql

SELECT plan(179);

CREATE TABLE doc AS SELECT
	'{"cols":["a","b","7"],"rows":[[1,2,3],[4,5,6]]}'::jsonb AS by_row,
	jsonrow_to_columns('{"cols":["a","b","7"],"rows":[[1,2,3],[4,5,6]]}')::jsonb AS by_column;

-- Integers of every type
SELECT is(jsonrow_get(by_row, 1::int2, 2::int2), '6', 'a cell by two smallints') FROM doc;
SELECT is(jsonrow_get(by_row, 1::int8, 2::int8), '6', 'a cell by two bigints') FROM doc;
SELECT is(jsonrow_get_text(by_row, -1::int8, -1::int8), '6', 'a cell by two bigints from the end') FROM doc;
SELECT is(jsonrow_row(by_row, 1::int8), '[4,5,6]', 'a row by a bigint') FROM doc;
SELECT is(jsonrow_object(by_row, 1::int8), '{"7":6,"a":4,"b":5}', 'an object by a bigint') FROM doc;
SELECT is(jsonrow_col(by_row, 1::int8), '[2,5]', 'a column by a bigint') FROM doc;
SELECT is(jsonrow_path(by_row, 1::int8, 'b'), '{rows,1,1}', 'a path by a bigint and a name') FROM doc;
SELECT is(jsonrow_set(by_row, 1::int8, 1::int8, '0') -> 'rows', '[[1,2,3],[4,0,6]]', 'a cell set by two bigints')
FROM doc;
SELECT is(jsonrow_delete(by_row, 1::int8) -> 'rows', '[[1,2,3]]', 'a row deleted by a bigint') FROM doc;
SELECT is(jsonrow_slice(by_row, 1::int8, 5::int8) -> 'rows', '[[4,5,6]]', 'a slice by two bigints') FROM doc;
SELECT is(array_agg(jsonrow_get(by_row, o - 1, 'a') ORDER BY o), '{1,4}', 'rows counted by WITH ORDINALITY')
FROM doc, jsonb_array_elements(by_row -> 'rows') WITH ORDINALITY e(r, o);

-- Numbers beyond those of int are rows and columns that are not there.
SELECT is(have, want, format('%s %s, %s', what, n, CASE WHEN d ? 'vals' THEN 'by column' ELSE 'by row' END))
FROM (SELECT by_row FROM doc UNION ALL SELECT by_column FROM doc) v(d),
	unnest('{2147483648,-2147483649,4294967296,4294967297,9223372036854775807,-9223372036854775808}'::int8[]) n,
	LATERAL (VALUES (jsonrow_get(d, n, 0), NULL, 'no cell in row'),
		(jsonrow_get(d, 0, n), NULL, 'no cell in column'),
		(jsonrow_row(d, n), NULL, 'no row'),
		(jsonrow_object(d, n), NULL, 'no object of row'),
		(jsonrow_col(d, n), NULL, 'no column'),
		(jsonrow_delete(d, n), d, 'nothing to delete at row'),
		(jsonrow_set(d, n, 0, '0'), d, 'nothing to set at row'),
		(jsonrow_set(d, 0, n, '0'), d, 'nothing to set at column')) x(have, want, what);
SELECT is(jsonrow_slice(by_row, first, count) -> 'rows', expected::jsonb,
	format('a slice from %s of %s rows', first, count))
FROM doc, (VALUES (0, 9223372036854775807, '[[1,2,3],[4,5,6]]'), (1, 9223372036854775807, '[[4,5,6]]'),
	(9223372036854775807, 9223372036854775807, '[]'), (-9223372036854775808, 9223372036854775807, '[[1,2,3]]'),
	(-9223372036854775808, 5, '[]'), (4294967296, 1, '[]')) v(first, count, expected);

-- A parameter without a type is a name, and a name that is a column's number is an error.
PREPARE cell AS SELECT jsonrow_get((SELECT by_row FROM doc), $1, $2);
SELECT is((SELECT array_agg(t::text) FROM pg_prepared_statements p, unnest(parameter_types) t WHERE name = 'cell'),
	'{bigint,text}', 'parameters without a type are a row number and a name');
CREATE FUNCTION pg_temp.hint_of(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	state text;
	message text;
	hint text;
BEGIN
	EXECUTE query;
	RETURN 'no error';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT, hint = PG_EXCEPTION_HINT;
	RETURN concat_ws('; ', state, message, hint);
END $$;
SELECT is(pg_temp.hint_of(format(query, col)), format('42703; column "%s" does not exist; '
		'To refer to a column by its number, pass an integer. Cast a parameter, as in $1::int.', col),
	format('number %s as text: %s', col, query))
FROM (VALUES ('EXECUTE cell(0, ''%s'')'),
		('SELECT jsonrow_get(by_row, 0, ''%s'') FROM doc'),
		('SELECT jsonrow_get(by_column, 0, ''%s'') FROM doc'),
		('SELECT jsonrow_get_text(by_row, 0, ''%s''::text) FROM doc'),
		('SELECT jsonrow_col(by_row, ''%s'') FROM doc'),
		('SELECT jsonrow_path(by_row, 0, ''%s'') FROM doc'),
		('SELECT jsonrow_find(by_row, ''%s'', ''1'') FROM doc'),
		('SELECT jsonrow_set(by_row, 0, ''%s'', ''1'') FROM doc'),
		('SELECT jsonrow_set(by_column, 0, ''%s'', ''1'') FROM doc')) q(query),
	unnest('{0,1,2,-1,-3,02}'::text[]) col;
SELECT is(jsonrow_get(by_row, 0, name), expected::jsonb, format('column %L by name', name))
FROM doc, (VALUES ('7', '3'), ('3', NULL), ('-4', NULL), ('99999999999999999999', NULL), ('', NULL), ('-', NULL),
	('1x', NULL), (' 1', NULL), ('+1', NULL), ('1.0', NULL), ('B', NULL)) v(name, expected);

SELECT * FROM finish();
ROLLBACK;

-- Documents whose type does not tell that they are: what coalesce and CASE
-- give.  The query tells, and they are hoisted all the same.
\ir oracle.psql

SELECT plan(536);

CREATE TABLE film (id int, title text);
CREATE TABLE actor (film int, name text);
CREATE TABLE award (actor text, year int);
INSERT INTO film SELECT i, 'Film ' || i FROM generate_series(1, 7) i;
INSERT INTO actor SELECT i % 5 + 1, 'Actor ' || i FROM generate_series(1, 8) i;
INSERT INTO award SELECT 'Actor ' || i % 3 + 1, 2000 + i FROM generate_series(1, 6) i;

/*
 * An expression is a template: {agg} is an aggregate of the actors of film f,
 * in the oracle one that gives the same objects; {type} is json or jsonb.
 */
CREATE TABLE expression (name text, template text);
INSERT INTO expression VALUES
	('coalesce', 'coalesce((SELECT {agg} FROM (SELECT name FROM actor WHERE film = f.id ORDER BY name) a), ''[]'')'),
	('coalesce with a typed []',
		'coalesce((SELECT {agg} FROM (SELECT name FROM actor WHERE film = f.id ORDER BY name) a), ''[]''::{type})'),
	('coalesce that begins with NULL', 'coalesce(NULL, CASE WHEN f.id > 2 THEN '
		'(SELECT {agg} FROM (SELECT name FROM actor WHERE film = f.id ORDER BY name) a) END, ''[ ]'')'),
	('CASE without ELSE',
		'CASE WHEN f.id <> 2 THEN (SELECT {agg} FROM (SELECT name FROM actor WHERE film = f.id ORDER BY name) a) END'),
	('CASE of several', 'CASE f.id WHEN 2 THEN ''[]'' WHEN 3 THEN NULL ELSE '
		'(SELECT {agg} FROM (SELECT name FROM actor WHERE film = f.id ORDER BY name) a) END'),
	('CASE of two documents',
		'CASE WHEN f.id > 3 THEN (SELECT {agg} FROM (SELECT name FROM actor WHERE film = f.id ORDER BY name) a) '
		'WHEN f.id > 1 THEN (SELECT {agg} FROM (SELECT name FROM actor WHERE film > f.id ORDER BY name) a) END'),
	('coalesce in the subquery',
		'(SELECT coalesce({agg}, ''[]'') FROM (SELECT name FROM actor WHERE film = f.id ORDER BY name) a)'),
	('coalesce in a subquery of a subquery', '(SELECT x.docs FROM (SELECT coalesce({agg}, ''[]'') AS docs '
		'FROM (SELECT name FROM actor WHERE film = f.id ORDER BY name OFFSET 0) a OFFSET 0) x)'),
	('a deeper coalesce', '(SELECT coalesce({agg}, ''[]'') FROM (SELECT name, coalesce((SELECT {award} FROM '
		'(SELECT year FROM award WHERE actor = actor.name ORDER BY year) w), ''[]'') AS awards '
		'FROM actor WHERE film = f.id ORDER BY name) a)');

/* How the expression {e} gets into the outer aggregate {outer} */
CREATE TABLE shape (name text, record boolean, template text);
INSERT INTO shape VALUES
	('a subquery', true, 'SELECT {outer} FROM (SELECT id, {e} AS docs FROM film f ORDER BY id) r'),
	('names', false, 'SELECT {outer} FROM (SELECT * FROM film ORDER BY id) f'),
	('a subquery that stays one', true,
		'SELECT {outer} FROM (SELECT id, {e} AS docs FROM film f ORDER BY id OFFSET 0) r'),
	('a CTE', true, 'WITH r AS MATERIALIZED (SELECT id, {e} AS docs FROM film f ORDER BY id) SELECT {outer} FROM r'),
	('LATERAL', true, 'SELECT {outer} FROM (SELECT f.id, x.docs FROM film f LEFT JOIN LATERAL '
		'(SELECT {e} AS docs) x ON true ORDER BY f.id) r'),
	('UNION ALL', false, 'SELECT {outer_docs} FROM (SELECT id, {e} AS docs FROM film f WHERE id < 4 '
		'UNION ALL SELECT id, {e} FROM film f WHERE id >= 4 ORDER BY 1) f'),
	('ORDER BY', true, 'SELECT {outer_sorted} FROM (SELECT id, {e} AS docs FROM film f) r'),
	('no rows', true, 'SELECT {outer} FROM (SELECT id, {e} AS docs FROM film f WHERE id > 100 ORDER BY id) r'),
	('a window', true, 'SELECT {outer} OVER () FROM (SELECT id, {e} AS docs FROM film f ORDER BY id) r LIMIT 1'),
	('a record in a record', true, 'SELECT {outer} FROM (SELECT id, ROW(id, {e}) AS docs FROM film f ORDER BY id) r');

CREATE FUNCTION pg_temp.fill(shape shape, e expression, outer_agg text, inner_agg text, award_agg text, type text)
RETURNS text LANGUAGE sql AS $$
	SELECT replace(replace(replace(replace(replace(replace(replace(shape.template,
		'{e}', e.template), '{agg}', inner_agg), '{award}', award_agg), '{type}', type),
		'{outer}', CASE WHEN shape.record THEN outer_agg || '(r.*)' ELSE format(outer_agg, replace(replace(replace(
			e.template, '{agg}', inner_agg), '{award}', award_agg), '{type}', type)) END),
		'{outer_docs}', format(outer_agg, 'docs')), '{outer_sorted}', outer_agg || '(r.* ORDER BY r.id)')
$$;

/* NULL, or what is wrong: the document as objects must be PostgreSQL's own objects, and its header tell of them. */
CREATE FUNCTION pg_temp.check_hidden(shape shape, e expression, agg text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	type CONSTANT text := CASE WHEN agg LIKE '%json' THEN 'json' ELSE 'jsonb' END;
	inner_agg CONSTANT text := CASE WHEN type = 'json' THEN 'jsonrow_agg_json' ELSE 'jsonrow_agg' END;
	ours text := pg_temp.fill(shape, e, CASE WHEN shape.record THEN agg ELSE agg || '(''{id,docs}'', f.id, %s)' END,
		inner_agg || '(a.*)', inner_agg || '(w.*)', type);
	theirs text := pg_temp.fill(shape, e,
		CASE WHEN shape.record THEN 'jsonb_agg' ELSE 'jsonb_agg(jsonb_build_object(''id'', f.id, ''docs'', %s))' END,
		'coalesce(' || type || '_agg(a.*), ''[]'')', 'coalesce(' || type || '_agg(w.*), ''[]'')', type);
	doc jsonb;
	objects jsonb;
	header jsonb;
BEGIN
	EXECUTE ours INTO doc;
	EXECUTE format('SELECT coalesce((%s), ''[]'')', theirs) INTO objects;
	IF NOT jsonrow_is_valid(doc) THEN
		RETURN 'no document: ' || doc;
	END IF;
	IF jsonrow_to_objects(doc) IS DISTINCT FROM objects THEN
		RETURN format('%s: %s instead of %s', ours, jsonrow_to_objects(doc), objects);
	END IF;
	header := doc #> CASE WHEN shape.name = 'a record in a record' THEN '{cols,1,docs,1,f2,0}'::text[]
		ELSE '{cols,1,docs,0}' END;
	RETURN CASE WHEN header ->> 0 IS DISTINCT FROM 'name' THEN ours || ': header ' || (doc -> 'cols') END;
END $$;

SELECT is(pg_temp.check_hidden(shape, e, agg), NULL, format('%s, by way of %s, in %s', e.name, shape.name, agg))
FROM expression e, shape,
	unnest('{jsonrow_agg,jsonrow_agg_json,jsoncol_agg,jsoncol_agg_json}'::text[]) agg
ORDER BY shape.name, e.name, agg;

-- A stream knows no other form of the plan: it finds what the aggregate finds.
SELECT is(pg_temp.check_stream(pg_temp.fill(ROW(s.name, true, replace(s.template, '{outer}', 'r.*'))::shape, e, '',
	agg || '(a.*)', agg || '(w.*)', type)), NULL, format('%s, by way of %s, streamed: %s', e.name, s.name, agg))
FROM expression e, shape s, (VALUES ('jsonrow_agg', 'jsonb'), ('jsonrow_agg_json', 'json')) a(agg, type)
WHERE s.record AND s.template ~ '{outer} FROM'
ORDER BY s.name, e.name, agg;

-- What only [] and NULL have come by says what the query says.
SELECT is(jsonrow_agg_json(r.*)::text,
	'{"cols":["id",{"docs":[["name",{"awards":[["year"]]}]]}],"rows":[[6,[]],[7,[]]]}',
	'rows that have only [] keep the header that the query tells, at every depth')
FROM (SELECT id, coalesce(CASE WHEN id < 0 THEN (SELECT jsonrow_agg_json(a.*) FROM (SELECT name, coalesce(
		(SELECT jsonrow_agg_json(w.*) FROM (SELECT year FROM award WHERE actor = name) w), '[]') AS awards
		FROM actor WHERE film = f.id) a) END, '[]') AS docs
	FROM film f WHERE id > 5 ORDER BY id) r;

-- In workers as in the leader
CREATE TABLE many AS SELECT i AS id, (CASE WHEN i % 3 > 0 THEN d END)::jsonrow AS docs
FROM (SELECT i, jsonrow_agg('{n}', i) AS d FROM generate_series(1, 3000) i GROUP BY i) s;
ANALYZE many;
CREATE FUNCTION pg_temp.in_parallel(query text) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
	line text;
	parallel boolean := false;
	result jsonb;
BEGIN
	FOR line IN EXECUTE 'EXPLAIN ' || query LOOP
		parallel := parallel OR line LIKE '%Partial Aggregate%';
	END LOOP;
	IF NOT parallel THEN
		RAISE 'not parallel: %', query;
	END IF;
	EXECUTE query INTO result;
	RETURN result;
END $$;
SAVEPOINT serial;
\ir parallel.psql
SELECT is((SELECT jsonb_agg(o ORDER BY (o ->> 'id')::int)
		FROM jsonb_array_elements(jsonrow_to_objects(pg_temp.in_parallel(format(query, agg)))) o),
	(SELECT jsonb_agg(jsonb_build_object('id', id, 'docs', CASE WHEN docs IS NULL THEN '[]'
		ELSE jsonrow_to_objects(docs) END) ORDER BY id) FROM many),
	format('%s hoists what coalesce gives in parallel workers, too: %s', agg, form))
FROM unnest('{jsonrow_agg,jsonrow_agg_json,jsoncol_agg,jsoncol_agg_json}'::text[]) agg,
	(VALUES ('records', 'SELECT %s(r.*) FROM (SELECT id, coalesce(docs, ''[]'') AS docs FROM many) r'),
		('names', 'SELECT %s(''{id,docs}'', id, coalesce(docs, ''[]'')) FROM many')) v(form, query);
ROLLBACK TO serial;

-- Where it is not certain, or not wanted, the value stays as it is.
CREATE TABLE stored (id int, doc jsonb, document jsonrow);
INSERT INTO stored SELECT 1, d, d FROM (SELECT jsonrow_agg(f.*) AS d FROM film f) s;
CREATE FUNCTION pg_temp.cols(query text) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE doc jsonb;
BEGIN
	EXECUTE format('SELECT %s', query) INTO doc;
	IF NOT jsonrow_is_valid(doc) THEN
		RAISE 'no document: %', doc;
	END IF;
	RETURN doc -> 'cols';
END $$;
SELECT is(pg_temp.cols(format('(SELECT jsonrow_agg(r.*) FROM (SELECT 1 AS id, %s AS docs) r)', expr)),
	'["id", "docs"]', 'not hoisted: ' || what)
FROM (VALUES
	('a document that was cast to jsonb', 'coalesce((SELECT jsonrow_agg(a.*) FROM actor a)::jsonb, ''[]'')'),
	('a coalesce with another constant', 'coalesce((SELECT jsonrow_agg(a.*) FROM actor a), ''{}'')'),
	('a coalesce with a scalar', 'coalesce((SELECT jsonrow_agg(a.*) FROM actor a), ''0'')'),
	('a coalesce with an array that is not empty', 'coalesce((SELECT jsonrow_agg(a.*) FROM actor a), ''[[]]'')'),
	('a coalesce with a jsonb value', 'coalesce((SELECT jsonrow_agg(a.*) FROM actor a), (SELECT doc FROM stored))'),
	('a CASE with a jsonb value',
		'CASE WHEN random() < 2 THEN (SELECT doc FROM stored) ELSE (SELECT jsonrow_agg(a.*) FROM actor a) END'),
	('no document at all', 'coalesce(NULL::jsonb, ''[]'')'),
	('a jsonb column', 'coalesce((SELECT doc FROM stored), ''[]'')'),
	('a union with something else',
		'(SELECT x FROM (SELECT coalesce((SELECT jsonrow_agg(a.*) FROM actor a), ''[]'') AS x '
		'UNION ALL SELECT doc FROM stored) u LIMIT 1)')) v(what, expr);
SELECT is(pg_temp.cols('(SELECT jsonrow_agg(r.*) FROM (SELECT 1 AS id, coalesce(document, ''[]'') AS docs
		FROM stored) r)'),
	'["id", {"docs": [["id", "title"]]}]', 'a stored jsonrow in a coalesce is hoisted');
SELECT is((SELECT jsonrow_array_agg(coalesce((SELECT jsonrow_agg(f.*) FROM film f), '[]'))),
	(SELECT jsonb_build_array(jsonb_build_array(d)) FROM (SELECT jsonrow_agg(f.*)::jsonb AS d FROM film f) s),
	'jsonrow_array_agg has no header, so it keeps what coalesce gives as it is');

-- Documents that differ are plain values where the query tells so, and else an error, as of any nested document.
SELECT is(pg_temp.cols('(SELECT jsonrow_agg(r.*) FROM (SELECT CASE WHEN id = 1
		THEN (SELECT jsonrow_agg(f.*) FROM film f)
		WHEN id = 2 THEN (SELECT jsonrow_agg(a.*) FROM actor a) END AS docs FROM film ORDER BY id) r)'), '["docs"]',
	'two kinds of documents of one CASE stay what they are');
SELECT is(pg_temp.cols('(SELECT jsonrow_agg(r.*) FROM (SELECT CASE f.id WHEN 1
		THEN (SELECT jsonrow_agg(g.*) FROM film g WHERE g.id >= f.id)
		WHEN 2 THEN (SELECT jsonrow_agg(a.*) FROM actor a WHERE film = f.id) END AS docs FROM film f ORDER BY id) r)'),
	'["docs"]', 'two kinds of documents of one CASE, of correlated subqueries, stay what they are');
SELECT throws_ok($$ SELECT jsonrow_agg('{docs}', coalesce(d, '[]'))
	FROM (VALUES ('{"cols":["a"],"rows":[]}'::jsonrow), ('{"cols":["b"],"rows":[]}'::jsonrow)) v(d) $$,
	'42804', 'columns of nested document "docs" differ from those of earlier rows',
	'two kinds of documents in one coalesce do not fit under one header');
SELECT is(pg_temp.cols($$ (SELECT jsonrow_agg('{docs}', coalesce(d::jsonb, '[]'))
		FROM (VALUES ('{"cols":["a"],"rows":[]}'::jsonrow), ('{"cols":["b"],"rows":[]}'::jsonrow)) v(d)) $$), '["docs"]',
	'the way out that the hint names: a cast to jsonb within coalesce');

-- What has no choice is what its type says, as a function that PostgreSQL has put into the query.
CREATE FUNCTION pg_temp.as_jsonb(doc jsonrow) RETURNS jsonb LANGUAGE sql IMMUTABLE AS 'SELECT doc';
SELECT is(pg_temp.cols(query), '["id", "x"]', query)
FROM unnest(ARRAY['(SELECT jsonrow_agg(''{id,x}'', id, pg_temp.as_jsonb(document)) FROM stored)',
	'(SELECT jsonrow_agg(r.*) FROM (SELECT id, pg_temp.as_jsonb(document) AS x FROM stored OFFSET 0) r)',
	'(SELECT jsonrow_agg(''{id,x}'', id, coalesce(document, NULL::jsonb)) FROM stored)',
	'(SELECT jsonrow_agg(''{id,x}'', id, CASE WHEN true THEN document ELSE ''{}'' END) FROM stored)']) query;

-- Inputs of UNION ALL without documents are neutral.
SELECT is(jsonrow_agg_json('{id,docs}', id, docs)::text,
	'{"cols":["id",{"docs":[["id","title"]]}],"rows":[[1,[]],[1,null],[1,[[6,"Film 6"],[7,"Film 7"]]]]}',
	'a union of [], NULL and a document')
FROM (SELECT 1 AS id, '[]'::jsonb AS docs UNION ALL SELECT 1, NULL
	UNION ALL SELECT id, coalesce((SELECT jsonrow_agg(f.*) FROM film f WHERE id > 5), '[]') FROM stored) u;

-- Whole rows of a union are made in each of its inputs, of which the first does not speak for the others.
SELECT is(pg_temp.cols(format('(SELECT jsonrow_agg(u.*) FROM (%s) u)', query)), '["id", "x"]', query)
FROM unnest(ARRAY['SELECT id, coalesce(document, ''[]'') AS x FROM stored UNION ALL SELECT id, doc FROM stored',
	'SELECT id, coalesce(document, ''[]'') AS x FROM stored UNION ALL SELECT id, ''{"n":1}''::jsonb FROM stored',
	'WITH RECURSIVE r(id, x) AS (SELECT id, coalesce(document, ''[]'') FROM stored
		UNION ALL SELECT id + 1, ''{}''::jsonb FROM r WHERE id < 3) SELECT * FROM r']) query;

-- Window functions that differ in names only
SELECT is(concat_ws(' ', a -> 'cols', b -> 'cols'),
	'["i", {"d": [["id", "title"]]}] ["i", {"e": [["id", "title"]]}]', 'two window functions of the same types')
FROM (SELECT jsonrow_agg('{i,d}', id, d) OVER w AS a, jsonrow_agg('{i,e}', id, d) OVER w AS b
	FROM (SELECT id, coalesce(document, '[]') AS d FROM stored) s WINDOW w AS (ORDER BY id)) x;

-- Partition by partition, what did not come is told as in one.
CREATE TABLE part (id int, d jsonrow) PARTITION BY LIST (id);
CREATE TABLE part_1 PARTITION OF part FOR VALUES IN (1);
CREATE TABLE part_2 PARTITION OF part FOR VALUES IN (2);
INSERT INTO part VALUES (1, NULL), (2, NULL);
CREATE FUNCTION pg_temp.parts(partitionwise text) RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
	PERFORM set_config('enable_partitionwise_aggregate', partitionwise, true),
		set_config('max_parallel_workers_per_gather', '0', true), set_config('cpu_tuple_cost', '1000', true);
	RETURN QUERY SELECT jsonrow_agg(s.*) ->> 'cols' FROM (SELECT part.id,
		coalesce((SELECT jsonrow_agg('{z}', q.id) FROM film q WHERE q.id = part.id + 9), '[]') AS d,
		(SELECT jsonrow_agg('{w}', q.id) FROM film q WHERE q.id = part.id + 9 HAVING count(*) > 0) AS e
		FROM part WHERE id > random() * 0) s;
	RETURN QUERY SELECT jsonrow_agg(s.*) ->> 'cols' FROM (SELECT part.id, coalesce(d, '[]') AS d
		FROM part WHERE id > 100 - random()) s;
END $$;
SELECT is(array_agg(a), ARRAY['["id", {"d": [["z"]]}, {"e": [["w"]]}]', '["id", {"d": [[]]}]'],
	'columns of partitions, aggregated partition by partition: ' || setting)
FROM unnest('{on,off}'::text[]) setting, pg_temp.parts(setting) a GROUP BY setting;
RESET cpu_tuple_cost;
RESET max_parallel_workers_per_gather;

-- Ways to an expression that are very many are not all followed.
CREATE FUNCTION pg_temp.doubled(times int) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text := 'SELECT id, coalesce(document, ''[]'') AS d FROM stored';
BEGIN
	FOR i IN 1 .. times LOOP
		result := format('SELECT id, CASE WHEN id < %s THEN d WHEN random() < 0 THEN d ELSE ''[]'' END AS d
			FROM (%s OFFSET 0) s', i, result);
	END LOOP;
	EXECUTE 'SELECT jsonrow_agg(r.*) FROM (' || result || ' OFFSET 0) r' INTO result;
	RETURN result;
END $$;
SET LOCAL statement_timeout = '10min';
SELECT coalesce(pg_temp.cpu_seconds()::text, 'NULL') AS before \gset
SELECT ok(jsonrow_is_valid(pg_temp.doubled(22)::jsonb), 'a value that is used twice, 22 times over');
SELECT pg_temp.takes_less(pg_temp.cpu_seconds() - :before, 10, 'a value that is used twice is looked at once');
SET LOCAL statement_timeout = 0;

-- A plan for all executions and one for each tell the same.
PREPARE default_by_parameter(jsonb) AS SELECT jsonrow_agg('{id,x}', id, coalesce(document, $1))::text FROM stored;
PREPARE record_by_parameter(jsonb) AS SELECT jsonrow_agg(r.*)::text
	FROM (SELECT id, coalesce(document, $1) AS x FROM stored OFFSET 0) r;
PREPARE choice(text) AS SELECT jsonrow_agg('{id,x}', id,
	CASE WHEN $1 = 'all' THEN document ELSE '{}' END)::text FROM stored;
PREPARE choice_or_null(text) AS SELECT jsonrow_agg('{id,x}', id,
	CASE WHEN $1 = 'all' THEN document END)::text FROM stored;
PREPARE choices(text) AS SELECT jsonrow_agg('{id,x}', id, CASE WHEN $1 IS NULL THEN '[]' WHEN id > 5 THEN '{}'
	WHEN $1 <> 'none' THEN document END)::text FROM stored;
PREPARE no_rows(jsonb) AS SELECT jsonrow_agg('{id,x}', id, coalesce(document, $1))::text FROM stored WHERE id > 100;
CREATE FUNCTION pg_temp.by_plan(mode text, statement text, parameter text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	PERFORM set_config('plan_cache_mode', mode, true);
	EXECUTE format('EXECUTE %s(%L)', statement, parameter) INTO result;
	RETURN result;
END $$;
SELECT is(pg_temp.by_plan('force_generic_plan', statement, parameter),
	pg_temp.by_plan('force_custom_plan', statement, parameter),
	format('%s(%L) gives the same by a generic plan and by a custom one', statement, parameter))
FROM (VALUES ('default_by_parameter', '{[],NULL,"{}","[[]]",0,"[ ]"}'::text[]),
	('record_by_parameter', '{[],NULL,"{}"}'), ('choice', '{all,none,NULL}'), ('choice_or_null', '{all,none,NULL}'),
	('choices', '{all,none,NULL}'), ('no_rows', '{[],NULL,"{}"}')) v(statement, parameters), unnest(parameters) parameter;
SELECT matches(pg_temp.by_plan('force_generic_plan', 'default_by_parameter', '[]'), '"cols": \["id", \{"x"',
	'coalesce with a parameter that is [] is hoisted');
SELECT is(pg_temp.by_plan('force_generic_plan', 'no_rows', '[]')::jsonb -> 'cols', '["id", {"x": [[]]}]',
	'no rows, with a parameter that is []: a nested document');
CREATE FUNCTION pg_temp.with_variable(missing jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
	RETURN (SELECT jsonrow_agg('{id,x}', id, coalesce(document, missing)) FROM stored) -> 'cols';
END $$;
SELECT is(array_agg(DISTINCT pg_temp.with_variable('[]')), '{"[\"id\", {\"x\": [[\"id\", \"title\"]]}]"}'::jsonb[],
	'a variable of PL/pgSQL as the default of coalesce, however often it is called')
FROM generate_series(1, 12);
SET LOCAL plan_cache_mode = auto;

-- What an uncorrelated subquery has made of it is not followed, in workers or elsewhere.
SELECT is(pg_temp.cols('(SELECT jsonrow_agg(''{id,x}'', id, (SELECT coalesce(jsonrow_agg(a.*), ''[]'') FROM actor a))
		FROM many)'), '["id", "x"]', 'coalesce in an uncorrelated subquery, in a serial plan');
SAVEPOINT serial;
\ir parallel.psql
SELECT is(pg_temp.in_parallel('SELECT jsonrow_agg(''{id,x}'', id,
		(SELECT coalesce(jsonrow_agg(a.*), ''[]'') FROM actor a)) FROM many') -> 'cols',
	'["id", "x"]', 'coalesce in an uncorrelated subquery, in a parallel plan');
ROLLBACK TO serial;

-- Views: as a subquery, and by their row type, which is a named one
CREATE VIEW film_docs AS SELECT id, coalesce(
	(SELECT jsonrow_agg_json(a.*) FROM (SELECT name FROM actor WHERE film = f.id ORDER BY name) a), '[]') AS docs
FROM film f;
SELECT is(jsonrow_to_objects(doc::jsonb), (SELECT jsonb_agg(jsonb_build_object('id', id, 'docs', coalesce(
		(SELECT jsonb_agg(a.*) FROM (SELECT name FROM actor WHERE film = f.id ORDER BY name) a), '[]')) ORDER BY id)
	FROM film f), 'the documents of a view, aggregated ' || how)
FROM (SELECT 'as whole rows', jsonrow_agg_json(v.* ORDER BY v.id) FROM film_docs v
	UNION ALL SELECT 'as whole rows of a subquery', jsonrow_agg_json(s.* ORDER BY s.id)
		FROM (SELECT * FROM film_docs) s
	UNION ALL SELECT 'by names', jsonrow_agg_json('{id,docs}', id, docs ORDER BY id) FROM film_docs
	UNION ALL SELECT 'as records', jsonrow_agg_json(v) FROM (SELECT * FROM film_docs ORDER BY id OFFSET 0) v) x(how, doc);

SELECT is(jsonrow_agg('{a}', x)::text, '{"cols": ["a"], "rows": [[1], [2]]}', 'a column that is a set')
FROM (SELECT jsonb_array_elements('[1,2]') AS x) s;

SELECT * FROM finish();
ROLLBACK;

-- What a document is: jsonrow_is_valid, the domains, and why a value is none.
\pset format unaligned
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS jsonrow;
RESET client_min_messages;
\pset null <NULL>

CREATE TEMP TABLE docs (id int GENERATED ALWAYS AS IDENTITY, doc text);
INSERT INTO docs (doc) VALUES
	('{"cols":["a"],"rows":[[1]]}'), ('{"cols":["a"],"vals":[[1]]}'), ('{"cols":[],"rows":[]}'),
	('{"cols":[],"vals":[]}'),
	('{"cols":["a","a"],"rows":[[1,2],null]}'), ('{"rows":[[1]],"cols":["a"]}'),
	('{"cols":["a"],"rows":[],"types":["int4"]}'),
	('{"cols":[{"r":["x"]}],"rows":[[[1]],[null]]}'),
	('{"cols":[{"n":[["x"]]}],"rows":[[[[1],null]],[[]]]}'), ('{"cols":[{"n":[[]]}],"rows":[[[]]]}');
SELECT id, jsonrow_is_valid(doc::jsonb), jsonrow_is_valid(doc::json), doc FROM docs ORDER BY id;
SELECT jsonrow_is_valid(NULL::jsonb), jsonrow_is_valid(NULL::json);

-- none of these, and why
TRUNCATE docs;
INSERT INTO docs (doc) VALUES
	('1'), ('[]'), ('{}'), ('{"cols":["a"]}'), ('{"rows":[]}'), ('{"cols":["a"],"rows":[],"vals":[]}'),
	('{"cols":["a"],"rows":[],"x":1}'),
	('{"cols":["a"],"rows":[],"types":1,"x":1}'), ('{"cols":"a","rows":[]}'), ('{"cols":["a"],"rows":{}}'),
	('{"cols":["a"],"vals":1}'), ('{"cols":[1],"rows":[]}'),
	('{"cols":[{"a":["b"],"c":[]}],"rows":[]}'), ('{"cols":["a"],"rows":[1]}'),
	('{"cols":["a"],"rows":[[1],[]]}'), ('{"cols":["a","b"],"vals":[[1]]}'),
	('{"cols":["a"],"vals":[1]}'), ('{"cols":["a","b"],"vals":[[1],[]]}'),
	('{"cols":[{"n":[["x"]]}],"rows":[[[]],[5]]}'), ('{"cols":[{"r":["x"]}],"rows":[[[1,2]]]}');
SELECT id, jsonrow_is_valid(doc::jsonb), jsonrow_is_valid(doc::json), doc FROM docs ORDER BY id;
SELECT format('SELECT jsonrow_to_objects(%L);', doc) FROM docs ORDER BY id \gexec

-- the domains
SELECT '{"cols":["a"],"rows":[[1]]}'::jsonrow, '{"cols":["a"],"rows":[[1]]}'::jsonrow_json;
SELECT '{"cols":["a"],"rows":[[1,2]]}'::jsonrow;
SELECT '{"cols":["a"],"rows":[[1,2]]}'::jsonrow_json;
SELECT NULL::jsonrow, NULL::jsonrow_json;
SELECT '{"cols":["a"],"rows":[[1]]}'::jsonrow -> 'cols' AS "as jsonb",
	'{"cols":["a"],"rows":[[1]]}'::jsonrow_json ->> 'rows' AS "as json";

-- everything of ours is stated and commented on; what a stream runs may be unsafe in a worker
SELECT p.oid::regprocedure FROM pg_proc p
JOIN pg_depend d ON d.objid = p.oid AND d.classid = 'pg_proc'::regclass AND d.deptype = 'e'
JOIN pg_extension e ON e.oid = d.refobjid AND e.extname = 'jsonrow'
WHERE (p.proparallel = 's') = (p.proname ~ '^jsonrow_(stream|explain)') OR obj_description(p.oid, 'pg_proc') IS NULL;

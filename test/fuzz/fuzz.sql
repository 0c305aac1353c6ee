-- What the fuzzer needs in its database: the module's functions, types of
-- rows, and a pool of values for each type.  MODULE is replaced by the path.

CREATE EXTENSION jsonrow;

CREATE FUNCTION fuzz_damage(jsonb, bigint) RETURNS jsonb AS 'MODULE' LANGUAGE C STRICT;
CREATE FUNCTION fuzz_damage(json, bigint) RETURNS json AS 'MODULE' LANGUAGE C STRICT;
CREATE FUNCTION fuzz_damage(jsonrow, bigint) RETURNS jsonrow AS 'MODULE' LANGUAGE C STRICT;
CREATE FUNCTION fuzz_damage(jsonrow_json, bigint) RETURNS jsonrow_json AS 'MODULE' LANGUAGE C STRICT;
CREATE FUNCTION fuzz_jsonb(bytea) RETURNS jsonb AS 'MODULE', 'fuzz_raw' LANGUAGE C STRICT;
CREATE FUNCTION fuzz_json(bytea) RETURNS json AS 'MODULE', 'fuzz_raw' LANGUAGE C STRICT;
CREATE FUNCTION fuzz_jsonrow(bytea) RETURNS jsonrow AS 'MODULE', 'fuzz_raw' LANGUAGE C STRICT;
CREATE FUNCTION fuzz_jsonrow_json(bytea) RETURNS jsonrow_json AS 'MODULE', 'fuzz_raw' LANGUAGE C STRICT;
CREATE FUNCTION fuzz_bytes(jsonb) RETURNS bytea AS 'MODULE', 'fuzz_raw' LANGUAGE C STRICT;
CREATE FUNCTION fuzz_sink("any") RETURNS boolean AS 'MODULE' LANGUAGE C;
CREATE FUNCTION fuzz_forget() RETURNS void AS 'MODULE' LANGUAGE C;
CREATE FUNCTION fuzz_check("any") RETURNS boolean AS 'MODULE' LANGUAGE C;
CREATE FUNCTION fuzz_calls(statement text, pools text[], seed bigint, damage boolean, systematic boolean, count bigint, max_seconds float8,
	quiet boolean)
	RETURNS bigint AS 'MODULE' LANGUAGE C STRICT;
CREATE FUNCTION fuzz_statement(statement text, pools text[], seed bigint, damage boolean, systematic boolean, round bigint)
	RETURNS text AS 'MODULE' LANGUAGE C STRICT;
CREATE FUNCTION fuzz_target(aggregate regprocedure, seed bigint, first bigint, count bigint, max_seconds float8)
	RETURNS void AS 'MODULE' LANGUAGE C STRICT;

-- Types of rows.  The names are those of the documents' columns.
CREATE DOMAIN positive AS int CHECK (VALUE > 0);
CREATE DOMAIN short AS text CHECK (length(VALUE) < 12);
CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy');
CREATE TYPE point2 AS (x int, y text);
CREATE DOMAIN named_point AS point2 CHECK ((VALUE).y <> 'nobody');
CREATE TYPE flat AS (a int, b text, c numeric);
CREATE TYPE narrow AS (a positive, b short, c mood);
CREATE TYPE holder AS (a int, b point2, c point2[], d named_point);
CREATE TYPE deep AS (a text, b holder, d holder[]);
CREATE TYPE documents AS (a jsonb, b jsonrow, c json, d jsonrow_json);
CREATE TYPE texts AS (a varchar(3), b char(4), c text[], d name);
CREATE TYPE times AS (a timestamptz, b date, c interval, d bytea);
CREATE TYPE nothing AS ();

-- Pools: tables with a column v, named p_TYPE.  A type that isn't among them
-- makes the fuzzer fail, so that no function is left out in silence.
CREATE TABLE p_integer AS SELECT v FROM unnest('{NULL,-2147483648,-33,-2,-1,0,1,2,3,31,32,33,100,4000,2147483647}'::int[]) v;
CREATE TABLE p_bigint AS SELECT v::bigint FROM p_integer;
CREATE TABLE p_boolean AS SELECT v FROM unnest('{NULL,t,f}'::boolean[]) v;
CREATE TABLE p_float8 AS SELECT v FROM unnest('{NULL,0,-0,1.5,NaN,Infinity,1e300,1e-300}'::float8[]) v;
CREATE TABLE p_numeric AS SELECT v FROM unnest('{NULL,0,-1,1.50,NaN,-Infinity,1e300,1e-300,123456789012345678901234567890.000}'::numeric[]) v;
CREATE TABLE p_text AS SELECT v FROM unnest(ARRAY[NULL, 'a', 'b', 'c', 'd', 'x', 'n', '', 'unknown', 'a"b', E'\u00e9\n\\', repeat('long', 300), 'SELECT 1 AS a']) v;
CREATE TABLE p_name AS SELECT v::name FROM p_text;
CREATE TABLE p_timestamptz AS SELECT v FROM unnest('{NULL,infinity,2000-01-01,0044-03-15 BC}'::timestamptz[]) v;
CREATE TABLE p_mood AS SELECT v FROM unnest('{NULL,ok}'::mood[]) v;
CREATE TABLE p_refcursor AS SELECT v FROM unnest('{NULL,unknown}'::refcursor[]) v;
CREATE TABLE p_text_array AS SELECT v::text[] FROM unnest(ARRAY[NULL, '{a}', '{a,b}', '{a,a}', '{a,b,c}', '{a,NULL}', '{}', '[2:3]={a,b}', '{{a,b}}']) v;
CREATE TABLE p_integer_array AS SELECT v::int[] FROM unnest(ARRAY[NULL, '{1}', '{1,NULL}', '{{1,2},{3,4}}', '{}']) v;
CREATE TABLE p_jsonb_array AS SELECT v::jsonb[] FROM unnest(ARRAY[NULL, '{1,"[2]"}']) v;
CREATE TABLE p_flat AS SELECT ROW(i, i::text, i / 3.0)::flat AS v FROM generate_series(1, 3) i UNION ALL VALUES (NULL::flat), ('(,,)'::flat);
CREATE TABLE p_flat_array AS SELECT array_agg(v) AS v FROM p_flat;
CREATE TABLE p_narrow (v narrow);
INSERT INTO p_narrow VALUES (NULL), ('(1,b,ok)'), ('(,,)');
CREATE TABLE p_holder AS SELECT ROW(i, ROW(i, 'y'), ARRAY[ROW(i, 'z')::point2, NULL], ROW(i, 'n'))::holder AS v FROM generate_series(1, 2) i UNION ALL VALUES (NULL::holder);
CREATE TABLE p_deep AS SELECT ROW('t', v, ARRAY[v])::deep AS v FROM p_holder;
CREATE TABLE p_texts (v texts);
INSERT INTO p_texts VALUES (NULL), ('(a,b,"{c}",d)');
CREATE TABLE p_times (v times);
INSERT INTO p_times VALUES (NULL), ('(2000-01-01,2000-01-01,1 day,"\\x00")');
CREATE TABLE p_nothing AS SELECT ROW()::nothing AS v UNION ALL VALUES (NULL::nothing);

-- Documents: filled by documents.py.  What is in p_ is damaged
-- when it is used, what is in stored_ before it was stored, what is in good_ never.
CREATE TABLE p_jsonb (v jsonb);
CREATE TABLE p_json (v json);
CREATE TABLE p_jsonrow (v jsonrow);
CREATE TABLE p_jsonrow_json (v jsonrow_json);
CREATE TABLE p_small (v jsonb);
CREATE TABLE p_small_json (v json);
CREATE TABLE p_small_jsonrow (v jsonrow);
CREATE TABLE p_small_jsonrow_json (v jsonrow_json);
CREATE TABLE p_near (v jsonb);
CREATE TABLE p_near_json (v json);
CREATE TABLE p_documents (v documents);
CREATE TABLE good_jsonb (v jsonb);
CREATE TABLE good_jsonrow (v jsonrow);
CREATE TABLE good_documents (v documents);
CREATE TABLE stored_external (v jsonb);
ALTER TABLE stored_external ALTER v SET STORAGE EXTERNAL;
CREATE TABLE stored_compressed (v jsonb);

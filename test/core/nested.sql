-- Nested collections over the tables that PostgreSQL's tests leave behind: for each column, what
-- belongs to its values in a column of another table, and of the same one.  Results are printed as a
-- number of rows and a hash.
SET search_path = public, pg_catalog;
\pset format unaligned
-- Operator classes for PostgreSQL's own operators: what compares by these stays, for they may call anything
SET client_min_messages = warning;
DO $$
DECLARE
	family record;
BEGIN
	FOR family IN SELECT opfname, nspname, amname FROM pg_opfamily f JOIN pg_namespace n ON n.oid = opfnamespace
		JOIN pg_am a ON a.oid = opfmethod WHERE f.oid >= 16384 AND amname IN ('btree', 'hash')
	LOOP
		EXECUTE format('DROP OPERATOR FAMILY IF EXISTS %I.%I USING %I CASCADE', family.nspname, family.opfname, family.amname);
	END LOOP;
END $$;
RESET client_min_messages;
CREATE FUNCTION pg_temp.what_it_gives(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	EXECUTE format('SELECT count(*) || '' '' || md5(string_agg(r::text, '''' ORDER BY r::text COLLATE "C"))
		FROM (%s) r', query) INTO result;
	RETURN result;
EXCEPTION
	WHEN OTHERS THEN
		RETURN SQLSTATE || ' ' || SQLERRM;
END $$;
CREATE FUNCTION pg_temp.joins(query text) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
	line text;
	found int := 0;
BEGIN
	FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
		found := found + (line ~ 'Group Key:')::int;
	END LOOP;
	RETURN found;
EXCEPTION
	WHEN OTHERS THEN
		RETURN 0;
END $$;
-- (Not its size, which autovacuum changes at times)
CREATE FUNCTION pg_temp.has_few_rows(relation regclass) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
	result boolean;
BEGIN
	EXECUTE format('SELECT count(*) < 500 FROM %s', relation) INTO result;
	RETURN result;
EXCEPTION
	WHEN OTHERS THEN
		RETURN false;
END $$;
CREATE TEMP TABLE columns_left AS
SELECT row_number() OVER (ORDER BY relname COLLATE "C", nspname COLLATE "C", attnum) AS n, attrelid, atttypid,
	format('%I.%I', nspname, relname) AS name, quote_ident(attname) AS field, opcfamily
FROM pg_class c JOIN pg_namespace s ON s.oid = relnamespace JOIN pg_attribute ON attrelid = c.oid
JOIN pg_type t ON t.oid = atttypid
JOIN pg_opclass o ON opcintype = CASE WHEN atttypid = 'varchar'::regtype THEN 'text'::regtype
	WHEN typtype = 'd' THEN typbasetype ELSE atttypid END AND opcdefault
JOIN pg_am a ON a.oid = opcmethod AND amname = 'btree'
WHERE relkind IN ('r', 'p', 'm') AND attnum > 0 AND NOT attisdropped AND NOT relispartition
	AND nspname !~ '^pg_' AND nspname <> 'information_schema'
	-- what is another each time
	AND relname NOT IN ('dropped_objects', 'random_tbl', 'tab_core_types')
	AND pg_temp.has_few_rows(c.oid);
CREATE TEMP TABLE pairs_left AS
SELECT row_number() OVER (ORDER BY o.n, i.n) AS n, o.name AS parent, o.field AS outer_field, i.name AS child,
	i.field AS inner_field,
	(SELECT min(c.field) FROM columns_left c WHERE c.attrelid = i.attrelid AND atttypid IN (20, 21, 23, 1700)) AS number,
	(SELECT min(c.field) FROM columns_left c WHERE c.attrelid = i.attrelid AND atttypid IN (25, 1082, 1043)) AS word
FROM columns_left o CROSS JOIN LATERAL (
	(SELECT * FROM columns_left i WHERE i.opcfamily = o.opcfamily AND i.n > o.n AND i.attrelid <> o.attrelid
	ORDER BY i.n LIMIT 1)
	UNION ALL
	(SELECT * FROM columns_left i WHERE i.n = o.n)) i;
CREATE TEMP TABLE queries_left AS
SELECT n, 'counted' AS kind, format('SELECT o.%s, (SELECT count(*) FROM %s i WHERE i.%s = o.%s) FROM %s o',
	outer_field, child, inner_field, outer_field, parent) AS query FROM pairs_left
UNION ALL
SELECT n, 'listed', format('SELECT o.%s, l.* FROM %s o LEFT JOIN LATERAL (SELECT jsonb_build_object(''list'',
	coalesce(jsonb_agg(i.%s ORDER BY i.%s), ''[]''), ''n'', count(i.%s)) AS j, sum(i.%s), min(i.%s)
	FROM %s i WHERE i.%s = o.%s) l ON true', outer_field, parent, number, number, number, number, number, child,
	inner_field, outer_field) FROM pairs_left WHERE number IS NOT NULL
UNION ALL
SELECT n, 'strings', format('SELECT (SELECT string_agg(w::text, '','') FROM (SELECT %s AS w FROM %s i
	WHERE i.%s = o.%s ORDER BY i.%s) z), (SELECT count(*) FROM %s i JOIN %s j ON j.%s = i.%s WHERE j.%s = o.%s)
	FROM %s o', word, child, inner_field, outer_field, word, child, child, inner_field, inner_field, inner_field,
	outer_field, parent) FROM pairs_left WHERE word IS NOT NULL;
SELECT count(*) > 1000 AS many FROM queries_left;
SELECT n, kind, query, pg_temp.what_it_gives(query) FROM queries_left ORDER BY n, kind;
-- They do become joins, if they are to
SELECT current_setting('jsonrow.unnest', true) IS DISTINCT FROM 'on' OR (
	SELECT avg(least(pg_temp.joins(query), 1)) > 0.7 FROM queries_left WHERE n % 20 = 0) AS unnested;

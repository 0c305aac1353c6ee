-- What jsonrow_explain says: what becomes of each JSON call, page, look-up and collection of a query, why not more.
-- test/checks/reasons compares the reasons here with those in the sources and in doc/acceleration.md.
\ir oracle.psql

SELECT plan(114);

SET LOCAL jsonrow.accelerate = on;
SET LOCAL jsonrow.unnest = on;
SET LOCAL jsonrow.unnest_above_cost = 0;

CREATE TABLE director (id int PRIMARY KEY, name text, born date);
CREATE TABLE film (id int PRIMARY KEY, title text, rating numeric, director_id int, x int, t text);
CREATE TABLE actor (id int PRIMARY KEY, film_id int, name text, pay float8, key timestamptz);
CREATE TABLE level (rating numeric PRIMARY KEY, name text);
CREATE TABLE other (title text, y int);
CREATE VIEW divided AS SELECT id, 10 / x AS q, rating FROM film;
CREATE FUNCTION told(int) RETURNS int LANGUAGE plpgsql STABLE AS 'BEGIN RETURN $1; END';
CREATE FUNCTION shown(film) RETURNS int LANGUAGE plpgsql STABLE COST 1 AS 'BEGIN RETURN $1.id; END';
CREATE FUNCTION folded(int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN $1; END';
INSERT INTO director SELECT i, 'd' || i, date '2000-01-01' + i FROM generate_series(1, 20) i;
INSERT INTO film SELECT i, 't' || i, i * 7 % 100, 1 + i % 20, i FROM generate_series(1, 100) i;
INSERT INTO actor SELECT i, 1 + i % 100, 'a' || i FROM generate_series(1, 300) i;
ANALYZE director, film, actor;

-- One row for each part, in words: place: what: outcome (reason)
CREATE FUNCTION pg_temp.explained(query text) RETURNS SETOF text LANGUAGE sql AS $$
	SELECT format('%s: %s: %s%s', place, what, outcome, ' (' || reason || ')') FROM jsonrow_explain(query) $$;
-- What of a query is one of these, or all of it
CREATE FUNCTION pg_temp.says(query text, VARIADIC expected text[]) RETURNS text LANGUAGE sql AS $$
	SELECT set_has(format('SELECT pg_temp.explained(%L)', query),
		format('SELECT regexp_replace(e, ''\s+'', '' '', ''g'') FROM unnest(%L::text[]) e', expected),
		left(regexp_replace(query, '\s+', ' ', 'g'), 120)) $$;

-- What is changed
SELECT pg_temp.says('SELECT f.id, f.title, row_to_json(d.*), a.names FROM film f
	LEFT JOIN LATERAL (SELECT
	json_agg(name) AS names FROM actor WHERE film_id = f.id) a ON true LEFT JOIN LATERAL (SELECT * FROM director
	WHERE id = f.director_id LIMIT 1) d ON true ORDER BY f.rating LIMIT 20', 'outermost query:
	row_to_json: accelerated',
	'FROM item "a": json_agg: accelerated', 'outermost query: page: parents first',
	'FROM item "d": page: stays (without ORDER BY, PostgreSQL stops when it has the rows)',
	'FROM item "a": collection: joined');
SELECT pg_temp.says('SELECT id, (SELECT json_agg(name ORDER BY id) FROM actor WHERE film_id = f.id) FROM film f',
	'subquery 1: json_agg: accelerated', 'subquery 1: collection: joined');
SELECT pg_temp.says('WITH p AS (SELECT f.id, c.n FROM film f CROSS JOIN LATERAL (SELECT count(*) n FROM actor WHERE
	film_id = f.id) c ORDER BY f.title LIMIT 7) SELECT json_agg(p) FROM (SELECT * FROM p) p',
	'outermost query: json_agg: accelerated', 'WITH query "p": page: parents first');
SELECT pg_temp.says('SELECT f.id, d.name FROM film f LEFT JOIN LATERAL (SELECT name FROM director WHERE
	id = f.director_id
	LIMIT 1) d ON true', 'FROM item "d": look-up: without LIMIT');
SELECT pg_temp.says('SELECT id, (SELECT json_agg(d.name) FROM film g LEFT JOIN LATERAL (SELECT name FROM director WHERE
	id = g.director_id LIMIT 1) d ON true WHERE g.id = f.id) FROM film f', 'subquery 1: collection: joined',
	'subquery 1, FROM item "d": look-up: without LIMIT');
SELECT pg_temp.says('SELECT id, (SELECT json_agg(d.name) FROM film g LEFT JOIN LATERAL (SELECT name FROM director WHERE
	id = g.director_id LIMIT 1) d ON true WHERE g.id < f.id AND f.ctid > ''(0,0)'') FROM film f',
	'subquery 1, FROM item "d": look-up: stays (it is for a query that runs once for each row of another, '
	'where a join would be made each time)');
SELECT pg_temp.says('SELECT f.id, d.j FROM film f LEFT JOIN LATERAL (SELECT json_build_array(name, f.rating) j
	FROM level WHERE rating = f.rating LIMIT 1) d ON true',
	'FROM item "d": look-up: stays (it selects what it looks up, and equal values are not always the same)');
SELECT pg_temp.says('SELECT (SELECT x.j FROM (SELECT (SELECT json_agg(name) FROM actor WHERE film_id =
	f.id) j) x) FROM film f',
	'subquery 1, FROM item "x", subquery 1: json_agg: accelerated');
SELECT is_empty($$SELECT pg_temp.explained('SELECT 1')$$, 'nothing to tell');
SELECT is_empty($$SELECT pg_temp.explained(NULL)$$, 'of NULL');

-- Calls
SELECT pg_temp.says('SELECT json_agg(id) OVER () FROM film', 'outermost query: json_agg: stays (it has
	an OVER clause)');
SELECT pg_temp.says('SELECT json_agg(DISTINCT title) FROM film',
	'outermost query: json_agg: stays (it has DISTINCT, VARIADIC or WITHIN GROUP)');
SELECT pg_temp.says('SELECT (SELECT json_agg(f.id)) FROM film f',
	'subquery 1: json_agg: stays (it aggregates rows of a query further out)');
SELECT pg_temp.says('SELECT id FROM film WHERE json_build_array(id)::text <> ''''',
	'outermost query: json_build_array: stays (it is outside of the select list: an index may have the
	same expression)');
SELECT pg_temp.says('SELECT json_build_array(id)::text FROM film ORDER BY 1',
	'outermost query: json_build_array: stays (the query sorts or groups by such a call, or compares it, or a
		value could
	raise an error '
	'for a row that LIMIT cuts off)');

-- Pages
SELECT pg_temp.says(format('SELECT %s FROM film f %s', list, rest), format('outermost query: page:
	stays (%s)', reason))
FROM (VALUES
	('count(*)', 'ORDER BY 1 LIMIT 1', 'the query with LIMIT aggregates'),
	('DISTINCT id', 'ORDER BY 1 LIMIT 1', 'the query with LIMIT has DISTINCT'),
	('DISTINCT ON (id) id', 'ORDER BY 1 LIMIT 1', 'the query with LIMIT has DISTINCT'),
	('row_number() OVER ()', 'ORDER BY 1 LIMIT 1', 'the query with LIMIT has window functions'),
	('id', 'UNION SELECT 1 ORDER BY 1 LIMIT 1', 'LIMIT applies to UNION, INTERSECT or EXCEPT'),
	('generate_series(1, 2)', 'ORDER BY 1 LIMIT 1', 'the select list of the query with LIMIT has a
	function that returns sets'),
	('id', 'ORDER BY 1 FETCH FIRST 2 ROWS WITH TIES', 'FETCH FIRST ... WITH TIES'),
	('json_build_object(1, id)', 'LIMIT 2', 'without ORDER BY, PostgreSQL stops when it has the rows'),
	('title, n', 'FULL JOIN other USING (title) CROSS JOIN LATERAL (SELECT count(*) n FROM actor WHERE
	film_id = f.id) a
		ORDER BY rating LIMIT 2', 'a column is that of a join with USING, or of one with a name of its own'),
	('shown(f), n', 'CROSS JOIN LATERAL (SELECT count(*) n FROM actor WHERE film_id = f.id) a ORDER BY
	rating LIMIT 2',
		'an expression of a whole row could raise an error for other rows'),
	('n', 'CROSS JOIN LATERAL (SELECT count(*) n FROM actor WHERE film_id = f.id) a ORDER BY rating, 1 / x LIMIT 2',
		'a sort key, or comparing it, could raise an error for other rows'),
	('id, title', 'ORDER BY rating LIMIT 2',
		'nothing in it could be computed after LIMIT that PostgreSQL does not compute then'),
	('n', 'CROSS JOIN LATERAL (SELECT count(*) n FROM actor WHERE film_id = f.id) a WHERE 1 / x > 0 ORDER
	BY rating LIMIT 2',
		'FROM or WHERE could raise an error, or reveal what it sees, for rows that are not read as it is written')
	) q(list, rest, reason);
SELECT pg_temp.says('SELECT 1 ORDER BY 1 LIMIT 1', 'outermost query: page: stays (the query with LIMIT has no FROM)');
SELECT pg_temp.says('SELECT id, (SELECT count(*) FROM actor WHERE film_id = film.id) FROM film ORDER BY id LIMIT 2',
	'outermost query: page: parents first', 'subquery 1: collection: joined');
SELECT pg_temp.says('SELECT f.id, a.x -> 0, a.x -> 1 FROM film f CROSS JOIN LATERAL (SELECT
	to_jsonb(array_agg(name)) AS x FROM actor WHERE film_id = f.id) a ORDER BY f.id',
	'FROM item "a": collection: stays (what it computes is used more than once)');
SELECT pg_temp.says('SELECT v.id, n FROM divided v CROSS JOIN LATERAL (SELECT count(*) n FROM actor
	WHERE film_id = v.q) a
	ORDER BY rating LIMIT 2', 'outermost query: pages and collections: stays (what it computes of a subquery''s columns
	depends on whether PostgreSQL pulls that up)');
SELECT pg_temp.says('SELECT a.n FROM (SELECT count(*) AS n FROM film) z LEFT JOIN LATERAL (SELECT count(*) AS n
	FROM actor WHERE id = z.n) a ON true ORDER BY z.n LIMIT 2', 'outermost query: page: parents first');
SELECT pg_temp.says(format('SELECT json_build_array(title), %s FROM film f ORDER BY rating LIMIT 1',
	string_agg('title', ', ')), 'outermost query: page: stays (there are too many columns)')
FROM generate_series(1, 1600) i;
SELECT pg_temp.says('SELECT json_agg(p.id) FROM (SELECT * FROM actor ORDER BY name) a JOIN (SELECT
	f.id, n FROM film f CROSS JOIN
	LATERAL (SELECT count(*) n FROM actor WHERE film_id = f.id) c ORDER BY title LIMIT 9) p ON p.id = a.film_id',
	'FROM item "p": page: stays (the order of an array around it depends on how PostgreSQL joins or groups)');
SELECT pg_temp.says('SELECT p.id FROM actor a JOIN (SELECT f.id, n FROM film f CROSS JOIN LATERAL (SELECT count(*) n
	FROM actor WHERE film_id = f.id) c ORDER BY title LIMIT 9) p ON p.id = a.film_id AND 1 / a.id > 0 ORDER BY 1',
	'FROM item "p": page: stays (a query around it could raise an error, or reveal what it sees, for rows '
	'that are not read as it is written)');
SELECT pg_temp.says('SELECT n FROM LATERAL (SELECT count(*) AS n FROM film) z ORDER BY n LIMIT 2',
	'outermost query: page: stays (nothing in it could be computed after LIMIT that PostgreSQL does not
	compute then)');
SELECT pg_temp.says('SELECT y.i, z.n FROM (SELECT 1 AS i) y LEFT JOIN LATERAL (SELECT count(*) AS n FROM film WHERE
	id = y.i) z ON true
	ORDER BY 1 LIMIT 2', 'outermost query: page: parents first');

-- Look-ups
SELECT pg_temp.says(format('SELECT f.id, d.n FROM %s f LEFT JOIN LATERAL (SELECT %s AS n FROM director
	WHERE id = f.director_id
	LIMIT 1) d ON true %s', item, expr, rest), format('FROM item "d": look-up: stays (%s)', reason))
FROM (VALUES
	('film', 'name', 'WHERE f.id = 7', 'few rows look something up'),
	('film', 'name', 'WHERE d.n > ''x''', 'a condition looks at what it finds'),
	('film', 'name', 'WHERE 1 / x > 0', 'FROM or WHERE could raise an error, or reveal what it sees, for rows that
	are not read as it is written'),
	('film', '10 / id', '', 'something in it could raise an error, or reveal what it sees, for rows that
	nothing refers to'),
	('(SELECT * FROM film ORDER BY title)', 'name', '', 'an order that was asked for could be lost'),
	('(SELECT * FROM film ORDER BY x, title)', 'name', 'ORDER BY f.x', 'an order that was asked for could be lost'))
	q(item, expr, rest, reason);

-- Collections
CREATE FUNCTION pg_temp.stays(query text, place text, reason text) RETURNS text LANGUAGE sql AS $$
	SELECT pg_temp.says(query, format('%s: collection: stays (%s)', place, reason)) $$;
SELECT pg_temp.stays('SELECT ' || query, 'subquery 1', reason) FROM (VALUES
	('DISTINCT id, (SELECT count(*) FROM actor WHERE film_id = f.id) FROM film f',
		'the query around it has DISTINCT, HAVING, window functions, set operations or the like'),
	('id, (SELECT count(*) FROM actor WHERE film_id = f.id), sum(1 + x) OVER () FROM film f',
		'the query around it has DISTINCT, HAVING, window functions, set operations or the like'),
	('id, (SELECT count(*) FROM actor WHERE film_id = f.id) AS n FROM film f ORDER BY id, n LIMIT 5',
		'the query around it has a LIMIT, and its page stays'),
	('sum(x::float8 + (SELECT count(*) FROM actor WHERE film_id = f.id)) FROM film f',
		'what the query around it gives depends on the order in which it reads rows'),
	('id, (SELECT count(*) FROM actor WHERE film_id = f.id) FROM (SELECT * FROM film ORDER BY title) f
	JOIN director d USING (id)',
		'an order that was asked for could be lost'),
	('10 / id, (SELECT count(*) FROM actor WHERE film_id = f.id) FROM (SELECT * FROM film ORDER BY title) f',
		'the query around it would be sorted, and an expression could raise an error for rows that nobody fetches'),
	('id, CASE WHEN x > 1 THEN (SELECT count(*) FROM actor WHERE film_id = f.id) END FROM film f',
		'it is computed only under a condition, such as that of CASE or FILTER'),
	('x, count(*) + (SELECT count(*) FROM actor WHERE film_id = f.x) FROM film f GROUP BY x',
		'the query around it aggregates, and it is in no argument of an aggregate'),
	('id, (SELECT count(*) FROM actor WHERE film_id = f.id HAVING count(*) > 1 LIMIT 1) FROM film f',
		'it has GROUP BY, HAVING, LIMIT or the like beside its aggregates'),
	('id, (SELECT json_agg(a) FROM (SELECT name FROM actor WHERE film_id = f.id LIMIT NULL) a) FROM film f',
		'it has a LIMIT that is negative, NULL or not known, or that takes rows in an order from further within'),
	('id, (SELECT json_agg(a) FROM (SELECT * FROM actor WHERE pay = f.pay LIMIT 2) a WHERE name > '''')
		FROM actor f', 'a condition may tell equal keys apart, of rows that its LIMIT leaves'),
	('id, (SELECT count(*) FROM actor WHERE film_id > f.id + 1) FROM film f',
		'it refers to the row around it in other ways than column = column'),
	('id, (SELECT count(*) FROM actor WHERE told(id) = f.id) FROM film f',
		'it refers to the row around it in other ways than column = column'),
	('id, (SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY pay) FROM actor WHERE film_id = f.id) FROM film f',
		'it has an aggregate that jsonrow does not know, or DISTINCT in one that depends on the order'),
	('id, (SELECT json_agg(name) FROM (SELECT DISTINCT ON (name) film_id, name FROM actor ORDER BY name) a WHERE
	film_id = f.id) FROM film f',
		'an order that was asked for could be lost'),
	('id, (SELECT count(*) FROM actor WHERE film_id = f.id) FROM film f WHERE 1 / x > 0 AND id > 0',
		'FROM or WHERE could raise an error, or reveal what it sees, for rows that are not read as it is written'),
	('id, (SELECT sum(1 / id) FROM actor WHERE film_id = f.id) FROM film f',
		'something in it could raise an error, or reveal what it sees, for rows that belong to no row around it')
	) q(query, reason);
REVOKE EXECUTE ON FUNCTION float8eq FROM PUBLIC;
SELECT pg_temp.stays('SELECT id, (SELECT count(*) FROM actor WHERE pay = a.pay) FROM actor a', 'subquery 1',
	'the columns that are compared could raise an error, or PUBLIC may not call their operator');
GRANT EXECUTE ON FUNCTION float8eq TO PUBLIC;
-- ... which is joined where all values are wanted, but not one with HAVING
SELECT pg_temp.says('SELECT json_agg(q) FROM (SELECT id, (SELECT sum(1 / id) FROM actor WHERE film_id = f.id
	HAVING count(*) > 1) FROM film f) q', 'FROM item "q", subquery 1: collection: stays (something in it could raise an
	error, or reveal what it sees, for rows that belong to no row around it)');
SELECT pg_temp.stays('SELECT * FROM (SELECT id, (SELECT count(*) FROM actor WHERE film_id = f.id) n FROM
	film f) x WHERE n = 5',
	'FROM item "x", subquery 1', 'the query around it may run more than once, or not all of its rows may
	be wanted');
SELECT pg_temp.stays('SELECT * FROM (SELECT id, (SELECT count(*) FROM actor WHERE film_id = f.id) FROM film f
	OFFSET 0) x LEFT JOIN director d ON d.id = x.id AND 1 / d.id > 0', 'FROM item "x", subquery 1',
	'a query around it could raise an error, or reveal what it sees, for rows that are not read as it is written');
SELECT pg_temp.stays('SELECT id, n FROM film f LEFT JOIN LATERAL (SELECT count(*) n FROM actor WHERE
	film_id = f.id) a ON true
	WHERE n > 1', 'FROM item "a"', 'a condition looks at its value');
SELECT pg_temp.stays('SELECT d.id, n FROM director d LEFT JOIN (film f LEFT JOIN LATERAL (SELECT
	count(*) n FROM actor
	WHERE film_id = f.id) a ON true) ON f.director_id = d.id', 'FROM item "a"',
	'it is on the nullable side of a join, or among columns of joins with USING or names of their own');
SELECT pg_temp.stays('SELECT id, n FROM (SELECT DISTINCT id FROM film ORDER BY id) f LEFT JOIN LATERAL
	(SELECT json_agg(name) n
	FROM actor WHERE film_id = f.id) a ON true ORDER BY id', 'FROM item "a"', 'the rows around it cannot
	be read twice: they '
	'are grouped or distinct, those of a WITH query that is read once, or something in FROM or WHERE could raise an
	error');
SELECT pg_temp.says('SELECT ' || string_agg(format('(SELECT count(*) FROM actor WHERE film_id = f.id
	AND id > %s)', i), ', ')
	|| ' FROM film f', 'subquery 8: collection: joined', 'subquery 9: collection: stays (there are too
	many beside it)')
FROM generate_series(1, 9) i;
SELECT pg_temp.stays('SELECT id, (SELECT json_agg(n) FROM (SELECT film_id, ARRAY(SELECT y FROM other
	WHERE y = a.id) n
	FROM actor a OFFSET 0) x WHERE film_id = f.id) FROM film f', 'subquery 1',
	'something in it that gathers rows would be computed for other rows, too');

-- Pages that are taken apart only for what is computed for all of their rows at once
SELECT pg_temp.says(format('SELECT f.id, a.n FROM film f LEFT JOIN LATERAL (SELECT count(*) n FROM actor WHERE
	film_id = f.id) a ON true %s LIMIT 20', clause), 'outermost query: page: parents first',
	'FROM item "a": collection: joined') FROM unnest('{"",ORDER BY id}'::text[]) clause;
SELECT pg_temp.says('WITH w AS (SELECT id, (SELECT count(*) FROM actor WHERE film_id = f.id) n FROM film f ORDER BY id
	LIMIT 20) SELECT json_agg(w) FROM w', 'WITH query "w": page: parents first',
	'WITH query "w", subquery 1: collection: joined');
SET LOCAL jsonrow.unnest_above_cost = 1;
SELECT pg_temp.says('SELECT f.id, a.n FROM film f LEFT JOIN LATERAL (SELECT count(*) n FROM actor WHERE
	film_id = f.id) a ON true ORDER BY id LIMIT 20', 'outermost query: page: parents first',
	'FROM item "a": collection: joined');
SET LOCAL jsonrow.unnest_above_cost = 1e9;
SELECT pg_temp.says('SELECT f.id, a.n FROM film f LEFT JOIN LATERAL (SELECT count(*) n FROM actor WHERE
	film_id = f.id) a ON true LIMIT 20', 'outermost query: page: stays (without ORDER BY, PostgreSQL stops when it has
	the rows)');
SET LOCAL jsonrow.unnest_above_cost = 0;

-- Costs
SET LOCAL jsonrow.unnest_above_cost = 5000;
SELECT matches(explained, '^subquery 1: collection: stays \(the query costs [0-9.]+, less than '
	'jsonrow.unnest_above_cost\)$',
	'a cheap query') FROM pg_temp.explained('SELECT (SELECT count(*) FROM actor WHERE film_id = d.id) FROM
	director d') explained
WHERE explained ~ 'collection';
CREATE INDEX ON actor (film_id);
-- Costs of indexes differ in 19.
SELECT CASE WHEN current_setting('server_version_num')::int >= 190000 THEN 45 ELSE 20 END AS least \gset
SET LOCAL jsonrow.unnest_above_cost = :least;
SET LOCAL enable_seqscan = off;
SELECT matches(explained, '^subquery 2: collection: stays \(the query costs [0-9.]+, less than '
	'jsonrow.unnest_above_cost for each collection\)$', 'a query that is cheap for two')
FROM pg_temp.explained('SELECT (SELECT count(*) FROM actor WHERE film_id = d.id), (SELECT max(id) FROM actor WHERE
	film_id = d.id) FROM director d') explained WHERE explained ~ 'subquery 2: collection';
SET LOCAL enable_seqscan = on;
SET LOCAL jsonrow.unnest_above_cost = 1;
CREATE TABLE prize (film_id int, year int);
INSERT INTO prize SELECT i % 50, i FROM generate_series(1, 20000) i;
CREATE INDEX ON prize (film_id);
SELECT pg_temp.says('SELECT id, (SELECT json_agg(year) FROM prize WHERE film_id = f.id) FROM film f WHERE id > 3',
	'subquery 1: collection: stays (a table was never analyzed, and indexes find what belongs to each row)');
-- ... nor does it read a table again and again that a subquery reads once.
SELECT pg_temp.says('SELECT id, (SELECT json_agg(year) FROM prize WHERE film_id = f.id) FROM film f WHERE id > (SELECT
	min(year % 7) FROM prize)', 'subquery 1: collection: stays (a table was never analyzed, and indexes find what '
	'belongs to each row)');
-- ... of all rows of a table, too, whose size is a guess
CREATE TABLE studio (id int PRIMARY KEY);
INSERT INTO studio VALUES (1), (2);
SELECT pg_temp.says('SELECT id, (SELECT json_agg(year) FROM prize WHERE film_id = s.id) FROM studio s',
	'subquery 1: collection: stays (a table was never analyzed, and indexes find what belongs to each row)');
-- ... but not that of a partitioned table without partitions, which has none.
CREATE TABLE halves (id int) PARTITION BY RANGE (id);
SELECT matches(explained, '^subquery 2: collection: stays \(it is not cheaper', 'for nobody')
FROM pg_temp.explained('SELECT (SELECT count(*) FROM prize), (SELECT json_agg(year) FROM prize WHERE film_id = h.id)
	FROM halves h') explained WHERE explained ~ 'subquery 2: collection';
-- ... of an index that is read from one end until there are enough rows, too
CREATE TABLE winner (id int PRIMARY KEY, film_id int);
INSERT INTO winner SELECT i, i % 1000 FROM generate_series(1, 20000) i;
CREATE INDEX ON winner (film_id);
SELECT pg_temp.says('SELECT id, (SELECT json_agg(y) FROM (SELECT id FROM winner WHERE film_id = s.id ORDER BY id LIMIT
	3) y) FROM studio s', 'subquery 1: collection: stays (a table was never analyzed, and indexes find what
		belongs to '
	'each row)');
-- For few rows, such an index is soon read, without another one: some have theirs at that end.
DROP INDEX winner_film_id_idx;
ANALYZE winner;
SELECT matches(explained, '^subquery 1: collection: stays \(it is not cheaper', 'the first of few')
FROM pg_temp.explained('SELECT id, (SELECT json_agg(y) FROM (SELECT id FROM winner WHERE film_id = f.id ORDER BY id
	LIMIT 3) y) FROM film f WHERE id < 11') explained WHERE explained ~ 'collection';
SELECT pg_temp.says('SELECT id, (SELECT json_agg(y) FROM (SELECT id FROM winner WHERE film_id = f.id ORDER BY id LIMIT
	3) y) FROM winner f WHERE id < 400', 'subquery 1: collection: joined');
-- For one row, a table is read once in any case.
SELECT matches(explained, '^subquery 1: collection: stays \(it is not cheaper', 'what belongs to one')
FROM pg_temp.explained('SELECT id, (SELECT json_agg(id) FROM winner WHERE film_id = f.id) FROM film f ORDER BY id DESC
	LIMIT 1') explained WHERE explained ~ 'collection';
SELECT pg_temp.says('SELECT id, (SELECT json_agg(id) FROM winner WHERE film_id = f.id) FROM film f ORDER BY id DESC
	LIMIT 20', 'subquery 1: collection: joined');
-- Where most parents have nothing, an index finds that out at once.
CREATE TABLE post (id int PRIMARY KEY, topic int);
INSERT INTO post SELECT i, i % 100 FROM generate_series(1, 5000) i;
CREATE TABLE liked (post_id int, by int);
INSERT INTO liked SELECT 50 * (i % 100), i FROM generate_series(1, 20000) i;
CREATE INDEX ON liked (post_id);
ANALYZE post, liked;
SELECT matches(explained, '^subquery 1: collection: stays \(it is not cheaper', 'what most do not have')
FROM pg_temp.explained('SELECT id, (SELECT json_agg(by) FROM liked WHERE post_id = p.id) FROM post p WHERE topic = 7')
	explained WHERE explained ~ 'collection';
-- What both plans compute once does not count: an EXISTS whose rows are hashed costs as much as if it were not.
CREATE TABLE likes AS SELECT i AS post_id, i % 2 AS kind FROM generate_series(1, 20000) i;
CREATE TABLE reply AS SELECT i AS id, i % 4900 AS post_id FROM generate_series(1, 4000) i;
ANALYZE likes, reply;
SELECT pg_temp.says('SELECT id, EXISTS (SELECT FROM likes WHERE post_id = p.id AND kind = 1) AS liked, (SELECT
	json_agg(r.id) FROM reply r WHERE r.post_id = p.id) FROM post p', 'subquery 2: collection: joined');
-- An index of the order does not find what belongs to a row, though that was never analyzed: it is read from one end.
CREATE TABLE visitor AS SELECT i AS id FROM generate_series(1, 4000) i;
CREATE TABLE visit AS SELECT i % 4000 AS visitor_id, timestamp '2020-01-01' + i * interval '1 min' AS at
	FROM generate_series(1, 16000) i;
CREATE INDEX ON visit (visitor_id);
CREATE INDEX ON visit (at);
SELECT pg_temp.says('SELECT id, (SELECT row_to_json(v) FROM visit v WHERE visitor_id = p.id ORDER BY at DESC LIMIT 1)
	FROM visitor p', 'subquery 1: collection: joined');
DROP INDEX prize_film_id_idx;
-- What is known of a table is known of a view, too.
CREATE VIEW casting AS SELECT a.film_id, a.name, f.title FROM actor a JOIN film f ON f.id = a.film_id;
SELECT pg_temp.says('SELECT id, (SELECT json_agg(name) FROM casting WHERE film_id = f.id) FROM film f WHERE id > 3',
	'subquery 1: collection: joined');
SELECT pg_temp.says('SELECT id, (SELECT json_agg(year) FROM prize WHERE film_id = f.id) FROM film f WHERE id > 3',
	'subquery 1: collection: joined');
SELECT matches(explained, '^subquery 1: collection: stays \(it is not cheaper: the query costs [0-9.]+ '
	'as it is written, and would '
	'cost [0-9.]+\)$', 'what an index serves') FROM pg_temp.explained('SELECT (SELECT count(*) FROM actor
	WHERE film_id = f.id)
	FROM film f WHERE id < 3') explained WHERE explained ~ 'collection';
SET LOCAL seq_page_cost = 10;
SELECT pg_temp.says('SELECT f.id, a.n FROM film f LEFT JOIN LATERAL (SELECT count(*) n FROM actor
	WHERE film_id = f.id) a ON true WHERE id > 7 ORDER BY id LIMIT 20',
	'outermost query: page: stays (PostgreSQL reads it in the order of an
	index, and stops when it has the rows)', 'FROM item "a": collection: stays (few rows are wanted, and an index finds
	what belongs to each)');
SET LOCAL seq_page_cost = 1;
SELECT pg_temp.stays('SELECT folded(1), (SELECT count(*) FROM actor WHERE film_id = f.id) FROM film f',
	'subquery 1',
	'a function that a user made would run once more while planning');
SELECT pg_temp.says('SELECT f.id, (SELECT count(*) FROM actor WHERE film_id = f.id) FROM film f ORDER
	BY title OFFSET $1::int',
	'outermost query: page: parents first');

-- All of it
SELECT pg_temp.says('SELECT random(), (SELECT count(*) FROM actor WHERE film_id = f.id) FROM film f',
	'outermost query: pages and collections: stays (the statement calls a volatile function)');
REVOKE EXECUTE ON FUNCTION told FROM PUBLIC;
CREATE ROLE jsonrow_explain_reader;
GRANT USAGE ON SCHEMA jsonrow_test TO jsonrow_explain_reader;
GRANT SELECT ON film, actor TO jsonrow_explain_reader;
CREATE FUNCTION pg_temp.explained_by(reader text, query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
	PERFORM set_config('role', reader, true);
	RETURN QUERY SELECT * FROM pg_temp.explained(query);
	PERFORM set_config('role', 'none', true);
END $$;
SELECT results_eq($$SELECT pg_temp.explained_by('jsonrow_explain_reader', 'SELECT told(id), (SELECT count(*)
	FROM actor WHERE film_id = f.id) FROM film f')$$, ARRAY['outermost query: pages and collections: stays '
	'(the user lacks a privilege that the statement asks for)'], 'a function that may not be called');
GRANT EXECUTE ON FUNCTION told TO PUBLIC;
SELECT pg_temp.says('SELECT id, (SELECT count(*) FROM actor WHERE film_id = f.id) FROM film f FOR UPDATE',
	'outermost query: pages and collections: stays (the statement changes data or locks rows)');
SELECT pg_temp.says(format('SELECT id, (SELECT count(*) FROM actor WHERE film_id = f.id) FROM film f WHERE %s true',
	repeat('NOT ', 2000)), 'outermost query: pages and collections: stays (something in it is nested too deep)');
SET LOCAL jsonrow.unnest = off;
SELECT pg_temp.says('SELECT id, (SELECT count(*) FROM actor WHERE film_id = f.id) FROM film f',
	'outermost query: pages and collections: stays (jsonrow.unnest is off)');
SET LOCAL jsonrow.accelerate = off;
SELECT pg_temp.says('SELECT json_agg(f) FROM film f', 'outermost query: json_agg: stays
	(jsonrow.accelerate is off)');
SET LOCAL jsonrow.accelerate = on;
REVOKE EXECUTE ON FUNCTION pg_catalog.json_agg(anyelement) FROM PUBLIC;
SELECT pg_temp.says('SELECT json_agg(f) FROM film f',
	'outermost query: json_agg: stays (PUBLIC has no EXECUTE privilege on PostgreSQL''s function)');
GRANT EXECUTE ON FUNCTION pg_catalog.json_agg(anyelement) TO PUBLIC;

-- What cannot be explained
SELECT throws_ok($$SELECT jsonrow_explain('SELECT 1; SELECT 2')$$, '42601', 'cannot explain more than one statement',
	'two');
SELECT throws_ok($$SELECT jsonrow_explain('')$$, '42601', 'cannot explain an empty statement', 'none');
SELECT throws_ok($$SELECT jsonrow_explain('EXPLAIN SELECT 1')$$, '0A000', 'cannot explain EXPLAIN', 'a
	utility statement');
SELECT throws_ok($$SELECT jsonrow_explain('SELECT nothing')$$, '42703', NULL, 'as parsing does');
SELECT lives_ok($$SELECT jsonrow_explain('INSERT INTO film (id) SELECT 1')$$, 'what changes data is not run');
SELECT is((SELECT count(*) FROM film WHERE id = 1), 1::bigint, 'indeed');
-- Costs tell what is in tables.
CREATE ROLE jsonrow_stranger;
CREATE FUNCTION pg_temp.as_stranger(query text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	SET LOCAL ROLE jsonrow_stranger;
	PERFORM jsonrow_explain(query);
	RAISE SQLSTATE 'TDONE' USING MESSAGE = 'explained';
EXCEPTION WHEN SQLSTATE '42501' OR SQLSTATE 'TDONE' THEN
	RETURN SQLERRM;
END $$;
SELECT format('GRANT USAGE ON SCHEMA %s TO jsonrow_stranger', relnamespace::regnamespace) FROM pg_class
WHERE oid = 'film'::regclass \gexec
SELECT is(pg_temp.as_stranger('SELECT id FROM film'), 'permission denied for table film', 'no privilege');
GRANT SELECT (id) ON film TO jsonrow_stranger;
SELECT is(pg_temp.as_stranger('SELECT id FROM film'), 'explained', 'on a column');
SELECT is(pg_temp.as_stranger('SELECT id FROM film WHERE title = ''x'''), 'permission denied for table film',
	'none on another');
SELECT is(pg_temp.as_stranger('INSERT INTO film (id) SELECT 1'), 'permission denied for table film', 'nor to insert');

-- EXPLAIN of what is planned already takes no notes, not even of queries in functions that it calls
SELECT current_setting('server_version_num')::int >= 180000 AS has_option \gset
\if :has_option
SET LOCAL plan_cache_mode = force_generic_plan;
CREATE FUNCTION distinct_titles() RETURNS json LANGUAGE plpgsql AS $$
BEGIN RETURN (SELECT json_agg(DISTINCT title) FROM film); END $$;
CREATE FUNCTION pg_temp.notes_of(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE line text;
BEGIN
	FOR line IN EXECUTE 'EXPLAIN (JSONROW, ANALYZE, COSTS OFF) ' || query LOOP
		IF line LIKE 'jsonrow: %' THEN RETURN NEXT line; END IF;
	END LOOP;
END $$;
PREPARE planned(text) AS SELECT distinct_titles(), json_agg(DISTINCT id), $1 FROM director;
SELECT set_eq($$SELECT pg_temp.notes_of('EXECUTE planned(distinct_titles()::text)')$$, ARRAY[
	'jsonrow: outermost query: json_agg: stays, because it has DISTINCT, VARIADIC or WITHIN GROUP'], 'its first plan');
DISCARD PLANS;
EXPLAIN EXECUTE planned('') \g /dev/null
SELECT is_empty($$SELECT pg_temp.notes_of('EXECUTE planned(distinct_titles()::text)')$$, 'the same plan');
\else
SELECT skip('EXPLAIN has no options of extensions', 2);
\endif

SELECT * FROM finish();
ROLLBACK;

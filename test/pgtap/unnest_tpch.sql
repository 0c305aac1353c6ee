-- TPC-H's queries with subqueries, over little data of our own: the same with jsonrow.unnest off and on.  Theirs
-- are in WHERE and HAVING, and stay; the same in the target list become joins.
\ir oracle.psql

SELECT plan(48);

SET LOCAL jsonrow.unnest_above_cost = 0;

CREATE TABLE nation (n_nationkey int PRIMARY KEY, n_name char(25), n_regionkey int);
CREATE TABLE supplier (s_suppkey int PRIMARY KEY, s_name char(25), s_address varchar(40), s_nationkey int,
	s_phone char(15), s_acctbal numeric(15,2), s_comment varchar(101));
CREATE TABLE part (p_partkey int PRIMARY KEY, p_name varchar(55), p_mfgr char(25), p_brand char(10),
	p_type varchar(25), p_size int);
CREATE TABLE partsupp (ps_partkey int, ps_suppkey int, ps_availqty int, ps_supplycost numeric(15,2),
	PRIMARY KEY (ps_partkey, ps_suppkey));
CREATE TABLE customer (c_custkey int PRIMARY KEY, c_name varchar(25), c_nationkey int, c_phone char(15),
	c_acctbal numeric(15,2));
CREATE TABLE orders (o_orderkey int PRIMARY KEY, o_custkey int, o_orderstatus char(1), o_totalprice numeric(15,2),
	o_orderdate date, o_orderpriority char(15));
CREATE TABLE lineitem (l_orderkey int, l_partkey int, l_suppkey int, l_linenumber int, l_quantity numeric(15,2),
	l_extendedprice numeric(15,2), l_discount numeric(15,2), l_shipdate date, l_commitdate date, l_receiptdate date,
	PRIMARY KEY (l_orderkey, l_linenumber));
INSERT INTO nation SELECT i, 'NATION ' || i, i % 5 FROM generate_series(0, 9) i;
INSERT INTO supplier SELECT i, 'Supplier ' || i, 'address ' || i, i % 10, 10 + i % 10 || '-555', i * 37 % 1000 - 100,
	'comment ' || i FROM generate_series(1, 30) i;
INSERT INTO part SELECT i, (ARRAY['forest', 'green', 'lace'])[1 + i % 3] || ' ' || i, 'Manufacturer ' || i % 5,
	'Brand#' || i % 4, (ARRAY['LARGE BRASS', 'SMALL TIN'])[1 + i % 2], 1 + i * 7 % 20
	FROM generate_series(1, 120) i;
INSERT INTO partsupp SELECT i, 1 + (i * 3 + j * 7) % 30, i * j * 11 % 500, (i * 13 + j * 29) % 100 + 0.25
	FROM generate_series(1, 115) i, generate_series(0, 3) j;
INSERT INTO customer SELECT i, 'Customer ' || i, i % 10, 10 + i % 20 || '-' || i, i * 53 % 1000 - 200
	FROM generate_series(1, 90) i;
INSERT INTO orders SELECT i, 1 + i * 7 % 60, (ARRAY['F', 'O'])[1 + i % 2], i * 97 % 5000,
	date '1994-01-01' + i * 5 % 700, i % 5 || '-PRIORITY' FROM generate_series(1, 300) i;
INSERT INTO lineitem SELECT i, p, 1 + (p * 3 + j % 4 * 7) % 30, j, 1 + i * j % 50, i * j % 900 + 0.99, i % 9 / 100.0,
	date '1994-01-01' + (i * 5 + j * 9) % 700, date '1994-02-01' + (i * 5 + j * 4) % 700,
	date '1994-01-10' + (i * 5 + j * 13) % 700
	FROM generate_series(1, 290) i, generate_series(1, 1 + i % 4) j, LATERAL (SELECT 1 + i * j % 110) AS of (p);
ANALYZE nation, supplier, part, partsupp, customer, orders, lineitem;

CREATE FUNCTION pg_temp.plan(query text, unnest text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	line text;
	plan text := '';
BEGIN
	PERFORM set_config('jsonrow.unnest', unnest, true);
	FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
		plan := concat(plan, line, E'\n');
	END LOOP;
	RETURN plan;
END $$;

-- Does a query give something, and the same?  Does it become joins?
CREATE FUNCTION pg_temp.test(name text, joins boolean, query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
	RETURN NEXT matches(pg_temp.outcome(query, '{jsonrow.unnest, off}'), '^\{', name || ' gives something');
	RETURN NEXT is(pg_temp.outcome(query, '{jsonrow.unnest, on}'), pg_temp.outcome(query, '{jsonrow.unnest, off}'),
		name || ' gives the same');
	RETURN NEXT is(pg_temp.plan(query, 'on') <> pg_temp.plan(query, 'off'), joins,
		name || CASE WHEN joins THEN ' becomes joins' ELSE ' stays' END);
END $$;

SELECT pg_temp.test('2', false, $$
SELECT s_acctbal, s_name, n_name, p_partkey, p_mfgr FROM part, supplier, partsupp, nation
WHERE p_partkey = ps_partkey AND s_suppkey = ps_suppkey AND p_size > 5 AND p_type LIKE '%BRASS'
	AND s_nationkey = n_nationkey AND n_regionkey = 2 AND ps_supplycost = (
		SELECT min(ps_supplycost) FROM partsupp, supplier, nation
		WHERE p_partkey = ps_partkey AND s_suppkey = ps_suppkey AND s_nationkey = n_nationkey AND n_regionkey = 2)
ORDER BY s_acctbal DESC, n_name, s_name, p_partkey LIMIT 100$$);

SELECT pg_temp.test('4', false, $$
SELECT o_orderpriority, count(*) AS order_count FROM orders
WHERE o_orderdate >= date '1994-07-01' AND o_orderdate < date '1994-07-01' + interval '3 month' AND EXISTS (
	SELECT * FROM lineitem WHERE l_orderkey = o_orderkey AND l_commitdate < l_receiptdate)
GROUP BY o_orderpriority ORDER BY o_orderpriority$$);

SELECT pg_temp.test('11', false, $$
SELECT ps_partkey, sum(ps_supplycost * ps_availqty) AS value FROM partsupp, supplier, nation
WHERE ps_suppkey = s_suppkey AND s_nationkey = n_nationkey AND n_regionkey = 1
GROUP BY ps_partkey HAVING sum(ps_supplycost * ps_availqty) > (
	SELECT sum(ps_supplycost * ps_availqty) * 0.01 FROM partsupp, supplier, nation
	WHERE ps_suppkey = s_suppkey AND s_nationkey = n_nationkey AND n_regionkey = 1)
ORDER BY value DESC, ps_partkey$$);

SELECT pg_temp.test('13', false, $$
SELECT c_count, count(*) AS custdist FROM (
	SELECT c_custkey, count(o_orderkey) FROM customer LEFT OUTER JOIN orders ON c_custkey = o_custkey
		AND o_orderpriority NOT LIKE '%4-%' GROUP BY c_custkey) AS c_orders (c_custkey, c_count)
GROUP BY c_count ORDER BY custdist DESC, c_count DESC$$);

SELECT pg_temp.test('15', false, $$
WITH revenue AS (
	SELECT l_suppkey AS supplier_no, sum(l_extendedprice * (1 - l_discount)) AS total_revenue FROM lineitem
	WHERE l_shipdate >= date '1995-01-01' GROUP BY l_suppkey)
SELECT s_suppkey, s_name, total_revenue FROM supplier, revenue WHERE s_suppkey = supplier_no AND total_revenue = (
	SELECT max(total_revenue) FROM revenue) ORDER BY s_suppkey$$);

SELECT pg_temp.test('16', false, $$
SELECT p_brand, p_type, p_size, count(DISTINCT ps_suppkey) AS supplier_cnt FROM partsupp, part
WHERE p_partkey = ps_partkey AND p_brand <> 'Brand#3' AND ps_suppkey NOT IN (
	SELECT s_suppkey FROM supplier WHERE s_comment LIKE '%comment 1%')
GROUP BY p_brand, p_type, p_size ORDER BY supplier_cnt DESC, p_brand, p_type, p_size$$);

SELECT pg_temp.test('17', false, $$
SELECT sum(l_extendedprice) / 7.0 AS avg_yearly FROM lineitem, part
WHERE p_partkey = l_partkey AND p_brand = 'Brand#3' AND l_quantity < (
	SELECT 0.6 * avg(l_quantity) FROM lineitem WHERE l_partkey = p_partkey)$$);

SELECT pg_temp.test('18', false, $$
SELECT c_name, c_custkey, o_orderkey, o_orderdate, o_totalprice, sum(l_quantity) FROM customer, orders, lineitem
WHERE o_orderkey IN (SELECT l_orderkey FROM lineitem GROUP BY l_orderkey HAVING sum(l_quantity) > 100)
	AND c_custkey = o_custkey AND o_orderkey = l_orderkey
GROUP BY c_name, c_custkey, o_orderkey, o_orderdate, o_totalprice
ORDER BY o_totalprice DESC, o_orderdate, o_orderkey$$);

SELECT pg_temp.test('20', false, $$
SELECT s_name, s_address FROM supplier, nation WHERE s_suppkey IN (
	SELECT ps_suppkey FROM partsupp WHERE ps_partkey IN (SELECT p_partkey FROM part WHERE p_name LIKE 'forest%')
		AND ps_availqty > (SELECT 0.5 * sum(l_quantity) FROM lineitem
			WHERE l_partkey = ps_partkey AND l_suppkey = ps_suppkey AND l_shipdate >= date '1994-01-01'))
	AND s_nationkey = n_nationkey AND n_regionkey < 4 ORDER BY s_name$$);

SELECT pg_temp.test('21', false, $$
SELECT s_name, count(*) AS numwait FROM supplier, lineitem l1, orders, nation
WHERE s_suppkey = l1.l_suppkey AND o_orderkey = l1.l_orderkey AND o_orderstatus = 'F'
	AND l1.l_receiptdate > l1.l_commitdate AND EXISTS (
		SELECT * FROM lineitem l2 WHERE l2.l_orderkey = l1.l_orderkey AND l2.l_suppkey <> l1.l_suppkey)
	AND NOT EXISTS (
		SELECT * FROM lineitem l3 WHERE l3.l_orderkey = l1.l_orderkey AND l3.l_suppkey <> l1.l_suppkey
			AND l3.l_receiptdate > l3.l_commitdate)
	AND s_nationkey = n_nationkey AND n_regionkey < 4
GROUP BY s_name ORDER BY numwait DESC, s_name$$);

SELECT pg_temp.test('22', false, $$
SELECT cntrycode, count(*) AS numcust, sum(c_acctbal) AS totacctbal FROM (
	SELECT substring(c_phone FROM 1 FOR 2) AS cntrycode, c_acctbal FROM customer
	WHERE substring(c_phone FROM 1 FOR 2) IN ('13', '21', '23', '29', '20', '18', '17') AND c_acctbal > (
		SELECT avg(c_acctbal) FROM customer WHERE c_acctbal > 0.00) AND NOT EXISTS (
			SELECT * FROM orders WHERE o_custkey = c_custkey)) AS custsale
GROUP BY cntrycode ORDER BY cntrycode$$);

-- The subqueries of 2, 17 and 20 in the target list.  The least cost stays, for of equal numerics, as 1.0 and
-- 1.00, the first is taken.
SELECT pg_temp.test('2, selected', true, $$
SELECT p_partkey, (SELECT min(ps_supplycost) FROM partsupp, supplier, nation
	WHERE p_partkey = ps_partkey AND s_suppkey = ps_suppkey AND s_nationkey = n_nationkey AND n_regionkey = 2)
FROM part ORDER BY p_partkey$$);

SELECT pg_temp.test('2, selected, with an integer', true, $$
SELECT p_partkey, (SELECT min(ps_availqty) FROM partsupp, supplier, nation
	WHERE p_partkey = ps_partkey AND s_suppkey = ps_suppkey AND s_nationkey = n_nationkey AND n_regionkey = 2)
FROM part ORDER BY p_partkey$$);

SELECT pg_temp.test('17, selected', true, $$
SELECT p_partkey, (SELECT 0.6 * avg(l_quantity) FROM lineitem WHERE l_partkey = p_partkey) FROM part ORDER BY 1$$);

SELECT pg_temp.test('20, selected', true, $$
SELECT ps_partkey, ps_suppkey, ps_availqty > (SELECT 0.5 * sum(l_quantity) FROM lineitem
	WHERE l_partkey = ps_partkey AND l_suppkey = ps_suppkey AND l_shipdate >= date '1994-01-01')
FROM partsupp ORDER BY 1, 2$$);

SELECT pg_temp.test('customers with orders with lines', true, $$
SELECT json_agg(json_build_object('name', c_name, 'orders', (
	SELECT coalesce(json_agg(json_build_object('key', o_orderkey, 'lines', (
		SELECT json_agg(lineitem ORDER BY l_linenumber) FROM lineitem WHERE l_orderkey = o_orderkey)) ORDER BY o_orderkey),
		'[]') FROM orders WHERE o_custkey = c_custkey)) ORDER BY c_custkey) FROM customer$$);

SELECT * FROM finish();
ROLLBACK;

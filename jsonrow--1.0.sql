/* jsonrow--1.0.sql */

-- complain if script is sourced in psql, rather than via CREATE EXTENSION
\echo Use "CREATE EXTENSION jsonrow" to load this file. \quit

--
-- documents
--

CREATE FUNCTION jsonrow_is_valid(jsonb) RETURNS boolean
	AS 'MODULE_PATHNAME', 'jsonrow_is_valid_jsonb'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_is_valid(jsonb) IS
	'is the value a document, {"cols": HEADER, "rows": [ROW, ...]} or {"cols": HEADER, "vals": [VECTOR, ...]}?';

CREATE FUNCTION jsonrow_is_valid(json) RETURNS boolean
	AS 'MODULE_PATHNAME', 'jsonrow_is_valid_json'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_is_valid(json) IS
	'is the value a document, {"cols": HEADER, "rows": [ROW, ...]} or {"cols": HEADER, "vals": [VECTOR, ...]}?';

CREATE DOMAIN jsonrow AS jsonb
	CONSTRAINT jsonrow_check CHECK (jsonrow_is_valid(VALUE));

COMMENT ON DOMAIN jsonrow IS 'jsonb that is a document (jsonrow_to_rows tells why a value is not); nested in another, its header moves to the outer one';

CREATE DOMAIN jsonrow_json AS json
	CONSTRAINT jsonrow_json_check CHECK (jsonrow_is_valid(VALUE));

COMMENT ON DOMAIN jsonrow_json IS 'json that is a document; nested in another, its header moves to the outer one';

--
-- what all aggregates share
--

CREATE FUNCTION jsonrow_agg_combinefn(internal, internal) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_agg_combinefn(internal, internal) IS 'aggregate combine function';

CREATE FUNCTION jsonrow_agg_serialfn_support(internal) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_agg_serialfn_support(internal) IS 'planner support function';

CREATE FUNCTION jsonrow_agg_serialfn(internal) RETURNS bytea
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
	SUPPORT jsonrow_agg_serialfn_support;

COMMENT ON FUNCTION jsonrow_agg_serialfn(internal) IS 'aggregate serial function';

CREATE FUNCTION jsonrow_agg_deserialfn(bytea, internal) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_agg_deserialfn(bytea, internal) IS 'aggregate deserial function';

--
-- jsonrow_agg
--

CREATE FUNCTION jsonrow_agg_transfn(internal, record) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_agg_transfn(internal, record) IS 'aggregate transition function';

CREATE FUNCTION jsonrow_agg_finalfn(internal, record) RETURNS jsonrow
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_agg_finalfn(internal, record) IS 'aggregate final function';

CREATE AGGREGATE jsonrow_agg(record) (
	SFUNC = jsonrow_agg_transfn,
	STYPE = internal,
	SSPACE = -1,
	FINALFUNC = jsonrow_agg_finalfn,
	FINALFUNC_EXTRA,
	COMBINEFUNC = jsonrow_agg_combinefn,
	SERIALFUNC = jsonrow_agg_serialfn,
	DESERIALFUNC = jsonrow_agg_deserialfn,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE jsonrow_agg(record) IS 'aggregate rows into a row-oriented document, as jsonb; names from the row type; a NULL record is null; no rows give a document without rows';

CREATE FUNCTION jsonrow_agg_transfn(internal, cols text[], VARIADIC "any") RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_agg_transfn(internal, cols text[], VARIADIC "any") IS 'aggregate transition function';

CREATE FUNCTION jsonrow_agg_finalfn(internal, cols text[], VARIADIC "any") RETURNS jsonrow
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_agg_finalfn(internal, cols text[], VARIADIC "any") IS 'aggregate final function';

CREATE AGGREGATE jsonrow_agg(cols text[], VARIADIC "any") (
	SFUNC = jsonrow_agg_transfn,
	STYPE = internal,
	SSPACE = -1,
	FINALFUNC = jsonrow_agg_finalfn,
	FINALFUNC_EXTRA,
	COMBINEFUNC = jsonrow_agg_combinefn,
	SERIALFUNC = jsonrow_agg_serialfn,
	DESERIALFUNC = jsonrow_agg_deserialfn,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE jsonrow_agg(cols text[], VARIADIC "any") IS 'aggregate rows into a row-oriented document, as jsonb; with these names for these values; no rows give a document without rows';

--
-- jsonrow_agg_json
--

CREATE FUNCTION jsonrow_agg_json_transfn(internal, record) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_agg_json_transfn(internal, record) IS 'aggregate transition function';

CREATE FUNCTION jsonrow_agg_json_finalfn(internal, record) RETURNS jsonrow_json
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_agg_json_finalfn(internal, record) IS 'aggregate final function';

CREATE AGGREGATE jsonrow_agg_json(record) (
	SFUNC = jsonrow_agg_json_transfn,
	STYPE = internal,
	SSPACE = -1,
	FINALFUNC = jsonrow_agg_json_finalfn,
	FINALFUNC_EXTRA,
	COMBINEFUNC = jsonrow_agg_combinefn,
	SERIALFUNC = jsonrow_agg_serialfn,
	DESERIALFUNC = jsonrow_agg_deserialfn,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE jsonrow_agg_json(record) IS 'aggregate rows into a row-oriented document, as JSON text; names from the row type; a NULL record is null; no rows give a document without rows';

CREATE FUNCTION jsonrow_agg_json_transfn(internal, cols text[], VARIADIC "any") RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_agg_json_transfn(internal, cols text[], VARIADIC "any") IS 'aggregate transition function';

CREATE FUNCTION jsonrow_agg_json_finalfn(internal, cols text[], VARIADIC "any") RETURNS jsonrow_json
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_agg_json_finalfn(internal, cols text[], VARIADIC "any") IS 'aggregate final function';

CREATE AGGREGATE jsonrow_agg_json(cols text[], VARIADIC "any") (
	SFUNC = jsonrow_agg_json_transfn,
	STYPE = internal,
	SSPACE = -1,
	FINALFUNC = jsonrow_agg_json_finalfn,
	FINALFUNC_EXTRA,
	COMBINEFUNC = jsonrow_agg_combinefn,
	SERIALFUNC = jsonrow_agg_serialfn,
	DESERIALFUNC = jsonrow_agg_deserialfn,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE jsonrow_agg_json(cols text[], VARIADIC "any") IS 'aggregate rows into a row-oriented document, as JSON text; with these names for these values; no rows give a document without rows';

--
-- jsoncol_agg
--

CREATE FUNCTION jsoncol_agg_transfn(internal, record) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE;

COMMENT ON FUNCTION jsoncol_agg_transfn(internal, record) IS 'aggregate transition function';

CREATE FUNCTION jsoncol_agg_finalfn(internal, record) RETURNS jsonrow
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE;

COMMENT ON FUNCTION jsoncol_agg_finalfn(internal, record) IS 'aggregate final function';

CREATE AGGREGATE jsoncol_agg(record) (
	SFUNC = jsoncol_agg_transfn,
	STYPE = internal,
	SSPACE = -1,
	FINALFUNC = jsoncol_agg_finalfn,
	FINALFUNC_EXTRA,
	COMBINEFUNC = jsonrow_agg_combinefn,
	SERIALFUNC = jsonrow_agg_serialfn,
	DESERIALFUNC = jsonrow_agg_deserialfn,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE jsoncol_agg(record) IS 'aggregate rows into a column-oriented document, as jsonb; names from the row type; a NULL record is null; no rows give a document without rows';

CREATE FUNCTION jsoncol_agg_transfn(internal, cols text[], VARIADIC "any") RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE;

COMMENT ON FUNCTION jsoncol_agg_transfn(internal, cols text[], VARIADIC "any") IS 'aggregate transition function';

CREATE FUNCTION jsoncol_agg_finalfn(internal, cols text[], VARIADIC "any") RETURNS jsonrow
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE;

COMMENT ON FUNCTION jsoncol_agg_finalfn(internal, cols text[], VARIADIC "any") IS 'aggregate final function';

CREATE AGGREGATE jsoncol_agg(cols text[], VARIADIC "any") (
	SFUNC = jsoncol_agg_transfn,
	STYPE = internal,
	SSPACE = -1,
	FINALFUNC = jsoncol_agg_finalfn,
	FINALFUNC_EXTRA,
	COMBINEFUNC = jsonrow_agg_combinefn,
	SERIALFUNC = jsonrow_agg_serialfn,
	DESERIALFUNC = jsonrow_agg_deserialfn,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE jsoncol_agg(cols text[], VARIADIC "any") IS 'aggregate rows into a column-oriented document, as jsonb; with these names for these values; no rows give a document without rows';

--
-- jsoncol_agg_json
--

CREATE FUNCTION jsoncol_agg_json_transfn(internal, record) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE;

COMMENT ON FUNCTION jsoncol_agg_json_transfn(internal, record) IS 'aggregate transition function';

CREATE FUNCTION jsoncol_agg_json_finalfn(internal, record) RETURNS jsonrow_json
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE;

COMMENT ON FUNCTION jsoncol_agg_json_finalfn(internal, record) IS 'aggregate final function';

CREATE AGGREGATE jsoncol_agg_json(record) (
	SFUNC = jsoncol_agg_json_transfn,
	STYPE = internal,
	SSPACE = -1,
	FINALFUNC = jsoncol_agg_json_finalfn,
	FINALFUNC_EXTRA,
	COMBINEFUNC = jsonrow_agg_combinefn,
	SERIALFUNC = jsonrow_agg_serialfn,
	DESERIALFUNC = jsonrow_agg_deserialfn,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE jsoncol_agg_json(record) IS 'aggregate rows into a column-oriented document, as JSON text; names from the row type; a NULL record is null; no rows give a document without rows';

CREATE FUNCTION jsoncol_agg_json_transfn(internal, cols text[], VARIADIC "any") RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE;

COMMENT ON FUNCTION jsoncol_agg_json_transfn(internal, cols text[], VARIADIC "any") IS 'aggregate transition function';

CREATE FUNCTION jsoncol_agg_json_finalfn(internal, cols text[], VARIADIC "any") RETURNS jsonrow_json
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE;

COMMENT ON FUNCTION jsoncol_agg_json_finalfn(internal, cols text[], VARIADIC "any") IS 'aggregate final function';

CREATE AGGREGATE jsoncol_agg_json(cols text[], VARIADIC "any") (
	SFUNC = jsoncol_agg_json_transfn,
	STYPE = internal,
	SSPACE = -1,
	FINALFUNC = jsoncol_agg_json_finalfn,
	FINALFUNC_EXTRA,
	COMBINEFUNC = jsonrow_agg_combinefn,
	SERIALFUNC = jsonrow_agg_serialfn,
	DESERIALFUNC = jsonrow_agg_deserialfn,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE jsoncol_agg_json(cols text[], VARIADIC "any") IS 'aggregate rows into a column-oriented document, as JSON text; with these names for these values; no rows give a document without rows';

--
-- jsonrow_array_agg
--

CREATE FUNCTION jsonrow_array_agg_transfn(internal, VARIADIC "any") RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_array_agg_transfn(internal, VARIADIC "any") IS 'aggregate transition function';

CREATE FUNCTION jsonrow_array_agg_finalfn(internal, VARIADIC "any") RETURNS jsonb
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_array_agg_finalfn(internal, VARIADIC "any") IS 'aggregate final function';

CREATE AGGREGATE jsonrow_array_agg(VARIADIC "any") (
	SFUNC = jsonrow_array_agg_transfn,
	STYPE = internal,
	SSPACE = -1,
	FINALFUNC = jsonrow_array_agg_finalfn,
	FINALFUNC_EXTRA,
	COMBINEFUNC = jsonrow_agg_combinefn,
	SERIALFUNC = jsonrow_agg_serialfn,
	DESERIALFUNC = jsonrow_agg_deserialfn,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE jsonrow_array_agg(VARIADIC "any") IS 'aggregate rows into an array of arrays, as jsonb; a single composite is spread into its columns; no rows give []';

--
-- jsonrow_array_agg_json
--

CREATE FUNCTION jsonrow_array_agg_json_transfn(internal, VARIADIC "any") RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_array_agg_json_transfn(internal, VARIADIC "any") IS 'aggregate transition function';

CREATE FUNCTION jsonrow_array_agg_json_finalfn(internal, VARIADIC "any") RETURNS json
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_array_agg_json_finalfn(internal, VARIADIC "any") IS 'aggregate final function';

CREATE AGGREGATE jsonrow_array_agg_json(VARIADIC "any") (
	SFUNC = jsonrow_array_agg_json_transfn,
	STYPE = internal,
	SSPACE = -1,
	FINALFUNC = jsonrow_array_agg_json_finalfn,
	FINALFUNC_EXTRA,
	COMBINEFUNC = jsonrow_agg_combinefn,
	SERIALFUNC = jsonrow_agg_serialfn,
	DESERIALFUNC = jsonrow_agg_deserialfn,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE jsonrow_array_agg_json(VARIADIC "any") IS 'aggregate rows into an array of arrays, as JSON text; a single composite is spread into its columns; no rows give []';

--
-- jsonrow_objects_agg
--

CREATE FUNCTION jsonrow_objects_agg_finalfn(internal) RETURNS jsonb
	AS 'MODULE_PATHNAME', 'jsonrow_array_agg_finalfn' LANGUAGE C STABLE PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_objects_agg_finalfn(internal) IS 'aggregate final function';

CREATE FUNCTION jsonrow_objects_agg_transfn(internal, record) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_objects_agg_transfn(internal, record) IS 'aggregate transition function';

CREATE AGGREGATE jsonrow_objects_agg(record) (
	SFUNC = jsonrow_objects_agg_transfn,
	STYPE = internal,
	SSPACE = -1,
	FINALFUNC = jsonrow_objects_agg_finalfn,
	COMBINEFUNC = jsonrow_agg_combinefn,
	SERIALFUNC = jsonrow_agg_serialfn,
	DESERIALFUNC = jsonrow_agg_deserialfn,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE jsonrow_objects_agg(record) IS 'aggregate rows into an array of objects, as jsonb; names from the row type; nested documents become arrays of objects; a NULL record is null; no rows give []';

CREATE FUNCTION jsonrow_objects_agg_transfn(internal, cols text[], VARIADIC "any") RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_objects_agg_transfn(internal, cols text[], VARIADIC "any") IS 'aggregate transition function';

CREATE AGGREGATE jsonrow_objects_agg(cols text[], VARIADIC "any") (
	SFUNC = jsonrow_objects_agg_transfn,
	STYPE = internal,
	SSPACE = -1,
	FINALFUNC = jsonrow_objects_agg_finalfn,
	COMBINEFUNC = jsonrow_agg_combinefn,
	SERIALFUNC = jsonrow_agg_serialfn,
	DESERIALFUNC = jsonrow_agg_deserialfn,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE jsonrow_objects_agg(cols text[], VARIADIC "any") IS 'aggregate rows into an array of objects, as jsonb; with these names for these values; nested documents become arrays of objects; no rows give []';

--
-- jsonrow_objects_agg_json
--

CREATE FUNCTION jsonrow_objects_agg_json_finalfn(internal) RETURNS json
	AS 'MODULE_PATHNAME', 'jsonrow_array_agg_json_finalfn' LANGUAGE C STABLE PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_objects_agg_json_finalfn(internal) IS 'aggregate final function';

CREATE FUNCTION jsonrow_objects_agg_json_transfn(internal, record) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_objects_agg_json_transfn(internal, record) IS 'aggregate transition function';

CREATE AGGREGATE jsonrow_objects_agg_json(record) (
	SFUNC = jsonrow_objects_agg_json_transfn,
	STYPE = internal,
	SSPACE = -1,
	FINALFUNC = jsonrow_objects_agg_json_finalfn,
	COMBINEFUNC = jsonrow_agg_combinefn,
	SERIALFUNC = jsonrow_agg_serialfn,
	DESERIALFUNC = jsonrow_agg_deserialfn,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE jsonrow_objects_agg_json(record) IS 'aggregate rows into an array of objects, as JSON text; names from the row type; nested documents become arrays of objects; a NULL record is null; no rows give []';

CREATE FUNCTION jsonrow_objects_agg_json_transfn(internal, cols text[], VARIADIC "any") RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_objects_agg_json_transfn(internal, cols text[], VARIADIC "any") IS 'aggregate transition function';

CREATE AGGREGATE jsonrow_objects_agg_json(cols text[], VARIADIC "any") (
	SFUNC = jsonrow_objects_agg_json_transfn,
	STYPE = internal,
	SSPACE = -1,
	FINALFUNC = jsonrow_objects_agg_json_finalfn,
	COMBINEFUNC = jsonrow_agg_combinefn,
	SERIALFUNC = jsonrow_agg_serialfn,
	DESERIALFUNC = jsonrow_agg_deserialfn,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE jsonrow_objects_agg_json(cols text[], VARIADIC "any") IS 'aggregate rows into an array of objects, as JSON text; with these names for these values; nested documents become arrays of objects; no rows give []';

--
-- What unnesting asks of a group
--

CREATE FUNCTION jsonrow_is_small_group(most int, size int, VARIADIC "any") RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_is_small_group(int, int, VARIADIC "any") IS 'is the row one of the first of its group that take at most this many bytes together; a row takes size bytes, and those of the values after the key; rows come group by group, in the order of the key; for jsonrow.unnest';

--
-- PostgreSQL's own aggregates, keeping what is known about the types
--
-- Like the originals, they have no combine function, and the same SSPACE.  A
-- function that does the work of two costs as much as both, so that plans stay the
-- same.
--

CREATE FUNCTION jsonrow_core_json_agg_finalfn(internal) RETURNS json
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_core_json_agg_finalfn(internal) IS 'aggregate final function';

CREATE FUNCTION jsonrow_core_jsonb_agg_finalfn(internal) RETURNS jsonb
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_core_jsonb_agg_finalfn(internal) IS 'aggregate final function';

CREATE FUNCTION jsonrow_core_json_agg_transfn(internal, anyelement) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_core_json_agg_transfn(internal, anyelement) IS 'aggregate transition function';

CREATE AGGREGATE jsonrow_core_json_agg(anyelement) (
	SFUNC = jsonrow_core_json_agg_transfn,
	STYPE = internal,
	FINALFUNC = jsonrow_core_json_agg_finalfn,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE jsonrow_core_json_agg(anyelement) IS 'the same as json_agg, byte for byte and in its errors, except for results that are too large; faster';

CREATE FUNCTION jsonrow_core_json_agg_strict_transfn(internal, anyelement) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_core_json_agg_strict_transfn(internal, anyelement) IS 'aggregate transition function';

CREATE AGGREGATE jsonrow_core_json_agg_strict(anyelement) (
	SFUNC = jsonrow_core_json_agg_strict_transfn,
	STYPE = internal,
	FINALFUNC = jsonrow_core_json_agg_finalfn,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE jsonrow_core_json_agg_strict(anyelement) IS 'the same as json_agg_strict, byte for byte and in its errors, except for results that are too large; faster';

CREATE FUNCTION jsonrow_core_jsonb_agg_transfn(internal, anyelement) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_core_jsonb_agg_transfn(internal, anyelement) IS 'aggregate transition function';

CREATE AGGREGATE jsonrow_core_jsonb_agg(anyelement) (
	SFUNC = jsonrow_core_jsonb_agg_transfn,
	STYPE = internal,
	FINALFUNC = jsonrow_core_jsonb_agg_finalfn,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE jsonrow_core_jsonb_agg(anyelement) IS 'the same as jsonb_agg, byte for byte and in its errors, except for results that are too large; faster';

CREATE FUNCTION jsonrow_core_jsonb_agg_strict_transfn(internal, anyelement) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_core_jsonb_agg_strict_transfn(internal, anyelement) IS 'aggregate transition function';

CREATE AGGREGATE jsonrow_core_jsonb_agg_strict(anyelement) (
	SFUNC = jsonrow_core_jsonb_agg_strict_transfn,
	STYPE = internal,
	FINALFUNC = jsonrow_core_jsonb_agg_finalfn,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE jsonrow_core_jsonb_agg_strict(anyelement) IS 'the same as jsonb_agg_strict, byte for byte and in its errors, except for results that are too large; faster';

CREATE FUNCTION jsonrow_core_json_agg_named_transfn(internal, cols text[], VARIADIC "any") RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_core_json_agg_named_transfn(internal, cols text[], VARIADIC "any") IS 'aggregate transition function';

CREATE AGGREGATE jsonrow_core_json_agg(cols text[], VARIADIC "any") (
	SFUNC = jsonrow_core_json_agg_named_transfn,
	STYPE = internal,
	FINALFUNC = jsonrow_core_json_agg_finalfn,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE jsonrow_core_json_agg(cols text[], VARIADIC "any") IS 'the same as json_agg for a row with these names and values, byte for byte and in its errors, except for results that are too large; faster';

CREATE FUNCTION jsonrow_core_json_agg_row_to_json_transfn(internal, cols text[], VARIADIC "any") RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE COST 2;

COMMENT ON FUNCTION jsonrow_core_json_agg_row_to_json_transfn(internal, cols text[], VARIADIC "any") IS 'aggregate transition function';

CREATE AGGREGATE jsonrow_core_json_agg_row_to_json(cols text[], VARIADIC "any") (
	SFUNC = jsonrow_core_json_agg_row_to_json_transfn,
	STYPE = internal,
	FINALFUNC = jsonrow_core_json_agg_finalfn,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE jsonrow_core_json_agg_row_to_json(cols text[], VARIADIC "any") IS 'the same as json_agg(row_to_json(row)) for a row with these names and values, byte for byte and in its errors, except for results that are too large; faster';

CREATE FUNCTION jsonrow_core_json_agg_build_object_transfn(internal, keys text[], VARIADIC "any") RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE COST 2;

COMMENT ON FUNCTION jsonrow_core_json_agg_build_object_transfn(internal, keys text[], VARIADIC "any") IS 'aggregate transition function';

CREATE AGGREGATE jsonrow_core_json_agg_build_object(keys text[], VARIADIC "any") (
	SFUNC = jsonrow_core_json_agg_build_object_transfn,
	STYPE = internal,
	FINALFUNC = jsonrow_core_json_agg_finalfn,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE jsonrow_core_json_agg_build_object(keys text[], VARIADIC "any") IS 'the same as json_agg(json_build_object(...)) for these keys and values, byte for byte and in its errors, except for results that are too large; faster';

CREATE FUNCTION jsonrow_core_json_agg_build_array_transfn(internal, VARIADIC "any") RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE COST 2;

COMMENT ON FUNCTION jsonrow_core_json_agg_build_array_transfn(internal, VARIADIC "any") IS 'aggregate transition function';

CREATE AGGREGATE jsonrow_core_json_agg_build_array(VARIADIC "any") (
	SFUNC = jsonrow_core_json_agg_build_array_transfn,
	STYPE = internal,
	FINALFUNC = jsonrow_core_json_agg_finalfn,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE jsonrow_core_json_agg_build_array(VARIADIC "any") IS 'the same as json_agg(json_build_array(...)), byte for byte and in its errors, except for results that are too large; faster';

CREATE FUNCTION jsonrow_core_jsonb_agg_named_transfn(internal, cols text[], VARIADIC "any") RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE COST 2;

COMMENT ON FUNCTION jsonrow_core_jsonb_agg_named_transfn(internal, cols text[], VARIADIC "any") IS 'aggregate transition function';

CREATE AGGREGATE jsonrow_core_jsonb_agg(cols text[], VARIADIC "any") (
	SFUNC = jsonrow_core_jsonb_agg_named_transfn,
	STYPE = internal,
	FINALFUNC = jsonrow_core_jsonb_agg_finalfn,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE jsonrow_core_jsonb_agg(cols text[], VARIADIC "any") IS 'the same as jsonb_agg for a row, or an object, with these names and values, byte for byte and in its errors, except for results that are too large; faster';

CREATE FUNCTION jsonrow_core_jsonb_agg_build_array_transfn(internal, VARIADIC "any") RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE COST 2;

COMMENT ON FUNCTION jsonrow_core_jsonb_agg_build_array_transfn(internal, VARIADIC "any") IS 'aggregate transition function';

CREATE AGGREGATE jsonrow_core_jsonb_agg_build_array(VARIADIC "any") (
	SFUNC = jsonrow_core_jsonb_agg_build_array_transfn,
	STYPE = internal,
	FINALFUNC = jsonrow_core_jsonb_agg_finalfn,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE jsonrow_core_jsonb_agg_build_array(VARIADIC "any") IS 'the same as jsonb_agg(jsonb_build_array(...)), byte for byte and in its errors, except for results that are too large; faster';

CREATE FUNCTION jsonrow_core_jsonb_agg_text_finalfn(internal) RETURNS json
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_core_jsonb_agg_text_finalfn(internal) IS 'aggregate final function';

CREATE FUNCTION jsonrow_core_jsonb_agg_text_transfn(internal, anyelement) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_core_jsonb_agg_text_transfn(internal, anyelement) IS 'aggregate transition function';

CREATE AGGREGATE jsonrow_core_jsonb_agg_text(anyelement) (
	SFUNC = jsonrow_core_jsonb_agg_text_transfn,
	STYPE = internal,
	FINALFUNC = jsonrow_core_jsonb_agg_text_finalfn,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE jsonrow_core_jsonb_agg_text(anyelement) IS 'the same as jsonb_agg, but as text, of type json, to be put into other JSON text';

CREATE FUNCTION jsonrow_core_jsonb_agg_text_named_transfn(internal, cols text[], VARIADIC "any") RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE COST 2;

COMMENT ON FUNCTION jsonrow_core_jsonb_agg_text_named_transfn(internal, cols text[], VARIADIC "any") IS 'aggregate transition function';

CREATE AGGREGATE jsonrow_core_jsonb_agg_text(cols text[], VARIADIC "any") (
	SFUNC = jsonrow_core_jsonb_agg_text_named_transfn,
	STYPE = internal,
	FINALFUNC = jsonrow_core_jsonb_agg_text_finalfn,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE jsonrow_core_jsonb_agg_text(cols text[], VARIADIC "any") IS 'the same as jsonb_agg of a row, or an object, with these names and values, but as text, of type json, to be put into other JSON text';

CREATE FUNCTION jsonrow_core_json_object_agg_transfn(internal, "any", "any") RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_core_json_object_agg_transfn(internal, "any", "any") IS 'aggregate transition function';

CREATE FUNCTION jsonrow_core_json_object_agg_finalfn(internal) RETURNS json
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_core_json_object_agg_finalfn(internal) IS 'aggregate final function';

CREATE AGGREGATE jsonrow_core_json_object_agg("any", "any") (
	SFUNC = jsonrow_core_json_object_agg_transfn,
	STYPE = internal,
	FINALFUNC = jsonrow_core_json_object_agg_finalfn,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE jsonrow_core_json_object_agg("any", "any") IS 'the same as json_object_agg, byte for byte and in its errors, except for results that are too large; faster';

CREATE FUNCTION jsonrow_core_jsonb_object_agg_transfn(internal, "any", "any") RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_core_jsonb_object_agg_transfn(internal, "any", "any") IS 'aggregate transition function';

CREATE FUNCTION jsonrow_core_jsonb_object_agg_finalfn(internal) RETURNS jsonb
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_core_jsonb_object_agg_finalfn(internal) IS 'aggregate final function';

CREATE AGGREGATE jsonrow_core_jsonb_object_agg("any", "any") (
	SFUNC = jsonrow_core_jsonb_object_agg_transfn,
	STYPE = internal,
	FINALFUNC = jsonrow_core_jsonb_object_agg_finalfn,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE jsonrow_core_jsonb_object_agg("any", "any") IS 'the same as jsonb_object_agg, byte for byte and in its errors, except for results that are too large; faster';

--
-- PostgreSQL's own constructors, likewise
--

CREATE FUNCTION jsonrow_core_json_build_array(VARIADIC "any") RETURNS json
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_core_json_build_array(VARIADIC "any") IS 'the same as json_build_array, byte for byte and in its errors, except for results that are too large; faster';

CREATE FUNCTION jsonrow_core_json_build_object(VARIADIC "any") RETURNS json
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_core_json_build_object(VARIADIC "any") IS 'the same as json_build_object, byte for byte and in its errors, except for results that are too large; faster';

CREATE FUNCTION jsonrow_core_jsonb_build_array(VARIADIC "any") RETURNS jsonb
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_core_jsonb_build_array(VARIADIC "any") IS 'the same as jsonb_build_array, byte for byte and in its errors, except for results that are too large; faster';

CREATE FUNCTION jsonrow_core_jsonb_build_object(VARIADIC "any") RETURNS jsonb
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_core_jsonb_build_object(VARIADIC "any") IS 'the same as jsonb_build_object, byte for byte and in its errors, except for results that are too large; faster';

CREATE FUNCTION jsonrow_core_row_to_json(record) RETURNS json
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_core_row_to_json(record) IS 'the same as row_to_json, byte for byte and in its errors, except for results that are too large; faster';

CREATE FUNCTION jsonrow_core_row_to_json(record, pretty boolean) RETURNS json
	AS 'MODULE_PATHNAME', 'jsonrow_core_row_to_json_pretty' LANGUAGE C STABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_core_row_to_json(record, pretty boolean) IS 'the same as row_to_json, byte for byte and in its errors, except for results that are too large; faster; one line for each value if pretty is true';

CREATE FUNCTION jsonrow_core_row_to_json(cols text[], VARIADIC "any") RETURNS json
	AS 'MODULE_PATHNAME', 'jsonrow_core_row_to_json_named' LANGUAGE C STABLE PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_core_row_to_json(cols text[], VARIADIC "any") IS 'the same as row_to_json for a row with these names and values, byte for byte and in its errors, except for results that are too large; faster';

CREATE FUNCTION jsonrow_core_to_json(anyelement) RETURNS json
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_core_to_json(anyelement) IS 'the same as to_json, byte for byte and in its errors, except for results that are too large; faster';

CREATE FUNCTION jsonrow_core_to_jsonb(anyelement) RETURNS jsonb
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_core_to_jsonb(anyelement) IS 'the same as to_jsonb, byte for byte and in its errors, except for results that are too large; faster';

CREATE FUNCTION jsonrow_core_to_jsonb(cols text[], VARIADIC "any") RETURNS jsonb
	AS 'MODULE_PATHNAME', 'jsonrow_core_to_jsonb_named' LANGUAGE C STABLE PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_core_to_jsonb(cols text[], VARIADIC "any") IS 'the same as to_jsonb for a row, or jsonb_build_object, with these names and values, byte for byte and in its errors, except for results that are too large; faster';

CREATE FUNCTION jsonrow_core_to_jsonb_text(anyelement) RETURNS json
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_core_to_jsonb_text(anyelement) IS 'the same as to_jsonb, but as text, of type json, to be put into other JSON text';

CREATE FUNCTION jsonrow_core_to_jsonb_text(cols text[], VARIADIC "any") RETURNS json
	AS 'MODULE_PATHNAME', 'jsonrow_core_to_jsonb_text_named' LANGUAGE C STABLE PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_core_to_jsonb_text(cols text[], VARIADIC "any") IS 'the same as to_jsonb of a row, or jsonb_build_object, with these names and values, but as text, of type json, to be put into other JSON text';

CREATE FUNCTION jsonrow_core_array_to_json(anyarray) RETURNS json
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_core_array_to_json(anyarray) IS 'the same as array_to_json, byte for byte and in its errors, except for results that are too large; faster';

CREATE FUNCTION jsonrow_core_array_to_json(anyarray, pretty boolean) RETURNS json
	AS 'MODULE_PATHNAME', 'jsonrow_core_array_to_json_pretty' LANGUAGE C STABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_core_array_to_json(anyarray, pretty boolean) IS 'the same as array_to_json, byte for byte and in its errors, except for results that are too large; faster; one line for each element if pretty is true';

--
-- PostgreSQL's own functions from JSON to rows
--

CREATE FUNCTION jsonrow_core_json_to_record(json) RETURNS record
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_core_json_to_record(json) IS 'the same as json_to_record, but faster';

CREATE FUNCTION jsonrow_core_json_to_recordset(json) RETURNS SETOF record
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE ROWS 100;

COMMENT ON FUNCTION jsonrow_core_json_to_recordset(json) IS 'the same as json_to_recordset, but faster';

CREATE FUNCTION jsonrow_core_json_populate_record(base anyelement, from_json json, use_json_as_text boolean DEFAULT false) RETURNS anyelement
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_core_json_populate_record(anyelement, json, boolean) IS 'the same as json_populate_record, but faster';

CREATE FUNCTION jsonrow_core_json_populate_recordset(base anyelement, from_json json, use_json_as_text boolean DEFAULT false) RETURNS SETOF anyelement
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE ROWS 100;

COMMENT ON FUNCTION jsonrow_core_json_populate_recordset(anyelement, json, boolean) IS 'the same as json_populate_recordset, but faster';

CREATE FUNCTION jsonrow_core_json_array_elements(from_json json, OUT value json) RETURNS SETOF json
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE ROWS 100;

COMMENT ON FUNCTION jsonrow_core_json_array_elements(json) IS 'the same as json_array_elements, but faster, and one row at a time where possible';

CREATE FUNCTION jsonrow_core_json_array_elements_text(from_json json, OUT value text) RETURNS SETOF text
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE ROWS 100;

COMMENT ON FUNCTION jsonrow_core_json_array_elements_text(json) IS 'the same as json_array_elements_text, but faster, and one row at a time where possible';

CREATE FUNCTION jsonrow_core_json_each(from_json json, OUT key text, OUT value json) RETURNS SETOF record
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE ROWS 100;

COMMENT ON FUNCTION jsonrow_core_json_each(json) IS 'the same as json_each, but faster, and one row at a time where possible';

CREATE FUNCTION jsonrow_core_json_each_text(from_json json, OUT key text, OUT value text) RETURNS SETOF record
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE ROWS 100;

COMMENT ON FUNCTION jsonrow_core_json_each_text(json) IS 'the same as json_each_text, but faster, and one row at a time where possible';

CREATE FUNCTION jsonrow_core_json_object_keys(json) RETURNS SETOF text
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE ROWS 100;

COMMENT ON FUNCTION jsonrow_core_json_object_keys(json) IS 'the same as json_object_keys, but faster, and one row at a time where possible';

CREATE FUNCTION jsonrow_core_jsonb_to_record(jsonb) RETURNS record
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_core_jsonb_to_record(jsonb) IS 'the same as jsonb_to_record, but faster';

CREATE FUNCTION jsonrow_core_jsonb_to_recordset(jsonb) RETURNS SETOF record
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE ROWS 100;

COMMENT ON FUNCTION jsonrow_core_jsonb_to_recordset(jsonb) IS 'the same as jsonb_to_recordset, but faster';

CREATE FUNCTION jsonrow_core_jsonb_populate_record(base anyelement, from_json jsonb) RETURNS anyelement
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_core_jsonb_populate_record(anyelement, jsonb) IS 'the same as jsonb_populate_record, but faster';

CREATE FUNCTION jsonrow_core_jsonb_populate_recordset(base anyelement, from_json jsonb) RETURNS SETOF anyelement
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE ROWS 100;

COMMENT ON FUNCTION jsonrow_core_jsonb_populate_recordset(anyelement, jsonb) IS 'the same as jsonb_populate_recordset, but faster';

CREATE FUNCTION jsonrow_core_jsonb_array_elements(from_json jsonb, OUT value jsonb) RETURNS SETOF jsonb
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE ROWS 100;

COMMENT ON FUNCTION jsonrow_core_jsonb_array_elements(jsonb) IS 'the same as jsonb_array_elements, but faster, and one row at a time where possible';

CREATE FUNCTION jsonrow_core_jsonb_array_elements_text(from_json jsonb, OUT value text) RETURNS SETOF text
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE ROWS 100;

COMMENT ON FUNCTION jsonrow_core_jsonb_array_elements_text(jsonb) IS 'the same as jsonb_array_elements_text, but faster, and one row at a time where possible';

CREATE FUNCTION jsonrow_core_jsonb_each(from_json jsonb, OUT key text, OUT value jsonb) RETURNS SETOF record
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE ROWS 100;

COMMENT ON FUNCTION jsonrow_core_jsonb_each(jsonb) IS 'the same as jsonb_each, but faster, and one row at a time where possible';

CREATE FUNCTION jsonrow_core_jsonb_each_text(from_json jsonb, OUT key text, OUT value text) RETURNS SETOF record
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE ROWS 100;

COMMENT ON FUNCTION jsonrow_core_jsonb_each_text(jsonb) IS 'the same as jsonb_each_text, but faster, and one row at a time where possible';

CREATE FUNCTION jsonrow_core_jsonb_object_keys(jsonb) RETURNS SETOF text
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE ROWS 100;

COMMENT ON FUNCTION jsonrow_core_jsonb_object_keys(jsonb) IS 'the same as jsonb_object_keys, but faster, and one row at a time where possible';

--
-- PostgreSQL's ->, ->>, #>, #>> and [], likewise
--

CREATE FUNCTION jsonrow_core_get(doc jsonb, VARIADIC steps "any") RETURNS jsonb
	AS 'MODULE_PATHNAME', 'jsonrow_core_jsonb_get' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_core_get(doc jsonb, VARIADIC steps "any") IS 'the same as ->, or #> for a path, one step after the other, but faster';

CREATE FUNCTION jsonrow_core_get_text(doc jsonb, VARIADIC steps "any") RETURNS text
	AS 'MODULE_PATHNAME', 'jsonrow_core_jsonb_get_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_core_get_text(doc jsonb, VARIADIC steps "any") IS 'the same as ->, with ->> for the last step, or #>> for a path, one step after the other, but faster';

CREATE FUNCTION jsonrow_core_subscript(doc jsonb, VARIADIC subscripts "any") RETURNS jsonb
	AS 'MODULE_PATHNAME', 'jsonrow_core_jsonb_subscript' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_core_subscript(doc jsonb, VARIADIC subscripts "any") IS 'the same as doc[subscript][subscript]..., but faster';

CREATE FUNCTION jsonrow_core_get(doc json, VARIADIC steps "any") RETURNS json
	AS 'MODULE_PATHNAME', 'jsonrow_core_json_get' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_core_get(doc json, VARIADIC steps "any") IS 'the same as ->, or #> for a path, one step after the other, but faster';

CREATE FUNCTION jsonrow_core_get_text(doc json, VARIADIC steps "any") RETURNS text
	AS 'MODULE_PATHNAME', 'jsonrow_core_json_get_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_core_get_text(doc json, VARIADIC steps "any") IS 'the same as ->, with ->> for the last step, or #>> for a path, one step after the other, but faster';

--
-- jsonrow_concat_agg
--

CREATE FUNCTION jsonrow_concat_agg_transfn(internal, jsonrow) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_concat_agg_transfn(internal, jsonrow) IS 'aggregate transition function';

CREATE FUNCTION jsonrow_concat_agg_finalfn(internal, jsonrow) RETURNS jsonrow
	AS 'MODULE_PATHNAME', 'jsonrow_agg_finalfn' LANGUAGE C IMMUTABLE PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_concat_agg_finalfn(internal, jsonrow) IS 'aggregate final function';

CREATE AGGREGATE jsonrow_concat_agg(jsonrow) (
	SFUNC = jsonrow_concat_agg_transfn,
	STYPE = internal,
	SSPACE = -1,
	FINALFUNC = jsonrow_concat_agg_finalfn,
	FINALFUNC_EXTRA,
	COMBINEFUNC = jsonrow_agg_combinefn,
	SERIALFUNC = jsonrow_agg_serialfn,
	DESERIALFUNC = jsonrow_agg_deserialfn,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE jsonrow_concat_agg(jsonrow) IS 'concatenate the rows of documents that have the same header and orientation; NULL is skipped; no rows give a document without columns';

--
-- whole documents
--

CREATE FUNCTION jsonrow_concat(doc jsonb, other jsonb) RETURNS jsonrow
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_concat(jsonb, jsonb) IS 'one document with the rows of two, which have the same header and orientation; NULL if either is NULL';

CREATE FUNCTION jsonrow_to_rows(doc jsonb) RETURNS jsonrow
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_to_rows(jsonb) IS 'the document, row-oriented';

CREATE FUNCTION jsonrow_to_columns(doc jsonb) RETURNS jsonrow
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_to_columns(jsonb) IS 'the document, column-oriented; a null row becomes a row of nulls';

CREATE FUNCTION jsonrow_to_objects(doc jsonb) RETURNS jsonb
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_to_objects(jsonb) IS 'the rows of the document as an array of objects, at every depth; if several names are equal, the last one counts';

CREATE FUNCTION jsonrow_from_objects(objects jsonb) RETURNS jsonrow
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_from_objects(jsonb) IS 'an array of objects as a row-oriented document; columns in order of first appearance; a missing key is null';

--
-- editing
--

CREATE FUNCTION jsonrow_set(doc jsonb, "row" bigint, col text, value jsonb) RETURNS jsonrow
	AS 'MODULE_PATHNAME', 'jsonrow_set_name' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_set(jsonb, bigint, text, jsonb) IS
	'the document with one cell replaced, by row and column name; rows count from 0, or from the end if negative; the same document if the row or column does not exist; NULL if any argument is NULL (a null cell is ''null'')';

CREATE FUNCTION jsonrow_set(doc jsonb, "row" bigint, col bigint, value jsonb) RETURNS jsonrow
	AS 'MODULE_PATHNAME', 'jsonrow_set_index' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_set(jsonb, bigint, bigint, jsonb) IS
	'the document with one cell replaced, by row and column number; both count from 0, or from the end if negative; the same document if the row or column does not exist; NULL if any argument is NULL (a null cell is ''null'')';

CREATE FUNCTION jsonrow_append(doc jsonb, "row" jsonb) RETURNS jsonrow
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_append(jsonb, jsonb) IS
	'the document with one more row at its end: an array of its cells, or null; NULL if any argument is NULL (a null row is ''null'')';

CREATE FUNCTION jsonrow_delete(doc jsonb, "row" bigint) RETURNS jsonrow
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_delete(jsonb, bigint) IS
	'the document without one row; rows count from 0, or from the end if negative; the same document if the row does not exist; NULL if any argument is NULL';

CREATE FUNCTION jsonrow_slice(doc jsonb, first bigint, count bigint) RETURNS jsonrow
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_slice(jsonb, bigint, bigint) IS
	'a document of count rows, or of as many as there are, beginning with row first; rows count from 0, or from the end if negative';

CREATE FUNCTION jsonrow_chunks(doc jsonb, max_bytes int, OUT first_row int, OUT doc jsonrow)
	RETURNS SETOF record
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE ROWS 100;

COMMENT ON FUNCTION jsonrow_chunks(jsonb, int) IS
	'the document cut into consecutive documents of at most max_bytes each, with the number of the first row of each, from 0; a larger row becomes a document of its own; sizes are those of pg_column_size';

--
-- reading
--

CREATE FUNCTION jsonrow_get(doc jsonb, "row" bigint, col text) RETURNS jsonb
	AS 'MODULE_PATHNAME', 'jsonrow_get_name' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_get(jsonb, bigint, text) IS
	'one cell, by row and column name; rows count from 0, or from the end if negative; NULL if it does not exist, or its row is null; a null cell is JSON null';

CREATE FUNCTION jsonrow_get(doc jsonb, "row" bigint, col bigint) RETURNS jsonb
	AS 'MODULE_PATHNAME', 'jsonrow_get_index' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_get(jsonb, bigint, bigint) IS
	'one cell, by row and column number; both count from 0, or from the end if negative; NULL if it does not exist, or its row is null; a null cell is JSON null';

CREATE FUNCTION jsonrow_get_text(doc jsonb, "row" bigint, col text) RETURNS text
	AS 'MODULE_PATHNAME', 'jsonrow_get_text_name' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_get_text(jsonb, bigint, text) IS
	'one cell as text, by row and column name; rows count from 0, or from the end if negative; NULL if it does not exist, or null';

CREATE FUNCTION jsonrow_get_text(doc jsonb, "row" bigint, col bigint) RETURNS text
	AS 'MODULE_PATHNAME', 'jsonrow_get_text_index' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_get_text(jsonb, bigint, bigint) IS
	'one cell as text, by row and column number; both count from 0, or from the end if negative; NULL if it does not exist, or null';

CREATE FUNCTION jsonrow_row(doc jsonb, "row" bigint) RETURNS jsonb
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_row(jsonb, bigint) IS
	'one row, as an array of its cells; rows count from 0, or from the end if negative; NULL if it does not exist; a null row is JSON null';

CREATE FUNCTION jsonrow_object(doc jsonb, "row" bigint) RETURNS jsonb
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_object(jsonb, bigint) IS
	'one row, as an object, at every depth; rows count from 0, or from the end if negative; NULL if it does not exist; a null row is JSON null';

CREATE FUNCTION jsonrow_col(doc jsonb, col text) RETURNS jsonb
	AS 'MODULE_PATHNAME', 'jsonrow_col_name' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_col(jsonb, text) IS
	'one column, as an array of its cells, by name (the first one, if several are equal); NULL if it does not exist';

CREATE FUNCTION jsonrow_col(doc jsonb, col bigint) RETURNS jsonb
	AS 'MODULE_PATHNAME', 'jsonrow_col_index' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_col(jsonb, bigint) IS
	'one column, as an array of its cells, by number; columns count from 0, or from the end if negative; NULL if it does not exist';

CREATE FUNCTION jsonrow_cols(doc jsonb) RETURNS text[]
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_cols(jsonb) IS
	'the names of the columns of the outermost level';

CREATE FUNCTION jsonrow_count(doc jsonb) RETURNS int
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_count(jsonb) IS 'the number of rows';

CREATE FUNCTION jsonrow_find(doc jsonb, col text, value jsonb) RETURNS int
	AS 'MODULE_PATHNAME', 'jsonrow_find_name' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_find(jsonb, text, jsonb) IS
	'the number of the first row whose cell in the column equals the value, from 0; NULL if there is none; null rows have no cells';

CREATE FUNCTION jsonrow_find(doc jsonb, col bigint, value jsonb) RETURNS int
	AS 'MODULE_PATHNAME', 'jsonrow_find_index' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_find(jsonb, bigint, jsonb) IS
	'the number of the first row whose cell in the column equals the value, from 0; columns count from 0, or from the end if negative; NULL if there is none; null rows have no cells';

CREATE FUNCTION jsonrow_path(doc jsonb, "row" bigint, col text) RETURNS text[]
	AS 'MODULE_PATHNAME', 'jsonrow_path_name' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_path(jsonb, bigint, text) IS
	'the path of a cell for #>, jsonb_set and the like, by row and column name; rows count from 0, or from the end if negative; NULL if it does not exist';

CREATE FUNCTION jsonrow_path(doc jsonb, "row" bigint, col bigint) RETURNS text[]
	AS 'MODULE_PATHNAME', 'jsonrow_path_index' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_path(jsonb, bigint, bigint) IS
	'the path of a cell for #>, jsonb_set and the like, by row and column number; both count from 0, or from the end if negative; NULL if it does not exist';

--
-- documents as sets of rows
--

CREATE FUNCTION jsonrow_rows_support(internal) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_rows_support(internal) IS 'planner support function';

CREATE FUNCTION jsonrow_each(doc jsonb, OUT "row" int, OUT value jsonb) RETURNS SETOF record
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE ROWS 100
	SUPPORT jsonrow_rows_support;

COMMENT ON FUNCTION jsonrow_each(jsonb) IS
	'the rows, as arrays of their cells, with their numbers, from 0; a null row is JSON null';

CREATE FUNCTION jsonrow_to_recordset(doc jsonb) RETURNS SETOF record
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE ROWS 100
	SUPPORT jsonrow_rows_support;

COMMENT ON FUNCTION jsonrow_to_recordset(jsonb) IS
	'the rows, as records of a column definition list; columns are found by name (the first one, if several are equal), and NULL if they do not exist';

CREATE FUNCTION jsonrow_populate_recordset(base anyelement, doc jsonb) RETURNS SETOF anyelement
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE ROWS 100
	SUPPORT jsonrow_rows_support;

COMMENT ON FUNCTION jsonrow_populate_recordset(anyelement, jsonb) IS
	'the rows, as values of the composite type of base, which may be NULL; columns are found by name, and taken from base if they do not exist';

--
-- what becomes of a query
--

CREATE FUNCTION jsonrow_explain(query text, OUT place text, OUT what text, OUT outcome text, OUT reason text)
	RETURNS SETOF record
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT ROWS 10;

COMMENT ON FUNCTION jsonrow_explain(text) IS
	'each JSON call, page (LIMIT), look-up (subquery of one row) and collection (aggregating subquery) of a query: where it is, what becomes of it with the settings of this session, and why it stays as it is';

--
-- results in pieces
--
-- VOLATILE and not PARALLEL SAFE, because the query may be anything.
--

CREATE FUNCTION jsonrow_stream(query text) RETURNS SETOF text
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT;

COMMENT ON FUNCTION jsonrow_stream(text) IS
	'the rows of a query, which must change nothing, as the document that jsonrow_agg_json makes, in pieces of about 64 kB that end between rows; runs any query that its caller may run, so revoke EXECUTE from those who should not write queries';

CREATE FUNCTION jsonrow_stream(query text, VARIADIC parameters "any") RETURNS SETOF text
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE;

COMMENT ON FUNCTION jsonrow_stream(text, "any") IS
	'the rows of a query, which must change nothing, with these values for $1, $2 and so on, as the document that jsonrow_agg_json makes, in pieces of about 64 kB that end between rows; runs any query that its caller may run, so revoke EXECUTE from those who should not write queries';

CREATE FUNCTION jsonrow_stream(cursor refcursor) RETURNS SETOF text
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT;

COMMENT ON FUNCTION jsonrow_stream(refcursor) IS
	'the rows of an open cursor, from its current position, as the document that jsonrow_agg_json makes, in pieces of about 64 kB that end between rows';

CREATE FUNCTION jsonrow_stream_lines(query text) RETURNS SETOF text
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT;

COMMENT ON FUNCTION jsonrow_stream_lines(text) IS
	'the rows of a query, which must change nothing, as lines, in pieces of about 64 kB: {"cols": HEADER}, each row as an array, {"rows": n}; runs any query that its caller may run, so revoke EXECUTE from those who should not write queries';

CREATE FUNCTION jsonrow_stream_lines(query text, VARIADIC parameters "any") RETURNS SETOF text
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE;

COMMENT ON FUNCTION jsonrow_stream_lines(text, "any") IS
	'the rows of a query, which must change nothing, with these values for $1, $2 and so on, as lines, in pieces of about 64 kB: {"cols": HEADER}, each row as an array, {"rows": n}; runs any query that its caller may run, so revoke EXECUTE from those who should not write queries';

CREATE FUNCTION jsonrow_stream_lines(cursor refcursor) RETURNS SETOF text
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT;

COMMENT ON FUNCTION jsonrow_stream_lines(refcursor) IS
	'the rows of an open cursor, from its current position, as lines, in pieces of about 64 kB: {"cols": HEADER}, each row as an array, {"rows": n}';

CREATE FUNCTION jsonrow_stream_objects(query text) RETURNS SETOF text
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT;

COMMENT ON FUNCTION jsonrow_stream_objects(text) IS
	'the rows of a query, which must change nothing, as the array that jsonrow_objects_agg_json makes, in pieces of about 64 kB that end between rows; runs any query that its caller may run, so revoke EXECUTE from those who should not write queries';

CREATE FUNCTION jsonrow_stream_objects(query text, VARIADIC parameters "any") RETURNS SETOF text
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE;

COMMENT ON FUNCTION jsonrow_stream_objects(text, "any") IS
	'the rows of a query, which must change nothing, with these values for $1, $2 and so on, as the array that jsonrow_objects_agg_json makes, in pieces of about 64 kB that end between rows; runs any query that its caller may run, so revoke EXECUTE from those who should not write queries';

CREATE FUNCTION jsonrow_stream_objects(cursor refcursor) RETURNS SETOF text
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT;

COMMENT ON FUNCTION jsonrow_stream_objects(refcursor) IS
	'the rows of an open cursor, from its current position, as the array that jsonrow_objects_agg_json makes, in pieces of about 64 kB that end between rows';

CREATE FUNCTION jsonrow_stream_object_lines(query text) RETURNS SETOF text
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT;

COMMENT ON FUNCTION jsonrow_stream_object_lines(text) IS
	'the rows of a query, which must change nothing, as lines of one object each, in pieces of about 64 kB; runs any query that its caller may run, so revoke EXECUTE from those who should not write queries';

CREATE FUNCTION jsonrow_stream_object_lines(query text, VARIADIC parameters "any") RETURNS SETOF text
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE;

COMMENT ON FUNCTION jsonrow_stream_object_lines(text, "any") IS
	'the rows of a query, which must change nothing, with these values for $1, $2 and so on, as lines of one object each, in pieces of about 64 kB; runs any query that its caller may run, so revoke EXECUTE from those who should not write queries';

CREATE FUNCTION jsonrow_stream_object_lines(cursor refcursor) RETURNS SETOF text
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT;

COMMENT ON FUNCTION jsonrow_stream_object_lines(refcursor) IS
	'the rows of an open cursor, from its current position, as lines of one object each, in pieces of about 64 kB';

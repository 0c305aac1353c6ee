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

COMMENT ON DOMAIN jsonrow IS 'jsonb that is a document; nested in another, its header moves to the outer one';

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
	SSPACE = 1024,
	FINALFUNC = jsonrow_agg_finalfn,
	FINALFUNC_EXTRA,
	COMBINEFUNC = jsonrow_agg_combinefn,
	SERIALFUNC = jsonrow_agg_serialfn,
	DESERIALFUNC = jsonrow_agg_deserialfn,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE jsonrow_agg(record) IS 'aggregate rows into a row-oriented document, as jsonb; names from the row type';

CREATE FUNCTION jsonrow_agg_transfn(internal, cols text[], VARIADIC "any") RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_agg_transfn(internal, cols text[], VARIADIC "any") IS 'aggregate transition function';

CREATE FUNCTION jsonrow_agg_finalfn(internal, cols text[], VARIADIC "any") RETURNS jsonrow
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_agg_finalfn(internal, cols text[], VARIADIC "any") IS 'aggregate final function';

CREATE AGGREGATE jsonrow_agg(cols text[], VARIADIC "any") (
	SFUNC = jsonrow_agg_transfn,
	STYPE = internal,
	SSPACE = 1024,
	FINALFUNC = jsonrow_agg_finalfn,
	FINALFUNC_EXTRA,
	COMBINEFUNC = jsonrow_agg_combinefn,
	SERIALFUNC = jsonrow_agg_serialfn,
	DESERIALFUNC = jsonrow_agg_deserialfn,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE jsonrow_agg(cols text[], VARIADIC "any") IS 'aggregate rows into a row-oriented document, as jsonb; names given';

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
	SSPACE = 1024,
	FINALFUNC = jsonrow_agg_json_finalfn,
	FINALFUNC_EXTRA,
	COMBINEFUNC = jsonrow_agg_combinefn,
	SERIALFUNC = jsonrow_agg_serialfn,
	DESERIALFUNC = jsonrow_agg_deserialfn,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE jsonrow_agg_json(record) IS 'aggregate rows into a row-oriented document, as JSON text; names from the row type';

CREATE FUNCTION jsonrow_agg_json_transfn(internal, cols text[], VARIADIC "any") RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_agg_json_transfn(internal, cols text[], VARIADIC "any") IS 'aggregate transition function';

CREATE FUNCTION jsonrow_agg_json_finalfn(internal, cols text[], VARIADIC "any") RETURNS jsonrow_json
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_agg_json_finalfn(internal, cols text[], VARIADIC "any") IS 'aggregate final function';

CREATE AGGREGATE jsonrow_agg_json(cols text[], VARIADIC "any") (
	SFUNC = jsonrow_agg_json_transfn,
	STYPE = internal,
	SSPACE = 1024,
	FINALFUNC = jsonrow_agg_json_finalfn,
	FINALFUNC_EXTRA,
	COMBINEFUNC = jsonrow_agg_combinefn,
	SERIALFUNC = jsonrow_agg_serialfn,
	DESERIALFUNC = jsonrow_agg_deserialfn,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE jsonrow_agg_json(cols text[], VARIADIC "any") IS 'aggregate rows into a row-oriented document, as JSON text; names given';

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
	SSPACE = 1024,
	FINALFUNC = jsonrow_array_agg_finalfn,
	FINALFUNC_EXTRA,
	COMBINEFUNC = jsonrow_agg_combinefn,
	SERIALFUNC = jsonrow_agg_serialfn,
	DESERIALFUNC = jsonrow_agg_deserialfn,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE jsonrow_array_agg(VARIADIC "any") IS 'aggregate rows into an array of arrays, as jsonb';

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
	SSPACE = 1024,
	FINALFUNC = jsonrow_array_agg_json_finalfn,
	FINALFUNC_EXTRA,
	COMBINEFUNC = jsonrow_agg_combinefn,
	SERIALFUNC = jsonrow_agg_serialfn,
	DESERIALFUNC = jsonrow_agg_deserialfn,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE jsonrow_array_agg_json(VARIADIC "any") IS 'aggregate rows into an array of arrays, as JSON text';

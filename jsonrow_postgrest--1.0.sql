/* jsonrow_postgrest--1.0.sql */

-- complain if script is sourced in psql, rather than via CREATE EXTENSION
\echo Use "CREATE EXTENSION jsonrow_postgrest" to load this file. \quit

--
-- PostgREST answers a request for a media type with an aggregate over anyelement that
-- returns a domain of this name.  Aggregates and domains are in the schema that it
-- exposes; the functions are where those of jsonrow are, so that it does not
-- expose them as well.
--

SELECT pg_catalog.set_config('search_path', pg_catalog.concat(extnamespace::pg_catalog.regnamespace, ', pg_temp'), true)
FROM pg_catalog.pg_extension WHERE extname = 'jsonrow';

--
-- application/vnd.jsonrow+json
--

CREATE DOMAIN @extschema@."application/vnd.jsonrow+json" AS jsonrow_json;

COMMENT ON DOMAIN @extschema@."application/vnd.jsonrow+json" IS 'media type: a row-oriented document';

CREATE FUNCTION jsonrow_media_transfn(internal, anyelement) RETURNS internal
	AS 'MODULE_PATHNAME', 'jsonrow_agg_json_transfn' LANGUAGE C STABLE PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_media_transfn(internal, anyelement) IS 'aggregate transition function';

CREATE FUNCTION jsonrow_media_finalfn(internal, anyelement) RETURNS @extschema@."application/vnd.jsonrow+json"
	AS 'MODULE_PATHNAME', 'jsonrow_agg_json_finalfn' LANGUAGE C STABLE PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_media_finalfn(internal, anyelement) IS 'aggregate final function';

-- It has the domain's name: called with a value that is already a document, which a
-- function may return, it is a cast to the domain.
CREATE AGGREGATE @extschema@."application/vnd.jsonrow+json"(anyelement) (
	SFUNC = jsonrow_media_transfn,
	STYPE = internal,
	SSPACE = -1,
	FINALFUNC = jsonrow_media_finalfn,
	FINALFUNC_EXTRA,
	COMBINEFUNC = jsonrow_agg_combinefn,
	SERIALFUNC = jsonrow_agg_serialfn,
	DESERIALFUNC = jsonrow_agg_deserialfn,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE @extschema@."application/vnd.jsonrow+json"(anyelement) IS
	'aggregate rows into a row-oriented document; no rows give a document without rows';

--
-- application/x-ndjson
--

CREATE DOMAIN @extschema@."application/x-ndjson" AS text;

COMMENT ON DOMAIN @extschema@."application/x-ndjson" IS 'media type: lines of JSON';

CREATE FUNCTION jsonrow_ndjson_transfn(internal, anyelement) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_ndjson_transfn(internal, anyelement) IS 'aggregate transition function';

CREATE FUNCTION jsonrow_ndjson_finalfn(internal) RETURNS @extschema@."application/x-ndjson"
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE;

COMMENT ON FUNCTION jsonrow_ndjson_finalfn(internal) IS 'aggregate final function';

-- It does not have the domain's name: a cast from text would not make JSON of it.
CREATE AGGREGATE @extschema@.jsonrow_ndjson(anyelement) (
	SFUNC = jsonrow_ndjson_transfn,
	STYPE = internal,
	FINALFUNC = jsonrow_ndjson_finalfn,
	PARALLEL = SAFE
);

COMMENT ON AGGREGATE @extschema@.jsonrow_ndjson(anyelement) IS
	'aggregate rows into lines of JSON, one object each, nested documents as arrays of objects; no rows give an empty text';

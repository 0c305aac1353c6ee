/*-------------------------------------------------------------------------
 *
 * twin_list.h
 *		Our functions that take the place of others.
 *
 * TWIN(twin, symbol, is it an aggregate?, number of arguments, original), as in
 * TwinSymbol.  Included where TWIN is defined: not a header like others.
 *
 *-------------------------------------------------------------------------
 */

TWIN(TWIN_JSON_BUILD_ARRAY, "jsonrow_core_json_build_array", false, -1, F_JSON_BUILD_ARRAY_ANY)
TWIN(TWIN_JSONB_BUILD_ARRAY, "jsonrow_core_jsonb_build_array", false, -1, F_JSONB_BUILD_ARRAY_ANY)
TWIN(TWIN_JSON_BUILD_OBJECT, "jsonrow_core_json_build_object", false, -1, F_JSON_BUILD_OBJECT_ANY)
TWIN(TWIN_JSONB_BUILD_OBJECT, "jsonrow_core_jsonb_build_object", false, -1, F_JSONB_BUILD_OBJECT_ANY)
TWIN(TWIN_ROW_TO_JSON, "jsonrow_core_row_to_json", false, -1, F_ROW_TO_JSON_RECORD)
TWIN(TWIN_ROW_TO_JSON_PRETTY, "jsonrow_core_row_to_json_pretty", false, -1, F_ROW_TO_JSON_RECORD_BOOL)
TWIN(TWIN_TO_JSON, "jsonrow_core_to_json", false, -1, F_TO_JSON)
TWIN(TWIN_TO_JSONB, "jsonrow_core_to_jsonb", false, -1, F_TO_JSONB)
TWIN(TWIN_TO_JSONB_TEXT, "jsonrow_core_to_jsonb_text", false, -1, InvalidOid)
TWIN(TWIN_ARRAY_TO_JSON, "jsonrow_core_array_to_json", false, -1, F_ARRAY_TO_JSON_ANYARRAY)
TWIN(TWIN_ARRAY_TO_JSON_PRETTY, "jsonrow_core_array_to_json_pretty", false, -1, F_ARRAY_TO_JSON_ANYARRAY_BOOL)

/* A row's names and values instead of the row */
TWIN(TWIN_ROW_TO_JSON_NAMED, "jsonrow_core_row_to_json_named", false, -1, InvalidOid)
TWIN(TWIN_TO_JSONB_NAMED, "jsonrow_core_to_jsonb_named", false, -1, InvalidOid)
TWIN(TWIN_TO_JSONB_TEXT_NAMED, "jsonrow_core_to_jsonb_text_named", false, -1, InvalidOid)

TWIN(TWIN_JSON_AGG, "jsonrow_core_json_agg_transfn", true, -1, F_JSON_AGG)
TWIN(TWIN_JSON_AGG_STRICT, "jsonrow_core_json_agg_strict_transfn", true, -1, F_JSON_AGG_STRICT)
TWIN(TWIN_JSONB_AGG, "jsonrow_core_jsonb_agg_transfn", true, -1, F_JSONB_AGG)
TWIN(TWIN_JSONB_AGG_STRICT, "jsonrow_core_jsonb_agg_strict_transfn", true, -1, F_JSONB_AGG_STRICT)
TWIN(TWIN_JSONB_AGG_TEXT, "jsonrow_core_jsonb_agg_text_transfn", true, -1, InvalidOid)
TWIN(TWIN_JSON_OBJECT_AGG, "jsonrow_core_json_object_agg_transfn", true, -1, F_JSON_OBJECT_AGG)
TWIN(TWIN_JSONB_OBJECT_AGG, "jsonrow_core_jsonb_object_agg_transfn", true, -1, F_JSONB_OBJECT_AGG)

/* An aggregate together with the constructor in its argument */
TWIN(TWIN_JSON_AGG_NAMED, "jsonrow_core_json_agg_named_transfn", true, -1, InvalidOid)
TWIN(TWIN_JSON_AGG_ROW_TO_JSON, "jsonrow_core_json_agg_row_to_json_transfn", true, -1, InvalidOid)
TWIN(TWIN_JSON_AGG_BUILD_OBJECT, "jsonrow_core_json_agg_build_object_transfn", true, -1, InvalidOid)
TWIN(TWIN_JSON_AGG_BUILD_ARRAY, "jsonrow_core_json_agg_build_array_transfn", true, -1, InvalidOid)
TWIN(TWIN_JSONB_AGG_NAMED, "jsonrow_core_jsonb_agg_named_transfn", true, -1, InvalidOid)
TWIN(TWIN_JSONB_AGG_BUILD_ARRAY, "jsonrow_core_jsonb_agg_build_array_transfn", true, -1, InvalidOid)
TWIN(TWIN_JSONB_AGG_TEXT_NAMED, "jsonrow_core_jsonb_agg_text_named_transfn", true, -1, InvalidOid)

/* From JSON to rows */
TWIN(TWIN_JSON_TO_RECORD, "jsonrow_core_json_to_record", false, -1, F_JSON_TO_RECORD)
TWIN(TWIN_JSON_TO_RECORDSET, "jsonrow_core_json_to_recordset", false, -1, F_JSON_TO_RECORDSET)
TWIN(TWIN_JSON_POPULATE_RECORD, "jsonrow_core_json_populate_record", false, -1, F_JSON_POPULATE_RECORD)
TWIN(TWIN_JSON_POPULATE_RECORDSET, "jsonrow_core_json_populate_recordset", false, -1, F_JSON_POPULATE_RECORDSET)
TWIN(TWIN_JSON_ARRAY_ELEMENTS, "jsonrow_core_json_array_elements", false, -1, F_JSON_ARRAY_ELEMENTS)
TWIN(TWIN_JSON_ARRAY_ELEMENTS_TEXT, "jsonrow_core_json_array_elements_text", false, -1, F_JSON_ARRAY_ELEMENTS_TEXT)
TWIN(TWIN_JSON_EACH, "jsonrow_core_json_each", false, -1, F_JSON_EACH)
TWIN(TWIN_JSON_EACH_TEXT, "jsonrow_core_json_each_text", false, -1, F_JSON_EACH_TEXT)
TWIN(TWIN_JSON_OBJECT_KEYS, "jsonrow_core_json_object_keys", false, -1, F_JSON_OBJECT_KEYS)
TWIN(TWIN_JSONB_TO_RECORD, "jsonrow_core_jsonb_to_record", false, -1, F_JSONB_TO_RECORD)
TWIN(TWIN_JSONB_TO_RECORDSET, "jsonrow_core_jsonb_to_recordset", false, -1, F_JSONB_TO_RECORDSET)
TWIN(TWIN_JSONB_POPULATE_RECORD, "jsonrow_core_jsonb_populate_record", false, -1, F_JSONB_POPULATE_RECORD)
TWIN(TWIN_JSONB_POPULATE_RECORDSET, "jsonrow_core_jsonb_populate_recordset", false, -1, F_JSONB_POPULATE_RECORDSET)
TWIN(TWIN_JSONB_ARRAY_ELEMENTS, "jsonrow_core_jsonb_array_elements", false, -1, F_JSONB_ARRAY_ELEMENTS)
TWIN(TWIN_JSONB_ARRAY_ELEMENTS_TEXT, "jsonrow_core_jsonb_array_elements_text", false, -1, F_JSONB_ARRAY_ELEMENTS_TEXT)
TWIN(TWIN_JSONB_EACH, "jsonrow_core_jsonb_each", false, -1, F_JSONB_EACH)
TWIN(TWIN_JSONB_EACH_TEXT, "jsonrow_core_jsonb_each_text", false, -1, F_JSONB_EACH_TEXT)
TWIN(TWIN_JSONB_OBJECT_KEYS, "jsonrow_core_jsonb_object_keys", false, -1, F_JSONB_OBJECT_KEYS)

/* ->, ->>, #> and #>>, of jsonb and of json, and [] */
TWIN(TWIN_JSONB_GET, "jsonrow_core_jsonb_get", false, -1, InvalidOid)
TWIN(TWIN_JSONB_GET_TEXT, "jsonrow_core_jsonb_get_text", false, -1, InvalidOid)
TWIN(TWIN_JSONB_SUBSCRIPT, "jsonrow_core_jsonb_subscript", false, -1, InvalidOid)
TWIN(TWIN_JSON_GET, "jsonrow_core_json_get", false, -1, InvalidOid)
TWIN(TWIN_JSON_GET_TEXT, "jsonrow_core_json_get_text", false, -1, InvalidOid)

/* Our own, which only unnesting knows */
TWIN(TWIN_IS_SMALL_GROUP, "jsonrow_is_small_group", false, -1, InvalidOid)
TWIN(TWIN_JSONROW_ARRAY_AGG, "jsonrow_array_agg_transfn", true, -1, InvalidOid)
TWIN(TWIN_JSONROW_ARRAY_AGG_JSON, "jsonrow_array_agg_json_transfn", true, -1, InvalidOid)

/* Our own: the form for records, followed by that for names and values */
TWIN(TWIN_JSONROW_AGG, "jsonrow_agg_transfn", true, 1, InvalidOid)
TWIN(TWIN_JSONROW_AGG_NAMED, "jsonrow_agg_transfn", true, 2, InvalidOid)
TWIN(TWIN_JSONROW_AGG_JSON, "jsonrow_agg_json_transfn", true, 1, InvalidOid)
TWIN(TWIN_JSONROW_AGG_JSON_NAMED, "jsonrow_agg_json_transfn", true, 2, InvalidOid)
TWIN(TWIN_JSONCOL_AGG, "jsoncol_agg_transfn", true, 1, InvalidOid)
TWIN(TWIN_JSONCOL_AGG_NAMED, "jsoncol_agg_transfn", true, 2, InvalidOid)
TWIN(TWIN_JSONCOL_AGG_JSON, "jsoncol_agg_json_transfn", true, 1, InvalidOid)
TWIN(TWIN_JSONCOL_AGG_JSON_NAMED, "jsoncol_agg_json_transfn", true, 2, InvalidOid)
TWIN(TWIN_JSONROW_OBJECTS_AGG, "jsonrow_objects_agg_transfn", true, 1, InvalidOid)
TWIN(TWIN_JSONROW_OBJECTS_AGG_NAMED, "jsonrow_objects_agg_transfn", true, 2, InvalidOid)
TWIN(TWIN_JSONROW_OBJECTS_AGG_JSON, "jsonrow_objects_agg_json_transfn", true, 1, InvalidOid)
TWIN(TWIN_JSONROW_OBJECTS_AGG_JSON_NAMED, "jsonrow_objects_agg_json_transfn", true, 2, InvalidOid)

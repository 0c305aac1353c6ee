/*-------------------------------------------------------------------------
 *
 * record_input.h
 *		Objects of JSON as rows of SQL values.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_RECORD_INPUT_H
#define JSONROW_RECORD_INPUT_H

#include "jsonrow.h"

#include "access/htup.h"
#include "access/tupdesc.h"
#include "document/name_map.h"
#include "format/json_parse.h"
#include "format/jsonb_walk.h"

typedef struct FieldInput FieldInput;

/* What an object has for one field, in one of the two formats */
typedef struct MemberValue
{
	bool		found;
	union
	{
		JsonItem	item;
		JsonbElement element;
	};
} MemberValue;

/* How objects become rows of one type */
typedef struct RecordInput
{
	bool		jsonb;			/* or JSON text */
	TupleDesc	tupdesc;
	int			natts;
	FieldInput *fields;
	MemberValue *members;		/* of the current object, one per field */
	bool		empty;			/* it has no member that could be a field */
	Datum	   *values;			/* of the current row */
	bool	   *nulls;
	HeapTupleHeader base;		/* what rows start from, or NULL */
	Datum	   *base_values;
	bool	   *base_nulls;

	NameMap    *by_name;		/* fields by their names */
	int		   *guesses;		/* the field that the last object's n-th
								 * member was; -1 for none */
	uint32		nguesses;
	Output		text;			/* room for one value, or key */
	MemoryContext context;		/* where all this is */
} RecordInput;

extern RecordInput *RecordInputCreate(TupleDesc tupdesc, bool jsonb, MemoryContext context);
extern void RecordInputSetBase(RecordInput *input, HeapTupleHeader base);
extern bool RecordInputParse(RecordInput *input, JsonParse *parse);
extern void RecordInputWalk(RecordInput *input, const JsonbElement *object);
extern void RecordInputFill(RecordInput *input);

#endif							/* JSONROW_RECORD_INPUT_H */

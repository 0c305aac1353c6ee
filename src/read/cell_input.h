/*-------------------------------------------------------------------------
 *
 * cell_input.h
 *		Cells of a document as values of SQL types.
 *
 * The inverse of what the column plan and the writers do.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_CELL_INPUT_H
#define JSONROW_CELL_INPUT_H

#include "jsonrow.h"

#include "access/htup.h"
#include "access/tupdesc.h"
#include "document/domains.h"
#include "document/header.h"
#include "document/name_map.h"
#include "document/row_type.h"
#include "format/jsonb_walk.h"

/* What all the columns of one call share */
typedef struct InputContext
{
	DocumentDomains domains;
	MemoryContext context;		/* lives as long as the query */
	Output		text;			/* room for one cell as text */
} InputContext;

typedef struct CellInput CellInput;

/* How rows become composites of one type */
typedef struct RowInput
{
	InputContext *shared;
	RowType		type;
	CellInput  *cells;			/* one per attribute */
	int		   *columns;		/* which column of the document each is, or -1 */
	NameMap    *by_name;		/* the attributes, by the keys of an object */
	int		   *same_name;		/* the next attribute of the same name, or -1 */
	Datum	   *values;
	bool	   *nulls;
} RowInput;

extern InputContext *InputContextCreate(DocumentDomains domains, MemoryContext context);
extern RowInput *PlanRowInput(InputContext *shared, TupleDesc tupdesc,
							  const Header *header);
extern HeapTuple RowToTuple(RowInput *row, const JsonbElement *cells, HeapTupleHeader base);

#endif							/* JSONROW_CELL_INPUT_H */

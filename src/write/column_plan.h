/*-------------------------------------------------------------------------
 *
 * column_plan.h
 *		The column plan: how each column of a row is written.
 *
 * Made once per query and kept in fn_extra, so that nothing is looked up
 * per row.  To add a kind of column: a category here, its types in
 * ClassifyType (plan.c), and a function in each of the two writers.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_COLUMN_PLAN_H
#define JSONROW_COLUMN_PLAN_H

#include "jsonrow.h"

#include "access/tupdesc.h"
#include "document/domains.h"
#include "document/header.h"
#include "document/row_type.h"
#include "format/datetime_text.h"
#include "format/output.h"
#include "nodes/pg_list.h"
#include "utils/array.h"

/* What a writer tells apart; one function of each writer per category */
typedef enum ColumnCategory
{
	CATEGORY_BOOL,
	CATEGORY_INT2,
	CATEGORY_INT4,
	CATEGORY_INT8,
	CATEGORY_FLOAT4,
	CATEGORY_FLOAT8,
	CATEGORY_NUMERIC,
	CATEGORY_TEXT,				/* a varlena whose bytes are the string */
	CATEGORY_NAME,
	CATEGORY_OID,
	CATEGORY_UUID,
	CATEGORY_DATE,
	CATEGORY_TIMESTAMP,
	CATEGORY_TIMESTAMPTZ,
	CATEGORY_JSON,
	CATEGORY_JSONB,
	CATEGORY_JSONCAST,			/* function is its cast to json */
	CATEGORY_ARRAY,				/* of anything; composites in it are objects */
	CATEGORY_COMPOSITE,			/* written by position, names in the header */
	CATEGORY_DOCUMENT,			/* a jsonrow: hoisted */
	CATEGORY_DOCUMENT_JSON,		/* a jsonrow_json: hoisted */
	CATEGORY_BUILTIN,			/* function is to_jsonb or to_json */
	CATEGORY_OTHER,				/* function is its output function */
	NUM_CATEGORIES
} ColumnCategory;

typedef struct Writer Writer;
typedef struct ColumnPlan ColumnPlan;
typedef struct RowPlan RowPlan;
typedef struct ElementPlan ElementPlan;

/*
 * Writes one cell that isn't NULL.  column is its place in the document's
 * header, or NULL where there is no header.  Returns the JEntry type of what
 * was written; nobody looks at that of JSON text.
 */
typedef uint32 (*CellWriter) (Output *out, ColumnPlan *plan,
							  HeaderColumn *column, Datum value);

/* What all the plans of one query share */
typedef struct PlanContext
{
	const Writer *writer;
	bool		has_header;		/* so that composites go by position and
								 * documents are hoisted */
	DocumentDomains types;
	MemoryContext context;		/* lives as long as the query */
	List	   *row_types;		/* the named ones that plans were made from */
	uint32		last_header_id;
} PlanContext;

/* The header of a nested document, as it was found in one; see hoist.c */
typedef struct KnownHeader
{
	const char *bytes;
	Size		len;
	Header	   *header;
} KnownHeader;

#define MAX_KNOWN_HEADERS	4

struct ColumnPlan
{
	CellWriter	write;
	ColumnCategory category;
	PlanContext *shared;
	FmgrInfo	function;		/* see ColumnCategory */

	ElementPlan *elements;		/* CATEGORY_ARRAY: the element types seen */
	RowPlan    *rows;			/* CATEGORY_COMPOSITE: the row types seen */
	ZoneCache  *zones;			/* CATEGORY_TIMESTAMPTZ */

	/* CATEGORY_DOCUMENT[_JSON]: the first few headers seen */
	KnownHeader *known;
	int			nknown;
};

/* How one attribute lies in a composite, or an element in an array */
typedef struct AttributePlan
{
	int16		typlen;
	bool		typbyval;
	uint8		alignment;		/* in bytes */
	int			cell;			/* which column an attribute is */
} AttributePlan;

/* How the elements of an array are written, as if each were a column */
struct ElementPlan
{
	ColumnPlan	column;
	Oid			typid;
	AttributePlan layout;
	ElementPlan *next;			/* another element type of the same column */
};

/* How the rows of one type are written */
struct RowPlan
{
	int			ncols;
	ColumnPlan *cols;
	int			step;			/* 0 if all columns have the first one's plan */
	Header	   *header;			/* NULL if not by position */

	List	   *nested;			/* the row types of its columns, at every depth,
								 * each once: the header was made from them */

	/* For a row that comes as a composite */
	RowType    *type;
	AttributePlan *attributes;	/* of the type, one each */
	NullableDatum *cells;		/* room for one row, and one cell more for the
								 * dropped columns */

	RowPlan    *next;			/* another row type of the same column */
};

extern PlanContext *PlanContextCreate(const Writer *writer, bool has_header,
									  DocumentDomains types, MemoryContext context);
extern void PlanColumn(ColumnPlan *column, PlanContext *shared, Oid typid);
extern List *AddRowTypes(List *types, PlanContext *shared, Oid typid);
extern ElementPlan *ElementPlanFor(ColumnPlan *column, Oid typid);
extern RowPlan *RowPlanFor(RowPlan **known, PlanContext *shared,
						   Oid typid, int32 typmod);
extern bool RowPlanIsOutdated(const RowPlan *row);

extern void RegisterHeader(PlanContext *shared, Header *header);
extern ColumnCategory DocumentCategory(Oid typid, const DocumentDomains *types);
extern ColumnShape ColumnShapeOf(Oid typid, const DocumentDomains *types);
extern bool TypeIsComposite(Oid typid);
extern Header *DescribeType(Oid typid, int32 typmod, const DocumentDomains *types);
extern Header *DescribeNames(ArrayType *cols);
extern void DescribeColumnType(Header *header, int i, Oid typid,
							   const DocumentDomains *types);
extern Header *DescribeTupleDesc(TupleDesc tupdesc, const DocumentDomains *types);

#endif							/* JSONROW_COLUMN_PLAN_H */

/*-------------------------------------------------------------------------
 *
 * column_plan.h
 *		The column plan: how each column of a row is written.
 *
 * Made once per query and kept in fn_extra, so that nothing is looked up
 * per row.  A type that is a short string in JSON is a row of the table in
 * text_types.c.  To add another kind of column, add a category here, its types
 * in ClassifyType, and a function in each of the two writers.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_COLUMN_PLAN_H
#define JSONROW_COLUMN_PLAN_H

#include "jsonrow.h"

#include "catalog/pg_type.h"
#include "document/domains.h"
#include "document/header.h"
#include "format/output.h"
#include "format/text_types.h"
#include "nodes/pg_list.h"

/* What a writer distinguishes; each writer has one function per category */
typedef enum ColumnCategory
{
	CATEGORY_BOOL,
	CATEGORY_INT2,
	CATEGORY_INT4,
	CATEGORY_INT8,
	CATEGORY_INT8_STRING,		/* for clients that might round the number */
	CATEGORY_FLOAT4,
	CATEGORY_FLOAT8,
	CATEGORY_NUMERIC,
	CATEGORY_NUMERIC_STRING,
	CATEGORY_TEXT,				/* a varlena whose bytes are the string */
	CATEGORY_NAME,
	CATEGORY_TEXT_TYPE,			/* printed as text_type tells */
	CATEGORY_JSON,
	CATEGORY_JSONB,
	CATEGORY_JSONCAST,			/* function is its cast to json */
	CATEGORY_ARRAY,				/* of anything; composites in it are objects */
	CATEGORY_COMPOSITE,			/* written by position under a header, else as
								 * an object */
	CATEGORY_DOCUMENT,			/* a jsonrow: hoisted */
	CATEGORY_DOCUMENT_JSON,		/* a jsonrow_json: hoisted */
	CATEGORY_OBJECTS,			/* a jsonrow: its rows become objects */
	CATEGORY_OBJECTS_JSON,		/* a jsonrow_json: the same */
	CATEGORY_OTHER,				/* function is its output function */
	NUM_CATEGORIES
} ColumnCategory;

typedef struct Writer Writer;
typedef struct ColumnPlan ColumnPlan;
typedef struct RowPlan RowPlan;
typedef struct ElementPlan ElementPlan;

/*
 * Writes one cell that isn't NULL.  column is its place in the document's
 * header, or NULL if there is no header.  Returns the type of its JEntry,
 * which has no meaning in JSON text.
 */
typedef JEntry (*CellWriter) (Output *out, ColumnPlan *plan,
							  HeaderColumn *column, Datum value);

#define NO_JENTRY	0

/* How composites and documents among the values of a row are written */
typedef enum NestedForm
{
	NESTED_HOISTED,				/* by position, their names in the header */
	NESTED_OBJECTS,				/* objects, and arrays of objects */
	NESTED_AS_IS,				/* what to_json[b] makes of them: composites
								 * are objects, documents are left alone */
} NestedForm;

/* What all plans of one query share */
typedef struct PlanContext
{
	const Writer *writer;
	NestedForm	nested;
	bool		typed;			/* headers have the types of their columns */
	bool		big_strings;	/* int8 and numeric are strings */
	DocumentDomains domains;
	MemoryContext context;		/* lives as long as the query */
	List	   *row_types;		/* the named row types that plans were made
								 * from */
	uint32		last_header_id;
} PlanContext;

/* The header of a nested document, as found in the document: see hoist.c */
typedef struct KnownHeader
{
	JsonbElement cols;
	JsonbElement types;
	Header	   *header;
} KnownHeader;

#define MAX_KNOWN_HEADERS	4

struct ColumnPlan
{
	CellWriter	write;
	ColumnCategory category;
	PlanContext *shared;
	FmgrInfo	function;		/* see ColumnCategory */
	uint64		casts;			/* CATEGORY_JSONCAST: CountCatalogChanges at
								 * the time of the lookup */
	const TextType *text_type;	/* CATEGORY_TEXT_TYPE */
	void	   *text_cache;
	ElementPlan *elements;		/* CATEGORY_ARRAY: the element types seen */
	Oid			typid;

	/*
	 * CATEGORY_COMPOSITE: the row types seen, and what the query tells about
	 * them
	 */
	RowPlan    *rows;
	const Header *by_query;

	/* CATEGORY_DOCUMENT[_JSON]: the first few headers seen */
	KnownHeader *known;
	int			nknown;
	bool		may_be_empty;	/* for these and CATEGORY_OBJECTS[_JSON]: the
								 * value may also be [], meaning no rows */
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

extern PlanContext *PlanContextCreate(const Writer *writer, NestedForm nested,
									  DocumentDomains domains, MemoryContext context);
extern void PlanColumn(ColumnPlan *column, PlanContext *shared, Oid typid,
					   const HeaderColumn *by_query);
extern Oid	ArgumentType(FunctionCallInfo fcinfo, int arg);
extern ColumnPlan *PlanArgument(FunctionCallInfo fcinfo, const Writer *writer, int arg);
extern bool WritingMayRaise(Oid typid);
extern uint64 CountCatalogChanges(void);
extern Datum CastToJson(ColumnPlan *column, Datum value);
extern ElementPlan *ElementPlanFor(ColumnPlan *column, Oid typid);

/* Does the query tell that a column of type json or jsonb holds documents? */
static inline bool
IsDocumentByQuery(const HeaderColumn *by_query, Oid typid)
{
	return by_query && by_query->shape == COLUMN_ROWS && by_query->typid == typid &&
		(typid == JSONOID || typid == JSONBOID);
}

/* A column of a header that the query may have determined */
static inline const HeaderColumn *
ColumnByQuery(const Header *by_query, int i)
{
	return by_query && i < by_query->ncols ? &by_query->cols[i] : NULL;
}

#endif							/* JSONROW_COLUMN_PLAN_H */

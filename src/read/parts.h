/*-------------------------------------------------------------------------
 *
 * parts.h
 *		The elements of JSON arrays, the members and keys of objects.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_PARTS_H
#define JSONROW_PARTS_H

#include "jsonrow.h"

/* A part: key and value, or only one of them */
typedef struct Part
{
	Datum		values[2];
	bool		nulls[2];
} Part;

typedef struct PartsCall PartsCall;
typedef struct PartsCursor PartsCursor;

extern const PartsCall *PartsCallOf(PGFunction function);
extern int	PartsWidth(const PartsCall *call);
extern PartsCursor *PartsOpen(const PartsCall *call, Datum json);
extern bool PartsNext(PartsCursor *cursor, Part *part);

#endif							/* JSONROW_PARTS_H */

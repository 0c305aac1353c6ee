/*-------------------------------------------------------------------------
 *
 * name_map.h
 *		Columns found by their names, however many there are.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_NAME_MAP_H
#define JSONROW_NAME_MAP_H

#include "jsonrow.h"

/* The bytes of a name, where they are */
typedef struct ColumnName
{
	const char *data;
	uint32		len;
} ColumnName;

typedef struct names_hash NameMap;

extern NameMap *NameMapCreate(uint32 expected);
extern uint32 NameMapCount(const NameMap *map);
extern int *NameMapAdd(NameMap *map, ColumnName name, int column);
extern int	NameMapFind(NameMap *map, ColumnName name);

static inline ColumnName
ColumnNameOf(const char *data, uint32 len)
{
	ColumnName	name = {data, len};

	return name;
}

static inline bool
SameName(ColumnName a, ColumnName b)
{
	return a.len == b.len && memcmp(a.data, b.data, a.len) == 0;
}

#endif							/* JSONROW_NAME_MAP_H */

/*-------------------------------------------------------------------------
 *
 * name_map.c
 *		Columns found by their names, however many there are.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "common/hashfn.h"
#include "document/name_map.h"

typedef struct NameMapEntry
{
	ColumnName	name;
	int			column;
	char		status;			/* simplehash's */
} NameMapEntry;

static inline uint32
HashName(ColumnName name)
{
	return hash_bytes((const unsigned char *) name.data, name.len);
}

#define SH_PREFIX names
#define SH_ELEMENT_TYPE NameMapEntry
#define SH_KEY_TYPE ColumnName
#define SH_KEY name
#define SH_HASH_KEY(tb, key) HashName(key)
#define SH_EQUAL(tb, a, b) SameName(a, b)
#define SH_SCOPE static inline
#define SH_DECLARE
#define SH_DEFINE
#include "lib/simplehash.h"

/* An empty map in the current memory context; it grows as it must. */
NameMap *
NameMapCreate(uint32 expected)
{
	return names_create(CurrentMemoryContext, expected, NULL);
}

uint32
NameMapCount(const NameMap *map)
{
	return map->members;
}

/*
 * Add a name, whose bytes stay where they are.  Returns its column, which is
 * the one given unless the name was there already.
 */
int *
NameMapAdd(NameMap *map, ColumnName name, int column)
{
	bool		found;
	NameMapEntry *entry = names_insert(map, name, &found);

	if (!found)
		entry->column = column;
	return &entry->column;
}

/* The column with a name, or -1 */
int
NameMapFind(NameMap *map, ColumnName name)
{
	NameMapEntry *entry = names_lookup(map, name);

	return entry ? entry->column : -1;
}

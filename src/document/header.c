/*-------------------------------------------------------------------------
 *
 * header.c
 *		The schema of a document: names by position, at every depth.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "document/header.h"
#include "miscadmin.h"

#ifdef USE_ASSERT_CHECKING
void
AssertCheckHeader(const Header *header)
{
	if (header == NULL)
		return;
	check_stack_depth();
	Assert(header->ncols >= 0);
	Assert(header->encoded == NULL || !header->incomplete);
	for (int i = 0; i < header->ncols; i++)
	{
		const HeaderColumn *column = &header->cols[i];

		Assert(column->namelen >= 0);
		Assert(column->shape != COLUMN_PLAIN || column->nested == NULL);
		/* It may still be marked incomplete although it no longer is. */
		Assert(header->incomplete || !HeaderColumnIsIncomplete(column));
		AssertCheckHeader(column->nested);
	}
}
#endif

/*
 * Make a header in the current memory context; each of its columns must be set
 * next.  They are not cleared: there may be millions of them.
 */
Header *
HeaderCreate(int ncols)
{
	Size		size = offsetof(Header, cols) + mul_size(ncols, sizeof(HeaderColumn));
	Header	   *header = MemoryContextAllocHuge(CurrentMemoryContext, size);

	memset(header, 0, offsetof(Header, cols));
	header->ncols = ncols;
	return header;
}

/* Set a column, of no known type.  The name isn't copied. */
void
HeaderSetColumn(Header *header, int i, const char *name, int namelen,
				ColumnShape shape, Header *nested)
{
	HeaderColumn *column = &header->cols[i];

	column->name = name;
	column->namelen = namelen;
	column->shape = shape;
	column->sent = column->closed = false;
	column->typid = InvalidOid;
	column->typmod = -1;
	column->type = NULL;
	column->nested = nested;
	column->agreed = nested;
	if (HeaderColumnIsIncomplete(column))
		header->incomplete = true;
}

/* Copy a header, names and all, into the current memory context. */
Header *
HeaderCopy(const Header *header)
{
	Header	   *copy;

	check_stack_depth();

	if (header == NULL)
		return NULL;
	copy = HeaderCreate(header->ncols);
	copy->typed = header->typed;
	for (int i = 0; i < header->ncols; i++)
	{
		const HeaderColumn *column = &header->cols[i];
		char	   *name;

		CHECK_FOR_INTERRUPTS();
		/* As bytes, because a damaged name may contain a zero. */
		name = memcpy(palloc(column->namelen + 1), column->name, column->namelen);
		HeaderSetColumn(copy, i, name, column->namelen, column->shape,
						HeaderCopy(column->nested));
		copy->cols[i].typid = column->typid;
		copy->cols[i].typmod = column->typmod;
		if (column->type != NULL)
			copy->cols[i].type = pstrdup(column->type);
	}
	return copy;
}

/*
 * Find out again whether it is incomplete; nested headers are taken at their
 * word.
 */
static void
HeaderUpdate(Header *header)
{
	header->incomplete = false;
	for (int i = 0; i < header->ncols && !header->incomplete; i++)
	{
		CHECK_FOR_INTERRUPTS();
		header->incomplete = HeaderColumnIsIncomplete(&header->cols[i]);
	}
}

/* The same, when anything may have changed, at any depth */
void
HeaderUpdateAll(Header *header)
{
	check_stack_depth();
	for (int i = 0; i < header->ncols; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (header->cols[i].nested && header->cols[i].nested->incomplete)
			HeaderUpdateAll(header->cols[i].nested);
	}
	HeaderUpdate(header);
}

/*
 * The header has been sent, so nothing can be added.  Nested headers that were
 * not known become headers of no columns, made in the current memory context.
 */
void
HeaderClose(Header *header)
{
	check_stack_depth();
	for (int i = 0; i < header->ncols; i++)
	{
		HeaderColumn *column = &header->cols[i];

		CHECK_FOR_INTERRUPTS();
		if (column->shape == COLUMN_PLAIN)
			continue;
		column->sent = true;
		column->closed = HeaderColumnIsIncomplete(column);
		if (column->nested == NULL)
			column->nested = HeaderCreate(0);
		HeaderClose(column->nested);
	}
	HeaderUpdate(header);
}

static bool
SameColumn(const HeaderColumn *a, const HeaderColumn *b)
{
	return a->shape == b->shape && a->namelen == b->namelen &&
		memcmp(a->name, b->name, a->namelen) == 0;
}

/*
 * Add to our header what only theirs knows; false if the two don't fit.  Where
 * both know a type, ours is kept: see HeaderJoinTypes.
 *
 * Ours is changed in place, unless it is complete, and grows in the current
 * memory context; theirs is copied.
 */
bool
HeaderMerge(Header **ours, const Header *theirs)
{
	check_stack_depth();

	if (theirs == NULL)
		return true;
	if (*ours == NULL)
	{
		*ours = HeaderCopy(theirs);
		return true;
	}
	if ((*ours)->ncols != theirs->ncols)
		return false;
	for (int i = 0; i < theirs->ncols; i++)
	{
		HeaderColumn *a = &(*ours)->cols[i];
		const HeaderColumn *b = &theirs->cols[i];

		CHECK_FOR_INTERRUPTS();
		if (!SameColumn(a, b) || !HeaderMerge(&a->nested, b->nested))
			return false;
	}
	if ((*ours)->incomplete)
		HeaderUpdate(*ours);
	AssertCheckHeader(*ours);
	return true;
}

/* The first column with a name, or -1 */
int
HeaderColumnNamed(const Header *header, const char *name, Size len)
{
	for (int i = 0; i < header->ncols; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (header->cols[i].namelen == len && memcmp(header->cols[i].name, name, len) == 0)
			return i;
	}
	return -1;
}

/* Are two headers, either of which may be NULL, the same at every depth? */
bool
HeaderEqual(const Header *a, const Header *b)
{
	check_stack_depth();

	if (a == NULL || b == NULL)
		return a == b;
	if (a->ncols != b->ncols)
		return false;
	for (int i = 0; i < a->ncols; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (!SameColumn(&a->cols[i], &b->cols[i]) ||
			!HeaderEqual(a->cols[i].nested, b->cols[i].nested))
			return false;
	}
	return true;
}

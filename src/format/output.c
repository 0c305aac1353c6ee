/*-------------------------------------------------------------------------
 *
 * output.c
 *		The growing piece of memory that a document is written to.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#ifndef WIN32
#include <sys/mman.h>
#include <unistd.h>
#endif

#include "format/output.h"
#include "miscadmin.h"
#include "utils/jsonb.h"
#include "utils/memutils.h"

/*
 * Room is reserved before it is known how much of it will be used, so a
 * buffer may be somewhat larger than its content is allowed to become.
 */
#define OUTPUT_SLACK	(64 * 1024)

/* The size from which on large pages are asked for, and how large these are */
#define LARGE_PAGES_SIZE	(4 * 1024 * 1024)
#define LARGE_PAGE			(2 * 1024 * 1024)

/* Room for the headers that palloc and malloc put in front of a chunk */
#define ALLOCATORS_SIZE		4096

/* How large the content may become */
Size
OutMaxLen(DocumentFormat format)
{
	return format == FORMAT_JSONB ? JENTRY_OFFLENMASK : MaxAllocSize - 1;
}

/*
 * Ask for large pages.  A third of the time for a large document can go into
 * page faults, which 2 MB pages almost eliminate.  It is only advice, and
 * pages are still allocated as they are touched.
 *
 * The advice is given for all the pages that the chunk lies on: if it were
 * only for some, the kernel would split the mapping, and realloc could no
 * longer extend it in place.
 */
static void
AdviseLargePages(char *data, Size size)
{
#ifdef MADV_HUGEPAGE
	if (size >= LARGE_PAGES_SIZE - ALLOCATORS_SIZE)
	{
		uintptr_t	page = sysconf(_SC_PAGESIZE);
		uintptr_t	start = TYPEALIGN_DOWN(page, (uintptr_t) data);
		uintptr_t	end = TYPEALIGN(page, (uintptr_t) data + size);

		(void) madvise((void *) start, end - start, MADV_HUGEPAGE);
	}
#endif
}

void
OutInit(Output *buf, DocumentFormat format, Size size, MemoryContext context)
{
	Assert(size > 0);
	buf->data = MemoryContextAllocHuge(context, size);
	buf->len = 0;
	buf->end = buf->size = size;
	buf->maxlen = OutMaxLen(format);
	buf->format = format;
	buf->spaced = false;
	buf->limit_hint = NULL;
	buf->too_large = NULL;
	buf->context = context;
	AdviseLargePages(buf->data, size);
}

/* The same for a whole value, including its varlena header */
void
OutInitValue(Output *buf, DocumentFormat format, Size size, MemoryContext context)
{
	OutInit(buf, format, VARHDRSZ + size, context);
	buf->len = VARHDRSZ;
}

/*
 * Raise an error if a value of this length, including its header, is too
 * large.
 */
void
OutCheckValue(const Output *buf, Size len)
{
	/* The offsets in a jsonb are counted from the end of the varlena header. */
	if (len > buf->maxlen + (buf->format == FORMAT_JSONB ? VARHDRSZ : 0))
		ReportTooLarge(buf);
}

/* The whole content as a finished value */
struct varlena *
OutFinishValue(Output *buf)
{
	OutCheckValue(buf, buf->len);
	SET_VARSIZE(buf->data, buf->len);
	return (struct varlena *) buf->data;
}

/*
 * Twice the size.  Large ones fill large pages, including what the allocators
 * add: if a mapping has such a size, Linux (since 6.7) aligns it to a large
 * page, and moves it by large pages when it grows.
 */
static Size
DoubleSize(Size size)
{
	size *= 2;
	return size < LARGE_PAGES_SIZE ? size : TYPEALIGN(LARGE_PAGE, size) - ALLOCATORS_SIZE;
}

/*
 * Make room for more bytes, by doubling.  Callers check the exact limit once
 * per row; here only what cannot possibly fit is refused.
 */
void
OutGrow(Output *buf, Size more)
{
	Size		items = OutItemsSize(buf);
	Size		most = buf->maxlen + OUTPUT_SLACK + items;
	Size		needed = add_size(buf->len, more) + items;
	Size		size = buf->size;

	if (needed > most)
		ReportTooLarge(buf);
	while (size < needed)
		size = DoubleSize(size);
	size = Min(size, most);

	CHECK_FOR_INTERRUPTS();
	buf->data = repalloc_huge(buf->data, size);
	memmove(buf->data + size - items, buf->data + buf->size - items, items);
	buf->size = size;
	buf->end = size - items;
	AdviseLargePages(buf->data, size);
}

/* How much of another output is moved at once */
#define PIECE_SIZE	(4 * 1024 * 1024)

/*
 * Append another output's content, and free that step by step, from its end,
 * so that it is hardly ever in memory twice.
 */
void
OutTake(Output *buf, Output *from)
{
	char	   *dst = OutReserve(buf, from->len);

	OutAdvanceTo(buf, dst + from->len);
	while (from->len > PIECE_SIZE)
	{
		CHECK_FOR_INTERRUPTS();
		from->len -= PIECE_SIZE;
		memcpy(dst + from->len, from->data + from->len, PIECE_SIZE);
		from->data = repalloc_huge(from->data, from->len);
	}
	memcpy(dst, from->data, from->len);
	pfree(from->data);
	from->data = NULL;
}

void
ReportTooLarge(const Output *buf)
{
	if (buf->too_large != NULL)
		buf->too_large(buf);
	ereport(ERROR,
			(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
			 buf->format == FORMAT_JSONB ?
			 errmsg("total size of jsonb array elements exceeds the maximum of %zu bytes",
					buf->maxlen) :
			 errmsg("JSON document exceeds the maximum of %zu bytes", buf->maxlen),
			 buf->limit_hint ? errhint("%s", buf->limit_hint) : 0));
}

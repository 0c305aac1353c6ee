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

/* From which size on large pages are asked for, and how large these are */
#define LARGE_PAGES_SIZE	(4 * 1024 * 1024)
#define LARGE_PAGE			(2 * 1024 * 1024)

/* Room for what palloc and malloc put in front of a chunk of their own */
#define ALLOCATORS_SIZE		4096

/* What the content may grow to */
Size
OutMaxLen(DocumentFormat format)
{
	return format == FORMAT_JSONB ? JENTRY_OFFLENMASK : MaxAllocSize - 1;
}

/*
 * Ask for large pages.  A third of the time of a large document can go into
 * page faults, which 2 MB pages all but remove.  It is only advice, and the
 * pages are still handed out as they are touched.
 *
 * The advice is given for all the pages that the chunk lies on: were it for
 * some, the kernel would cut the mapping in two, and realloc could no longer
 * extend it in place.
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
	buf->context = context;
	AdviseLargePages(buf->data, size);
}

/* The same for a whole value, which begins with a varlena header */
void
OutInitValue(Output *buf, DocumentFormat format, Size size, MemoryContext context)
{
	OutInit(buf, format, VARHDRSZ + size, context);
	buf->len = VARHDRSZ;
}

/* Raise an error if a value of this length, header and all, is too large. */
void
OutCheckValue(const Output *buf, Size len)
{
	/* The offsets in a jsonb are counted from behind the varlena header. */
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
 * Twice the size.  Large ones fill large pages, with what the allocators add:
 * where a mapping has that size, Linux (since 6.7) lets it begin with a large
 * page, and when it grows moves it by large pages.
 */
static Size
DoubleSize(Size size)
{
	size *= 2;
	return size < LARGE_PAGES_SIZE ? size : TYPEALIGN(LARGE_PAGE, size) - ALLOCATORS_SIZE;
}

/*
 * Make room for more bytes, by doubling.  Callers check the exact limit once
 * a row; here only what could not possibly fit is refused.
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

/* How much of another output is moved at a time */
#define PIECE_SIZE	(4 * 1024 * 1024)

/*
 * Append another output's content, and free it as it goes, from its end: so
 * there is hardly a moment when it is in memory twice.
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
	ereport(ERROR,
			(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
			 buf->format == FORMAT_JSONB ?
			 errmsg("total size of jsonb array elements exceeds the maximum of %zu bytes",
					buf->maxlen) :
			 errmsg("JSON document exceeds the maximum of %zu bytes", buf->maxlen),
			 buf->limit_hint ? errhint("%s", buf->limit_hint) : 0));
}

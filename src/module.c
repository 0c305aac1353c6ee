/*-------------------------------------------------------------------------
 *
 * module.c
 *		What PostgreSQL looks for when it loads the library.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "format/json_text.h"
#include "planner/accelerate.h"
#include "send/send.h"
#include "stream/copy.h"
#include "utils/guc.h"
#include "write/aggregate.h"
#include "write/settings.h"

PG_MODULE_MAGIC_EXT(
					.name = "jsonrow",
					.version = "1.0"
);

void
_PG_init(void)
{
	InitJsonEscapes();
	InitAcceleration();
	InitExplain();
	InitLazyScans();
	InitDocumentSettings();
	InitAggregates();
	InitCopy();
	InitSending();
	MarkGUCPrefixReserved("jsonrow");
}

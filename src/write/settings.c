/*-------------------------------------------------------------------------
 *
 * settings.c
 *		The settings for how documents are written.
 *
 * A plan reads them once, when it is made, and obeys that as long as the query
 * runs.  Functions that promise PostgreSQL's bytes never read them.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "utils/guc.h"
#include "write/settings.h"

typedef enum HeaderSetting
{
	HEADER_NAMES,
	HEADER_TYPES,
} HeaderSetting;

typedef enum BigNumbersSetting
{
	BIG_NUMBERS_NUMBER,
	BIG_NUMBERS_STRING,
} BigNumbersSetting;

static const struct config_enum_entry header_options[] = {
	{"names", HEADER_NAMES, false},
	{"types", HEADER_TYPES, false},
	{NULL, 0, false}
};

static const struct config_enum_entry big_numbers_options[] = {
	{"number", BIG_NUMBERS_NUMBER, false},
	{"string", BIG_NUMBERS_STRING, false},
	{NULL, 0, false}
};

static int	header_setting = HEADER_NAMES;
static int	big_numbers_setting = BIG_NUMBERS_NUMBER;

/* Do documents carry the types of their columns? */
bool
DocumentsAreTyped(void)
{
	return header_setting == HEADER_TYPES;
}

/* Are numbers that a client might round written as strings? */
bool
BigNumbersAreStrings(void)
{
	return big_numbers_setting == BIG_NUMBERS_STRING;
}

void
InitDocumentSettings(void)
{
	DefineCustomEnumVariable("jsonrow.header",
							 "Sets what documents say about their columns.",
							 "With \"types\", they have a member of that name with the types of the columns.",
							 &header_setting,
							 HEADER_NAMES,
							 header_options,
							 PGC_USERSET,
							 GUC_EXPLAIN,
							 NULL, NULL, NULL);
	DefineCustomEnumVariable("jsonrow.big_numbers",
							 "Sets how documents hold int8 and numeric values.",
							 "As JSON numbers, which many clients round, or as JSON strings.",
							 &big_numbers_setting,
							 BIG_NUMBERS_NUMBER,
							 big_numbers_options,
							 PGC_USERSET,
							 GUC_EXPLAIN,
							 NULL, NULL, NULL);
}

/*-------------------------------------------------------------------------
 *
 * settings.c
 *		What users choose of how documents are written.
 *
 * A plan asks once, when it is made, and keeps to it as long as the query
 * runs.  What promises PostgreSQL's bytes never asks.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "utils/guc.h"
#include "write/settings.h"

typedef enum BigNumbersSetting
{
	BIG_NUMBERS_NUMBER,
	BIG_NUMBERS_STRING,
} BigNumbersSetting;

static const struct config_enum_entry big_numbers_options[] = {
	{"number", BIG_NUMBERS_NUMBER, false},
	{"string", BIG_NUMBERS_STRING, false},
	{NULL, 0, false}
};

static int	big_numbers_setting = BIG_NUMBERS_NUMBER;

/* Are numbers that a client might round written as strings? */
bool
BigNumbersAreStrings(void)
{
	return big_numbers_setting == BIG_NUMBERS_STRING;
}

void
InitDocumentSettings(void)
{
	DefineCustomEnumVariable("jsonrow.big_numbers",
							 "Says what int8 and numeric cells of documents are.",
							 "JSON numbers, which many clients round, or JSON strings.",
							 &big_numbers_setting,
							 BIG_NUMBERS_NUMBER,
							 big_numbers_options,
							 PGC_USERSET,
							 GUC_EXPLAIN,
							 NULL, NULL, NULL);
}

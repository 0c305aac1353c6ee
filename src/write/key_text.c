/*-------------------------------------------------------------------------
 *
 * key_text.c
 *		Values as the keys of objects.
 *
 * A scalar of any type becomes a string when it is a key: PostgreSQL prints it
 * as datum_to_json does with key_scalar.
 *
 *-------------------------------------------------------------------------
 */
#include "jsonrow.h"

#include "format/value_text.h"
#include "utils/lsyscache.h"
#include "write/key_text.h"

/* Plan keys of the type; false if its values cannot be keys. */
bool
KeyPlanInit(KeyPlan *plan, PlanContext *shared, Oid typid)
{
	Oid			output;
	bool		typisvarlena;

	if (typid == UNKNOWNOID)	/* a literal, which is its own text */
	{
		memset(plan, 0, sizeof(*plan));
		plan->column.category = CATEGORY_OTHER;
		plan->column.typid = typid;
		return true;
	}
	PlanColumn(&plan->column, shared, typid, NULL);
	switch (plan->column.category)
	{
		case CATEGORY_JSON:
		case CATEGORY_JSONB:
		case CATEGORY_JSONCAST:
		case CATEGORY_ARRAY:
		case CATEGORY_COMPOSITE:
			return false;
		case CATEGORY_TEXT:
			return true;
		default:
			getTypeOutputInfo(typid, &output, &typisvarlena);
			fmgr_info_cxt(output, &plan->output, shared->context);
			return true;
	}
}

/* A key's bytes, which are not zero-terminated */
const char *
KeyText(KeyPlan *plan, Datum value, Size *len)
{
	const TextType *text_type = plan->column.text_type;
	const char *text;

	switch (plan->column.category)
	{
		case CATEGORY_TEXT:
			{
				struct varlena *packed = DatumGetPacked(value);

				*len = VARSIZE_ANY_EXHDR(packed);
				return VARDATA_ANY(packed);
			}
		case CATEGORY_TEXT_TYPE:
			{
				char	   *buffer = palloc(text_type->maxsize);

				*len = text_type->print(buffer, value, plan->column.text_cache) - buffer;
				return buffer;
			}
		case CATEGORY_BOOL:
			text = DatumGetBool(value) ? "true" : "false";
			break;
		default:
			text = plan->column.typid == UNKNOWNOID ? DatumGetCString(value) :
				OutputFunctionCall(&plan->output, value);
			break;
	}
	*len = strlen(text);
	return text;
}

/*-------------------------------------------------------------------------
 *
 * digits.h
 *		How many digits a number may have.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_DIGITS_H
#define JSONROW_DIGITS_H

#include "jsonrow.h"

/* A numeric may have 131,072 digits before the point, and 16,383 after it. */
#define MANY_DIGITS			10000

/* With fewer, before and after the point, a floating-point number is neither too large nor too near to 0. */
#define DIGITS_OF_FLOAT4	37
#define DIGITS_OF_FLOAT8	300

extern bool IsPositive(const Node *expr);
extern bool HasVariable(Node *expr);
extern bool HasFewDigits(Node *expr, int many);
extern bool DividesIntegers(const OpExpr *op);

#endif							/* JSONROW_DIGITS_H */

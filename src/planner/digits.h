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

extern bool IsPositive(const Node *expr);
extern bool HasFewDigits(Node *expr);
extern bool DividesIntegers(const OpExpr *op);

#endif							/* JSONROW_DIGITS_H */

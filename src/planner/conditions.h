/*-------------------------------------------------------------------------
 *
 * conditions.h
 *		Conditions that rewrites make.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_CONDITIONS_H
#define JSONROW_CONDITIONS_H

#include "jsonrow.h"

#include "nodes/primnodes.h"

extern Node *IsNotNull(Node *expr);
extern Node *ValueIf(Node *condition, Node *value);

#endif							/* JSONROW_CONDITIONS_H */

/*-------------------------------------------------------------------------
 *
 * to_one.h
 *		Look-ups by a unique key, whose LIMIT does nothing.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_TO_ONE_H
#define JSONROW_TO_ONE_H

#include "jsonrow.h"

#include "planner/survey.h"

extern void DropLimits(const Survey *survey, Surveyed *surveyed);

#endif							/* JSONROW_TO_ONE_H */

/*-------------------------------------------------------------------------
 *
 * accelerate.h
 *		Queries that use PostgreSQL's own functions, run by ours.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_ACCELERATE_H
#define JSONROW_ACCELERATE_H

#include "jsonrow.h"

extern void InitAcceleration(void);

#endif							/* JSONROW_ACCELERATE_H */

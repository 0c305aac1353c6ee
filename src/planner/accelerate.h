/*-------------------------------------------------------------------------
 *
 * accelerate.h
 *		Queries in PostgreSQL's own words, run by our functions.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_ACCELERATE_H
#define JSONROW_ACCELERATE_H

#include "jsonrow.h"

extern void InitAcceleration(void);

#endif							/* JSONROW_ACCELERATE_H */

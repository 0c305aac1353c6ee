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

#include "planner/notes.h"

extern bool AccelerationIsOn(void);
extern void WantNotes(Notes *notes);
extern void InitAcceleration(void);

/* explain.c */
extern void InitExplain(void);

/* lazy_scan.c */
extern void InitLazyScans(void);

#endif							/* JSONROW_ACCELERATE_H */

/*-------------------------------------------------------------------------
 *
 * lazy_scan.h
 *		Elements of JSON in FROM, one at a time.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_LAZY_SCAN_H
#define JSONROW_LAZY_SCAN_H

#include "jsonrow.h"

extern void InitLazyScans(void);

#endif							/* JSONROW_LAZY_SCAN_H */

/*-------------------------------------------------------------------------
 *
 * copy.h
 *		COPY ... TO ... (FORMAT jsonrow).
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_COPY_H
#define JSONROW_COPY_H

extern void InitCopy(void);

#endif							/* JSONROW_COPY_H */

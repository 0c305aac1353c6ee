/*-------------------------------------------------------------------------
 *
 * small_group.h
 *		How much of a group has been aggregated.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_SMALL_GROUP_H
#define JSONROW_SMALL_GROUP_H

/* What is small, in bytes */
#define SMALL_GROUP		(64 * 1024)

#endif							/* JSONROW_SMALL_GROUP_H */

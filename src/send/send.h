/*-------------------------------------------------------------------------
 *
 * send.h
 *		Results on their way to the client.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_SEND_H
#define JSONROW_SEND_H

extern void InitSending(void);

#endif							/* JSONROW_SEND_H */

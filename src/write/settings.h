/*-------------------------------------------------------------------------
 *
 * settings.h
 *		The settings for how documents are written.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_SETTINGS_H
#define JSONROW_SETTINGS_H

#include "jsonrow.h"

extern bool DocumentsAreTyped(void);
extern bool BigNumbersAreStrings(void);
extern void InitDocumentSettings(void);

#endif							/* JSONROW_SETTINGS_H */

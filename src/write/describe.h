/*-------------------------------------------------------------------------
 *
 * describe.h
 *		Headers made from types and names.
 *
 *-------------------------------------------------------------------------
 */
#ifndef JSONROW_DESCRIBE_H
#define JSONROW_DESCRIBE_H

#include "jsonrow.h"

#include "access/tupdesc.h"
#include "document/domains.h"
#include "document/header.h"
#include "utils/array.h"

extern ColumnShape ColumnShapeOf(Oid typid, const DocumentDomains *domains);
extern bool TypeIsComposite(Oid typid);
extern void CheckNamesGiven(FunctionCallInfo fcinfo, int arg);
extern void CheckNameCount(ArrayType *cols, int nvalues);
extern bool NamesAreStill(ArrayType *cols, FunctionCallInfo fcinfo, int arg);
extern Header *DescribeNames(ArrayType *cols);
extern void DescribeColumnType(Header *header, int i, Oid typid, int32 typmod,
							   const DocumentDomains *domains);
extern Header *NamesOfTupleDesc(TupleDesc tupdesc);
extern Header *DescribeTupleDesc(TupleDesc tupdesc, const DocumentDomains *domains);
extern Header *DescribeType(Oid typid, int32 typmod, const DocumentDomains *domains);

#endif							/* JSONROW_DESCRIBE_H */

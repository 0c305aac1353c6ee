'use strict';
// `sql` is given, so that it is of the caller's kysely, of either module system.
module.exports = sql => ({
	/** A correlated subquery as a document, beside columns or in another such subquery. */
	rowsFrom: query => sql`(select jsonrow_agg_json(agg.*) from ${query} as agg)`,
});

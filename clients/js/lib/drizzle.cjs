'use strict';
const {objectsOf} = require('./documents.cjs');

/** What drizzle has for a selected column or expression, to make a value of what the driver gave */
const decoderOf = field => field.mapFromDriverValue ? field : field.decoder ?? field.sql?.decoder;

function decodersOf(fields) {
	return Object.entries(fields).map(([name, field]) => {
		const decoder = decoderOf(field);
		if (decoder === undefined) throw new TypeError(`rowsFrom: select columns, not the table "${name}"`);
		return [name, decoder];
	});
}

// `sql` is given, so that it is of the caller's drizzle-orm, of either module system.
module.exports = sql => {
	const inSchema = schema => {
		const path = schema === undefined ? ['jsonrow_agg_json'] : [schema, 'jsonrow_agg_json'];
		const name = sql.join(path.map(part => sql.identifier(part)), sql`.`);
		return {rowsFrom: query => rowsFrom(sql, name, query)};
	};
	return {inSchema, rowsFrom: inSchema().rowsFrom};
};

function rowsFrom(sql, aggregate, query) {
	// The former knows of joins.
	const decoders = decodersOf(query._.config?.fields ?? query._.selectedFields);
	const names = sql.join(decoders.map(([name]) => sql.identifier(name)), sql`, `);
	return sql`(select ${aggregate}(agg.*) from ${query} as agg(${names}))`.mapWith(value => {
		// What is nested in a document is objects already. Drizzle's columns make values of what JSON has.
		const rows = objectsOf(value, {types: false});
		for (const row of rows) {
			for (const [name, decoder] of decoders) {
				if (row[name] !== null) row[name] = decoder.mapFromDriverValue(row[name]);
			}
		}
		return rows;
	});
}

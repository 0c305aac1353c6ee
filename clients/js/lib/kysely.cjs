'use strict';
const {objectsOf} = require('./documents.cjs');

// What rowsFrom writes, around the function's name and the query
const PARTS = ['(select ', '(agg.*) from ', ' as agg)'];

const isRowsFrom = node => node.kind === 'RawNode' && node.sqlFragments.length === PARTS.length
	&& PARTS.every((part, i) => node.sqlFragments[i] === part);

/** The names under which a statement selects documents */
function documentsOf(node) {
	const selections = node.selections ?? node.returning?.selections ?? [];
	return selections.map(({selection}) => selection)
		.filter(({kind, node}) => kind === 'AliasNode' && isRowsFrom(node)).map(({alias}) => alias.name);
}

/** Another plugin may make camelCase of snake_case in the result. */
const folded = name => name.replaceAll('_', '').toLowerCase();

class JsonrowPlugin {
	#columns;
	#names = new WeakMap();

	constructor({columns = []} = {}) {
		this.#columns = columns;
	}

	transformQuery({node, queryId}) {
		this.#names.set(queryId, [...this.#columns, ...documentsOf(node)]);
		return node;
	}

	async transformResult({queryId, result}) {
		const names = this.#names.get(queryId) ?? this.#columns;
		if (names.length === 0 || result.rows.length === 0) return result;
		const keys = Object.keys(result.rows[0]);
		const columns = names.map(name => keys.includes(name) ? name : keys.find(key => folded(key) === folded(name)))
			.filter(column => column !== undefined);
		result.rows.forEach((row, i) => {
			// As JSON has them, which is what the types say
			for (const column of columns) row[column] = objectsOf(row[column], {types: false}, i, column);
		});
		return result;
	}
}

// `sql` is given, so that it is of the caller's kysely, of either module system.
module.exports = sql => {
	const inSchema = schema => {
		const name = sql.id(...schema === undefined ? [] : [schema], 'jsonrow_agg_json');
		return {rowsFrom: query => sql(PARTS, name, query)};
	};
	return {JsonrowPlugin, inSchema, rowsFrom: inSchema().rowsFrom};
};

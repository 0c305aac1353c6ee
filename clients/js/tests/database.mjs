import {after} from 'node:test';
import pg from 'pg';

export const client = new pg.Client();
await client.connect();
after(() => client.end());

/** The first column of the first row, as PostgreSQL prints it */
export async function text(sql, ...parameters) {
	const types = {getTypeParser: () => String};
	const {rows} = await client.query({text: sql, values: parameters, rowMode: 'array', types});
	return rows[0][0];
}

import {sql} from 'kysely';
import make from '../lib/kysely.cjs';

export const {JsonrowPlugin, inSchema, rowsFrom} = make(sql);

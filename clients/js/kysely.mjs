import {sql} from 'kysely';
import make from './lib/kysely.cjs';

export const {rowsFrom} = make(sql);

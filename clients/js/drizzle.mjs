import {sql} from 'drizzle-orm';
import make from './lib/drizzle.cjs';

export const {rowsFrom} = make(sql);

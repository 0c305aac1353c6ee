import {sql} from 'drizzle-orm';
import make from '../lib/drizzle.cjs';

export const {inSchema, rowsFrom} = make(sql);

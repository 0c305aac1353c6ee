import pg from './pg.cjs';

export const {withDocuments} = pg;

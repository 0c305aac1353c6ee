import postgres from './postgres.cjs';

export const {withDocuments} = postgres;

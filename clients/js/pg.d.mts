export * from './pg.cjs';

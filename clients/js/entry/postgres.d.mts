export * from './postgres.cjs';

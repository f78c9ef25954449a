// Only this file and core/index.ts re-export: it is the public surface of `latchkey`.

export * from './core/index.ts';
export * from './http/fetch.ts';

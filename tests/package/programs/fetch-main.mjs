import { check } from './fetch.mjs';

await check();

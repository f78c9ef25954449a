import { check } from './fetch.mjs';

/** In workerd, where there is neither `process` nor `Buffer`. */
export default {
  async fetch() {
    try {
      if (typeof process !== 'undefined' || typeof Buffer !== 'undefined') throw new Error('this is Node.js');
      await check();
      return new Response('right');
    } catch (error) {
      return new Response(String(error?.stack ?? error), { status: 500 });
    }
  },
};

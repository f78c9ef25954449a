import type { Runtime } from '../runtime.ts';

/** Fixed windows in memory, bounded: this instance's share (security C41). */
export interface Limit {
  allows(key: string): boolean;
}

export const windowSeconds = 60;
const maxKeys = 10_000;

/** Per key and minute. */
export function createLimit(perWindow: number, runtime: Runtime): Limit {
  let counts = new Map<string, number>();
  let windowStart = 0;
  return {
    allows(key) {
      const window = Math.floor(runtime.now().getTime() / (windowSeconds * 1000));
      if (window !== windowStart || counts.size >= maxKeys) {
        counts = new Map();
        windowStart = window;
      }
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      return count <= perWindow;
    },
  };
}

/** What is slow to make, kept by name. Names of time zones and of languages come from anybody, in any spelling: so it is emptied before it grows large. */
export interface Shelf<Value> {
  find(name: string): Value | undefined;
  put(name: string, value: Value): void;
}

const most = 500;

/** A shelf with nothing on it. */
export function createShelf<Value>(): Shelf<Value> {
  const values = new Map<string, Value>();
  return {
    find: (name) => values.get(name),
    put(name, value) {
      if (values.size >= most && !values.has(name)) values.clear();
      values.set(name, value);
    },
  };
}

import { layDatabaseLine } from '../support/database-line.ts';

/** A line to a database that counts how often someone waits for an answer. */
export interface CountedLine {
  readonly url: string;
  /** The round trips of `act` that come one after the other: what is asked together waits together. */
  count(act: () => Promise<unknown>): Promise<number>;
}

/** So long nothing more is asked and nothing more is answered before the answers go on. */
const calmMs = 40;

/** Lays a line to the database at `databaseUrl`, which holds answers while it counts until nothing more is asked. */
export async function layCountedLine(databaseUrl: string): Promise<CountedLine> {
  const held: (() => void)[] = [];
  let isCounting = false;
  let waits = 0;
  let timer: NodeJS.Timeout | undefined;
  const letGo = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (held.length > 0) waits += 1;
    for (const pass of held.splice(0)) pass();
  };
  const { url } = await layDatabaseLine(databaseUrl, (pass, isAnswer) => {
    if (isCounting && isAnswer) held.push(pass);
    else pass();
    if (!isCounting) return;
    clearTimeout(timer);
    timer = setTimeout(letGo, calmMs);
  });
  return {
    url,
    async count(act) {
      [waits, isCounting] = [0, true];
      try {
        await act();
        return waits;
      } finally {
        isCounting = false;
        letGo();
      }
    },
  };
}

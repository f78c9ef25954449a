import { readFileSync } from 'node:fs';
import { Miniflare } from 'miniflare';

/** A Worker with a database, as Cloudflare runs them: the file's answer has to be that all is right. */
const script = readFileSync(process.argv[2], 'utf8');
const worker = new Miniflare({
  modules: true,
  script,
  compatibilityDate: '2026-07-01',
  d1Databases: ['DB'],
});
try {
  const answer = await worker.dispatchFetch('http://worker.example/');
  const text = await answer.text();
  if (text !== 'right') throw new Error(text);
} finally {
  await worker.dispose();
}

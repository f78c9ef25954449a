import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { registerHooks } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { ApiDocument } from '../../src/api/openapi/document.ts';
import { readConfig } from '../../src/config.ts';
import { openService } from '../../src/open-service.ts';
import { digestOf } from './digest.ts';

/** Generators call the API of TypeScript 6, which TypeScript 7 lacks; this has no `tsc`. */
registerHooks({
  resolve: (specifier, context, nextResolve) =>
    nextResolve(specifier === 'typescript' ? '@ts-morph/common/dist/typescript.js' : specifier, context),
});

export const schemaFile = join(import.meta.dirname, 'src/schema.ts');

export async function writeTypes(document: ApiDocument): Promise<string> {
  const { astToString, default: openapiTypescript } = await import('openapi-typescript');
  // Headers are a third of the text, and no type that anyone needs.
  const plain = JSON.stringify(document, (key, value: unknown) => (key === 'headers' ? undefined : value));
  // Fields with a default may be left out of a body.
  const types = await openapiTypescript(plain, { defaultNonNullable: false });
  const origin = `// Written by clients/typescript/generate.ts, from /openapi.json: ${digestOf(document)}`;
  return `${origin}\n${astToString(types)}`;
}

export async function generateSdk(document: object, folder: string): Promise<void> {
  const { createClient } = await import('@hey-api/openapi-ts');
  await createClient({
    input: { ...document },
    output: { path: folder, importFileExtension: '.ts' },
    plugins: ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch'],
    logs: { level: 'silent' },
  });
}

async function readDocument(): Promise<ApiDocument> {
  const directory = await mkdtemp(join(tmpdir(), 'latchkey-client-'));
  const service = await openService(readConfig({ DATA_DIR: directory }), { log: pino({ enabled: false }) });
  try {
    return (await service.app.inject('/openapi.json')).json<ApiDocument>();
  } finally {
    await service.close();
    await rm(directory, { recursive: true });
  }
}

if (import.meta.main) await writeFile(schemaFile, await writeTypes(await readDocument()));

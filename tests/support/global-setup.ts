import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { openPostgres } from '../../src/platform/open-database.ts';
import { startCluster } from './cluster.ts';
import { createDatabase } from './create-database.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The test server's address without a database. */
    clusterAddress: string;
    /** A migrated, empty database that nobody is connected to, to be cloned. */
    templateName: string;
    /** For what tests make once and share: inside the repository, where a bundle finds its packages. */
    runFolder: string;
  }
}

const cache = join(import.meta.dirname, '../../node_modules/.cache');

/** Starts one PostgreSQL server for the whole run, and migrates its template once. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await startCluster();
  await mkdir(cache, { recursive: true });
  const runFolder = await mkdtemp(join(cache, 'latchkey-run-'));
  const stop = async (): Promise<void> => {
    await rm(runFolder, { recursive: true, force: true });
    await cluster.stop();
  };
  try {
    const template = await createDatabase(cluster.address, undefined);
    await (await openPostgres(template.url)).close();
    project.provide('clusterAddress', cluster.address);
    project.provide('templateName', template.name);
    project.provide('runFolder', runFolder);
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}

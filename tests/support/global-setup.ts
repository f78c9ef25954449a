import type { TestProject } from 'vitest/node';
import { openPostgres } from '../../src/platform/database.ts';
import { startCluster } from './cluster.ts';
import { createDatabase } from './create-database.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The test server's address without a database. */
    clusterAddress: string;
    /** A migrated, empty database that nobody is connected to, to be cloned. */
    templateName: string;
  }
}

/** Starts one PostgreSQL server for the whole run, and migrates its template once. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await startCluster();
  try {
    const template = await createDatabase(cluster.address, undefined);
    await (await openPostgres(template.url)).close();
    project.provide('clusterAddress', cluster.address);
    project.provide('templateName', template.name);
  } catch (error) {
    await cluster.stop();
    throw error;
  }
  return cluster.stop;
}

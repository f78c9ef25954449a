import { createServer } from 'node:http';
import { type CaldavAccount, createCaldavAccount } from './caldav-account.ts';
import { listenOnLoopback } from './feed-server.ts';

export interface FakeCaldav extends CaldavAccount {
  /** The host is a name of this machine. */
  url(host?: string): string;
}

/** A real HTTP server with a CalDAV account. */
export async function startCaldavServer(calendars?: readonly string[]): Promise<FakeCaldav> {
  const account = createCaldavAccount(calendars);
  const port = await listenOnLoopback(createServer(account.listener));
  return { ...account, url: (host = '127.0.0.1') => `http://${host}:${port}/` };
}

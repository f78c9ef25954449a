import { findFreePort } from './free-port.ts';
import { openTestService, type TestClock, type TestService } from './service.ts';

/** The test service on a real socket, for real browsers: at `http://localhost:port`, closed after the file's tests. */
export async function openTestSite(
  environment: Readonly<Record<string, string>> = {},
  clock?: TestClock,
): Promise<TestService> {
  const port = await findFreePort();
  return openTestSiteAt(port, `http://localhost:${port}`, environment, clock);
}

/** The same for a service that is reached at another address than its own. */
export async function openTestSiteAt(
  port: number,
  appUrl: string,
  environment: Readonly<Record<string, string>> = {},
  clock?: TestClock,
): Promise<TestService> {
  const service = await openTestService({ PORT: String(port), APP_URL: appUrl, ...environment }, clock);
  await service.app.listen({ host: '127.0.0.1', port });
  return service;
}

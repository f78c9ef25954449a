import { findFreePort } from './free-port.ts';
import { openTestService, type TestClock, type TestOptions, type TestService } from './service.ts';

/** The test service on a real socket, for real browsers: at `http://localhost:port`, closed after the file's tests. */
export async function openTestSite(
  environment: Readonly<Record<string, string>> = {},
  clock?: TestClock,
  options?: TestOptions,
): Promise<TestService> {
  const port = await findFreePort();
  return openTestSiteAt(port, `http://localhost:${port}`, environment, clock, options);
}

/** The same for a service that is reached at another address than its own. */
export async function openTestSiteAt(
  port: number,
  appUrl: string,
  environment: Readonly<Record<string, string>> = {},
  clock?: TestClock,
  options?: TestOptions,
): Promise<TestService> {
  const settings = { PORT: String(port), APP_URL: appUrl, ...environment };
  const service = await openTestService(settings, clock, undefined, options);
  await service.app.listen({ host: '127.0.0.1', port });
  return service;
}

// The whole file is the public surface of `latchkey/fetch`.

import { serve } from './serve.ts';
import { openServer, type ServerOptions } from './server.ts';

export { type IssuerOptions, openIssuer } from './issuer.ts';
export { type Approval, newGrant } from './new-grant.ts';
export type { EndpointOptions, ServerOptions } from './server.ts';

/**
 * Creates one function of the web's own `Request` and `Response` for the token endpoint,
 * revocation, introspection, metadata and keys (contract §4, §7). Any other address is answered
 * with 404.
 */
export function createTokenHandler(options: ServerOptions<Request>): (request: Request) => Promise<Response> {
  return serve(openServer(options)).fetch;
}

// The whole file is the public surface of `latchkey/fetch`.

import { type Refusal, refuse } from '../../result.ts';
import { type EndpointAnswer, noStore } from './answer.ts';
import { maxBodyBytes, readersByType } from './body.ts';
import { readPresentedBasic } from './client.ts';
import { allowOrigins, answerPreflight, exposedHeaders } from './cors.ts';
import { findHeaderFault } from './presented.ts';
import {
  type Endpoint,
  metadataPath,
  openTokenService,
  type TokenService,
  type TokenServiceOptions,
} from './token-service.ts';

export { type IssuerOptions, openIssuer, type TokenServiceOptions } from './token-service.ts';

const corsHeaders = allowOrigins(exposedHeaders);

/**
 * Creates one function of the web's own `Request` and `Response` for token endpoint, revocation,
 * metadata and keys (contract §4, §7). Any other address is answered with 404.
 */
export function createTokenHandler(options: TokenServiceOptions): (request: Request) => Promise<Response> {
  const service = openTokenService(options);
  return async (request) => {
    try {
      return await answer(service, request);
    } catch (error) {
      return send(service.refuseFault(error));
    }
  };
}

async function answer(service: TokenService, request: Request): Promise<Response> {
  const path = pathOf(new URL(request.url).pathname, service);
  const endpoint = service.endpoints.get(path);
  const document = service.documents.get(path);
  if (endpoint === undefined && document === undefined)
    return send({ status: 404, headers: {}, body: { error: 'not_found' } });
  if (request.method === 'OPTIONS') {
    const asked = request.headers.get('access-control-request-headers') ?? '';
    return new Response(null, {
      status: 204,
      headers: { ...corsHeaders, ...answerPreflight(asked, 'GET, POST') },
    });
  }
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (document !== undefined && isRead) return send(document());
  if (endpoint === undefined) return send(service.refuseMethod('GET, HEAD'));
  if (request.method !== 'POST') return send(service.refuseMethod('POST'));
  return send(await call(service, endpoint, request));
}

/** The metadata is found below the endpoints' path, too, where some clients look for it. */
function pathOf(pathname: string, { path, discoveryPath }: TokenService): string {
  if (pathname === discoveryPath) return metadataPath;
  return pathname.startsWith(`${path}/`) ? pathname.slice(path.length) : '';
}

async function call(service: TokenService, endpoint: Endpoint, request: Request): Promise<EndpointAnswer> {
  const dpopProof = request.headers.get('dpop') ?? undefined;
  // Headers sent twice come as one value, and no credentials have a comma.
  const authorizations = request.headers.get('authorization')?.split(',') ?? [];
  const basic = readPresentedBasic(authorizations[0]);
  const fields = await readFields(request, authorizations.length);
  const { status, headers, body } = await endpoint({ basic, fields, dpopProof });
  return { status, headers: { ...headers, ...(await service.offerNonce(dpopProof)) }, body };
}

async function readFields({ headers, body }: Request, authorizations: number) {
  const contentType = headers.get('content-type') ?? undefined;
  const contentEncoding = headers.get('content-encoding') ?? undefined;
  const fault = findHeaderFault({ authorizations, contentType, contentEncoding });
  if (fault !== undefined) return refuse(fault);
  const read = readersByType.get(contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? '');
  if (read === undefined) return refuse('unsupported_content_type');
  // A sender that ends before its body does is no fault of the service's.
  const text = await readText(body).catch(() => refuse('unreadable_body'));
  return typeof text === 'string' ? read(text, contentType ?? '') : text;
}

/** Reads nothing beyond the limit, whatever length was announced. */
async function readText(
  body: Request['body'],
): Promise<string | Refusal<'body_too_large' | 'unreadable_body'>> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const reader = body?.getReader();
  let text = '';
  let length = 0;
  for (;;) {
    const chunk = await reader?.read();
    if (chunk?.value === undefined) return text + decoder.decode();
    length += chunk.value.length;
    if (length > maxBodyBytes) {
      await reader?.cancel();
      return refuse('body_too_large');
    }
    text += decoder.decode(chunk.value, { stream: true });
  }
}

function send({ status, headers, body }: EndpointAnswer): Response {
  return Response.json(body, { status, headers: { ...corsHeaders, ...noStore, ...headers } });
}

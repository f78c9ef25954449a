import { type Refusal, refuse } from '../../result.ts';
import { answerHeaders, type EndpointAnswer } from './answer.ts';
import { maxBodyBytes, readersByType } from './body.ts';
import { allowOrigins, answerPreflight, exposedHeaders } from './cors.ts';
import { findHeaderFault, readPresentedBasic } from './presented.ts';
import { type Endpoint, type EndpointCall, metadataPath, type Server } from './server.ts';

/** Answers web requests by a server's endpoints and documents. */
export function serve(server: Server<Request>) {
  const routes = routesOf(server);
  const handles = ({ url }: Request): boolean => routes.has(new URL(url).pathname);
  const fetch = async (request: Request): Promise<Response> => {
    const route = routes.get(new URL(request.url).pathname);
    if (route === undefined)
      return send({ status: 404, headers: answerHeaders, body: { error: 'not_found' } });
    const { headers, method } = request;
    if (method === 'OPTIONS') {
      const asked = headers.get('access-control-request-headers') ?? '';
      const allowed = { ...corsHeaders, ...answerPreflight(asked, 'GET, POST') };
      return new Response(null, { status: 204, headers: allowed });
    }
    // Headers sent twice come as one value, and no credentials have a comma.
    const authorizations = headers.get('authorization')?.split(',') ?? [];
    const basic = readPresentedBasic(authorizations[0]);
    const call = { context: request, basic, dpopProof: headers.get('dpop') ?? undefined };
    if (!route.methods.split(', ').includes(method)) return send(server.refuseMethod(route.methods, call));
    const fields = method === 'POST' ? await readFields(request, authorizations.length) : undefined;
    return send(await route.answer({ ...call, fields }));
  };
  return { fetch, handles, send };
}

interface Route {
  readonly methods: 'POST' | 'GET, HEAD';
  answer(call: EndpointCall<Request>): EndpointAnswer | ReturnType<Endpoint<Request>>;
}

/** The metadata is found below the endpoints' path, too, where some clients look for it. */
function routesOf({ endpoints, path, discoveryPath, metadata, jwks }: Server<Request>) {
  const described: Route = { methods: 'GET, HEAD', answer: metadata };
  const routes = new Map<string, Route>([
    [`${path}/jwks.json`, { methods: 'GET, HEAD', answer: jwks }],
    [`${path}${metadataPath}`, described],
    [discoveryPath, described],
  ]);
  for (const [name, answer] of Object.entries(endpoints))
    routes.set(`${path}/${name}`, { methods: 'POST', answer });
  return routes;
}

const corsHeaders = allowOrigins(exposedHeaders);

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
  return Response.json(body, { status, headers: { ...corsHeaders, ...headers } });
}

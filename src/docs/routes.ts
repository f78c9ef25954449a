import type { FastifyInstance } from 'fastify';
import type { ApiDocument } from '../openapi/document.ts';
import { sendPage } from '../pages.ts';
import { describeReference } from './reference.ts';

export interface DocsDeps {
  readonly appUrl: string;
  readonly apiUrl: string;
  /** The OpenAPI document, once the app is ready. */
  readonly document: () => ApiDocument;
}

/** The API for readers, contract §7: from the same document as `/openapi.json`, rendered once. */
export async function registerDocs(app: FastifyInstance, deps: DocsDeps): Promise<void> {
  let rendered: Promise<string> | undefined;
  app.get('/docs', async (request, reply) => {
    const { appUrl, apiUrl } = deps;
    rendered ??= app.view('docs/reference', { ...describeReference(deps.document()), appUrl, apiUrl });
    return sendPage(request, reply, 'docs/page', { title: 'API documentation', reference: await rendered });
  });
}

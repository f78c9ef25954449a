import type { LightMyRequestResponse } from 'fastify';
import type { TestService } from './service.ts';

/** The newest version, without a handshake. */
const version = '2026-07-28';
const meta = {
  'io.modelcontextprotocol/protocolVersion': version,
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** A message as MCP clients send it, with the headers that repeat what is in it. */
export function messageOf(method: string, params: Readonly<Record<string, unknown>> = {}) {
  const { name } = params;
  return {
    body: { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } },
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'mcp-protocol-version': version,
      'mcp-method': method,
      ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
    },
  };
}

/** Sends one message to `/mcp`. */
export async function sendMessage(
  { app }: TestService,
  token: string | undefined,
  method: string,
  params: Readonly<Record<string, unknown>> = {},
): Promise<LightMyRequestResponse> {
  const { body, headers } = messageOf(method, params);
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return app.inject({
    method: 'POST',
    url: '/mcp',
    headers: { ...headers, ...authorization },
    payload: body,
  });
}

/** Calls a tool that must answer; its text, and whether that is a fault. */
export async function callTool(
  service: TestService,
  token: string,
  name: string,
  given: Readonly<Record<string, unknown>> = {},
): Promise<{ readonly text: string; readonly isError: boolean }> {
  const answer = await sendMessage(service, token, 'tools/call', { name, arguments: given });
  if (answer.statusCode !== 200) throw new Error(`${answer.statusCode}: ${answer.body}`);
  const { content, isError = false } = answer.json().result;
  return { text: content[0].text, isError };
}

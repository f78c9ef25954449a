import { expect, test } from 'vitest';
import { openTestService } from '../support/service.ts';
import {
  issueCode,
  issueTokens,
  postBody,
  refreshFields,
  revocationPath,
  type TokenFields,
  tokenPath,
} from '../support/tokens.ts';
import { addClient, clientFields } from '../support/world.ts';

const service = await openTestService();

/** The body may have 64 KB; the other fields need some of it. */
const room = 62 * 1024;
const prefix = 'https://app.example/';

const hostileValues: Readonly<Record<string, string>> = {
  'an address that is percent-encoded thousands of times': `${prefix}%${'25'.repeat(room / 2 - 20)}41`,
  'percent signs that encode nothing': prefix + '%'.repeat(room - 40),
  'one long run of letters': 'a'.repeat(room),
  'separators without anything between': prefix + '?&#'.repeat(room / 3 - 20),
  'percent-encoded separators': prefix + '%253F'.repeat(room / 5 - 20),
  'blanks and one letter': `${' '.repeat(room - 1)}a`,
  'an unfinished quotation': `"${'\\"'.repeat(room / 4 - 1)}`,
  'dots after the head of a JWT': `eyJ${'.'.repeat(room - 3)}`,
  'user info without an end': `https:${'//a@'.repeat(room / 4 - 2)}`,
  'scopes without end': 'BOOKING_READ '.repeat(room / 13 - 1),
};

const fields = ['client_id', 'client_secret', 'grant_type', 'code', 'redirect_uri', 'code_verifier'] as const;
const refreshOnly = ['refresh_token', 'scope'] as const;

/**
 * What a request and its diagnosis cost, the least of three times: other threads of the process
 * count, too.
 */
async function leastCost(url: string, body: TokenFields): Promise<{ cpuMs: number; heapMb: number }> {
  const costs = [];
  for (let round = 0; round < 3; round += 1) {
    const [cpu, heap] = [process.cpuUsage(), process.memoryUsage().heapUsed];
    const json = { 'content-type': 'application/json' };
    const answer = await postBody(service, JSON.stringify(body), json, url);
    await new Promise((resolve) => setImmediate(resolve));
    const { user, system } = process.cpuUsage(cpu);
    const heapMb = (process.memoryUsage().heapUsed - heap) / 2 ** 20;
    costs.push({ cpuMs: (user + system) / 1000, heapMb });
    expect([200, 400, 401], url).toContain(answer.statusCode);
  }
  return {
    cpuMs: Math.min(...costs.map(({ cpuMs }) => cpuMs)),
    heapMb: Math.min(...costs.map(({ heapMb }) => heapMb)),
  };
}

test.each(Object.entries(hostileValues))(
  'costs at most 50 ms and 10 MB, in whatever field it stands: %s (security C55)',
  async (_name, value) => {
    const client = await addClient(service, { scopes: ['BOOKING_READ'] });
    const right = await issueCode(service, client);
    const tokens = await issueTokens(service, client);

    for (const name of [...fields, ...refreshOnly]) {
      const isRefresh = refreshOnly.some((field) => field === name);
      const body = isRefresh ? refreshFields(client, tokens.refresh_token) : right;
      const { cpuMs, heapMb } = await leastCost(tokenPath, { ...body, [name]: value });

      expect({ name, cpuMs }).toSatisfy(() => cpuMs <= 50);
      expect({ name, heapMb }).toSatisfy(() => heapMb <= 10);
    }
  },
);

test.each(Object.entries(hostileValues))(
  'costs at most 50 ms and 10 MB at the revocation endpoint, too: %s (security C55)',
  async (_name, value) => {
    const client = await addClient(service);
    const right = { ...clientFields(client), token: (await issueTokens(service, client)).refresh_token };

    for (const name of ['client_id', 'client_secret', 'token', 'token_type_hint']) {
      const { cpuMs, heapMb } = await leastCost(revocationPath, { ...right, [name]: value });

      expect({ name, cpuMs }).toSatisfy(() => cpuMs <= 50);
      expect({ name, heapMb }).toSatisfy(() => heapMb <= 10);
    }
  },
);

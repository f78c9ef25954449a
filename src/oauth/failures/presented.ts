import type { PresentedRequest } from '../core/examination.ts';
import { type TokenField, tokenFields } from '../core/explanation.ts';
import type { TokenRefusal } from '../core/refusal.ts';
import type { Fields } from '../token/body.ts';
import { isBasic, readBasic } from '../token/client-authentication.ts';

/** A token request that was refused, as the endpoint has it when its answer is out. */
export interface FailedRequest {
  readonly requestId: string;
  readonly at: Date;
  readonly refusal: TokenRefusal;
  /** Of the body; empty when it could not be read. */
  readonly fields: Fields;
  readonly authorization: string | undefined;
  /** Of the address, where no field belongs. */
  readonly query: unknown;
}

/** Ids of clients are made of 32 characters; nothing much longer is one. */
const longestClientId = 64;

/**
 * The request as it was presented; undefined when it names no client that it could be told to. Whoever sends fields in the address
 * names the client there, too.
 */
export function readPresented({ fields, authorization, query }: FailedRequest): PresentedRequest | undefined {
  const basic = isBasic(authorization) ? readBasic(authorization) : undefined;
  const inQuery = textsOf(query);
  const clientId = fields['client_id'] ?? basic?.clientId ?? inQuery['client_id'];
  if (clientId === undefined || clientId.length > longestClientId || clientId.includes('\0'))
    return undefined;
  return {
    clientId,
    clientSecret: fields['client_secret'] ?? basic?.clientSecret,
    isBasicUnreadable: isBasic(authorization) && basic === undefined,
    fields,
    queryFields: tokenFields.filter((name) => inQuery[name] !== undefined),
  };
}

/** The token fields of a query, each as its text; one that is repeated is there all the same. */
function textsOf(query: unknown): Partial<Record<TokenField, string>> {
  const texts: Partial<Record<TokenField, string>> = {};
  if (typeof query !== 'object' || query === null) return texts;
  for (const name of tokenFields) {
    const value: unknown = Reflect.get(query, name);
    if (value !== undefined) texts[name] = String(value);
  }
  return texts;
}

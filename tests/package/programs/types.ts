import { answerTokenRequest, type TokenStore } from 'latchkey/core';
import { createTokenHandler, openIssuer, type ServerOptions } from 'latchkey/fetch';
import { tokenStoreTests } from 'latchkey/store-test';

declare const store: TokenStore;
const opened = await openIssuer({
  ...{ issuer: 'https://id.example', scopes: ['NOTES_READ'] },
  ...{ secrets: ['secret'], keys: [{ kid: '1' }] },
});
const options: ServerOptions = { ...opened, store, onFault: () => {} };
export const handle: (request: Request) => Promise<Response> = createTokenHandler(options);
// @ts-expect-error A store is required.
createTokenHandler({ ...opened, onFault: () => {} });
export const others = [answerTokenRequest, tokenStoreTests];

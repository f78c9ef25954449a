import { keysOfJwks } from '../core/access-token.ts';
import { webCryptoHash } from '../core/crypto.ts';
import type { RevocationReason } from '../core/grant.ts';
import { findScopesNow } from '../core/presented-token.ts';
import { responseModes } from '../core/response-mode.ts';
import type { Scope } from '../core/scope.ts';
import { type Access, readAccess } from './access.ts';
import type { FormPost } from './app-answer.ts';
import { type Asked, type AskedRefusalReason, type GrantStore, readAsked } from './authorize.ts';
import { type IssuerOptions, openIssuer } from './issuer.ts';
import { serve } from './serve.ts';
import { type EndpointOptions, openServer, usualLifetimes } from './server.ts';

export interface AuthorizationServerOptions extends IssuerOptions, EndpointOptions<Request> {
  readonly store: GrantStore;
  /** A page for people, where no answer may go to the app (RFC 6749 §3.1.2.4). */
  readonly refusalPage?: (reason: AskedRefusalReason) => Response;
  /** A page that posts this form to the app (`response_mode=form_post`), if not the library's own. */
  readonly formPage?: (form: FormPost) => Response;
  /**
   * Tells whether a proof of possession is new. If omitted, one can come again for two minutes (RFC
   * 9449 §11.1).
   */
  readonly isNewProof?: (id: string) => boolean | Promise<boolean>;
  /** Your consent page is here, below the server's address. */
  readonly authorizePath?: string;
}

export interface AuthorizationServer {
  /** Token endpoint, revocation, introspection, metadata and keys; 404 for what isn't its own. */
  fetch(request: Request): Promise<Response>;
  /** Tells whether `fetch` has an answer. Your own routes come before or behind it. */
  handles(request: Request): boolean;
  /** RFC 8414 §3.1 has it at the issuer's root, where another program may be. */
  metadata(): Response;
  readonly authorize: {
    matches(request: Request): boolean;
    /** Returns what an app asks for, or the answer to what nobody may be asked. */
    read(request: Request): Promise<Asked | Response>;
  };
  /**
   * Returns who may, or a 401, 403 or 503 to send. It asks the store, so what has ended opens
   * nothing. A token is for one of the `resources`, the first of which is the default.
   */
  access(request: Request, scope: Scope, resource?: string): Promise<Access | Response>;
  end(grant: { readonly id: string; readonly clientId: string }, reason?: RevocationReason): Promise<void>;
}

/** Opens a whole authorization server over a store. @throws as `openIssuer` does */
export async function authorizationServer(options: AuthorizationServerOptions): Promise<AuthorizationServer> {
  const { store, now = () => new Date(), hash = webCryptoHash, authorizePath = '/authorize' } = options;
  const { lifetimes = usualLifetimes } = options;
  const opened = await openIssuer(options);
  const { issuer } = opened;
  const url = (options.url ?? issuer.issuer).replace(/\/$/, '');
  const authorizationEndpoint = `${url}${authorizePath}`;
  const metadata = { response_modes_supported: responseModes, ...options.metadata };
  const lookUp = keysOfJwks(opened.jwks());
  const keys = () => lookUp;
  const given = { ...options, ...opened, keys, hash, now, lifetimes };
  const server = openServer<Request>({ ...given, url, authorizationEndpoint, metadata });
  const { fetch, handles, send } = serve(server);
  const { pathname } = new URL(authorizationEndpoint);
  const { refusalPage, formPage } = options;
  const asking = { issuer, store, now, ...(refusalPage && { refusalPage }), ...(formPage && { formPage }) };
  return {
    fetch,
    handles,
    metadata: () => send(server.metadata()),
    authorize: {
      matches: (request) => new URL(request.url).pathname === pathname,
      read: (request) => readAsked(asking, request.url),
    },
    access: (request, scope, resource = issuer.resources[0]) =>
      readAccess(
        {
          issuer: issuer.issuer,
          audience: resource,
          mac: issuer.mac,
          hash,
          now,
          rules: issuer,
          keys,
          // protects: C425
          urlOf: ({ url: address }) => new URL(resource).origin + new URL(address).pathname,
          isNewProof: options.isNewProof,
          scopesNow: (token) => findScopesNow({ store, lifetimes, issuer, now }, token),
          onFault: (fault, context) =>
            options.onFault(fault, { context, basic: undefined, dpopProof: undefined }),
        },
        request,
        scope,
      ),
    async end({ id, clientId }, reason = 'user') {
      const { grant } = await store.find(clientId, id);
      if (grant?.clientId === clientId) await store.revoke(grant, reason, now());
    },
  };
}

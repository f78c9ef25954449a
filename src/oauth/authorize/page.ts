import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendPage } from '../../web/pages.ts';
import { hostOfApp, initialOf, isOnDevice } from '../app-identity.ts';
import { covers, mayBeRemembered } from '../core/authorization.ts';
import { hostOfRedirectUri, type RegisteredRedirectUri } from '../core/redirect-uri.ts';
import { describeLimits, describePermissions } from '../permissions.ts';
import type { ConsentPrompt, ConsentRequest } from './consent.ts';
import { addressOf, type HiddenField, hiddenFields } from './request.ts';
import type { ValidRequest } from './response.ts';

interface ConsentPage {
  readonly title: string;
  readonly clientName: string;
  readonly logoId: string | null;
  readonly initial: string;
  /** Undefined for an app on the user's device. */
  readonly appHost: string | undefined;
  readonly approvedAt: Date | undefined;
  readonly asksForMore: boolean;
  readonly permissions: readonly string[];
  readonly limits: readonly string[];
  /** The team that the request names. */
  readonly teamName: string | undefined;
  readonly teams: readonly { readonly slug: string; readonly name: string }[];
  readonly accountChoice: 'none' | 'radios' | 'list';
  readonly mayBeRemembered: boolean;
  readonly isRemembered: boolean;
  readonly destinationHost: string;
  readonly isOnDevice: boolean;
  readonly hiddenFields: readonly HiddenField[];
  readonly decision: string;
  readonly address: string;
}

declare module '../../web/pages.ts' {
  interface Views {
    'oauth/authorize': ConsentPage;
  }
}

const maxRadios = 5;

export async function sendConsentPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { client, request: asked, destination }: ValidRequest,
  { approval, teams }: ConsentRequest,
  { past, isRemembered, decision }: ConsentPrompt,
): Promise<FastifyReply> {
  const { redirectUri } = destination;
  const data: ConsentPage = {
    title: `Allow ${client.name}?`,
    clientName: client.name,
    logoId: client.logoId,
    initial: initialOf(client.name),
    appHost: hostOfApp(client.websiteUrl, redirectUri),
    approvedAt: past.approved?.at,
    asksForMore: past.approved !== undefined && !covers(past.approved.scopes, approval.scopes),
    permissions: describePermissions(approval.scopes),
    limits: describeLimits(approval.scopes),
    teamName: approval.team?.name,
    teams,
    accountChoice:
      approval.team !== null || teams.length === 0 ? 'none' : teams.length < maxRadios ? 'radios' : 'list',
    mayBeRemembered: mayBeRemembered(client),
    isRemembered,
    destinationHost: hostOfRedirectUri(redirectUri),
    isOnDevice: isOnDevice(redirectUri),
    hiddenFields: hiddenFields(asked),
    decision,
    address: addressOf(asked),
  };
  return sendPage(request, reply, 'oauth/authorize', data, formTargetsOf(redirectUri));
}

/**
 * CSP sources: https too, because the client may redirect on; CSP can't name `[::1]`, so it's
 * `http:`.
 */
function formTargetsOf(redirectUri: RegisteredRedirectUri): readonly string[] {
  const { protocol, hostname, host } = new URL(redirectUri);
  if (protocol === 'https:') return ['https:'];
  if (protocol !== 'http:') return [protocol, 'https:'];
  return hostname === '[::1]' ? ['http:', 'https:'] : [`http://${host}`, `http://${hostname}:*`, 'https:'];
}

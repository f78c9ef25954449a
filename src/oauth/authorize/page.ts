import type { FastifyReply } from 'fastify';
import type { Platform } from '../../platform/platform.ts';
import { sendPage } from '../../web/pages.ts';
import { hostOfWebsite, initialOf, isOnDevice } from '../app-identity.ts';
import { covers, mayBeRemembered } from '../core/authorization.ts';
import { hostOfRedirectUri, type RegisteredRedirectUri } from '../core/redirect-uri.ts';
import { describeLimits, describePermissions, describeResources } from '../permissions.ts';
import type { ConsentPrompt, ConsentRequest } from './consent.ts';
import { addressOf, hiddenFields } from './request.ts';
import type { ValidRequest } from './response.ts';

declare module '../../web/pages.ts' {
  interface Views {
    'oauth/authorize': ReturnType<typeof describeConsent>;
  }
}

function describeConsent(
  { client, request: asked, destination: { redirectUri } }: ValidRequest,
  { approval, teams }: ConsentRequest,
  { past, isRemembered, decision }: ConsentPrompt,
  config: Platform['config'],
) {
  return {
    title: `Allow ${client.name}?`,
    clientName: client.name,
    logoId: client.logoId,
    initial: initialOf(client.name),
    websiteHost: hostOfWebsite(client),
    approvedAt: past.approved?.at,
    asksForMore: past.approved !== undefined && !covers(past.approved.scopes, approval.scopes),
    permissions: describePermissions(approval.scopes),
    limits: describeLimits(approval.scopes),
    resources: describeResources(approval.resources, config),
    teamName: approval.team?.name,
    teams,
    mayBeRemembered: mayBeRemembered(client, approval),
    isRemembered,
    destinationHost: hostOfRedirectUri(redirectUri),
    isOnDevice: isOnDevice(redirectUri),
    /** Any program on the device may listen there. */
    isLoopback: new URL(redirectUri).protocol === 'http:',
    hiddenFields: hiddenFields(asked),
    decision,
    address: addressOf(asked),
  };
}

export async function sendConsentPage(
  reply: FastifyReply,
  valid: ValidRequest,
  consent: ConsentRequest,
  prompt: ConsentPrompt,
): Promise<FastifyReply> {
  const data = describeConsent(valid, consent, prompt, reply.request.server.config);
  return sendPage(reply, 'oauth/authorize', data, formTargetsOf(valid.destination.redirectUri));
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

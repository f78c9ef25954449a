import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendPage } from '../../pages.ts';
import { hostOfApp, isOnDevice } from '../app-host.ts';
import { hostOfRedirectUri, type RegisteredRedirectUri } from '../core/redirect-uri.ts';
import { covers, mayBeRemembered } from '../core/remembered.ts';
import { markOf } from '../mark.ts';
import { describeLimits, describePermissions } from '../permissions.ts';
import type { Considered } from './consent.ts';
import type { Question } from './remembered.ts';
import { addressOf, hiddenFields } from './request.ts';
import type { Asked } from './response.ts';

/** With more accounts than these to choose from, a list that opens is easier to take in. */
const maxRadios = 5;

/** The page that asks: who, what, for whom, and where to. */
export async function sendAuthorizePage(
  request: FastifyRequest,
  reply: FastifyReply,
  {
    client,
    request: asked,
    destination,
    approval,
    teams,
    question,
  }: Asked & Considered & { readonly question: Question },
): Promise<FastifyReply> {
  const { redirectUri } = destination;
  const { allowed } = question.past;
  const data = {
    title: `Allow ${client.name}?`,
    clientName: client.name,
    logoId: client.logoId,
    mark: markOf(client.name),
    websiteHost: client.websiteUrl === null ? undefined : hostOfApp(client.websiteUrl, redirectUri),
    appHost: hostOfApp(client.websiteUrl, redirectUri),
    allowedAt: allowed?.at,
    asksForMore: allowed !== undefined && !covers(allowed.scopes, approval.scopes),
    permissions: describePermissions(approval.scopes),
    limits: describeLimits(approval.scopes),
    team: approval.team,
    teams,
    hasRadios: teams.length < maxRadios,
    mayBeRemembered: mayBeRemembered(client),
    isRemembered: question.isRemembered,
    destinationHost: hostOfRedirectUri(redirectUri),
    isOnDevice: isOnDevice(redirectUri),
    hiddenFields: hiddenFields(asked),
    decision: question.decision,
    address: addressOf(asked),
  };
  return sendPage(request, reply, 'oauth/authorize', data, formTargetsOf(redirectUri));
}

/**
 * The CSP sources that let the answer through: the address that was validated, and https, because the client's own address may
 * redirect on. CSP has no way to write an IPv6 host, so for `[::1]` it is the scheme.
 */
function formTargetsOf(redirectUri: RegisteredRedirectUri): readonly string[] {
  const { protocol, hostname, host } = new URL(redirectUri);
  if (protocol === 'https:') return ['https:'];
  if (protocol !== 'http:') return [protocol, 'https:'];
  return hostname === '[::1]' ? ['http:', 'https:'] : [`http://${host}`, `http://${hostname}:*`, 'https:'];
}

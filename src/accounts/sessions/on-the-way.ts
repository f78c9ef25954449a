import type { FastifyReply } from 'fastify';
import fp from 'fastify-plugin';
import { isRead, type OnTheWay } from '../../web/pages.ts';
import { refererOf, withReturnTo } from './addresses.ts';
import { isAuthorization, requestOnTheWay, returnToField } from './return-to.ts';

/**
 * Pages on the way of an app's request lead back to it, whatever becomes of the session: they offer
 * another account, and a form that is out of date goes on (contract §3).
 */
export const onTheWayPlugin = fp(
  async (app) => {
    app.addHook('onRequest', async (request) => {
      const page = isRead(request) ? request.url : refererOf(request);
      request.onTheWay = wayOf(page && requestOnTheWay(page));
    });
    // The guards of forms need it, before a schema has read the body.
    app.addHook('preValidation', async (request) => {
      const { body } = request;
      const { data } = returnToField.safeParse(body);
      const asked = data && requestOnTheWay(data.return_to);
      if (asked !== undefined) request.onTheWay = wayOf(asked);
    });
  },
  { name: 'on-the-way', dependencies: ['sessions'] },
);

export function wayOf(address: string | undefined): OnTheWay | undefined {
  if (address === undefined) return undefined;
  return {
    address,
    get signInAddress() {
      return withReturnTo('/signin', address);
    },
    get shownAddress() {
      return withPage(address);
    },
  };
}

/** Goes on without a sign-in here, since there was one, maybe in another tab. */
export function goOn(reply: FastifyReply, returnTo: string): FastifyReply {
  return reply.redirect(isAuthorization(returnTo) ? withPage(returnTo) : returnTo, 303);
}

/** Shows whose session it is by now (OpenID Connect Core, section 3.1.2.1). */
export function withPage(address: string): string {
  // With `none`, an app that signs nobody in asks for nothing. A second `prompt` would be a fault.
  const others = address.replaceAll(/(?<=[?&])prompt=(?:none)?(?:&|$)/g, '');
  if (/[?&]prompt=/.test(others)) return others;
  return `${others}${others.includes('?') ? '&' : '?'}prompt=select_account`; // protects: C351
}

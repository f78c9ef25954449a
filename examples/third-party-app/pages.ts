import { bookingList, eventTypeList } from './booking-pages.ts';
import type { Overview, Profile } from './calendar.ts';
import { mayUse, type Tokens } from './connection.ts';
import { type Html, html } from './html.ts';
import { appName, noticeOf, page } from './layout.ts';

/** Only these words in the URL make a notice, so that nobody can write others. */
export const notices: ReadonlyMap<string, string> = new Map([
  ['connected', 'Welcome. The calendar is connected.'],
  ['refreshed', 'The tokens were refreshed.'],
  ['booked', 'The slot is booked. All attendees get an email.'],
  ['requested', 'The slot is asked for. It waits to be confirmed.'],
  ['cancelled', 'The booking is cancelled. All attendees get an email.'],
  ['disconnected', 'Your calendar is disconnected.'],
  ['ended', "Access was removed, so your calendar isn't connected any more."],
]);

const connectLink = html`<p><a class="button" href="/connect">Connect your calendar</a></p>`;

export function startPage(notice: string | undefined): string {
  return page(
    appName,
    html`<h1>A scheduling assistant</h1>
${noticeOf(notice)}
<p>${appName} looks at your calendar and keeps your week in order. Connect it first. You can disconnect it at any time.</p>
${connectLink}`,
  );
}

/** Shows only what the scopes of the tokens open. */
export function connectedPage(
  { profile, eventTypes, bookings }: Overview,
  tokens: Tokens,
  notice: string | undefined,
): string {
  const mayWrite = mayUse(tokens, 'BOOKING_WRITE');
  return page(
    `Connected · ${appName}`,
    html`<h1>You are connected</h1>
${noticeOf(notice)}
${profile === undefined ? '' : factsOf(profile)}
${eventTypes === undefined ? '' : eventTypeList(eventTypes, mayWrite)}
${bookings === undefined ? '' : bookingList(bookings, profile?.timeZone ?? 'UTC', mayWrite)}
<h2>Access</h2>
<p class="soft">The access token ends in <code id="access-token">${tailOf(tokens.accessToken)}</code> and expires at
<time datetime="${tokens.expiresAt.toISOString()}">${tokens.expiresAt.toISOString().slice(11, 16)} UTC</time>;
the refresh token ends in <code id="refresh-token">${tailOf(tokens.refreshToken)}</code>.</p>
<div class="actions">
<form method="post" action="/refresh"><button class="button" type="submit">Refresh</button></form>
<form method="post" action="/disconnect"><button class="button plain" type="submit">Disconnect</button></form>
</div>`,
  );
}

function factsOf(profile: Profile): Html {
  const facts = [
    ['Name', profile.name],
    ['Email address', profile.email],
    ['Username', profile.username ?? 'none'],
    ['Time zone', profile.timeZone],
    ['Week starts on', profile.weekStart],
    ['Acts for', profile.team === undefined ? 'you' : `the team ${profile.team.name}`],
  ] as const;
  return html`<p><code>GET /v2/me</code> says about you:</p>
<dl>
${facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}
</dl>`;
}

/** `detail` is for the app's developers. */
export function troublePage({ title, text, detail, isConnected = false }: Trouble): string {
  return page(
    `${title} · ${appName}`,
    html`<h1>${title}</h1>
<p>${text}</p>
${detail === undefined ? '' : html`<p class="soft"><code>${detail}</code></p>`}
${isConnected ? html`<p><a class="button" href="/">Back to your calendar</a></p>` : connectLink}`,
  );
}

export interface Trouble {
  readonly status: number;
  readonly title: string;
  readonly text: string;
  readonly detail?: string | undefined;
  readonly isConnected?: boolean;
}

/** The end of a token shows that it changed, and is too little to use it. */
function tailOf(token: string): string {
  return `…${token.slice(-4)}`;
}

import type { Profile, Tokens } from './connection.ts';
import { type Html, html } from './html.ts';

const appName = 'Tidy Week';

/** What may be said on the first page, by the word that stands in its address. */
export const notices: ReadonlyMap<string, string> = new Map([
  ['connected', 'Welcome. The calendar is connected.'],
  ['refreshed', 'The tokens were refreshed.'],
  ['disconnected', 'The calendar is disconnected. The permission was given back.'],
  ['ended', 'The permission has ended, so the calendar is not connected any more.'],
]);

function page(title: string, body: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="/style.css">
<link rel="icon" type="image/svg+xml" href="/icon.svg">
</head>
<body>
<header><a href="/">${appName}</a></header>
<main>
${body}
</main>
<footer>An example app for Latchkey. It keeps tokens on its server, never in the browser.</footer>
</body>
</html>
`.html;
}

const connectLink = html`<p><a class="button" href="/connect">Connect your calendar</a></p>`;

/** For somebody who has not connected, or not any more. */
export function startPage(notice: string | undefined): string {
  return page(
    appName,
    html`<h1>A scheduling assistant</h1>
${noticeOf(notice)}
<p>${appName} looks at your calendar and keeps your week in order. Connect it first; you may take that back at any time.</p>
${connectLink}`,
  );
}

/** Who is connected, as the API says. */
export function connectedPage(profile: Profile, tokens: Tokens, notice: string | undefined): string {
  const facts = [
    ['Name', profile.name],
    ['E-mail address', profile.email],
    ['Username', profile.username ?? 'none'],
    ['Time zone', profile.timeZone],
    ['Week begins on', profile.weekStart],
    ['Acts for', profile.team === undefined ? 'you' : `the team ${profile.team.name}`],
  ] as const;
  return page(
    `Connected · ${appName}`,
    html`<h1>You are connected</h1>
${noticeOf(notice)}
<p>This is what <code>GET /v2/me</code> says of you:</p>
<dl>
${facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}
</dl>
<p class="soft">The access token ends in <code id="access-token">${tailOf(tokens.accessToken)}</code> and is good until
<time datetime="${tokens.expiresAt.toISOString()}">${tokens.expiresAt.toISOString().slice(11, 16)} UTC</time>;
the refresh token ends in <code id="refresh-token">${tailOf(tokens.refreshToken)}</code>.</p>
<div class="actions">
<form method="post" action="/refresh"><button class="button" type="submit">Refresh</button></form>
<form method="post" action="/disconnect"><button class="button plain" type="submit">Disconnect</button></form>
</div>`,
  );
}

/** Something that ended the way, kindly; `detail` is for whoever maintains the app. */
export function troublePage({ title, text, detail }: Trouble): string {
  return page(
    `${title} · ${appName}`,
    html`<h1>${title}</h1>
<p>${text}</p>
${detail === undefined ? '' : html`<p class="soft"><code>${detail}</code></p>`}
${connectLink}`,
  );
}

export interface Trouble {
  readonly status: number;
  readonly title: string;
  readonly text: string;
  readonly detail?: string | undefined;
}

function noticeOf(notice: string | undefined): Html | string {
  return notice === undefined ? '' : html`<p class="notice" role="status">${notice}</p>`;
}

/** Enough to see that a token has changed, too little to use it. */
function tailOf(token: string): string {
  return `…${token.slice(-4)}`;
}

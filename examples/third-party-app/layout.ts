import { type Html, html } from './html.ts';

export const appName = 'Tidy Week';

export function page(title: string, body: Html): string {
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

export function noticeOf(notice: string | undefined): Html | string {
  return notice === undefined ? '' : html`<p class="notice" role="status">${notice}</p>`;
}

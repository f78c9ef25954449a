import type { Diagnosis } from './diagnosis.ts';
import { differences, fields, revokers, shapes, statuses, verifierFaults } from './words.ts';

const authorizeAgain = 'Send the user to the authorization page again.';
const storeNewest =
  'Always replace the stored refresh token with the latest one, and let one process refresh at a time.';
const newSecret = "If you don't have it any more, add a new one under Secrets.";

/** The diagnosis in words: what was wrong and what to do. Names between backticks are code. */
export function explain(it: Diagnosis): string {
  switch (it.kind) {
    case 'body_unreadable':
      return "The body couldn't be read; the error above says why. Send one form or one JSON object in UTF-8, each field once, every value a string, and nothing in the URL.";
    case 'field_missing':
      return `The body had no \`${it.field}\`. Send ${fields[it.field]}, in the body and not in the URL. Field names are lowercase snake_case.`;
    case 'grant_type_unknown':
      return `\`grant_type\` isn't supported. Send ${fields.grant_type}.`;
    case 'two_authentications':
      return 'Your app authenticated twice: with an `Authorization: Basic` header and in the body. Many OAuth libraries send the header themselves; then leave `client_secret` out of the body.';
    case 'two_clients':
      return 'The `Authorization: Basic` header has a different client ID than the body. Send the same one in both, or leave it out of the body.';
    case 'basic_unreadable':
      return "The `Authorization: Basic` header couldn't be read. Percent-encode client ID and secret, join them with a colon, and encode that as base64 with padding.";
    case 'secret_is_client_id':
      return `The client secret that was sent is this app's client ID. Send the secret instead. ${newSecret}`;
    case 'secret_is_token':
      return `That isn't a client secret; ${shapes[it.shape]}. A client secret starts with \`lks_\`. ${newSecret}`;
    case 'secret_damaged':
      return `In the client secret that was sent, ${shapes.damaged}. Trim it where you read it: files and environment variables often end in a line break.`;
    case 'secret_wrong': {
      const hints = codes(it.activeHints) || 'nothing: the app has none';
      return `That client secret doesn't belong to this app. The active secret ends in ${hints}. ${newSecret}`;
    }
    case 'secret_deleted':
      return `Your app uses the secret that ends in \`${it.hint}\`, deleted ${durationOf(it.secondsAgo)} earlier. Give it an active secret and restart it: some instance still uses the old one.`;
    case 'secrets_rate_limited':
      return 'Too many requests with a wrong secret within a minute. Earlier failed requests say what is wrong with it. Requests with the right secret still succeed.';
    case 'client_not_accepted':
      return statuses[it.status];
    case 'token_unreadable':
      return `This isn't a valid ${it.token.replace('_', ' ')}; ${shapes[it.shape]}. Send ${fields[it.token]}. It starts with \`${it.token === 'code' ? 'lkc_' : 'lkr_'}\`. Is the column you store it in wide enough?`;
    case 'grant_gone':
      return `The access this ${it.token.replace('_', ' ')} stood for is gone: the account was deleted, the code was left unused, or the user no longer manages the team. ${authorizeAgain}`;
    case 'grant_revoked': {
      const isReuse = it.by === 'code_replay' || it.by === 'refresh_token_theft';
      const advice = isReuse ? ` To prevent this: ${storeNewest}` : '';
      return `Access was revoked ${durationOf(it.secondsAgo)} earlier${it.by === null ? '' : revokers[it.by]}. ${authorizeAgain}${advice}`;
    }
    case 'grant_rate_limited':
      return 'Too many requests for the same user within a minute. Use an access token until it expires (30 minutes), then refresh: a loop that refreshes on every call is the usual reason.';
    case 'code_of_another_client':
      return 'The code was issued to another client. Exchange it with the client ID of the authorization request: two environments that share settings are the usual reason.';
    case 'code_used': {
      const replay = it.revokes ? ' This looked like a replay, so we revoked its tokens.' : '';
      return `The code was already used ${durationOf(it.secondsAgo)} earlier.${replay} Find what sends it twice: a handler that runs twice, a retry, or a page reload. ${authorizeAgain}`;
    }
    case 'code_expired':
      return `The code expired ${durationOf(it.secondsAgo)} earlier; codes last ${durationOf(it.lifetimeSeconds)}. Exchange it as soon as the user comes back, before anything slow. ${authorizeAgain}`;
    case 'redirect_uri_differs': {
      const after = it.before === '' ? '' : ` after \`${it.before}\``;
      const expected = it.expected === '' ? 'nothing more' : `\`${it.expected}\``;
      const other = it.isRegistered ? " It's registered, but not the one of this authorization request." : '';
      return `\`redirect_uri\` ${differences[it.how]}: at character ${it.position}, we expected ${expected}${after}.${other} Send ${fields.redirect_uri}. The code wasn't used up: you can exchange it until it expires.`;
    }
    case 'verifier_missing':
      return 'The request had no `code_verifier`. Public apps always need one, and so does every authorization request with a `code_challenge`. Keep it in the session until the user comes back.';
    case 'verifier_not_asked_for':
      return 'The request had a `code_verifier`, but its authorization request had no `code_challenge`. Send both or neither.';
    case 'verifier_wrong':
      return `\`code_verifier\` (${it.length} characters) ${verifierFaults[it.fault]}`;
    case 'refresh_token_of_another_client':
      return 'The refresh token was issued to another client. Refresh with the client ID that exchanged the code: two environments that share a database are the usual reason.';
    case 'refresh_token_overtaken':
      return `Another request used this refresh token or revoked access at the same moment. ${storeNewest}`;
    case 'refresh_token_too_old':
      return `The user approved your app more than ${durationOf(it.lifetimeSeconds)} ago and has to approve it again. ${authorizeAgain}`;
    case 'refresh_token_unused':
      return `The refresh token expired: it wasn't used for ${durationOf(it.lifetimeSeconds)}. ${authorizeAgain} To keep access that you rarely need, refresh from time to time.`;
    case 'refresh_token_spent':
      return `This refresh token was replaced: ${it.generationsAgo} newer, the latest ${durationOf(it.rotatedSecondsAgo)} earlier. This looked like theft, so we revoked access. ${storeNewest} ${authorizeAgain}`;
    case 'scope_too_wide': {
      const tooMuch = it.tooMuch.length === 0 ? '' : ` Not approved: ${codes(it.tooMuch)}.`;
      return `\`scope\` asks for more than the user approved, or has an unknown name.${tooMuch} Leave it out, or ask for ${codes(it.granted)} or less. The token wasn't used up.`;
    }
    case 'our_fault':
      return 'Something went wrong on our side. Send the same request again: the code or refresh token still works.';
  }
}

function codes(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}

/** A length of time in words, as exact as it helps. */
function durationOf(seconds: number): string {
  if (seconds < 10) return `${Math.round(seconds * 10) / 10} seconds`;
  if (seconds < 120) return `${Math.round(seconds)} seconds`;
  if (seconds < 2 * 3600) return `${Math.round(seconds / 60)} minutes`;
  return seconds < 2 * 86_400
    ? `${Math.round(seconds / 3600)} hours`
    : `${Math.round(seconds / 86_400)} days`;
}

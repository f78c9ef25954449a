import * as oauth from 'openid-client';
import { ApiRefusal } from './api.ts';
import type { Trouble } from './pages.ts';

/** This browser was not sent away with the answer's `state`. */
export const foreignAnswer: Trouble = {
  status: 400,
  title: 'This answer is not for this browser',
  text: 'It was used before, is too old, or began somewhere else. Nothing was connected. Please start again.',
};

/** The API's `code` chooses the words. */
const refusals: ReadonlyMap<string, Pick<Trouble, 'title' | 'text'>> = new Map([
  [
    'Forbidden',
    {
      title: 'You have not allowed that',
      text: "You didn't give this app permission for that. Nothing has changed.",
    },
  ],
  ['NotFound', { title: 'That is not there any more', text: 'It was deleted, perhaps, or was never yours.' }],
  [
    'Conflict',
    {
      title: 'That has changed meanwhile',
      text: 'The booking was cancelled or changed already. Please look at it again.',
    },
  ],
  [
    'CalendarUnavailable',
    {
      title: 'A calendar cannot be read at the moment',
      text: 'Without it nobody knows which times are free, so nothing was booked. Try again in a few minutes.',
    },
  ],
  [
    'TooManyRequests',
    { title: 'That was too much at once', text: 'Nothing has changed. Try again in a minute.' },
  ],
]);

export function describeTrouble(error: unknown): Trouble {
  if (error instanceof oauth.AuthorizationResponseError) return describeAnswer(error);
  if (error instanceof ApiRefusal) {
    const known = refusals.get(error.code);
    if (known !== undefined) return { ...known, status: error.status, isConnected: true };
  }
  const detail = error instanceof oauth.ResponseBodyError ? describeCode(error) : undefined;
  return {
    status: 502,
    title: 'The calendar service did not answer as it should',
    text: 'Nothing has changed. Try again in a minute.',
    detail,
  };
}

function describeAnswer(error: oauth.AuthorizationResponseError): Trouble {
  if (error.error === 'access_denied' && error.error_description === 'user_denied') {
    return {
      status: 200,
      title: 'You said no, and that is fine',
      text: 'Nothing was shared. If you change your mind, you can connect at any time.',
    };
  }
  const text =
    error.error === 'access_denied'
      ? 'You may not let this app act for that team. You can connect for yourself.'
      : 'The calendar service refused the request. Please try again; if it happens again, tell us.';
  return { status: 400, title: 'Nothing was connected', text, detail: describeCode(error) };
}

function describeCode(error: { readonly error: string; readonly error_description?: string }): string {
  return error.error_description === undefined ? error.error : `${error.error}: ${error.error_description}`;
}

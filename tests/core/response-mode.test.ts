import { expect, test } from 'vitest';
import { findResponseModeFault, responseModeOf } from '../../src/oauth/core/response-mode.ts';

const https = 'https://app.example/callback';

test.each<[string, string | undefined, string | undefined, string | undefined, string | undefined, string]>([
  ['nothing', undefined, https, 'x', undefined, 'query'],
  ['query', 'query', https, 'x', undefined, 'query'],
  ['fragment', 'fragment', 'com.example.app:/callback', 'x\ny', undefined, 'fragment'],
  ['a form', 'form_post', https, 'x', undefined, 'form_post'],
  ['a form for localhost', 'form_post', 'http://localhost:3000/', undefined, undefined, 'form_post'],
  ['a form for an app’s own scheme', 'form_post', 'com.http:/x', 'x', 'form_post_not_possible', 'query'],
  ['a form for a scheme that begins alike', 'form_post', 'httpsx:/x', 'x', 'form_post_not_possible', 'query'],
  ['a form for no address', 'form_post', undefined, 'x', 'form_post_not_possible', 'query'],
  ['a form with a line break in state', 'form_post', https, 'x\ny', 'form_post_not_possible', 'query'],
  ['a form with a carriage return in state', 'form_post', https, 'x\ry', 'form_post_not_possible', 'query'],
  ['an unknown mode', 'web_message', https, 'x', 'response_mode_not_supported', 'query'],
  ['an empty mode', '', https, 'x', 'response_mode_not_supported', 'query'],
  ['a mode in capitals', 'Query', https, 'x', 'response_mode_not_supported', 'query'],
])(
  'who asks for %s is answered so, or hears by the query why not (Form Post Response Mode, security C350)',
  (_words, responseMode, redirectUri, state, fault, mode) => {
    const asked = { responseMode, redirectUri, state };

    expect(findResponseModeFault(asked)).toBe(fault);
    expect(responseModeOf(asked)).toBe(mode);
  },
);

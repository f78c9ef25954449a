import { idTokenAlgorithms } from '../oauth/core/client.ts';
import { jwksCacheSeconds } from '../oauth/http/metadata.ts';
import { scopedPlugin } from '../platform/scoped-plugin.ts';
import { claimNames } from './claims.ts';
import { logoutPath } from './logout.ts';
import { userinfoPath } from './userinfo.ts';

const limit = { noneBecause: 'the answer is made once and cached' } as const;

/** OpenID Connect Discovery, section 3 defines it, and RP-Initiated Logout, section 2.1. */
export const openidDiscoveryPlugin = scopedPlugin(
  'openid-discovery',
  ['oauth-server'],
  limit,
  async (app) => {
    const { appUrl, apiUrl } = app.config;
    const document = {
      ...app.oauthServer.metadata().body,
      userinfo_endpoint: `${apiUrl}/v2${userinfoPath}`,
      end_session_endpoint: `${appUrl}${logoutPath}`,
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: idTokenAlgorithms,
      claim_types_supported: ['normal'],
      claims_supported: [
        'sub',
        'iss',
        'aud',
        'iat',
        'exp',
        'auth_time',
        'nonce',
        'at_hash',
        ...claimNames.profile,
        ...claimNames.email,
      ],
      prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
      claims_parameter_supported: false,
      request_parameter_supported: false,
      // Without it, clients would take it for supported.
      request_uri_parameter_supported: false,
    };
    app.get('/openid-configuration', async (_request, reply) =>
      reply.header('cache-control', `public, max-age=${jwksCacheSeconds}`).send(document),
    );
  },
);

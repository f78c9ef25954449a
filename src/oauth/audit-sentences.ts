import type { AuditSentence } from '../platform/audit/actions.ts';

export const auditSentences = {
  'client.registered': 'You registered {name}',
  'client.requested': 'You asked for a review of {name}',
  'client.edited': 'You edited {name}',
  'client.edit_withdrawn': 'You withdrew your changes to {name}',
  'client.resubmitted': 'You resubmitted {name}',
  'client.accepted': ['Your app {name} was approved', 'You approved {name}'],
  'client.rejected': ['Your app {name} was rejected', 'You rejected {name}'],
  'client.suspended': ['Your app {name} was suspended', 'You suspended {name}'],
  'client.edit_accepted': ['The changes to {name} were approved', 'You approved the changes to {name}'],
  'client.edit_rejected': ['The changes to {name} were rejected', 'You rejected the changes to {name}'],
  'client.resource_set': [
    'Your app {name} can introspect access tokens of a resource',
    'You let {name} introspect access tokens of a resource',
  ],
  'client.resource_removed': [
    'Your app {name} can no longer introspect access tokens of a resource',
    'You ended that {name} can introspect access tokens of a resource',
  ],
  'client.deleted': 'You deleted {name}',
  'secret.created': 'A client secret was added to {name}',
  'secret.deleted': 'A client secret of {name} was deleted',
  // Earlier versions recorded this and 'grant.leaked'.
  'secret.leaked': 'A client secret of {name} was reported as leaked and deleted',
  'grant.approved': '{name} was given access to your account {reason}',
  'grant.repeated': '{name} was given access again, as you approved before {reason}',
  'grant.revoked': [
    '{name}’s access to your account was removed',
    'You removed {name}’s access to an account',
  ],
  'grant.theft_detected': '{name}’s access was removed because its tokens may have been stolen',
  'grant.leaked': '{name}’s access was removed because a token was reported as leaked',
  'key.created': 'A signing key was created',
  'key.deleted': 'A signing key was deleted',
} as const satisfies Readonly<Record<string, AuditSentence>>;

declare module '../platform/audit/actions.ts' {
  interface AuditActions extends Record<keyof typeof auditSentences, AuditSentence> {}
}

/**
 * What is recorded, and its words on the page of the person concerned; of two, the second is for
 * the one who did it to someone else. `{name}` is the event's label.
 */
export const auditSentences = {
  'user.created': 'Your account was created',
  'user.signed_in': 'You signed in',
  'user.sign_in_failed': 'A sign-in with an incorrect password failed',
  'user.sign_in_refused': 'A sign-in was refused because your account is suspended',
  'user.suspended': ['Your account was suspended', 'You suspended an account'],
  'user.restored': ['Your account was restored', 'You restored an account'],
  'user.promoted': 'Your account was made an admin',
  'user.deleted': ['Your account was deleted', 'You deleted an account'],
  'username.changed': 'Your username was changed',
  'email.verified': 'Your email address was verified',
  'email.change_requested': 'A change of your email address was requested',
  'email.changed': 'Your email address was changed',
  'password.changed': 'Your password was changed',
  'password.reset': 'Your password was reset by email',
  'session.ended': 'You signed out of this browser',
  'session.others_ended': 'You signed out of other browsers',
  'session.confirmed': "You confirmed that it's you",
  'passkey.added': 'A passkey was added',
  'passkey.renamed': 'A passkey was renamed',
  'passkey.removed': 'A passkey was removed',
  'passkey.refused': 'A passkey was refused because it may have been copied',
  'recovery_codes.created': 'Recovery codes were created',
  'recovery_code.used': 'A recovery code was used',
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
  'secret.leaked': 'A client secret of {name} was reported as leaked and deleted',
  'grant.approved': '{name} was given access to your account',
  'grant.repeated': '{name} was given access again, as you approved before',
  'grant.revoked': [
    "{name}'s access to your account was removed",
    "You removed {name}'s access to an account",
  ],
  'grant.theft_detected': "{name}'s access was removed because its tokens may have been stolen",
  'grant.leaked': "{name}'s access was removed because a token was reported as leaked",
  'group.created': 'You created {name}',
  'group.changed': 'You edited {name}',
  'group.deleted': 'You deleted {name}',
  'group.member_added': ['You joined {name}', 'You added someone to {name}'],
  'group.member_removed': ['You left {name}', 'You removed someone from {name}'],
  'group.role_changed': ['Your role in {name} was changed', "You changed someone's role in {name}"],
  'invitation.sent': 'You invited someone to {name}',
  'invitation.withdrawn': 'You withdrew an invitation to {name}',
  'invitation.declined': 'You declined an invitation to {name}',
  'managed_user.created': '{name} created this account',
  'managed_user.changed': '{name} changed this account',
  'managed_user.deleted': '{name} deleted this account',
  'managed_user.tokens_replaced': '{name} replaced its tokens for this account',
  'calendar.connected': 'The calendar {name} was connected',
  'calendar.disconnected': 'The calendar {name} was disconnected',
  'webhook.created': 'A webhook to {name} was created',
  'webhook.changed': 'A webhook to {name} was changed',
  'webhook.deleted': 'A webhook to {name} was deleted',
  'key.created': 'A signing key was created',
  'key.deleted': 'A signing key was deleted',
  'email.retried': 'You retried an email',
  'email.discarded': 'You discarded an email',
} as const satisfies Readonly<Record<string, string | readonly [concerned: string, actor: string]>>;

export type AuditAction = keyof typeof auditSentences;

export const auditActions: readonly AuditAction[] = Object.keys(auditSentences).filter(isAuditAction);

function isAuditAction(text: string): text is AuditAction {
  return Object.hasOwn(auditSentences, text);
}

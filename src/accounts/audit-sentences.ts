import type { AuditSentence } from '../platform/audit/actions.ts';

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
  'session.confirmed': 'You confirmed your identity',
  'passkey.removed': 'A passkey was removed',
  'group.created': 'You created {name}',
  'group.changed': 'You edited {name}',
  'group.deleted': 'You deleted {name}',
  'group.member_added': ['You joined {name}', 'You added someone to {name}'],
  'group.member_removed': ['You left {name}', 'You removed someone from {name}'],
  'group.role_changed': [
    'Your role in {name} was changed {reason}',
    'You changed someone’s role in {name} {reason}',
  ],
  'managed_users.ended': 'You deleted the users of {name}',
  'invitation.changed': 'You changed the role of an invitation to {name}',
  'invitation.sent': 'You invited someone to {name}',
  'invitation.withdrawn': 'You withdrew an invitation to {name}',
  'invitation.declined': 'You declined an invitation to {name}',
  'email.retried': 'You retried an email',
  'email.discarded': 'You discarded an email',
} as const satisfies Readonly<Record<string, AuditSentence>>;

declare module '../platform/audit/actions.ts' {
  interface AuditActions extends Record<keyof typeof auditSentences, AuditSentence> {}
}

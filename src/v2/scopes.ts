import type { ScopeArea } from '../oauth/permissions.ts';

declare module '../oauth/permissions.ts' {
  interface ApiScopes {
    readonly PROFILE_READ: true;
    readonly PROFILE_WRITE: true;
  }
}

export const profileScopes = {
  title: 'Profile',
  icon: 'user',
  place: 10,
  read: {
    name: 'PROFILE_READ',
    words: 'See your name, email address, username and time zone, and your teams with their members',
    ofTeam: 'See your name, email address, username and time zone, and the members of the team',
    limit: 'See or change your profile, or see your teams',
  },
  write: {
    name: 'PROFILE_WRITE',
    words:
      'See your profile with your email address, and your teams with their members; change your name, time zone, default schedule and how times are shown',
    ofTeam: 'See your name, email address, username and time zone, and the members of the team',
    limit: 'Change your name, time zone or default schedule',
  },
  firstCall: '/v2/me',
} as const satisfies ScopeArea;

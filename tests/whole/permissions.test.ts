import { expect, test } from 'vitest';
import { describeLimits, describePermissions } from '../../src/oauth/permissions.ts';
import { permissions } from '../support/permissions.ts';
import { scopeNames } from '../support/scopes.ts';

test('all scopes are known, and each has words (contract §6)', { tags: 'parts' }, () => {
  expect(permissions.known).toEqual(scopeNames);
  expect(Object.keys(permissions.words)).toEqual(scopeNames);
});

test.each(scopeNames)(
  '%s has plain words of its own, without its name (contract §6)',
  { tags: 'parts' },
  (scope) => {
    const [words = '', ...others] = describePermissions(permissions, [scope]);

    expect(others).toEqual([]);
    expect(words).toMatch(/^See\b.*\byour\b/);
    expect(words).not.toMatch(/_|\bscope\b|[A-Z]{3}/);
    const rest = scopeNames
      .filter((name) => name !== scope)
      .flatMap((name) => describePermissions(permissions, [name]));
    expect(rest).not.toContain(words);
  },
);

test('what WRITE says already is not said again for READ (contract §6)', () => {
  expect(describePermissions(permissions, ['BOOKING_READ', 'BOOKING_WRITE'])).toEqual(
    describePermissions(permissions, ['BOOKING_WRITE']),
  );
});

test.each([
  ['SCHEDULE_READ', ['SCHEDULE_READ'], [/connected calendars/, /when you are busy/]],
  ['SCHEDULE_WRITE', ['SCHEDULE_WRITE'], [/connect and disconnect calendars/, /when you are busy/]],
  ['full access', null, [/connect and disconnect calendars/i, /see busy times/]],
] as const)('%s says that it opens the calendars, too (contract §8)', (_, held, words) => {
  const said = describePermissions(permissions, held).join('\n');

  for (const word of words) expect(said).toMatch(word);
});

test.each([
  ['both scopes that it takes', ['SCHEDULE_WRITE', 'BOOKING_READ'], true],
  ['WRITE of one that it takes', ['BOOKING_WRITE', 'SCHEDULE_WRITE'], true],
  ['full access', null, true],
  ['calendars alone', ['SCHEDULE_WRITE'], false],
  ['bookings alone', ['BOOKING_WRITE', 'SCHEDULE_READ'], false],
] as const)(
  '%s: whether a person reads that bookings are written where the app chooses (security C123)',
  (_words, held, isSaid) => {
    const said = describePermissions(permissions, held).join('\n');

    expect(/choose where bookings go/i.test(said)).toBe(isSaid);
  },
);

const subjects = ['PROFILE_READ', 'EVENT_TYPE_READ', 'BOOKING_READ', 'SCHEDULE_READ', 'WEBHOOK_READ'];
const never = [
  'See your password, or change how you sign in',
  'Change your email address, your teams or your other apps',
];

test.each([
  ['full access', null, []],
  ['every WRITE and the profile', scopeNames, []],
  [
    'bookings to read',
    ['PROFILE_WRITE', 'EVENT_TYPE_WRITE', 'SCHEDULE_WRITE', 'BOOKING_READ', 'WEBHOOK_WRITE'],
    ['Create, change or cancel bookings'],
  ],
  [
    'the profile',
    ['PROFILE_READ'],
    [
      'Change your name, time zone or default schedule',
      'See or change your event types',
      'See or change your bookings',
      'See or change your schedules and connected calendars',
      'See or change your webhooks',
    ],
  ],
  [
    'schedules to read',
    ['PROFILE_WRITE', 'EVENT_TYPE_WRITE', 'BOOKING_WRITE', 'SCHEDULE_READ', 'WEBHOOK_WRITE'],
    ['Change your schedules, connect or disconnect calendars'],
  ],
  [
    'bookings',
    ['BOOKING_WRITE'],
    [
      'See or change your profile, or see your teams',
      'See or change your event types',
      'See or change your schedules and connected calendars',
      'See or change your webhooks',
    ],
  ],
] as const)('what an app with %s cannot do is said (contract §3)', { tags: 'parts' }, (_, held, closed) => {
  const areas = permissions.areas.filter(({ read }) => subjects.includes(read.name));

  expect(describeLimits({ ...permissions, areas }, held)).toEqual([...never, ...closed]);
});

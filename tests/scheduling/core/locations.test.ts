import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  chooseLocation,
  type EventLocation,
  hostValueOf,
  locationTypes,
  meetingLinkOf,
  readPhoneNumber,
  showToStrangers,
} from '../../../src/scheduling/core/locations.ts';

const office = { type: 'address', address: 'Main St 1', public: true } as const;
const branch = { type: 'address', address: 'Side St 2', public: false } as const;
const call = { type: 'link', link: 'https://meet.example/1', public: false } as const;
const desk = { type: 'phone', phone: '+49 30 1', public: true } as const;
const yours = { type: 'attendeeAddress' } as const;
const callMe = { type: 'attendeePhone' } as const;
const anywhere = { type: 'attendeeDefined' } as const;
const choose = (offered: readonly EventLocation[], asked: Parameters<typeof chooseLocation>[1]) => {
  const chosen = chooseLocation(offered, asked);
  return chosen.ok ? chosen.value : chosen.reason;
};
const at = (type: EventLocation['type'], value?: string) => ({ type, value });

describe('where a booking takes place (contract §8)', () => {
  test.each([
    ['nowhere, without locations', [], undefined, null],
    ['at the only one', [office], undefined, at('address', 'Main St 1')],
    ['at the first of the host’s', [callMe, call, office], undefined, at('link', 'https://meet.example/1')],
    ['at the host’s number, if there is nothing else', [desk], undefined, at('phone', '+49 30 1')],
    ['not unsaid, if the attendee has to say it', [yours, callMe], undefined, 'location_missing'],
    ['at the one of the asked type', [office, call], at('link'), at('link', 'https://meet.example/1')],
    ['at the first of several of a type', [office, branch], at('address'), at('address', 'Main St 1')],
    ['at the one that is named', [office, branch], at('address', 'Side St 2'), at('address', 'Side St 2')],
    ['at none that only looks like it', [office], at('address', 'Side St 2'), 'location_not_offered'],
    ['at none of another type', [office], at('link'), 'location_not_offered'],
    ['at none of an event type without', [], at('address'), 'location_not_offered'],
    [
      'where the attendee says',
      [office, yours],
      at('attendeeAddress', 'Home'),
      at('attendeeAddress', 'Home'),
    ],
    ['not where the attendee says nothing', [yours], at('attendeeAddress', ''), 'location_missing'],
    ['not where the attendee names only the type', [yours], at('attendeeAddress'), 'location_missing'],
    ['at the host’s that a string says', [office, desk], '+49 30 1', at('phone', '+49 30 1')],
    ['at the number that a string says', [anywhere, callMe], '+49 30 22', at('attendeePhone', '+493022')],
    [
      'at the host’s that a string says, though it could be anywhere',
      [anywhere, office],
      'Main St 1',
      at('address', 'Main St 1'),
    ],
    [
      'where a string says, though it looks like a number that nobody asks for',
      [anywhere],
      '+49 30 22',
      at('attendeeDefined', '+49 30 22'),
    ],
    ['where a string says, if that is offered', [office, anywhere], 'Zoo', at('attendeeDefined', 'Zoo')],
    ['not where a string says, if not', [office, callMe], 'Zoo', 'location_not_offered'],
    ['where a text says, without locations', [], 'Room 5', at('attendeeDefined', 'Room 5')],
    ['not at a link without locations', [], 'https://meet.example/1', 'location_not_offered'],
    ['not in an app without locations', [], 'integrations:zoom', 'location_not_offered'],
  ] as const)('%s', (_name, offered, asked, expected) => {
    expect(choose(offered, asked)).toEqual(expected);
  });

  const types = fc.constantFrom(...locationTypes);
  const text = fc.constantFrom('', 'Main St 1', 'https://meet.example/1', '+49 30 1', 'Zoo');
  const locations = fc.array(fc.constantFrom(office, branch, call, desk, yours, callMe, anywhere));

  test('is always one that is offered, and of the asked type', () => {
    fc.assert(
      fc.property(locations, types, fc.option(text, { nil: undefined }), (offered, type, value) => {
        const chosen = chooseLocation(offered, { type, value });
        if (!chosen.ok || chosen.value === null) return chosen.ok === false;
        const { value: said } = chosen.value;
        const isHosts = offered.some((one) => one.type === type && hostValueOf(one) === said);
        const meant = type === 'attendeePhone' ? (readPhoneNumber(value ?? '') ?? value) : value;
        const isAttendees = offered.some((one) => one.type === type) && said === meant && said !== '';
        return chosen.value.type === type && (isHosts || isAttendees);
      }),
    );
  });

  test('is known to strangers only if it is public', () => {
    for (const location of [office, branch, call, desk, yours, callMe, anywhere]) {
      const shown = JSON.stringify(showToStrangers(location));
      const value = hostValueOf(location);
      const isSecret = 'public' in location && !location.public;
      expect(value !== undefined && shown.includes(value)).toBe(value !== undefined && !isSecret);
    }
  });
});

test.each([
  ['+14155552671', '+14155552671'],
  ['+1 (415) 555-2671', '+14155552671'],
  ['+1-415-555-2671', '+14155552671'],
  ['+1.415.555.2671', '+14155552671'],
  ['+49 (0)30/123456', '+4930123456'],
  ['+49 30 123456', '+4930123456'],
  ['+49\u00a030\u2011123456', '+4930123456'],
])('%j is read as %s (E.164)', (text, number) => {
  expect(readPhoneNumber(text)).toBe(number);
});

test.each([
  '030 123456',
  '+',
  '+1',
  '+1 (2)',
  '+(-)-.-',
  `+${'1'.repeat(16)}`,
  '+1 415 CALL',
  '+1\n',
  `+1${' '.repeat(60)}2345`,
  '',
])('%j is no phone number (E.164)', (text) => {
  expect(readPhoneNumber(text)).toBeUndefined();
});

test.each([
  ['accepted', { type: 'link', value: 'https://meet.example/1' }, 'https://meet.example/1'],
  ['pending', { type: 'link', value: 'https://meet.example/1' }, undefined],
  ['accepted', { type: 'address', value: 'Main St 1' }, undefined],
  ['accepted', null, undefined],
] as const)('the meeting of a booking that is %s at %j is at %s', (status, location, link) => {
  expect(meetingLinkOf({ status, location })).toBe(link);
});

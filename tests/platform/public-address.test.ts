import { expect, test } from 'vitest';
import { isPublicAddress, isWithinRanges } from '../../src/platform/public-address.ts';

test.each([
  ...['127.0.0.1', '127.255.255.254', '0.0.0.0', '0.1.2.3', '10.0.0.1', '172.16.0.1', '172.31.255.255'],
  ...['192.168.0.1', '169.254.169.254', '100.64.0.1', '100.127.255.255', '224.0.0.1', '239.1.2.3'],
  ...['255.255.255.255', '240.0.0.1', '192.0.0.1', '198.18.0.1', '192.0.2.1'],
  ...['::', '::1', 'fe80::1', 'fe80::1%eth0', 'fc00::1', 'fd12::1', 'ff02::1', 'fec0::1', '2001:db8::1'],
  ...['::ffff:127.0.0.1', '::ffff:8.8.8.8', '::127.0.0.1', '::ffff:0:127.0.0.1'],
  ...[
    '64:ff9b::7f00:1',
    '64:ff9b::808:808',
    '64:ff9b:1::a00:1',
    '2002:7f00:1::',
    '2001:0:7f00:1::',
    '4000::1',
  ],
  ...['', 'localhost', 'example.com', '1.2.3.4.5', '2606:4700::1%1'],
])('%j is not of the public internet (security C43)', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each(['8.8.8.8', '1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700:4700::1111', '2a00:1450:4001::1'])(
  '%s is of the public internet',
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
  },
);

test.each([
  ['10.1.2.3', ['10.1.2.3'], true],
  ['10.1.2.4', ['10.1.2.3'], false],
  ['10.1.255.255', ['192.168.0.1', '10.1.0.0/16'], true],
  ['10.2.0.0', ['10.1.0.0/16'], false],
  ['::ffff:10.1.2.3', ['10.1.0.0/16'], true],
  ['fd00::1', ['fd00::/8'], true],
  ['fe80::1', ['fd00::/8'], false],
  ['fd00::1', ['fd00::1'], true],
  ['fd00::2', ['fd00::1'], false],
  ['127.0.0.1', ['::/8'], false],
  ['127.0.0.1', [], false],
  ['localhost', ['127.0.0.0/8'], false],
] as const)(
  'whether %s is within %j: %s (contract §1, CALENDAR_ALLOW_PRIVATE)',
  (address, ranges, expected) => {
    expect(isWithinRanges(address, ranges)).toBe(expected);
  },
);

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { isPublicAddress } from './public-address.ts';

const byte = fc.nat(255);
const ipv4 = fc.tuple(byte, byte, byte, byte);
/** Ranges by their first bytes. */
const PRIVATE_V4: readonly (readonly number[])[] = [
  ...[[0], [10], [127], [169, 254], [192, 168], [192, 0, 0], [192, 0, 2], [198, 18], [198, 51, 100]],
  ...[...Array(16).keys()].map((n) => [172, 16 + n]),
  ...[...Array(64).keys()].map((n) => [100, 64 + n]),
  ...[...Array(32).keys()].map((n) => [224 + n]),
];

test('no address of a special IPv4 range is public, however it is written', () => {
  fc.assert(
    fc.property(fc.constantFrom(...PRIVATE_V4), ipv4, (range, any) => {
      const bytes = [...range, ...any].slice(0, 4) as [number, number, number, number];
      const [a, b, c, d] = bytes.map((part) => part.toString(16).padStart(2, '0'));
      const dotted = bytes.join('.');
      const forms = [dotted, `::ffff:${dotted}`, `::${dotted}`, `64:ff9b::${dotted}`, `::ffff:0:${dotted}`];
      for (const form of [...forms, `2002:${a}${b}:${c}${d}::1`])
        expect([form, isPublicAddress(form)]).toEqual([form, false]);
    }),
    { numRuns: 2_000 },
  );
});

test('no address outside the IPv6 that was given out is public', () => {
  fc.assert(
    fc.property(fc.ipV6(), (address) => {
      const isGivenOut = /^(2|3)[0-9a-f]{3}:/i.test(address);
      if (!isGivenOut) expect([address, isPublicAddress(address)]).toEqual([address, false]);
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  ...[
    '::1',
    '::',
    'fe80::1',
    'fe80::1%eth0',
    'fc00::1',
    'fd00:ec2::254',
    'fec0::1',
    'ff02::1',
    '2001:db8::1',
    '2001::1',
  ],
  ...['169.254.169.254', '100.100.100.200', '192.0.0.192', '168.63.129.16', '255.255.255.255'],
  ...['', 'localhost', '1.2.3', '1.2.3.4.5', '0x7f.1', '4000::1'],
])('%j is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each([
  '8.8.8.8',
  '1.1.1.1',
  '172.32.0.1',
  '100.128.0.1',
  '93.184.215.14',
  '2606:4700::1111',
  '2a00:1450::1',
])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

import { Secret } from 'otpauth';
import { newTotpSecret, buildTotpUri, findTotpStep } from './oneTimePasswords.ts';

/** Secret of RFC 6238, appendix B. */
const secret = Secret.fromUTF8('12345678901234567890').base32;
const at = (seconds: number) => new Date(seconds * 1_000);

// The last six of the appendix's eight digits: fewer digits only truncate the same value (RFC 4226, section 5.3).
test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('passwords match RFC 6238 at %i', (seconds, code) => {
  expect(findTotpStep(secret, code, at(seconds))).toBe(Math.floor(seconds / 30));
});

test('clocks may differ by one step, and a password keeps its own step', () => {
  const step = Math.floor(1_111_111_111 / 30);
  const tried = (offset: number) => findTotpStep(secret, '050471', at((step + offset) * 30));
  expect([-2, -1, 0, 1, 2].map(tried)).toEqual([undefined, step, step, step, undefined]);
  expect(findTotpStep(secret, '', at(0))).toBeUndefined();
  expect(findTotpStep(secret, 'abcdef', at(0))).toBeUndefined();
});

test('a secret has 160 bits, and its URI is the one authenticator apps read', () => {
  const made = newTotpSecret();
  expect(made).toMatch(/^[A-Z2-7]{32}$/);
  expect(newTotpSecret()).not.toBe(made);
  const address = new URL(buildTotpUri(made, '+27825550147'));
  expect(`${address.protocol}//${address.host}`).toBe('otpauth://totp');
  expect(decodeURIComponent(address.pathname)).toBe('/Nolo:+27825550147');
  expect(Object.fromEntries(address.searchParams)).toEqual({
    issuer: 'Nolo',
    secret: made,
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  });
});

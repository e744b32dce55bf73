import { limits } from '@nolo/rules';
import { normalizeCode, isOneTimePassword, newRecoveryCodes, hashRecoveryCode } from './recoveryCodes.ts';

test('recovery codes are all different, and none looks like a one-time password', () => {
  const codes = newRecoveryCodes();
  expect(new Set(codes).size).toBe(limits.recoveryCodes);
  for (const code of codes) {
    expect(code).toMatch(/^[a-kmnp-z2-9]{4}(-[a-kmnp-z2-9]{4}){2}$/);
    expect(isOneTimePassword(normalizeCode(code))).toBe(false);
  }
});

test('a code is recognized however it was typed, for its own factor only', () => {
  const hash = hashRecoveryCode('one', 'abcd-2345-wxyz');
  expect(hashRecoveryCode('one', ' ABCD 2345–wxyz')).toEqual(hash);
  expect(hashRecoveryCode('two', 'abcd-2345-wxyz')).not.toEqual(hash);
  expect(isOneTimePassword(normalizeCode('123 456'))).toBe(true);
});

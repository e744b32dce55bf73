import { createVerificationCodeMaker } from './verificationCodeMaker.ts';
import { describeWait } from './codeVerification.ts';

const number = '+27825550147';
const codes = createVerificationCodeMaker({ pepper: 'pepper', digits: 6 });

describe('verification codes', () => {
  test('have six digits, including leading zeros', () => {
    for (let count = 0; count < 200; count += 1) expect(codes.make(number, 'id').code).toMatch(/^\d{6}$/);
  });

  test('match only with their own number, id and pepper', () => {
    const { code, hash } = codes.make(number, 'id');
    expect(codes.matches(hash, number, code, 'id')).toBe(true);
    expect(codes.matches(hash, number, ` ${code} `, 'id')).toBe(true);
    expect(codes.matches(hash, '+27825550148', code, 'id')).toBe(false);
    expect(codes.matches(hash, number, code, 'another')).toBe(false);
    expect(codes.matches(hash, number, '', 'id')).toBe(false);
    expect(createVerificationCodeMaker({ pepper: 'other', digits: 6 }).matches(hash, number, code, 'id')).toBe(false);
  });

  test('are fixed in demo mode', () => {
    expect(
      createVerificationCodeMaker({ pepper: 'pepper', digits: 6, fixedCode: '424242' }).make(number, 'id').code,
    ).toBe('424242');
  });
});

test.each([
  [1, 'a minute'],
  [61_000, '2 minutes'],
  [600_000, '10 minutes'],
  [3_600_000, 'an hour'],
  [86_400_000, '24 hours'],
])('%d milliseconds are %s', (ms, words) => {
  expect(describeWait(ms)).toBe(words);
});

import { fromUuid } from './bytes.ts';
import { compareVerificationCode, computeSafetyNumber, readVerificationCode, writeVerificationCode } from './number.ts';
import { randomBytes } from './primitives.ts';

const ann = {
  account: fromUuid('0190a000-0000-7000-8000-000000000001'),
  identity: randomBytes(32),
  n: 4,
  hash: randomBytes(32),
};
const ben = {
  account: fromUuid('0190a000-0000-7000-8000-000000000002'),
  identity: randomBytes(32),
  n: 2,
  hash: randomBytes(32),
};
const hashesOf = (...known: (typeof ann)[]) => {
  return (account: Uint8Array, n: number) =>
    known.find((one) => one.account.join() === account.join() && one.n === n)?.hash ?? null;
};

test('both people see the same 60 digits, which change with an identity and with an account', async () => {
  const number = await computeSafetyNumber(ann, ben);
  expect(number).toMatch(/^\d{60}$/);
  expect(await computeSafetyNumber(ben, ann)).toBe(number);
  expect(await computeSafetyNumber(ann, { ...ben, n: 9, hash: randomBytes(32) } as typeof ben)).toBe(number);
  expect(await computeSafetyNumber(ann, { ...ben, identity: randomBytes(32) })).not.toBe(number);
  expect(await computeSafetyNumber(ann, { ...ben, account: randomBytes(16) })).not.toBe(number);
});

test('a scanned code verifies the newest list that both know', () => {
  const code = readVerificationCode(writeVerificationCode(ann, ben));
  expect(compareVerificationCode(code, ben, ann, hashesOf(ann, ben))).toEqual(ann);
  // Ben added a device that Ann has not seen yet.
  const newer = { ...ben, n: 3, hash: randomBytes(32) };
  expect(compareVerificationCode(code, newer, ann, hashesOf(ann, ben, newer))).toEqual(ann);
});

test('a scanned code with another identity, another list, or other people does not verify', () => {
  const code = readVerificationCode(writeVerificationCode(ann, ben));
  const refusal = (own: typeof ann, other: typeof ann, ...known: (typeof ann)[]) => {
    try {
      return compareVerificationCode(code, own, other, hashesOf(...known));
    } catch (error) {
      return (error as { code: string }).code;
    }
  };
  expect(refusal(ben, { ...ann, identity: randomBytes(32) }, ann, ben)).toBe('fork');
  expect(refusal({ ...ben, identity: randomBytes(32) }, ann, ann, ben)).toBe('fork');
  expect(refusal(ben, ann, { ...ann, hash: randomBytes(32) }, ben)).toBe('fork');
  expect(refusal(ben, ann, ben)).toBe('old');
  expect(refusal(ann, ben, ann, ben)).toBe('subject');
  expect(() => readVerificationCode(randomBytes(150))).toThrow(expect.objectContaining({ code: 'malformed' }));
});

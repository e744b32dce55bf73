import { codeSendsPerNumberShort } from '@nolo/rules';
import type { PhoneForm, PhoneFormAction } from './phoneForm.ts';
import {
  formatCountdown,
  toCodeDigits,
  createPhoneForm,
  computeNextSendTime,
  phoneFormReducer,
  resendPauseMs,
} from './phoneForm.ts';

const number = '+27825550147';
const after = (...actions: PhoneFormAction[]): PhoneForm => actions.reduce(phoneFormReducer, createPhoneForm());
const sent = (now: number, phoneNumber = number): PhoneFormAction => ({ type: 'sent', phoneNumber, now });

test.each([
  ['424242', '424242'],
  ['424 242', '424242'],
  ['Your code is 424242.', '424242'],
  ['42424299', '424242'],
  ['abc', ''],
])('a code takes from %p the digits %p', (typed, digits) => {
  expect(toCodeDigits(typed)).toBe(digits);
});

test.each([
  [27_000, '0:27'],
  [26_001, '0:27'],
  [600_000, '10:00'],
  [-5, '0:00'],
])('%d ms are %s', (ms, words) => {
  expect(formatCountdown(ms)).toBe(words);
});

describe('a new code', () => {
  const windowMs = codeSendsPerNumberShort.durationSeconds * 1_000;

  test('may be requested after a pause', () => {
    expect(computeNextSendTime([1_000])).toBe(1_000 + resendPauseMs);
  });

  test('may be requested after the maximum once the first no longer counts', () => {
    const times = Array.from({ length: codeSendsPerNumberShort.points }, (_, place) => 1_000 + place * 40_000);
    expect(computeNextSendTime(times)).toBe(1_000 + windowMs);
  });

  test('may be requested later if the server requires it', () => {
    const form = after(sent(0), { type: 'sending' }, { type: 'sendFailed', error: 'later', resendAt: 500_000 });
    expect(form.resendAt).toBe(500_000);
  });

  test('is counted separately for another number', () => {
    expect(after(sent(0), { type: 'back' }, sent(5, '+27825550148')).sentAt).toEqual([5]);
    expect(after(sent(0), { type: 'back' }, sent(5)).sentAt).toEqual([0, 5]);
  });
});

test('a sent code leads to step 2, and Back to step 1 with the number still there', () => {
  const form = after({ type: 'numberTyped', number }, { type: 'sending' }, sent(0));
  expect(form).toMatchObject({ step: 'code', sentTo: number, busy: null });
  expect(phoneFormReducer(form, { type: 'back' })).toMatchObject({ step: 'number', number, code: '' });
});

test('a wrong code is cleared, and an unchecked one stays', () => {
  const typed = after(sent(0), { type: 'codeTyped', code: '111111' }, { type: 'verifying' });
  expect(typed.busy).toBe('verifying');
  expect(phoneFormReducer(typed, { type: 'verifyFailed', error: 'wrong', wrong: true, spent: false })).toMatchObject({
    code: '',
    error: 'wrong',
    spent: false,
  });
  expect(phoneFormReducer(typed, { type: 'verifyFailed', error: 'lost', wrong: false, spent: false }).code).toBe(
    '111111',
  );
});

test('a spent code stays spent until a new one is sent', () => {
  const spent = after(sent(0), { type: 'verifyFailed', error: 'too often', wrong: true, spent: true });
  expect(phoneFormReducer(spent, { type: 'codeTyped', code: '1' })).toMatchObject({ spent: true, error: 'too often' });
  expect(phoneFormReducer(spent, sent(40_000))).toMatchObject({ spent: false, error: null });
});

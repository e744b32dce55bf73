import { codeSendsPerNumberShort, limits } from '@nolo/rules';
import type { SecondStepAsked } from '../factor/SecondStep.tsx';

/** The phone sign-in's states and what leads from one to the next (spec section 4, decision 4). */

export const codeLength = limits.verificationCodeDigits;

/** A message needs about this long to arrive; asking again sooner only costs a try. */
export const resendPauseMs = 30_000;

export interface PhoneForm {
  step: 'number' | 'code';
  /** As it was typed. */
  number: string;
  /** Where it is dialled, unless it begins with a calling code; null for where the languages say. */
  country: string | null;
  /** The number in E.164, as the server read it. */
  sentTo: string;
  code: string;
  busy: 'sending' | 'verifying' | null;
  /** What is wrong with the field that shows, in words. */
  error: string | null;
  /** The code can no longer be used: only a new one helps. */
  spent: boolean;
  /** The code is right, and the number left an account then: the person says what is to become of it. */
  replacedAt: string | null;
  /** The code is right, and the account wants its second step: what the server says of it. */
  secondStep: SecondStepAsked | null;
  /** When codes were sent to `sentTo`, oldest first. */
  sentAt: readonly number[];
  /** When the next code may be asked for. */
  resendAt: number;
}

export type PhoneFormAction =
  | { type: 'numberTyped'; number: string }
  | { type: 'countryChosen'; country: string }
  | { type: 'numberRefused'; error: string }
  | { type: 'sending' }
  | { type: 'sent'; phoneNumber: string; now: number }
  | { type: 'sendFailed'; error: string; resendAt: number }
  | { type: 'codeTyped'; code: string }
  | { type: 'verifying' }
  /** `wrong`: the code was looked at and is of no use. */
  | { type: 'verifyFailed'; error: string; wrong: boolean; spent: boolean }
  | { type: 'replaced'; at: string }
  | { type: 'secondStepAsked'; asked: SecondStepAsked }
  | { type: 'back' };

export function emptyPhoneForm(number = ''): PhoneForm {
  return {
    step: 'number',
    number,
    country: null,
    sentTo: '',
    code: '',
    busy: null,
    error: null,
    spent: false,
    replacedAt: null,
    secondStep: null,
    sentAt: [],
    resendAt: 0,
  };
}

/** Only digits, and no more of them than a code has; pasted spaces and dashes go. */
export function codeDigits(input: string): string {
  return input.replace(/\D/g, '').slice(0, codeLength);
}

/** When a number may be sent another code, after those sent at the given times. */
export function nextSendAt(sentAt: readonly number[]): number {
  const { points, durationSeconds } = codeSendsPerNumberShort;
  const last = sentAt.at(-1) ?? 0;
  const oldestThatCounts = sentAt.at(-points);
  return Math.max(
    last + resendPauseMs,
    oldestThatCounts === undefined ? 0 : oldestThatCounts + durationSeconds * 1_000,
  );
}

/** A wait as minutes and seconds: 0:27. */
export function clockTime(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

export function phoneFormReducer(form: PhoneForm, action: PhoneFormAction): PhoneForm {
  switch (action.type) {
    case 'numberTyped':
      return { ...form, number: action.number, error: null };
    case 'countryChosen':
      return { ...form, country: action.country, error: null };
    case 'numberRefused':
      return { ...form, busy: null, error: action.error };
    case 'sending':
      return { ...form, busy: 'sending', error: null };
    case 'sent': {
      const earlier = form.sentTo === action.phoneNumber ? form.sentAt : [];
      const sentAt = [...earlier, action.now];
      return {
        ...form,
        step: 'code',
        busy: null,
        error: null,
        code: '',
        spent: false,
        replacedAt: null,
        sentTo: action.phoneNumber,
        sentAt,
        resendAt: nextSendAt(sentAt),
      };
    }
    case 'sendFailed':
      return {
        ...form,
        busy: null,
        error: action.error,
        resendAt: Math.max(form.resendAt, action.resendAt),
      };
    case 'codeTyped': {
      const code = codeDigits(action.code);
      // A seventh digit changes nothing, and takes no message away.
      return code === form.code ? form : { ...form, code, error: form.spent ? form.error : null };
    }
    case 'verifying':
      return { ...form, busy: 'verifying', error: null };
    case 'verifyFailed':
      return {
        ...form,
        busy: null,
        error: action.error,
        spent: action.spent,
        replacedAt: null,
        // A wrong code is typed anew; one that nobody has checked yet is kept.
        code: action.wrong ? '' : form.code,
      };
    case 'replaced':
      return { ...form, busy: null, replacedAt: action.at };
    case 'secondStepAsked':
      return { ...form, busy: null, code: '', replacedAt: null, secondStep: action.asked };
    case 'back':
      return { ...form, step: 'number', code: '', error: null, spent: false, replacedAt: null, secondStep: null };
    default:
      return action satisfies never;
  }
}

import { codeSendsPerNumberShort, limits } from '@nolo/rules';
import type { SecondStepChallenge } from '../factor/SecondStep.tsx';

/** States of the phone sign-in and the transitions between them (spec section 4, decision 4). */

export const codeLength = limits.verificationCodeDigits;

/** Time that a message needs to arrive; asking again sooner only costs an attempt. */
export const resendPauseMs = 30_000;

export interface PhoneForm {
  step: 'number' | 'code';
  /** Number as typed. */
  number: string;
  /** Country of the number, unless it begins with a calling code; null to derive it from the languages. */
  country: string | null;
  /** Number in E.164, as the server parsed it. */
  sentTo: string;
  code: string;
  busy: 'sending' | 'verifying' | null;
  /** Error text of the visible field. */
  error: string | null;
  /** True if the code is no longer usable and only a new one helps. */
  spent: boolean;
  /**
   * Time at which the number left an account. Set if the code is correct and the user must decide what happens to it.
   */
  replacedAt: string | null;
  /** Server's description of the second step. Set if the code is correct and the account needs it. */
  secondStep: SecondStepChallenge | null;
  /** Times at which codes were sent to `sentTo`, oldest first. */
  sentAt: readonly number[];
  /** Time at which the next code may be requested. */
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
  /** `wrong`: the code was checked and is incorrect. */
  | { type: 'verifyFailed'; error: string; wrong: boolean; spent: boolean }
  | { type: 'replaced'; at: string }
  | { type: 'secondStepAsked'; challenge: SecondStepChallenge }
  | { type: 'back' };

export function createPhoneForm(number = ''): PhoneForm {
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

/** Returns only digits, at most as many as a code has; drops pasted spaces and dashes. */
export function toCodeDigits(input: string): string {
  return input.replace(/\D/g, '').slice(0, codeLength);
}

/** Returns when a number may get another code, after those sent at the given times. */
export function computeNextSendTime(sentAt: readonly number[]): number {
  const { points, durationSeconds } = codeSendsPerNumberShort;
  const last = sentAt.at(-1) ?? 0;
  const oldestThatCounts = sentAt.at(-points);
  return Math.max(
    last + resendPauseMs,
    oldestThatCounts === undefined ? 0 : oldestThatCounts + durationSeconds * 1_000,
  );
}

/** Formats a wait as minutes and seconds: 0:27. */
export function formatCountdown(ms: number): string {
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
        resendAt: computeNextSendTime(sentAt),
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
      const code = toCodeDigits(action.code);
      // A seventh digit changes nothing, and clears no message.
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
        // A wrong code is cleared; one that was not checked yet stays.
        code: action.wrong ? '' : form.code,
      };
    case 'replaced':
      return { ...form, busy: null, replacedAt: action.at };
    case 'secondStepAsked':
      return { ...form, busy: null, code: '', replacedAt: null, secondStep: action.challenge };
    case 'back':
      return { ...form, step: 'number', code: '', error: null, spent: false, replacedAt: null, secondStep: null };
    default:
      return action satisfies never;
  }
}

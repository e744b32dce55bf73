import type { Clock } from '@nolo/kit/clock';
import { isAppError, type AppError } from '@nolo/kit/errors';
import { newId } from '@nolo/kit/ids';
import { limits, rateLimits, type SupportedLanguage } from '@nolo/rules';
import { createIdentityError } from '../errors.ts';
import type { VerificationCodeMaker } from './verificationCodeMaker.ts';
import { parsePhoneNumber } from './phoneNumbers.ts';
import type { CodeRequester, VerifiedCode, CodeSendLimit, VerificationCodeStore } from './ports.ts';

export interface CodeVerification {
  /**
   * Returns true if the requester has signed in by this number or address before. The limits for unknown browsers do
   * not apply to them.
   */
  isKnown(sentTo: string, asker: CodeRequester): Promise<boolean>;
  /** Creates a code for the requester and sends it to the number or email address. */
  send(sentTo: string, to: CodeAddressee): Promise<void>;
  /** Returns only if the code is the one sent to this requester. The caller must still use it up. */
  check(sentTo: string, code: string, asker: CodeRequester): Promise<VerifiedCode>;
  /** Deletes the browsers known for a number or address. The day's send counts remain. */
  forget(sentTo: string): Promise<void>;
}

interface CodeAddressee {
  asker: CodeRequester;
  /** Result of `isKnown`. */
  known: boolean;
  /** Language of the requesting device. */
  language: SupportedLanguage | undefined;
  /** New email address to verify. If absent, only an address that already belongs to an account gets an email. */
  newMail?: string;
}

export interface CodeVerificationOptions {
  codes: VerificationCodeMaker;
  store: VerificationCodeStore;
  deliver: DeliverCode;
  clock: Clock;
  /** Charges a message to the cost budget. */
  spend: (sentTo: string, known: boolean) => Promise<void>;
  /** Builds the error for when nothing can be sent now. */
  unavailable: (cause: unknown, retryAfterMs?: number) => AppError;
  onSend: (outcome: CodeSendOutcome) => void;
}

/** Delivers a code. */
export type DeliverCode = (sentTo: string, code: string, to: CodeAddressee) => Promise<void>;

type CodeSendOutcome = 'sent' | 'limited' | 'failed' | 'over_budget';

const { codeSendsPerNumberShort, codeSendsPerNumberDay, codeSendsPerNumberDayShare } = rateLimits;

/** Limits for all unknown browsers, for those of one network, and for browsers known for the number (decision 40). */
const strangerLimits: readonly CodeSendLimit[] = [
  { ...codeSendsPerNumberShort, per: 'number' },
  { ...codeSendsPerNumberDay, per: 'number' },
  { ...codeSendsPerNumberDayShare, per: 'network' },
];
const knownLimits: readonly CodeSendLimit[] = [
  { ...codeSendsPerNumberShort, per: 'known asker' },
  { ...codeSendsPerNumberDay, per: 'known asker' },
];

/** Formats a waiting time with enough precision for people. */
export function describeWait(ms: number): string {
  const minutes = Math.max(1, Math.ceil(ms / 60_000));
  if (minutes === 1) return 'a minute';
  if (minutes < 60) return `${minutes} minutes`;
  const hours = Math.ceil(minutes / 60);
  return hours === 1 ? 'an hour' : `${hours} hours`;
}

export function createSendsLimitedError(retryAfterMs: number) {
  return createIdentityError(
    'rate_limited',
    'code_send_limited',
    `Too many codes were requested. Try again in ${describeWait(retryAfterMs)}.`,
    { retryAfterSeconds: Math.ceil(retryAfterMs / 1000) },
    { retryAfterMs },
  );
}

export function createCodeExpiredError() {
  return createIdentityError('invalid', 'code_expired', 'That code is no longer valid. Request a new one.', {
    triesLeft: 0,
  });
}

export function createSmsUnavailableError(cause: unknown, retryAfterMs = 5000) {
  const message = 'We could not send the code. Please try again.';
  return createIdentityError('unavailable', 'sms_unavailable', message, undefined, { cause, retryAfterMs });
}

export function createMailUnavailableError(cause?: unknown, retryAfterMs = 60_000) {
  const message = 'We could not send the email. Please try again.';
  return createIdentityError('unavailable', 'mail_unavailable', message, undefined, { cause, retryAfterMs });
}

/** Parses a number, or throws the specification's error. */
export function parsePhoneNumberOrThrow(input: string): string {
  const phoneNumber = parsePhoneNumber(input);
  if (phoneNumber !== undefined) return phoneNumber;
  throw createIdentityError('invalid', 'phone_number_invalid', 'Please enter a valid phone number');
}

function codeExhausted() {
  return createIdentityError('invalid', 'code_exhausted', 'Too many wrong codes. Request a new one.', {
    triesLeft: 0,
  });
}

function codeWrong(triesLeft: number) {
  const left = triesLeft === 1 ? '1 try left' : `${triesLeft} tries left`;
  return createIdentityError('invalid', 'code_wrong', `That code is wrong. ${left}.`, { triesLeft });
}

export function createCodeVerification(options: CodeVerificationOptions): CodeVerification {
  const { codes, store, deliver, clock, spend, unavailable, onSend } = options;
  return {
    isKnown: (sentTo, asker) => store.isKnown(codes.numberHash(sentTo), asker),

    async send(sentTo, to) {
      const { asker, known } = to;
      const now = clock.now();
      const id = newId();
      const { code, hash } = codes.make(sentTo, id);
      const opened = await store.open(
        {
          id,
          numberHash: codes.numberHash(sentTo),
          asker,
          known,
          codeHash: hash,
          now,
          expiresAt: new Date(now.getTime() + limits.verificationCodeValidSeconds * 1000),
        },
        known ? knownLimits : strangerLimits,
      );
      if (!opened.opened) {
        onSend('limited');
        throw createSendsLimitedError(opened.retryAfterMs);
      }
      await spend(sentTo, known).catch((error: unknown) => {
        if (!isAppError(error) || error.kind !== 'rate_limited') throw error;
        onSend('over_budget');
        throw unavailable(error, error.retryAfterMs);
      });
      // A failed send still counts. A provider that timed out may have sent anyway, and a failing one is not helped by
      // unlimited retries.
      try {
        await deliver(sentTo, code, to);
      } catch (error) {
        onSend('failed');
        throw unavailable(error);
      }
      onSend('sent');
    },

    forget: (sentTo) => store.forget(codes.numberHash(sentTo)),

    async check(sentTo, code, asker) {
      const numberHash = codes.numberHash(sentTo);
      const tried = await store.countTry(numberHash, asker, limits.verificationTriesPerCode, clock.now());
      if (tried.outcome === 'none') throw createCodeExpiredError();
      if (tried.outcome === 'exhausted') throw codeExhausted();
      if (codes.matches(tried.codeHash, sentTo, code, tried.codeId)) {
        return { numberHash, codeId: tried.codeId, sentTo };
      }
      const triesLeft = limits.verificationTriesPerCode - tried.triesUsed;
      throw triesLeft > 0 ? codeWrong(triesLeft) : codeExhausted();
    },
  };
}

import type { Clock } from '@nolo/kit/clock';
import { isAppError } from '@nolo/kit/errors';
import { newId } from '@nolo/kit/ids';
import { limits, rateLimits, type WrittenLanguage } from '@nolo/rules';
import { failIdentity } from '../errors.ts';
import type { Codes } from './codes.ts';
import { parsePhoneNumber } from './phoneNumbers.ts';
import type { Asker, RightCode, SendLimit, VerificationCodes } from './ports.ts';
import type { SmsSender } from './smsSender.ts';
import { identityWords } from './identityWords.ts';

export interface Verification {
  /** Reads a number, or refuses it in the words of the specification. */
  readNumber(input: string): string;
  /** Whether the asker has signed in with the number before, and so is none of the strangers that limits are for. */
  isKnown(phoneNumber: string, asker: Asker): Promise<boolean>;
  /** Makes a code of the asker's own for the number and sends it. */
  send(phoneNumber: string, to: Addressee): Promise<void>;
  /** Returns only if the code is the one that this asker was sent. It still has to be used up. */
  check(phoneNumber: string, code: string, asker: Asker): Promise<RightCode>;
  /** No browser is known by the number any more. How often codes were sent stays for its day. */
  forget(phoneNumber: string): Promise<void>;
}

export interface Addressee {
  asker: Asker;
  /** As `isKnown` says. */
  known: boolean;
  /** Of the device that asks. */
  language: WrittenLanguage | undefined;
}

export interface VerificationOptions {
  codes: Codes;
  store: VerificationCodes;
  sms: SmsSender;
  /** What the account behind a number chose. Asked of every number alike; only what the phone is sent goes by it. */
  languageChosen: (phoneNumber: string) => Promise<WrittenLanguage | undefined>;
  clock: Clock;
  /** Takes a text message out of the installation's budget and the country's. */
  spend: (phoneNumber: string, known: boolean) => Promise<void>;
  onSend: (outcome: SendOutcome) => void;
}

export type SendOutcome = 'sent' | 'limited' | 'failed' | 'over_budget';

const { codeSendsPerNumberShort, codeSendsPerNumberDay, codeSendsPerNumberDayShare } = rateLimits;

/** What holds for strangers together, for those of one network, and for a browser that the number knows (decision 40). */
const strangerLimits: readonly SendLimit[] = [
  { ...codeSendsPerNumberShort, per: 'number' },
  { ...codeSendsPerNumberDay, per: 'number' },
  { ...codeSendsPerNumberDayShare, per: 'network' },
];
const knownLimits: readonly SendLimit[] = [
  { ...codeSendsPerNumberShort, per: 'known asker' },
  { ...codeSendsPerNumberDay, per: 'known asker' },
];

/** Words for a wait, exact enough for a person. */
export function waitInWords(ms: number): string {
  const minutes = Math.max(1, Math.ceil(ms / 60_000));
  if (minutes === 1) return 'a minute';
  if (minutes < 60) return `${minutes} minutes`;
  const hours = Math.ceil(minutes / 60);
  return hours === 1 ? 'an hour' : `${hours} hours`;
}

export function sendsLimited(retryAfterMs: number) {
  return failIdentity(
    'rate_limited',
    'code_send_limited',
    `Too many codes were requested. Try again in ${waitInWords(retryAfterMs)}.`,
    { retryAfterSeconds: Math.ceil(retryAfterMs / 1000) },
    { retryAfterMs },
  );
}

export function codeExpired() {
  return failIdentity('invalid', 'code_expired', 'That code is no longer valid. Ask for a new one.', { triesLeft: 0 });
}

function smsUnavailable(cause: unknown, retryAfterMs = 5000) {
  const message = 'The code could not be sent right now. Please try again.';
  return failIdentity('unavailable', 'sms_unavailable', message, undefined, { cause, retryAfterMs });
}

function codeExhausted() {
  return failIdentity('invalid', 'code_exhausted', 'That code was tried too often. Ask for a new one.', {
    triesLeft: 0,
  });
}

function codeWrong(triesLeft: number) {
  const left = triesLeft === 1 ? '1 try left' : `${triesLeft} tries left`;
  return failIdentity('invalid', 'code_wrong', `That code is not right. ${left}.`, { triesLeft });
}

export function createVerification(options: VerificationOptions): Verification {
  const { codes, store, sms, languageChosen, clock, spend, onSend } = options;
  return {
    readNumber(input) {
      const phoneNumber = parsePhoneNumber(input);
      if (phoneNumber !== undefined) return phoneNumber;
      throw failIdentity('invalid', 'phone_number_invalid', 'Please enter a valid phone number');
    },

    isKnown: (phoneNumber, asker) => store.isKnown(codes.numberHash(phoneNumber), asker),

    async send(phoneNumber, { asker, known, language }) {
      const now = clock.now();
      const id = newId();
      const { code, hash } = codes.make(phoneNumber, id);
      const opened = await store.open(
        {
          id,
          numberHash: codes.numberHash(phoneNumber),
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
        throw sendsLimited(opened.retryAfterMs);
      }
      await spend(phoneNumber, known).catch((error: unknown) => {
        if (!isAppError(error) || error.kind !== 'rate_limited') throw error;
        onSend('over_budget');
        throw smsUnavailable(error, error.retryAfterMs);
      });
      // A send that fails stays counted: a provider that times out may have sent after all, and one that is
      // failing is not helped by people who may press the button without end.
      try {
        const minutes = limits.verificationCodeValidSeconds / 60;
        const words = identityWords[(await languageChosen(phoneNumber)) ?? language ?? 'en'];
        await sms.send(phoneNumber, words.codeText(code, minutes));
      } catch (error) {
        onSend('failed');
        throw smsUnavailable(error);
      }
      onSend('sent');
    },

    forget: (phoneNumber) => store.forget(codes.numberHash(phoneNumber)),

    async check(phoneNumber, code, asker) {
      const numberHash = codes.numberHash(phoneNumber);
      const tried = await store.countTry(numberHash, asker, limits.verificationTriesPerCode, clock.now());
      if (tried.outcome === 'none') throw codeExpired();
      if (tried.outcome === 'exhausted') throw codeExhausted();
      if (codes.matches(tried.codeHash, phoneNumber, code, tried.codeId)) {
        return { numberHash, codeId: tried.codeId, phoneNumber };
      }
      const triesLeft = limits.verificationTriesPerCode - tried.triesUsed;
      throw triesLeft > 0 ? codeWrong(triesLeft) : codeExhausted();
    },
  };
}

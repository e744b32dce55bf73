import type { Clock } from '@nolo/kit/clock';
import { newId } from '@nolo/kit/ids';
import { limits, rateLimits } from '@nolo/rules';
import { failIdentity } from '../errors.ts';
import type { Codes } from './codes.ts';
import { parsePhoneNumber } from './phoneNumbers.ts';
import type { RightCode, SmsSender, VerificationCodes } from './ports.ts';

export interface Verification {
  /** Reads a number, or refuses it in the words of the specification. */
  readNumber(input: string): string;
  /** Makes a code for the number and sends it. */
  send(phoneNumber: string): Promise<void>;
  /** Returns only if the code is right. It still has to be used up. */
  check(phoneNumber: string, code: string): Promise<RightCode>;
}

export interface VerificationOptions {
  codes: Codes;
  store: VerificationCodes;
  sms: SmsSender;
  clock: Clock;
  onSend: (outcome: 'sent' | 'limited' | 'failed') => void;
}

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

function codeExhausted() {
  return failIdentity('invalid', 'code_exhausted', 'That code was tried too often. Ask for a new one.', {
    triesLeft: 0,
  });
}

function codeWrong(triesLeft: number) {
  const left = triesLeft === 1 ? '1 try left' : `${triesLeft} tries left`;
  return failIdentity('invalid', 'code_wrong', `That code is not right. ${left}.`, { triesLeft });
}

export function createVerification({ codes, store, sms, clock, onSend }: VerificationOptions): Verification {
  return {
    readNumber(input) {
      const phoneNumber = parsePhoneNumber(input);
      if (phoneNumber !== undefined) return phoneNumber;
      throw failIdentity('invalid', 'phone_number_invalid', 'Please enter a valid phone number');
    },

    async send(phoneNumber) {
      const now = clock.now();
      const id = newId();
      const { code, hash } = codes.make(phoneNumber, id);
      const opened = await store.open(
        {
          id,
          numberHash: codes.numberHash(phoneNumber),
          codeHash: hash,
          now,
          expiresAt: new Date(now.getTime() + limits.verificationCodeValidSeconds * 1000),
        },
        [rateLimits.codeSendsPerNumberShort, rateLimits.codeSendsPerNumberDay],
      );
      if (!opened.opened) {
        onSend('limited');
        throw sendsLimited(opened.retryAfterMs);
      }
      // A send that fails stays counted: a provider that times out may have sent after all, and one that is
      // failing is not helped by people who may press the button without end.
      try {
        const minutes = limits.verificationCodeValidSeconds / 60;
        await sms.send(phoneNumber, `Your Nolo code is ${code}. It is valid for ${minutes} minutes. Do not share it.`);
      } catch (error) {
        onSend('failed');
        throw failIdentity(
          'unavailable',
          'sms_unavailable',
          'The code could not be sent right now. Please try again.',
          undefined,
          { cause: error, retryAfterMs: 5000 },
        );
      }
      onSend('sent');
    },

    async check(phoneNumber, code) {
      const numberHash = codes.numberHash(phoneNumber);
      const tried = await store.countTry(numberHash, limits.verificationTriesPerCode, clock.now());
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

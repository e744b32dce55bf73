import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import type { CodeRequester } from './ports.ts';

export interface VerificationCodeMaker {
  /** Creates a code for a number, and the hash to store. */
  make(phoneNumber: string, codeId: string): { code: string; hash: Buffer };
  /** Compares in constant time. */
  matches(hash: Buffer, phoneNumber: string, code: string, codeId: string): boolean;
  /** Returns a hash that replaces the number where the number itself is not stored. */
  numberHash(phoneNumber: string): Buffer;
  /** Returns hashes of the requester. `deviceId`: the browser's device cookie, or empty; `network`: its network. */
  asker(deviceId: string, network: string): CodeRequester;
}

export interface VerificationCodeMakerOptions {
  /** Hash key. Six digits can be guessed within a second by anyone who has both the hash and the key. */
  pepper: string;
  digits: number;
  /** Code that works for everyone in demo mode (decision 5). */
  fixedCode?: string | undefined;
}

export function createVerificationCodeMaker({
  pepper,
  digits,
  fixedCode,
}: VerificationCodeMakerOptions): VerificationCodeMaker {
  // The label separates the kinds of hashes, so one never matches another.
  const hmac = (label: string, ...values: string[]) =>
    createHmac('sha256', pepper)
      .update([label, ...values].join('\n'))
      .digest();
  const hashOf = (phoneNumber: string, code: string, codeId: string) => hmac('code', phoneNumber, code, codeId);
  return {
    make(phoneNumber, codeId) {
      const code =
        fixedCode ??
        randomInt(0, 10 ** digits)
          .toString()
          .padStart(digits, '0');
      return { code, hash: hashOf(phoneNumber, code, codeId) };
    },
    matches: (hash, phoneNumber, code, codeId) => {
      const given = hashOf(phoneNumber, code.trim(), codeId);
      return given.length === hash.length && timingSafeEqual(given, hash);
    },
    numberHash: (phoneNumber) => hmac('number', phoneNumber),
    asker(deviceId, network) {
      const networkHash = hmac('network', network);
      return {
        hasDeviceCookie: deviceId !== '',
        hash: deviceId === '' ? networkHash : hmac('asker', deviceId),
        networkHash,
      };
    },
  };
}

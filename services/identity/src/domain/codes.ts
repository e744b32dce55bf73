import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import type { Asker } from './ports.ts';

export interface Codes {
  /** A new code for a number, and what is stored of it. */
  make(phoneNumber: string, codeId: string): { code: string; hash: Buffer };
  /** Compares in constant time. */
  matches(hash: Buffer, phoneNumber: string, code: string, codeId: string): boolean;
  /** What stands for a number where the number itself is not kept. */
  numberHash(phoneNumber: string): Buffer;
  /** The same for who asks: `mark` is a browser's own, or empty; `network` where it is. */
  asker(mark: string, network: string): Asker;
}

export interface CodesOptions {
  /** Key of the hashes. Six digits can be tried out in a second by whoever has the hash and the key. */
  pepper: string;
  digits: number;
  /** Demo mode's code for everyone (decision 5). */
  fixedCode?: string | undefined;
}

export function createCodes({ pepper, digits, fixedCode }: CodesOptions): Codes {
  // The label keeps a hash of one kind from ever being taken for one of the other.
  const hmac = (label: string, ...parts: string[]) =>
    createHmac('sha256', pepper)
      .update([label, ...parts].join('\n'))
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
    asker(mark, network) {
      const networkHash = hmac('network', network);
      return { isMarked: mark !== '', hash: mark === '' ? networkHash : hmac('asker', mark), networkHash };
    },
  };
}

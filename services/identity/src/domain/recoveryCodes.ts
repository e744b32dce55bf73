import { createHash, randomInt } from 'node:crypto';
import { limits } from '@nolo/rules';

/** 32 that nobody takes for another: no l, o, 0 or 1. */
const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789';
/** 60 bits in groups, so that they are typed without losing the place. */
const groups = 3;
const perGroup = 4;

function newCode(): string {
  const group = () => Array.from({ length: perGroup }, () => alphabet[randomInt(alphabet.length)]).join('');
  return Array.from({ length: groups }, group).join('-');
}

export function newRecoveryCodes(): string[] {
  const codes = new Set<string>();
  while (codes.size < limits.recoveryCodes) codes.add(newCode());
  return [...codes];
}

/** As it is compared: in small letters, without what stands between its groups. */
export function bareCode(text: string): string {
  return text.replace(/[\s\-–]/g, '').toLowerCase();
}

/** Six digits are a one-time password, and all else can only be a recovery code, which is longer. */
export function isOneTimePassword(bare: string): boolean {
  return /^\d{6}$/.test(bare);
}

/** Each factor's codes are hashed differently, so that nobody searches for those of all at once. */
export function recoveryCodeHash(factorId: string, code: string): Buffer {
  return createHash('sha256')
    .update(`${factorId}\n${bareCode(code)}`)
    .digest();
}

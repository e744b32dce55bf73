import { createHash, randomInt } from 'node:crypto';
import { limits } from '@nolo/rules';

/** 32 unambiguous characters: no l, o, 0, or 1. */
const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789';
/** Groups of characters, 60 bits in total, so that people keep their place while typing. */
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

/** Normalizes a code for comparison: lower case, without separators. */
export function normalizeCode(text: string): string {
  return text.replace(/[\s\-–]/g, '').toLowerCase();
}

/** Six digits are a one-time password. Anything else can only be a recovery code, which is longer. */
export function isOneTimePassword(bare: string): boolean {
  return /^\d{6}$/.test(bare);
}

/** Hashes a code with its factor, so one search cannot cover the codes of all factors. */
export function hashRecoveryCode(factorId: string, code: string): Buffer {
  return createHash('sha256')
    .update(`${factorId}\n${normalizeCode(code)}`)
    .digest();
}

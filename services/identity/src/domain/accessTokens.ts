import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { accessTokenPrefix } from '@nolo/rules';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 32 bytes are at most so many digits to the base of 62, and a CRC-32 so many. */
const randomDigits = 43;
const checksumDigits = 6;
const form = new RegExp(`^${accessTokenPrefix}([0-9A-Za-z]{${randomDigits}})([0-9A-Za-z]{${checksumDigits}})$`);

/** How exact `last_used_at` is. */
export const tokenTouchAfterMs = 5 * 60_000;

function base62(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; rest > 0n; rest /= 62n) text = `${digits[Number(rest % 62n)]}${text}`;
  return text.padStart(length, '0');
}

const checksumOf = (random: string) => base62(BigInt(crc32(random)), checksumDigits);

/**
 * The text of a new token. The prefix tells people and scanners what it is, and the checksum at the end lets them tell
 * one from what only looks like it without asking anybody (as GitHub's tokens do).
 */
export function newAccessToken(): string {
  const random = base62(BigInt(`0x${randomBytes(32).toString('hex')}`), randomDigits);
  return `${accessTokenPrefix}${random}${checksumOf(random)}`;
}

/** What is no token of this form was never handed out, and is not worth a look into storage. */
export function looksLikeAccessToken(text: string): boolean {
  const [, random = '', checksum] = form.exec(text) ?? [];
  return checksum !== undefined && checksumOf(random) === checksum;
}

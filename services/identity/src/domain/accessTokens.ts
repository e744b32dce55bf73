import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { accessTokenPrefix } from '@nolo/rules';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Maximum base-62 digits of 32 bytes, and of a CRC-32. */
const randomDigits = 43;
const checksumDigits = 6;
const form = new RegExp(`^${accessTokenPrefix}([0-9A-Za-z]{${randomDigits}})([0-9A-Za-z]{${checksumDigits}})$`);

/** Precision of `last_used_at`. */
export const tokenUseWriteIntervalMs = 5 * 60_000;

function base62(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; rest > 0n; rest /= 62n) text = `${digits[Number(rest % 62n)]}${text}`;
  return text.padStart(length, '0');
}

const checksumOf = (random: string) => base62(BigInt(crc32(random)), checksumDigits);

/**
 * Creates the text of a new token. The prefix identifies it to people and scanners, and the checksum lets them
 * recognize one without a lookup (like GitHub's tokens).
 */
export function generateAccessTokenText(): string {
  const random = base62(BigInt(`0x${randomBytes(32).toString('hex')}`), randomDigits);
  return `${accessTokenPrefix}${random}${checksumOf(random)}`;
}

/** True if the text has the form of a token. Anything else was never issued and needs no lookup. */
export function looksLikeAccessToken(text: string): boolean {
  const [, random = '', checksum] = form.exec(text) ?? [];
  return checksum !== undefined && checksumOf(random) === checksum;
}

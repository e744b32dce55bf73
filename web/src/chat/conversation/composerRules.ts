import { isBlank, limits } from '@nolo/rules';

const encoder = new TextEncoder();
/** From here on the counter shows. */
const warnBelowBytes = 2_048;

/** Bytes left of what one message may hold, or null while there is no need to know. */
export function bytesLeft(text: string): number | null {
  // A code unit is at most three bytes, so short texts need not be encoded at every key.
  if (text.length * 3 < limits.messageContentBytes - warnBelowBytes) return null;
  const left = limits.messageContentBytes - encoder.encode(text.trim()).length;
  return left < warnBelowBytes ? left : null;
}

export function maySend(text: string): boolean {
  return !isBlank(text) && (bytesLeft(text) ?? 0) >= 0;
}

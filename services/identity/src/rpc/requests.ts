import type { Device } from '@nolo/proto/identity';
import { parseIdOrThrow, parseId, type UserId } from '@nolo/kit/ids';
import { cleanName, cutText, type SupportedLanguage, supportedLanguages } from '@nolo/rules';
import type { VerificationCodeMaker } from '../domain/verificationCodeMaker.ts';
import type { CodeRequester } from '../domain/ports.ts';
import { createIdentityError } from '../errors.ts';

export function userNotFound() {
  return createIdentityError('not_found', 'user_not_found', 'User not found.');
}

/** Parses the ID of the user that a call concerns. Malformed IDs are treated as unknown users. */
export function readUserId(id: string): UserId {
  return parseIdOrThrow(id, userNotFound);
}

/** Returns the well-formed IDs. Malformed ones are treated as unknown. */
export function readIds<T extends string>(ids: readonly string[], maxIds: number): T[] {
  if (ids.length > maxIds)
    throw createIdentityError('invalid', 'too_many_ids', `You can ask about at most ${maxIds} IDs at once.`);
  return ids.map((id) => parseId<T>(id)).filter((id) => id !== undefined);
}

export function readUserAgent(device: Device | undefined): string {
  return cutText(cleanName(device?.userAgent ?? ''), 300, 'codePoints');
}

/** Returns the device's language if Nolo supports it. */
export function readDeviceLanguage(language: string | undefined): SupportedLanguage | undefined {
  return supportedLanguages.find((known) => known === language);
}

/** Returns the address that limits count by. Requests without an address share one budget. */
export function readDeviceAddress(device: Device | undefined): string {
  return device?.address.trim() || 'unknown';
}

/** Returns who requests or submits a code. */
export function readCodeRequester(
  codes: Pick<VerificationCodeMaker, 'asker'>,
  device: Device | undefined,
): CodeRequester {
  return codes.asker(device?.deviceCookie ?? '', readDeviceAddress(device));
}

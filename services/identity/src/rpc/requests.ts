import type { Device } from '@nolo/proto/identity';
import { idFrom, parseId, type UserId } from '@nolo/kit/ids';
import { cleanName, cutText, type WrittenLanguage, writtenLanguages } from '@nolo/rules';
import type { Codes } from '../domain/codes.ts';
import type { Asker } from '../domain/ports.ts';
import { failIdentity } from '../errors.ts';

export function userNotFound() {
  return failIdentity('not_found', 'user_not_found', 'This person was not found.');
}

/** Somebody whom a call is about. What cannot be an id is nobody. */
export function readUserId(id: string): UserId {
  return idFrom(id, userNotFound);
}

/** The ids that can exist; the others are as unknown as any that do not. */
export function readIds<T extends string>(ids: readonly string[], most: number): T[] {
  if (ids.length > most)
    throw failIdentity('invalid', 'too_many_ids', `You can ask about at most ${most} IDs at once.`);
  return ids.map((id) => parseId<T>(id)).filter((id) => id !== undefined);
}

export function readUserAgent(device: Device | undefined): string {
  return cutText(cleanName(device?.userAgent ?? ''), 300, 'codePoints');
}

/** The language of the device, where it said one that Nolo speaks. */
export function readDeviceLanguage(language: string | undefined): WrittenLanguage | undefined {
  return writtenLanguages.find((known) => known === language);
}

/** What limits count by; requests that came from nowhere share one budget. */
export function readAddress(device: Device | undefined): string {
  return device?.address.trim() || 'unknown';
}

/** Who asks for a code, or brings one. */
export function readAsker(codes: Pick<Codes, 'asker'>, device: Device | undefined): Asker {
  return codes.asker(device?.mark ?? '', readAddress(device));
}

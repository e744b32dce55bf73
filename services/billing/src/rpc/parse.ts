import { parseId, type UserId } from '@nolo/kit/ids';
import { createBillingError } from '../errors.ts';

/** Parses a UUID. @throws AppError invalid_request */
export function parseUuid<T extends string = string>(name: string, value: string): T {
  const id = parseId<T>(value);
  if (!id) throw createBillingError('invalid', 'invalid_request', `${name} must be a UUID.`);
  return id;
}

/** Parses a text. @throws AppError invalid_request if it does not have 1 to `maxLength` characters */
export function parseText(name: string, value: string, maxLength: number): string {
  const text = value.trim();
  if (text !== '' && text.length <= maxLength) return text;
  throw createBillingError('invalid', 'invalid_request', `${name} must have 1 to ${maxLength} characters.`);
}

export const parseUserId = (value: string): UserId => parseUuid<UserId>('user_id', value);

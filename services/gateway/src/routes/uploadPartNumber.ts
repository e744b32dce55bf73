import { limits } from '@nolo/rules';
import { createGatewayError } from '../errors.ts';

/** Wording from spec section 5. */
export const createSignIncompleteError = () =>
  createGatewayError('invalid', 'sign_incomplete', 'Cannot sign without a key, an uploadId, and a partNumber');

export function parseUploadPartNumber(given: string): number {
  const number = /^\d{1,5}$/.test(given) ? Number(given) : 0;
  if (number < 1 || number > limits.uploadPartsMax) throw createSignIncompleteError();
  return number;
}

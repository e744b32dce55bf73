import { Refusal } from '@nolo/e2ee';
import { createIdentityError, type IdentityErrorCode } from '../errors.ts';

export const deviceMismatch = () =>
  createIdentityError('forbidden', 'device_mismatch', 'This session belongs to another device.');

export const devicePresent = () => createIdentityError('conflict', 'device_present', 'This session has a device.');

export const deviceRequired = () => createIdentityError('forbidden', 'device_required', 'This session has no device.');

export const deviceNotFound = () => createIdentityError('not_found', 'device_not_found', 'This device was not found.');

export const listConflict = () =>
  createIdentityError('conflict', 'list_conflict', 'Another change to your devices was faster. Try again.');

export const listPending = () =>
  createIdentityError(
    'unavailable',
    'list_pending',
    'This change to your devices is not finished yet. Try again.',
    undefined,
    { retryAfterMs: 1_000 },
  );

export const listLimited = () =>
  createIdentityError('rate_limited', 'rate_limited', 'This device added too many devices today.', undefined, {
    retryAfterMs: 3_600_000,
  });

/** A list that changes who can open the vault came without an epoch of the vault. */
export const vaultMissing = () =>
  createIdentityError('invalid', 'list_refused', messages.list_refused, { reason: 'vault' });

export const linkNotFound = () =>
  createIdentityError('not_found', 'link_not_found', 'This request to add a device has ended.');

export const linkConflict = () =>
  createIdentityError('conflict', 'link_conflict', 'This request to add a device has already continued.');

const messages = {
  list_refused: 'These devices cannot be stored.',
  box_keys_refused: 'These keys cannot be stored.',
  link_refused: 'This device cannot be added.',
  claim_refused: 'This device cannot be continued here.',
} satisfies Partial<Record<IdentityErrorCode, string>>;

/** Converts the refusal of a statement to an error with its reason. Returns anything else as it is. */
export function toRefusedError(code: keyof typeof messages, error: unknown): unknown {
  if (!(error instanceof Refusal)) return error;
  const kind = code === 'claim_refused' ? 'forbidden' : 'invalid';
  return createIdentityError(kind, code, messages[code], { reason: error.code }, { reason: error.message });
}

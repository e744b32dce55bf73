import { isAppError, type AppError } from '@nolo/kit/errors';
import type { RpcCallOptions } from '@nolo/kit/rpc';
import type { Request } from 'express';
import { withParameter } from '../domain/returnTo.ts';
import type { GatewayContext } from '../gatewayContext.ts';
import type { SignInState } from './signInState.ts';

/**
 * Reasons for a failed sign-in, reported to the page as `/?sign_in_error=...`. A navigating browser gets a page, never
 * JSON.
 */
export type SignInErrorCode =
  | 'cancelled'
  | 'expired'
  | 'unavailable'
  | 'limited'
  | 'suspended'
  | 'registration_closed'
  | 'registration_invited'
  | 'failed';

/** Reasons for failed linking: `/profile?link_error=...`. */
export type LinkErrorCode = SignInErrorCode | 'provider_taken' | 'identity_limit' | 'proof_required' | 'signed_out';

/** Outcomes of a fresh proof of identity, which runs in its own window: `/proof?outcome=...`. */
export type ProofOutcome = SignInErrorCode | 'proven' | 'proof_mismatch' | 'signed_out';

export const linkPagePath = '/profile';
const proofPage = '/proof';

function getSignInError(error: unknown): SignInErrorCode | undefined {
  if (!isAppError(error)) return undefined;
  if (error.code === 'account_suspended') return 'suspended';
  if (error.code === 'registration_closed' || error.code === 'registration_invited') return error.code;
  return error.kind === 'rate_limited' ? 'limited' : error.kind === 'unavailable' ? 'unavailable' : undefined;
}

export const failedSignInUrl = (reason: SignInErrorCode, returnTo = '/') =>
  withParameter(returnTo, 'sign_in_error', reason);
export const failedLinkUrl = (reason: LinkErrorCode) => withParameter(linkPagePath, 'link_error', reason);
export const proofResultUrl = (outcome: ProofOutcome) => withParameter(proofPage, 'outcome', outcome);
export const failedPageUrl = ({ purpose }: Pick<SignInState, 'purpose'>, reason: SignInErrorCode) => {
  if (purpose === 'prove') return proofResultUrl(reason);
  return purpose === 'link' ? failedLinkUrl(reason) : failedSignInUrl(reason);
};

/** Returns the page's code for an error. Logs unexpected errors. */
export const toSignInErrorCode = (
  context: Pick<GatewayContext, 'log'>,
  error: unknown,
  { requestId }: RpcCallOptions,
): SignInErrorCode => {
  const known = getSignInError(error);
  if (known === undefined) context.log.warn({ err: error, requestId }, 'sign-in at the provider failed');
  return known ?? 'failed';
};

/** Returns the page for a refusal by identity that the user can resolve. */
export const refusedPageUrl = (error: unknown): string | undefined => {
  if (!isAppError(error)) return undefined;
  switch (error.code) {
    case 'provider_taken':
    case 'identity_limit':
    case 'proof_required':
      return failedLinkUrl(error.code);
    case 'proof_mismatch':
      return proofResultUrl(error.code);
    default:
      return undefined;
  }
};

export const errorPageUrl = (error: AppError) => failedSignInUrl(getSignInError(error) ?? 'failed');

export function fetchSiteOf(request: Request): string | undefined {
  const site = request.headers['sec-fetch-site'];
  return Array.isArray(site) ? site[0] : site;
}

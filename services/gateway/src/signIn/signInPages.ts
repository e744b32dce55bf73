import { isAppError, type AppError } from '@nolo/kit/errors';
import type { RpcCallOptions } from '@nolo/kit/rpc';
import type { Request } from 'express';
import { withParameter } from '../domain/returnTo.ts';
import type { Edge } from '../edge.ts';
import type { SignInState } from './signInState.ts';

/**
 * How the page learns that a sign-in came to nothing: `/?sign_in_error=...`. A browser that navigates gets a page, never
 * JSON.
 */
export type SignInError =
  | 'cancelled'
  | 'expired'
  | 'unavailable'
  | 'limited'
  | 'suspended'
  | 'registration_closed'
  | 'registration_invited'
  | 'failed';

/** The same for linking: `/profile?link_error=...`. */
export type LinkError = SignInError | 'provider_taken' | 'identity_limit' | 'proof_required' | 'signed_out';

/** The same for proving afresh that one is oneself, which happens in a window of its own: `/proof?outcome=...`. */
export type ProofOutcome = SignInError | 'proven' | 'proof_mismatch' | 'signed_out';

export const linkPage = '/profile';
const proofPage = '/proof';

function wordFor(error: unknown): SignInError | undefined {
  if (!isAppError(error)) return undefined;
  if (error.code === 'account_suspended') return 'suspended';
  if (error.code === 'registration_closed' || error.code === 'registration_invited') return error.code;
  return error.kind === 'rate_limited' ? 'limited' : error.kind === 'unavailable' ? 'unavailable' : undefined;
}

export const failedSignIn = (reason: SignInError, returnTo = '/') => withParameter(returnTo, 'sign_in_error', reason);
export const failedLink = (reason: LinkError) => withParameter(linkPage, 'link_error', reason);
export const proofResult = (outcome: ProofOutcome) => withParameter(proofPage, 'outcome', outcome);
export const failedPage = ({ purpose }: Pick<SignInState, 'purpose'>, reason: SignInError) => {
  if (purpose === 'prove') return proofResult(reason);
  return purpose === 'link' ? failedLink(reason) : failedSignIn(reason);
};

/** The page's word for what went wrong; what nobody foresaw is logged. */
export const reasonFor = (edge: Edge, error: unknown, { requestId }: RpcCallOptions): SignInError => {
  const known = wordFor(error);
  if (known === undefined) edge.log.warn({ err: error, requestId }, 'a sign-in at the provider failed');
  return known ?? 'failed';
};

/** Where identity says no to what the person can do something about. */
export const refusedPage = (error: unknown): string | undefined => {
  if (!isAppError(error)) return undefined;
  switch (error.code) {
    case 'provider_taken':
    case 'identity_limit':
    case 'proof_required':
      return failedLink(error.code);
    case 'proof_mismatch':
      return proofResult(error.code);
    default:
      return undefined;
  }
};

export const errorPage = (error: AppError) => failedSignIn(wordFor(error) ?? 'failed');

export function fetchSiteOf(request: Request): string | undefined {
  const site = request.headers['sec-fetch-site'];
  return Array.isArray(site) ? site[0] : site;
}

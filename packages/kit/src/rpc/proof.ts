import { createAppError, isAppError } from '../errors.ts';
import type { RpcCallOptions } from './rpcTypes.ts';

/** Caller of an action that needs fresh proof, as the gateway determined it. */
export interface RpcCaller {
  readonly actorId?: string | undefined;
  /** Session of the caller. */
  readonly sessionId?: string | undefined;
  /** Personal access token of the caller, instead of a session. */
  readonly tokenId?: string | undefined;
}

/**
 * Guard for actions that need fresh proof (decision 38), which `proof` in the route table declares; the first call of a
 * handler of such a route. Asks identity each time, and admits nobody while identity is unavailable.
 *
 * @throws AppError forbidden proof_required, not_operator; unauthenticated session_invalid; unavailable
 * proof_unavailable
 */
export type ProofGuard = (caller: RpcCaller, options?: RpcCallOptions) => Promise<void>;

/** Method of identity that is queried about a session. */
type Question<Answer> = (session: { actorId: string; sessionId: string }, options?: RpcCallOptions) => Promise<Answer>;

const proofRequired = () => createAppError('forbidden', 'proof_required', "Please confirm it's you.");

async function callIdentity<Answer>(
  question: Question<Answer>,
  { actorId = '', sessionId }: RpcCaller,
  options?: RpcCallOptions,
) {
  if (!sessionId) throw proofRequired();
  try {
    return await question({ actorId, sessionId }, options);
  } catch (error) {
    if (isAppError(error) && error.kind !== 'unavailable' && error.kind !== 'internal') throw error;
    const retry = { retryAfterMs: 2_000, cause: error };
    throw createAppError(
      'unavailable',
      'proof_unavailable',
      'Your confirmation cannot be checked right now. Try again in a moment.',
      undefined,
      retry,
    );
  }
}

/**
 * Guards actions that only the owner of an account may do.
 *
 * @param security a client of identity's SecurityService
 */
export const createAccountGuard =
  (security: { getProof: Question<{ validUntil?: Date | undefined }> }): ProofGuard =>
  async (caller, options) => {
    // Creating a token required fresh proof, and its scopes limit what it may do.
    if (caller.tokenId) return;
    const { validUntil } = await callIdentity(security.getProof, caller, options);
    if (!validUntil) throw proofRequired();
  };

/**
 * Guards actions that only operators may do.
 *
 * @param operators a client of identity's OperatorService
 */
export const createOperatorGuard =
  (operators: { checkOperator: Question<unknown> }): ProofGuard =>
  async (caller, options) => {
    await callIdentity(operators.checkOperator, caller, options);
  };

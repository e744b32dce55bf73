import { fail, isAppError } from './errors.ts';
import type { RpcCallOptions } from './rpcTypes.ts';

/** Who asks for what takes a fresh proof, as the gateway established it. */
export interface Asking {
  readonly actorId?: string | undefined;
  /** The session that asks. */
  readonly sessionId?: string | undefined;
  /** The personal access token that asks, in place of a session. */
  readonly tokenId?: string | undefined;
}

/**
 * Holds back what takes a fresh proof (decision 38), which `proof` of the route table names: the first thing that a handler
 * of such a route does. Identity is asked each time, and where it cannot be asked nobody is let through.
 *
 * @throws AppError forbidden proof_required, not_operator; unauthenticated session_invalid; unavailable proof_unavailable
 */
export type ProofGuard = (asking: Asking, options?: RpcCallOptions) => Promise<void>;

/** A method of identity that is asked about a session. */
type Question<Answer> = (session: { actorId: string; sessionId: string }, options?: RpcCallOptions) => Promise<Answer>;

const proofRequired = () => fail('forbidden', 'proof_required', 'Please confirm that it is you.');

async function ask<Answer>(question: Question<Answer>, { actorId = '', sessionId }: Asking, options?: RpcCallOptions) {
  if (!sessionId) throw proofRequired();
  try {
    return await question({ actorId, sessionId }, options);
  } catch (error) {
    if (isAppError(error) && error.kind !== 'unavailable' && error.kind !== 'internal') throw error;
    const retry = { retryAfterMs: 2_000, cause: error };
    throw fail('unavailable', 'proof_unavailable', 'Your confirmation cannot be checked right now.', undefined, retry);
  }
}

/**
 * For what only the owner of an account may do.
 *
 * @param security a client of identity's SecurityService
 */
export const accountGuard =
  (security: { getProof: Question<{ validUntil?: Date | undefined }> }): ProofGuard =>
  async (asking, options) => {
    // A token was made with a fresh proof, and its scopes say what it may do.
    if (asking.tokenId) return;
    const { validUntil } = await ask(security.getProof, asking, options);
    if (!validUntil) throw proofRequired();
  };

/**
 * For what only operators may do.
 *
 * @param operators a client of identity's OperatorService
 */
export const operatorGuard =
  (operators: { checkOperator: Question<unknown> }): ProofGuard =>
  async (asking, options) => {
    await ask(operators.checkOperator, asking, options);
  };

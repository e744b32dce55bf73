import { createAppError } from '@nolo/kit/errors';
import { bindRpcService, type RpcHandlers, type RpcService } from '@nolo/kit/rpc';
import { OperatorServiceDefinition } from '@nolo/proto/operators';
import { SecurityServiceDefinition } from '@nolo/proto/security';

export interface TestProofs {
  /** Sessions whose proof has expired; all others have a recent proof. */
  readonly outdated: Set<string>;
  /** Sessions for which identity is unavailable. */
  readonly unknown: Set<string>;
  readonly services: readonly RpcService[];
}

/** Simulates identity's checks of proofs, for services that call them. */
export function createTestProofs(operators: ReadonlySet<string> = new Set()): TestProofs {
  const outdated = new Set<string>();
  const unknown = new Set<string>();
  const mustAnswer = (sessionId: string) => {
    if (unknown.has(sessionId))
      throw createAppError('unavailable', 'storage_unavailable', 'Identity cannot be reached.');
  };
  const security: Pick<RpcHandlers<typeof SecurityServiceDefinition>, 'getProof'> = {
    async getProof({ sessionId }) {
      mustAnswer(sessionId);
      const validUntil = outdated.has(sessionId) ? undefined : new Date(Date.now() + 60_000);
      return { validUntil, phoneNumbers: [], providerIssuers: [] };
    },
  };
  const operator: Pick<RpcHandlers<typeof OperatorServiceDefinition>, 'checkOperator'> = {
    async checkOperator({ actorId = '', sessionId = '' }) {
      mustAnswer(sessionId);
      if (!operators.has(actorId)) throw createAppError('forbidden', 'not_operator', 'Only operators may do this.');
      if (outdated.has(sessionId)) throw createAppError('forbidden', 'proof_required', "Please confirm it's you.");
      return { provenUntil: new Date(Date.now() + 60_000) };
    },
  };
  return {
    outdated,
    unknown,
    services: [
      bindRpcService(SecurityServiceDefinition, nothingElse(security as RpcHandlers<typeof SecurityServiceDefinition>)),
      bindRpcService(OperatorServiceDefinition, nothingElse(operator as RpcHandlers<typeof OperatorServiceDefinition>)),
    ],
  };
}

const nothingElse = <Handlers extends object>(handlers: Handlers): Handlers =>
  new Proxy(handlers, {
    get: (target, name) =>
      (Reflect.get(target, name) as unknown) ??
      (() => Promise.reject(new Error(`Unexpected call to ${String(name)}.`))),
  });

import type { Self } from '@nolo/api';
import type { RpcCallOptions } from '@nolo/kit/rpc';
import type { Self as SelfRow } from '@nolo/proto/profile';
import type { Clients } from '../clients.ts';
import { toSelf } from './people.ts';

/** Timeout for call preferences, so a slow calls service does not delay the account reply. */
const callsTimeoutMs = 1_500;

/**
 * Composes the user's own account from all services; `known` avoids asking identity again. `address`: set when the app
 * opens, the client's address.
 */
export async function composeSelf(
  context: Pick<Clients, 'identity' | 'chat' | 'calls'>,
  who: { userId: string; sessionId: string; address?: string },
  rpc: RpcCallOptions,
  known?: SelfRow,
): Promise<Self> {
  const { userId: actorId, sessionId, address } = who;
  const opened = address === undefined ? { actorId } : { actorId, sessionId, address };
  const [row, preferences, calls] = await Promise.all([
    known ?? context.identity.getSelf(opened, rpc),
    context.chat.getPreferences({ actorId: who.userId }, rpc),
    context.calls
      .getCallPreferences({ actorId: who.userId }, { ...rpc, timeoutMs: callsTimeoutMs })
      // The reply works without calls.
      .catch(() => ({ relayCalls: null })),
  ]);
  return toSelf(row, { ...preferences, ...calls }, who.sessionId);
}

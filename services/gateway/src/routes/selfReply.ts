import type { Self } from '@nolo/api';
import type { RpcCallOptions } from '@nolo/kit/rpc';
import type { Self as SelfRow } from '@nolo/proto/identity';
import type { Edge } from '../edge.ts';
import { toSelf } from './mapPeople.ts';

/** Composes one's own account, asking chat for its part; identity's part may be at hand already. */
export async function composeSelf(
  edge: Edge,
  who: { userId: string; sessionId: string },
  rpc: RpcCallOptions,
  known?: SelfRow,
): Promise<Self> {
  const [row, preferences] = await Promise.all([
    known ?? edge.identity.getSelf({ actorId: who.userId }, rpc),
    edge.chat.getPreferences({ actorId: who.userId }, rpc),
  ]);
  return toSelf(row, preferences, who.sessionId);
}

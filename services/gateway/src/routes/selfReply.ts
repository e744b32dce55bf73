import type { Self } from '@nolo/api';
import type { RpcCallOptions } from '@nolo/kit/rpc';
import type { Self as SelfRow } from '@nolo/proto/profile';
import type { Edge } from '../edge.ts';
import { toSelf } from './mapPeople.ts';

/** Longer than this nobody waits for their own account because of what calls know of it. */
const callsTimeoutMs = 1_500;

/** Composes one's own account, asking the others for their part; identity's part may be at hand already. `address`: the app is being opened from there. */
export async function composeSelf(
  edge: Edge,
  who: { userId: string; sessionId: string; address?: string },
  rpc: RpcCallOptions,
  known?: SelfRow,
): Promise<Self> {
  const { userId: actorId, sessionId, address } = who;
  const opened = address === undefined ? { actorId } : { actorId, sessionId, address };
  const [row, preferences, calls] = await Promise.all([
    known ?? edge.identity.getSelf(opened, rpc),
    edge.chat.getPreferences({ actorId: who.userId }, rpc),
    edge.calls
      .getCallPreferences({ actorId: who.userId }, { ...rpc, timeoutMs: callsTimeoutMs })
      .then(({ relayCalls }) => relayCalls)
      // Without calls there is still everything else.
      .catch(() => null),
  ]);
  return toSelf(row, { ...preferences, relayCalls: calls }, who.sessionId);
}

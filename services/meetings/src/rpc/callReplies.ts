import type { Call as CallReply } from '@nolo/proto/calls';
import type { Call } from '../domain/call.ts';

export function callReply(call: Call): CallReply {
  return {
    id: call.id,
    conversationId: call.conversationId,
    type: call.type,
    status: call.status,
    mode: call.mode,
    callerId: call.callerId,
    participants: call.people.map(({ userId, deviceId, state }) => ({ userId, deviceId, state })),
    endReason: call.endReason ?? '',
    createdAt: call.createdAt,
    startedAt: call.startedAt ?? undefined,
    endedAt: call.endedAt ?? undefined,
  };
}

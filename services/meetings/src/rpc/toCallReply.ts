import type { Call as CallReply } from '@nolo/proto/calls';
import { isTalkingInCall, type StoredCall, type CallPerson } from '../domain/call.ts';
import type { Participant } from '../domain/participant.ts';
import type { RoomStore } from '../domain/ports.ts';

/**
 * Returns whose microphone and camera are on. In a room call, participants report it; in a direct call, whose media no
 * server sees, it is the initial state. `inside` is undefined if unknown.
 */
function mediaOf(call: StoredCall, one: CallPerson, inside: readonly Participant[] | undefined) {
  if (call.mode === 'direct') {
    const audioEnabled = call.status !== 'ended' && isTalkingInCall(one);
    return { audioEnabled, videoEnabled: audioEnabled && call.type === 'video' };
  }
  const devices = inside?.filter(({ userId }) => userId === one.userId);
  return {
    audioEnabled: devices?.some(({ isMuted }) => !isMuted),
    videoEnabled: devices?.some(({ hasVideo }) => hasVideo),
  };
}

export async function toCallReply(rooms: Pick<RoomStore, 'inside'>, call: StoredCall): Promise<CallReply> {
  const isOpenRoom = call.mode === 'room' && call.status !== 'ended';
  // Calls can be answered and ended without Redis.
  const inside = isOpenRoom ? await rooms.inside(call.id).catch(() => undefined) : [];
  return {
    id: call.id,
    conversationId: call.conversationId,
    type: call.type,
    status: call.status,
    mode: call.mode,
    callerId: call.callerId,
    participants: call.people.map((one) => ({
      userId: one.userId,
      deviceId: one.deviceId || undefined,
      state: one.state,
      ...mediaOf(call, one, inside),
    })),
    endReason: call.endReason ?? undefined,
    createdAt: call.createdAt,
    startedAt: call.startedAt ?? undefined,
    endedAt: call.endedAt ?? undefined,
    version: call.version,
  };
}

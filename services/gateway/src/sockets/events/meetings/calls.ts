import { idFromName } from '@nolo/kit/ids';
import { toCall } from '../../../mapping/meetings.ts';
import type { EventHandler } from '../event.ts';

export const webrtcSignal: EventHandler<'webrtc_signal'> = async (connection, data, { calls }) => {
  const { callId, targetUserId, deviceId, signalData } = data;
  await calls.signal({
    actorId: connection.userId,
    callId,
    targetUserId,
    // Derived from the session, so a call survives a reconnect. Others must not learn the session ID itself.
    deviceId: deviceId ?? idFromName(`device ${connection.sessionId}`),
    signalJson: JSON.stringify(signalData),
  });
  return {};
};

export const callEnd: EventHandler<'call_end'> = async (connection, { callId, reason }, { calls }) => ({
  call: toCall(await calls.endCall({ actorId: connection.userId, callId, reason })),
});

import { isId, type ParticipantId } from '@nolo/kit/ids';
import type { Log } from '@nolo/kit/log';
import { z } from 'zod';
import { sendParticipantChange, type SendFrame } from '../domain/outboundFrames.ts';
import type { RoomStore } from '../domain/ports.ts';

/** Subject on which media nodes report events of their participants. */
export const mediaEventSubject = 'sfu.event';

const event = z.object({ nodeId: z.string(), type: z.string(), participantId: z.string() });

/**
 * Handles a participant's media connection going down or returning, independent of their socket. Others see them as
 * reconnecting.
 */
export function onMediaEvent({ rooms, sendFrame, log }: { rooms: RoomStore; sendFrame: SendFrame; log: Log }) {
  return async (data: unknown): Promise<void> => {
    const read = event.safeParse(data);
    if (!read.success) {
      log.warn('event of a media node could not be parsed');
      return;
    }
    const { nodeId, type, participantId } = read.data;
    if ((type !== 'peer_lost' && type !== 'peer_connected') || !isId<ParticipantId>(participantId)) return;
    const isMediaAway = type === 'peer_lost';
    try {
      const found = await rooms.find(participantId);
      // A participant who moved to another node is not lost with the previous one.
      if (!found || found.waiting || found.participant.nodeId !== nodeId) return;
      if ((found.participant.isMediaAway === true) === isMediaAway) return;
      const changed = await rooms.patch(found.participant, { isMediaAway });
      if (changed) await sendParticipantChange({ rooms, sendFrame }, changed);
    } catch (error) {
      log.warn({ err: error }, 'handling an event of a media node failed');
    }
  };
}

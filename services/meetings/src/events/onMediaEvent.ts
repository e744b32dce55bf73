import { isId, type ParticipantId } from '@nolo/kit/ids';
import type { Log } from '@nolo/kit/log';
import { z } from 'zod';
import { announceChange, type Announce } from '../domain/announce.ts';
import type { RoomStore } from '../domain/ports.ts';

/** What media nodes tell of themselves that happened to those whom they carry. */
export const mediaEvents = 'sfu.event';

const event = z.object({ nodeId: z.string(), type: z.string(), participantId: z.string() });

/** Somebody's media went away or came back while their socket may be as it was: the others see that they reconnect. */
export function onMediaEvent({ rooms, announce, log }: { rooms: RoomStore; announce: Announce; log: Log }) {
  return async (data: unknown): Promise<void> => {
    const read = event.safeParse(data);
    if (!read.success) {
      log.warn('an event of a media node could not be understood');
      return;
    }
    const { nodeId, type, participantId } = read.data;
    if ((type !== 'peer_lost' && type !== 'peer_connected') || !isId<ParticipantId>(participantId)) return;
    const isMediaAway = type === 'peer_lost';
    try {
      const found = await rooms.find(participantId);
      // Who moved on to another node is not lost with what they left behind.
      if (!found || found.waiting || found.participant.nodeId !== nodeId) return;
      if ((found.participant.isMediaAway === true) === isMediaAway) return;
      const changed = await rooms.patch(found.participant, { isMediaAway });
      if (changed) await announceChange({ rooms, announce }, changed);
    } catch (error) {
      log.warn({ err: error }, 'an event of a media node was not passed on');
    }
  };
}

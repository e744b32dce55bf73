import type { RpcHandler } from '@nolo/kit/rpc';
import type { RoomServiceService } from '@nolo/proto/rooms';
import { participantChanged } from '../domain/announce.ts';
import type { ParticipantPatch } from '../domain/participant.ts';
import { failMeetings, participantUnknown } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { ownParticipant } from './lookUp.ts';
import { participantReply } from './replies.ts';
import { demandScreenShare } from './screenShare.ts';

export function setState(dependencies: Dependencies): RpcHandler<typeof RoomServiceService.setState> {
  const { rooms, media, announce, clock } = dependencies;
  return async (request) => {
    const participant = await ownParticipant(dependencies, request);
    if (request.screen === true) await demandScreenShare(dependencies, participant);
    const patch: ParticipantPatch = {
      ...(request.audio === undefined ? {} : { isMuted: !request.audio }),
      ...(request.video === undefined ? {} : { hasVideo: request.video }),
      ...(request.screen === undefined ? {} : { isSharing: request.screen }),
      ...(request.hand === undefined
        ? {}
        : { handRaisedAt: request.hand ? participant.handRaisedAt || clock.now().getTime() : 0 }),
    };
    if (Object.keys(patch).length === 0) {
      throw failMeetings('invalid', 'action_refused', 'Nothing was named that is to change.');
    }
    const changed = await rooms.patch(participant.id, patch);
    if (!changed) throw participantUnknown();
    const { roomId, id: participantId } = participant;
    for (const [source, on] of [
      ['microphone', request.audio],
      ['camera', request.video],
    ] as const) {
      if (on === undefined) continue;
      await media.tell(participant, (client) => client.setPaused({ roomId, participantId, source, paused: !on }));
    }
    // Nothing changed, nothing said.
    const fields = Object.keys(patch) as (keyof ParticipantPatch)[];
    if (fields.some((field) => changed[field] !== participant[field])) {
      announce(participantChanged(await rooms.inside(roomId), changed));
    }
    return participantReply(changed);
  };
}

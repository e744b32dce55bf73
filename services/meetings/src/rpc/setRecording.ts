import type { RpcHandler } from '@nolo/kit/rpc';
import type { RoomServiceService } from '@nolo/proto/rooms';
import { isCallId } from '@nolo/rules';
import { isHosting } from '../domain/meeting.ts';
import { failMeetings, meetingOver, notHost } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { currentMeeting } from './groupRoom.ts';
import { ownParticipant } from './lookUp.ts';

const refused = (message: string) => failMeetings('forbidden', 'recording_refused', message);

/** The recording is made in a host's browser; what is kept here is who makes it, so that everybody can be told. */
export function setRecording(dependencies: Dependencies): RpcHandler<typeof RoomServiceService.setRecording> {
  const { meetings, rooms, live, clock } = dependencies;
  return async (request) => {
    const { id: participantId, roomId, userId } = await ownParticipant(dependencies, request);
    if (isCallId(roomId)) throw refused('Calls are not recorded.');
    if (!request.enabled) {
      // Whoever has lost the right to record may still say that they stopped.
      await live.endRecording(roomId, participantId);
      return {};
    }
    const meeting = await currentMeeting(dependencies, roomId, userId);
    if (!meeting || meeting.status !== 'live') throw meetingOver();
    if (!isHosting(await meetings.part(roomId, userId))) throw notHost();
    if (!meeting.settings.allowRecording) throw refused('This meeting may not be recorded.');
    const { recorderId } = meeting;
    if (recorderId === participantId) return {};
    const gone = recorderId !== null && !(await rooms.find(recorderId)) ? recorderId : null;
    const changed = await meetings.claimRecording(roomId, participantId, gone, clock.now());
    if (!changed) throw refused('Somebody else is recording this meeting.');
    // They may have left while this was written, and nobody would end it then.
    if (await rooms.find(participantId)) await live.tellChange(changed);
    else await live.endRecording(roomId, participantId);
    return {};
  };
}

import { isHosting } from '../domain/meeting.ts';
import type { Participant } from '../domain/participant.ts';
import { failMeetings } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { currentMeeting } from './groupRoom.ts';

/** @throws screen_share_refused where the host keeps screens to hosts. */
export async function demandScreenShare(
  dependencies: Pick<Dependencies, 'meetings' | 'chat' | 'clock'>,
  { roomId, role, userId }: Participant,
): Promise<void> {
  if (roomId.startsWith('call-') || isHosting({ role, admitted: true, removed: false })) return;
  const meeting = await currentMeeting(dependencies, roomId, userId);
  if (meeting?.settings.allowScreenShare === false) {
    throw failMeetings('forbidden', 'screen_share_refused', 'Only hosts share their screen in this meeting.');
  }
}

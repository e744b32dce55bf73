import { newId } from '@nolo/kit/ids';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { MeetingServiceService } from '@nolo/proto/meetings';
import { codeFrom } from '../domain/actor.ts';
import { decideAccess } from '../domain/meeting.ts';
import { guestNameFrom } from '../domain/meetingInput.ts';
import { hashToken, makeToken } from '../domain/roomCode.ts';
import { failMeetings } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { lookUp } from './lookUp.ts';
import { guestReply } from './replies.ts';

const passHours = 24;

export function createGuest(dependencies: Dependencies): RpcHandler<typeof MeetingServiceService.createGuest> {
  const { guests, meetings, clock } = dependencies;
  return async (request) => {
    const who = { actorId: undefined, address: request.address };
    const { meeting } = await lookUp(dependencies, codeFrom(request.roomCode), who);
    if (meeting.settings.requireAuth) {
      throw failMeetings('forbidden', 'guests_refused', 'This meeting is for people with an account.');
    }
    decideAccess(meeting, { id: undefined, isGuest: true, part: undefined, holdsInvite: false });
    const guest = {
      id: newId(),
      meetingId: meeting.id,
      name: guestNameFrom(request.name),
      expiresAt: new Date(clock.now().getTime() + passHours * 3_600_000),
    };
    const token = makeToken();
    await guests.create(guest, hashToken(token));
    await meetings.setPart(meeting.id, guest.id, { role: 'guest' });
    return { guest: guestReply(guest, meeting.roomCode), token };
  };
}

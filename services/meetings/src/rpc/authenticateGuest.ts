import type { RpcHandler } from '@nolo/kit/rpc';
import type { MeetingServiceService } from '@nolo/proto/meetings';
import { hashToken } from '../domain/tokens.ts';
import { failMeetings } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { guestReply } from './replies.ts';

export function authenticateGuest({
  guests,
  meetings,
  clock,
}: Dependencies): RpcHandler<typeof MeetingServiceService.authenticateGuest> {
  return async (request) => {
    const guest = await guests.findByToken(hashToken(request.token), clock.now());
    const meeting = guest && (await meetings.find(guest.meetingId));
    if (!guest || !meeting || meeting.closed) {
      throw failMeetings('unauthenticated', 'guest_unknown', 'This pass is no longer good.');
    }
    return guestReply(guest, meeting.roomCode);
  };
}

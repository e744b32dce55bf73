import { isAppError } from '@nolo/kit/errors';
import { newId, parseId, type UserId } from '@nolo/kit/ids';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { MeetingServiceDefinition } from '@nolo/proto/meetings';
import { parseRoomCode } from '../domain/actor.ts';
import { decideAccess } from '../domain/meeting.ts';
import { parseGuestName } from '../domain/meetingInput.ts';
import { hashMeetingToken, isValidToken, createMeetingToken } from '../domain/tokens.ts';
import { createMeetingsError, removedFromMeeting } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { lookUpForPreJoin } from './lookUp.ts';
import { toGuestReply } from './replies.ts';

const passHours = 24;

/** Builds an error that does not mention a removal, because it may reach someone else behind the same address. */
const guestsPaused = () =>
  createMeetingsError('forbidden', 'guests_paused', 'Guests cannot join from your network for a few minutes.');

export function createGuest(
  dependencies: Dependencies,
): RpcHandler<typeof MeetingServiceDefinition.methods.createGuest> {
  const { guests, meetings, barredAddresses, limiter, clock } = dependencies;
  return async (request) => {
    const { address, inviteToken } = request;
    const who = { actorId: undefined, address, inviteToken };
    const { meeting } = await lookUpForPreJoin(dependencies, parseRoomCode(request.roomCode), who);
    if (meeting.settings.requireAuth) {
      throw createMeetingsError('forbidden', 'guests_refused', 'This meeting requires an account.');
    }
    const asGuest = { id: undefined, isGuest: true, membership: undefined, wasInside: false };
    decideAccess(meeting, { ...asGuest, holdsInvite: false, guarded: false });
    // Guests wait in the lobby anyway, so a correct code is never refused here; the lobby limits how many may wait.
    if (address !== '' && !isValidToken(meeting.inviteHash, inviteToken)) {
      await limiter.consume('guestsPerAddress', address).catch((error: unknown) => {
        if (!isAppError(error) || error.kind !== 'rate_limited') throw error;
      });
    }
    const actorId = parseId<UserId>(request.actorId ?? '');
    const membership = actorId === undefined ? undefined : await meetings.findMembership(meeting.id, actorId);
    const visitorId = parseId<UserId>(request.visitorId ?? '') ?? null;
    // Changing the name does not bypass a removal.
    if (membership?.removed || (visitorId !== null && (await guests.isBarred(meeting.id, visitorId)))) {
      throw removedFromMeeting();
    }
    if (await barredAddresses.isBarred(meeting.id, request.address)) throw guestsPaused();
    const guest = {
      id: newId<UserId>(),
      meetingId: meeting.id,
      name: parseGuestName(request.name),
      expiresAt: new Date(clock.now().getTime() + passHours * 3_600_000),
    };
    const token = createMeetingToken();
    await guests.create(guest, hashMeetingToken(token), visitorId);
    await meetings.saveMembership(meeting.id, guest.id, { role: 'guest' });
    return { guest: toGuestReply(guest, meeting.roomCode), token };
  };
}

export function authenticateGuest({
  guests,
  meetings,
  clock,
}: Dependencies): RpcHandler<typeof MeetingServiceDefinition.methods.authenticateGuest> {
  return async (request) => {
    const guest = await guests.findByToken(hashMeetingToken(request.token), clock.now());
    const meeting = guest && (await meetings.find(guest.meetingId));
    if (!guest || !meeting || meeting.closed) {
      throw createMeetingsError('unauthenticated', 'guest_unknown', 'This guest pass is no longer valid.');
    }
    return toGuestReply(guest, meeting.roomCode);
  };
}

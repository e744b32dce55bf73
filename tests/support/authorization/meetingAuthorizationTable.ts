import { randomUUID } from 'node:crypto';
import type { RouteName } from '@nolo/api';
import type { CanaryKind, AuthorizationCast, CastRole } from './authorizationCast.ts';
import { all, type RouteExpectation, type SignedInStatuses } from './routeExpectation.ts';
import { endAllCalls, hostMeeting, ringCall, startAnsweredCall } from './meetingCast.ts';

type Named = 'createMeeting' | 'listMeetings' | 'joinMeeting' | 'getMediaCapabilities' | 'getMeeting' | 'updateMeeting';
type Hosted = 'cancelMeeting' | 'endMeeting' | 'createInvite' | 'revokeInvite' | 'rotateRoomCode' | 'expireRoomCode';
type Room = 'getMeetingCalendar' | 'listLobby' | 'listRemoved' | 'moderate' | 'createGuest';
type Brands = Extract<RouteName, `${string}Brand` | 'readBrandLogo'>;
type Calls = Exclude<Extract<RouteName, `${string}Call` | 'listCalls' | 'getIceServers'>, `${string}GroupCall`>;

/**
 * Statuses for hosts and co-hosts. Present and former participants learn that they are neither, and everyone else
 * learns nothing.
 */
const hosting = (status: number): SignedInStatuses => ({
  ...all(404),
  removed: 403,
  member: 403,
  coHost: status,
  owner: status,
});
const hostOnly = (status: number): SignedInStatuses => ({ ...hosting(status), coHost: 403 });
/** Statuses for the two members of the conversation. */
const both = (status: number): SignedInStatuses => ({ ...all(404), member: status, owner: status });

const preJoinCanaries: readonly CanaryKind[] = ['meeting'];
/** Data on the pre-join page is for everyone who has the code; former participants also see who was inside. */
const shownToVisitors: Partial<Record<CastRole, readonly CanaryKind[]>> = {
  stranger: preJoinCanaries,
  neighbour: preJoinCanaries,
  blocked: preJoinCanaries,
  // Sees only the pre-join page, as if never inside.
  removed: preJoinCanaries,
  coHost: ['meeting', 'name', 'picture'],
  member: ['meeting', 'name', 'picture', 'status'],
};
const shownToCallers: Partial<Record<CastRole, readonly CanaryKind[]>> = { member: ['name', 'picture', 'status'] };

const inRoom = ({ roomCode }: AuthorizationCast) => ({ id: roomCode });
const inFreshRoom = async (cast: AuthorizationCast) => ({ id: await hostMeeting(cast) });
/** Makes the member call the owner. */
const calledOwner = async (cast: AuthorizationCast) => (await ringCall(cast, cast.member, cast.owner)).callId;
const talking = async (cast: AuthorizationCast) => (await startAnsweredCall(cast, cast.owner, cast.member)).callId;

/** Expectations for meetings that the owner hosts, and calls between owner and member. */
export const meetingExpectations: Record<Named | Hosted | Room | Brands | Calls, RouteExpectation> = {
  createMeeting: { attempt: () => ({ body: { name: 'My own' } }), expected: all(201) },
  listMeetings: { attempt: () => ({}), expected: all(200), shows: shownOnlyInside() },
  joinMeeting: {
    attempt: (cast) => ({ ...inRoom(cast), body: {} }),
    expected: { ...all(200), removed: 403 },
    withoutSession: 401,
    shows: shownToVisitors,
  },
  getMediaCapabilities: { attempt: () => ({}), expected: all(200) },
  getMeeting: { attempt: inRoom, expected: all(200), shows: shownToVisitors },
  updateMeeting: {
    attempt: (cast) => ({ ...inRoom(cast), body: { description: 'changed' } }),
    expected: hosting(200),
    shows: shownOnlyInside(),
  },
  cancelMeeting: { attempt: inFreshRoom, expected: hostOnly(200), shows: shownOnlyInside() },
  endMeeting: { attempt: inFreshRoom, expected: hosting(200), shows: shownOnlyInside() },
  getMeetingCalendar: { attempt: inRoom, expected: all(200), shows: shownToVisitors },
  createInvite: { attempt: inRoom, expected: hosting(201) },
  revokeInvite: { attempt: inRoom, expected: hosting(204) },
  rotateRoomCode: { attempt: inFreshRoom, expected: hosting(200), shows: shownOnlyInside() },
  expireRoomCode: { attempt: inFreshRoom, expected: hosting(200), shows: shownOnlyInside() },
  listLobby: { attempt: inRoom, expected: hosting(200) },
  listRemoved: { attempt: inRoom, expected: hosting(200) },
  moderate: { attempt: (cast) => ({ ...inRoom(cast), body: { action: 'mute' } }), expected: hosting(204) },
  createGuest: {
    attempt: ({ guestRoomCode }) => ({ id: guestRoomCode, body: { name: 'Gus' } }),
    expected: all(201),
  },

  initiateCall: {
    attempt: async ({ owner, member, bystander, conversationId }) => {
      await endAllCalls(owner, member, bystander);
      return { body: { conversationId, callType: 'audio' } };
    },
    expected: both(201),
    shows: shownToCallers,
  },
  // Each user has a brand of their own, and nothing is sold here. The tests of meetings check that plan and team
  // decide.
  getBrand: { attempt: () => ({}), expected: all(200) },
  setBrand: { attempt: () => ({ body: { name: 'Somebody', color: '#0a6e5c' } }), expected: all(200), byNewcomer: true },
  removeBrand: { attempt: () => ({}), expected: all(204), byNewcomer: true },
  // A picture that is no logo is not found, even by users who may read it elsewhere.
  readBrandLogo: { attempt: ({ canaries }) => ({ id: canaries.picture.split('/').at(-1) ?? '' }), expected: all(404) },
  listCalls: { attempt: () => ({}), expected: all(200), shows: shownToCallers },
  getCall: {
    attempt: async (cast) => ({ id: await calledOwner(cast) }),
    alone: true,
    expected: both(200),
    shows: shownToCallers,
  },
  answerCall: {
    attempt: async (cast) => ({ id: await calledOwner(cast), body: { deviceId: randomUUID() } }),
    alone: true,
    // Callers cannot answer their own call.
    expected: { ...both(200), member: 400 },
    shows: shownToCallers,
  },
  declineCall: {
    attempt: async (cast) => ({ id: await calledOwner(cast) }),
    alone: true,
    expected: { ...both(200), member: 400 },
    shows: shownToCallers,
  },
  endCall: {
    attempt: async (cast) => ({ id: await calledOwner(cast) }),
    alone: true,
    expected: both(200),
    shows: shownToCallers,
  },
  updateCall: {
    attempt: async (cast) => ({ id: await talking(cast), body: { type: 'video' } }),
    alone: true,
    expected: both(200),
    shows: shownToCallers,
  },
  inviteToCall: {
    attempt: async (cast) => ({ id: await talking(cast), body: { userId: cast.bystander.id } }),
    alone: true,
    expected: both(200),
    shows: shownToCallers,
  },
  getIceServers: { attempt: () => ({}), expected: all(200) },
};

function shownOnlyInside(): Partial<Record<CastRole, readonly CanaryKind[]>> {
  const { coHost = [], member = [] } = shownToVisitors;
  return { coHost, member };
}

import type { UserId } from '@nolo/kit/ids';
import { getGuardedAttemptLimits, roomCodeMisses } from '@nolo/rules';
import { parseParticipantId } from '../domain/actor.ts';
import { hasRoomCodeExpired, isHosting, type Meeting, type Membership } from '../domain/meeting.ts';
import type { Participant } from '../domain/participant.ts';
import { isValidToken } from '../domain/tokens.ts';
import { meetingNotFound, notHost, participantUnknown } from '../errors.ts';
import { isOwnParticipant } from '../live/LiveRooms.ts';
import type { Dependencies } from './dependencies.ts';
import { loadGroup, deriveGroupRoomMembership, syncGroupSettings } from './groupRooms.ts';

export interface FoundMeeting {
  readonly meeting: Meeting;
  readonly membership: Membership | undefined;
  /** True while so many codes are being guessed that a code alone does not admit anyone. */
  readonly guarded: boolean;
}

type Needs = Pick<Dependencies, 'meetings' | 'limiter' | 'chat' | 'clock'> & {
  readonly live: Pick<Dependencies['live'], 'raise'>;
};

interface Who {
  /** Undefined for people without an account. */
  readonly actorId: UserId | undefined;
  readonly address: string;
  readonly inviteToken?: string | undefined;
}

/** Counts a code that leads nowhere. @throws rate_limited, meeting_not_found */
async function miss({ limiter }: Pick<Needs, 'limiter'>, who: Who): Promise<never> {
  for (const [name, key] of roomCodeMisses(who)) await limiter.consume(name, key);
  throw meetingNotFound();
}

async function isGuarded({ limiter }: Pick<Needs, 'limiter'>, who: Who): Promise<boolean> {
  const spent = await Promise.all(roomCodeMisses(who).map(([name, key]) => limiter.isSpent(name, key)));
  return spent.includes(true);
}

/** Meeting found by a code. `byCodeAlone`: nothing but the code admits the person, neither membership nor invite. */
interface Named extends Omit<FoundMeeting, 'guarded'> {
  readonly byCodeAlone: boolean;
}

async function find(dependencies: Needs, roomCode: string, who: Who): Promise<Named | undefined> {
  const { actorId } = who;
  const { meetings, live } = dependencies;
  const [open, ownMembership] = await Promise.all([
    meetings.findByCode(roomCode),
    actorId === undefined ? undefined : meetings.findMembershipByCode(roomCode, actorId),
  ]);
  const meeting = open
    ? await live.raise(open)
    : actorId === undefined
      ? undefined
      : await meetings.findClosed(roomCode, actorId);
  const stored =
    open || !meeting || actorId === undefined ? ownMembership : await meetings.findMembership(meeting.id, actorId);
  const groupId = meeting?.groupId ?? null;
  if (meeting && groupId !== null) {
    // Limited to members. Chat decides who is one now, regardless of earlier membership.
    const group = actorId === undefined ? undefined : await loadGroup(dependencies, groupId, actorId);
    if (!group || actorId === undefined) return undefined;
    const own = deriveGroupRoomMembership(group, stored);
    if (stored?.role !== own.role || !stored.admitted) {
      await meetings.saveMembership(meeting.id, actorId, { role: own.role, admitted: true });
    }
    const acts = meeting.actingHostId === actorId && own.role === 'participant';
    const membership: Membership = acts ? { ...own, role: 'co_host' } : own;
    return { meeting: await syncGroupSettings(dependencies, meeting, group), membership, byCodeAlone: false };
  }
  if (!meeting) return undefined;
  return { meeting, membership: stored, byCodeAlone: !stored && !isValidToken(meeting.inviteHash, who.inviteToken) };
}

/** Checks invite token and membership before any counter (decision 40), so neither is ever guarded. */
async function resolve(
  dependencies: Needs,
  roomCode: string,
  who: Who,
): Promise<{ named: Named | undefined; guarded: boolean }> {
  const named = await find(dependencies, roomCode, who);
  if (named && !named.byCodeAlone) return { named, guarded: false };
  const leadsThere = named && !hasRoomCodeExpired(named.meeting, dependencies.clock.now());
  return { named: leadsThere ? named : undefined, guarded: await isGuarded(dependencies, who) };
}

/**
 * Finds a meeting by its code, or by the last code of one that is over if the actor took part in it. Codes that lead
 * nowhere are counted, so they cannot be guessed (decision 9). When the counters are exhausted, a correct code is
 * refused like a wrong one, so the two cannot be distinguished.
 *
 * @throws rate_limited, meeting_not_found
 */
export async function lookUpMeeting(dependencies: Needs, roomCode: string, who: Who): Promise<FoundMeeting> {
  const { named, guarded } = await resolve(dependencies, roomCode, who);
  return named && !guarded ? { ...named, guarded } : miss(dependencies, who);
}

/**
 * Finds a meeting to join. When the counters are exhausted, a correct code leads to the lobby (decision 40), and a
 * separate limit counts attempts with correct and wrong codes alike.
 */
export async function lookUpForPreJoin(dependencies: Needs, roomCode: string, who: Who): Promise<FoundMeeting> {
  const { named, guarded } = await resolve(dependencies, roomCode, who);
  if (guarded) for (const [name, key] of getGuardedAttemptLimits(who)) await dependencies.limiter.consume(name, key);
  return named ? { ...named, guarded } : miss(dependencies, who);
}

/** Finds a meeting for a query about access. Returns undefined for every code when the counters are exhausted. */
export async function lookUpForJoinOptions(
  dependencies: Needs,
  roomCode: string,
  who: Who,
): Promise<FoundMeeting | undefined> {
  const { named, guarded } = await resolve(dependencies, roomCode, who);
  if (guarded) return undefined;
  return named ? { ...named, guarded } : miss(dependencies, who);
}

/** Finds a meeting that the actor hosts. Participants learn merely that it exists, and strangers not even that. */
export async function lookUpHostedMeeting(
  dependencies: Needs,
  roomCode: string,
  actorId: UserId,
): Promise<{ meeting: Meeting; membership: Membership }> {
  const who = { actorId, address: '' };
  const { meeting, membership } = await lookUpMeeting(dependencies, roomCode, who);
  // Counted like a wrong code, so the two cannot be distinguished.
  if (!membership) return miss(dependencies, who);
  if (!isHosting(membership)) throw notHost();
  return { meeting, membership };
}

/** Returns the actor's own participant inside the room. */
export async function findOwnParticipant(
  { rooms }: Pick<Dependencies, 'rooms'>,
  request: { actorId: string; participantId: string },
): Promise<Participant> {
  const found = await rooms.find(parseParticipantId(request.participantId));
  // Treats another user's participant as unknown, so guessing an ID reveals nothing.
  if (!found || found.waiting || !isOwnParticipant(found.participant, request.actorId)) throw participantUnknown();
  return found.participant;
}

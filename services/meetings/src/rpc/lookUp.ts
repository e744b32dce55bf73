import type { UserId } from '@nolo/kit/ids';
import { guardedDoors, roomCodeMisses } from '@nolo/rules';
import { participantFrom } from '../domain/actor.ts';
import { codeHasEnded, isHosting, type Meeting, type Part } from '../domain/meeting.ts';
import type { Participant } from '../domain/participant.ts';
import { holdsToken } from '../domain/tokens.ts';
import { meetingNotFound, notHost, participantUnknown } from '../errors.ts';
import { belongsTo } from '../live/Rooms.ts';
import type { Dependencies } from './dependencies.ts';
import { groupOf, groupPart, withGroupSettings } from './groupRooms.ts';

export interface Found {
  readonly meeting: Meeting;
  readonly part: Part | undefined;
  /** So many codes are being tried that this one alone opens no door. */
  readonly guarded: boolean;
}

type Needs = Pick<Dependencies, 'meetings' | 'limiter' | 'chat' | 'clock'> & {
  readonly live: Pick<Dependencies['live'], 'raise'>;
};

interface Who {
  /** Undefined for somebody without an account. */
  readonly actorId: UserId | undefined;
  readonly address: string;
  readonly inviteToken?: string | undefined;
}

/** A code that named nothing for somebody. @throws rate_limited, meeting_not_found */
async function miss({ limiter }: Pick<Needs, 'limiter'>, who: Who): Promise<never> {
  for (const [name, key] of roomCodeMisses(who)) await limiter.consume(name, key);
  throw meetingNotFound();
}

async function isGuarded({ limiter }: Pick<Needs, 'limiter'>, who: Who): Promise<boolean> {
  const spent = await Promise.all(roomCodeMisses(who).map(([name, key]) => limiter.isSpent(name, key)));
  return spent.includes(true);
}

/** A meeting, and whether nothing but its code opens it for somebody: no part in it, and no invite. */
interface Named extends Omit<Found, 'guarded'> {
  readonly byCodeAlone: boolean;
}

async function find(dependencies: Needs, roomCode: string, who: Who): Promise<Named | undefined> {
  const { actorId } = who;
  const { meetings, live } = dependencies;
  const [open, ownPart] = await Promise.all([
    meetings.findByCode(roomCode),
    actorId === undefined ? undefined : meetings.partByCode(roomCode, actorId),
  ]);
  const meeting = open
    ? await live.raise(open)
    : actorId === undefined
      ? undefined
      : await meetings.findClosed(roomCode, actorId);
  const stored = open || !meeting || actorId === undefined ? ownPart : await meetings.part(meeting.id, actorId);
  const groupId = meeting?.groupId ?? null;
  if (meeting && groupId !== null) {
    // Its members and nobody else; who is one now is chat's to say, whatever part they had before.
    const group = actorId === undefined ? undefined : await groupOf(dependencies, groupId, actorId);
    if (!group || actorId === undefined) return undefined;
    const own = groupPart(group, stored);
    if (stored?.role !== own.role || !stored.admitted) {
      await meetings.setPart(meeting.id, actorId, { role: own.role, admitted: true });
    }
    const acts = meeting.actingHostId === actorId && own.role === 'participant';
    const part: Part = acts ? { ...own, role: 'co_host' } : own;
    return { meeting: await withGroupSettings(dependencies, meeting, group), part, byCodeAlone: false };
  }
  if (!meeting) return undefined;
  return { meeting, part: stored, byCodeAlone: !stored && !holdsToken(meeting.inviteHash, who.inviteToken) };
}

/** An invite token and a part are looked at before any counter (decision 40), so neither is ever guarded. */
async function resolve(
  dependencies: Needs,
  roomCode: string,
  who: Who,
): Promise<{ named: Named | undefined; guarded: boolean }> {
  const named = await find(dependencies, roomCode, who);
  if (named && !named.byCodeAlone) return { named, guarded: false };
  const leadsThere = named && !codeHasEnded(named.meeting, dependencies.clock.now());
  return { named: leadsThere ? named : undefined, guarded: await isGuarded(dependencies, who) };
}

/**
 * Finds a meeting by its code, also by that of one that is over where the actor had a part in it. A code that leads to
 * nothing is counted, so that codes cannot be guessed (decision 9). Where the counters are spent, a right code is refused
 * like a wrong one, which would else be told from it.
 *
 * @throws rate_limited, meeting_not_found
 */
export async function lookUp(dependencies: Needs, roomCode: string, who: Who): Promise<Found> {
  const { named, guarded } = await resolve(dependencies, roomCode, who);
  return named && !guarded ? { ...named, guarded } : miss(dependencies, who);
}

/**
 * The same for somebody who wants to come in, whom a right code leads to the lobby where the counters are spent
 * (decision 40). So many doors may be tried meanwhile, with right codes and wrong ones.
 */
export async function lookUpAtDoor(dependencies: Needs, roomCode: string, who: Who): Promise<Found> {
  const { named, guarded } = await resolve(dependencies, roomCode, who);
  if (guarded) for (const [name, key] of guardedDoors(who)) await dependencies.limiter.consume(name, key);
  return named ? { ...named, guarded } : miss(dependencies, who);
}

/** The same for somebody who asks how to come in: undefined, for every code, where the counters are spent. */
export async function lookUpToAsk(dependencies: Needs, roomCode: string, who: Who): Promise<Found | undefined> {
  const { named, guarded } = await resolve(dependencies, roomCode, who);
  if (guarded) return undefined;
  return named ? { ...named, guarded } : miss(dependencies, who);
}

/** A meeting that the actor hosts. Others learn no more than that it is there, strangers not even that. */
export async function lookUpAsHost(
  dependencies: Needs,
  roomCode: string,
  actorId: UserId,
): Promise<{ meeting: Meeting; part: Part }> {
  const who = { actorId, address: '' };
  const { meeting, part } = await lookUp(dependencies, roomCode, who);
  // Counted like a wrong one, or it could be told from one.
  if (!part) return miss(dependencies, who);
  if (!isHosting(part)) throw notHost();
  return { meeting, part };
}

/** The actor's own participant, who is inside. */
export async function ownParticipant(
  { rooms }: Pick<Dependencies, 'rooms'>,
  request: { actorId: string; participantId: string },
): Promise<Participant> {
  const found = await rooms.find(participantFrom(request.participantId));
  // Another's participant is as unknown as none: whoever guesses an id learns nothing.
  if (!found || found.waiting || !belongsTo(found.participant, request.actorId)) throw participantUnknown();
  return found.participant;
}

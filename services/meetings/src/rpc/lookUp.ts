import { isHosting, type Meeting, type Part } from '../domain/meeting.ts';
import { participantFrom } from '../domain/actor.ts';
import type { Participant } from '../domain/participant.ts';
import { failMeetings, meetingNotFound, notHost, participantUnknown } from '../errors.ts';
import { belongsTo } from '../live/Rooms.ts';
import type { Dependencies } from './dependencies.ts';
import { groupOf, groupPart, withGroupSettings } from './groupRoom.ts';

export interface Found {
  readonly meeting: Meeting;
  readonly part: Part | undefined;
}

const guessed = () =>
  failMeetings('rate_limited', 'rate_limited', 'Too many codes were tried. Try again later.', undefined, {
    retryAfterMs: 60_000,
  });

/**
 * Finds a meeting by its code, also by that of one that is over where the actor had a part in it. Whoever has no part in it spends an attempt of their account and address, right or wrong,
 * so that codes cannot be guessed (decision 9).
 */
export async function lookUp(
  dependencies: Pick<Dependencies, 'meetings' | 'limiter' | 'guessing' | 'chat' | 'clock'>,
  roomCode: string,
  who: { actorId: string | undefined; address: string },
): Promise<Found> {
  const { actorId } = who;
  const { meetings, limiter, guessing } = dependencies;
  const meeting =
    (await meetings.findByCode(roomCode)) ??
    (actorId === undefined ? undefined : await meetings.findClosed(roomCode, actorId));
  const part = meeting && actorId !== undefined ? await meetings.part(meeting.id, actorId) : undefined;
  const groupId = meeting?.groupId ?? null;
  if (meeting && groupId !== null) {
    // Its members and nobody else; who is one now is chat's to say, whatever part they had before.
    const group = actorId === undefined ? undefined : await groupOf(dependencies, groupId, actorId);
    if (group && actorId !== undefined) {
      const own = groupPart(group, part);
      if (part?.role !== own.role || !part.admitted) {
        await meetings.setPart(meeting.id, actorId, { role: own.role, admitted: true });
      }
      return { meeting: await withGroupSettings(dependencies, meeting, group), part: own };
    }
  } else if (meeting && part) return { meeting, part };
  if (actorId !== undefined) await limiter.consume('roomCodeTriesPerUser', actorId);
  if (who.address !== '') await limiter.consume('roomCodeTriesPerAddress', who.address);
  if (await guessing.isUnderWay()) throw guessed();
  if (!meeting || groupId !== null) {
    await guessing.missed();
    throw meetingNotFound();
  }
  return { meeting, part };
}

/** A meeting that the actor hosts. Others learn no more than that it is there. */
export async function lookUpAsHost(
  dependencies: Pick<Dependencies, 'meetings' | 'limiter' | 'guessing' | 'chat' | 'clock'>,
  roomCode: string,
  actorId: string,
): Promise<{ meeting: Meeting; part: Part }> {
  const { meeting, part } = await lookUp(dependencies, roomCode, { actorId, address: '' });
  if (!part) throw meetingNotFound();
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

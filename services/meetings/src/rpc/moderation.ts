import { parseActorId, parseIdOrThrow, isId, type UserId } from '@nolo/kit/ids';
import { clampPageSize } from '@nolo/kit/pages';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { ModerateRequest, RoomServiceDefinition } from '@nolo/proto/rooms';
import { limits, moderationActions, type ModerationAction, type ParticipantRole } from '@nolo/rules';
import { parseRoomCode, parseParticipantId } from '../domain/actor.ts';
import { sendParticipantChange, toParticipantFrame } from '../domain/outboundFrames.ts';
import { readRemovedCursor, writeRemovedCursor } from '../domain/cursor.ts';
import { findPlanHolder } from '../domain/hostPlan.ts';
import { isHosting, type Meeting, type Membership } from '../domain/meeting.ts';
import type { Participant, ParticipantPatch } from '../domain/participant.ts';
import { countFreeSlots, getRoomCapacity } from '../domain/roomCapacity.ts';
import { createMeetingsError, notHost, participantUnknown, planLimitReached, roomFull } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { lookUpHostedMeeting } from './lookUp.ts';

const refused = (message: string) => createMeetingsError('forbidden', 'action_refused', message);
const invalid = (message: string) => createMeetingsError('invalid', 'action_refused', message);
const hosts = (role: ParticipantRole) => isHosting({ role, admitted: true, removed: false });

/** Target of a decision: a person and the affected devices. */
interface Target {
  readonly userId: UserId;
  readonly role: ParticipantRole;
  readonly inside: readonly Participant[];
  readonly waiting: readonly Participant[];
}

/** Returns all devices of a person, or the one that was named. @throws participant_unknown */
async function targetOf(
  { meetings, rooms }: Pick<Dependencies, 'meetings' | 'rooms'>,
  meeting: Meeting,
  { participantId, userId }: ModerateRequest,
): Promise<Target> {
  if (participantId) {
    const found = await rooms.find(parseParticipantId(participantId));
    if (!found || found.participant.roomId !== meeting.id) throw participantUnknown();
    const { participant, waiting } = found;
    const [inside, outside] = waiting ? [[], [participant]] : [[participant], []];
    return { userId: participant.userId, role: participant.role, inside, waiting: outside };
  }
  if (!isId<UserId>(userId)) throw participantUnknown();
  const [membership, inside, waiting] = await Promise.all([
    meetings.findMembership(meeting.id, userId),
    rooms.inside(meeting.id),
    rooms.waiting(meeting.id),
  ]);
  const theirs = (one: Participant) => one.userId === userId;
  const here = [...inside, ...waiting].find(theirs);
  const role = here?.role ?? membership?.role;
  if (role === undefined) throw participantUnknown();
  return { userId, role, inside: inside.filter(theirs), waiting: waiting.filter(theirs) };
}

type Needs = Pick<Dependencies, 'rooms' | 'sendFrame'>;

async function change(needs: Needs, one: Participant, patch: ParticipantPatch): Promise<void> {
  const changed = await needs.rooms.patch(one, patch);
  if (changed) await sendParticipantChange(needs, changed);
}

async function silence(
  dependencies: Needs & Pick<Dependencies, 'media'>,
  one: Participant,
  source: 'microphone' | 'camera',
): Promise<void> {
  const { roomId, id: participantId } = one;
  await dependencies.media.callIfReachable(one, (client) =>
    client.setPaused({ roomId, participantId, source, paused: true }),
  );
  await change(dependencies, one, source === 'microphone' ? { isMuted: true } : { hasVideo: false });
  dependencies.sendFrame(
    toParticipantFrame(one, 'meeting_asked', { what: source === 'microphone' ? 'muted' : 'video_stopped' }),
  );
}

async function setRole(dependencies: Dependencies, meeting: Meeting, userId: UserId, role: ParticipantRole) {
  const { meetings, live, clock, wake } = dependencies;
  await meetings.setRole(meeting, userId, role, clock.now());
  wake();
  await live.changeRole(meeting.id, userId, role);
}

/** Builds the error for a full meeting. Reports a plan limit only to the person who could lift it. */
function fullFor(meeting: Meeting, actorId: UserId) {
  const { maxParticipants, requestedParticipants } = meeting;
  const byPlan = maxParticipants < requestedParticipants && findPlanHolder(meeting) === actorId;
  return byPlan ? planLimitReached(maxParticipants, maxParticipants) : roomFull(maxParticipants);
}

/** Admits people with all their waiting devices, in this order, as far as capacity allows. */
async function admit(
  dependencies: Dependencies,
  meeting: Meeting,
  wanted: readonly Participant[],
  by: UserId,
): Promise<void> {
  const { meetings, rooms, sendFrame } = dependencies;
  const [inside, waiting] = await Promise.all([rooms.inside(meeting.id), rooms.waiting(meeting.id)]);
  let free = countFreeSlots(inside, getRoomCapacity(meeting));
  for (const userId of new Set(wanted.map((one) => one.userId))) {
    if (!inside.some((one) => one.userId === userId)) {
      if (free <= 0) throw fullFor(meeting, by);
      free -= 1;
    }
    await meetings.saveMembership(meeting.id, userId, { admitted: true });
    for (const one of waiting) if (one.userId === userId) sendFrame(toParticipantFrame(one, 'meeting_admitted'));
  }
}

/** Removes a person on all devices, and a guest under every name used in the same browser. */
async function putOut(dependencies: Dependencies, meeting: Meeting, target: Target, by: UserId): Promise<void> {
  const { meetings, guests, live, barredAddresses, clock, wake } = dependencies;
  const { userId, role, inside, waiting } = target;
  const now = clock.now();
  const ids = role === 'guest' ? await guests.barVisitor(meeting.id, userId, now) : [userId];
  await meetings.putOut(meeting, ids, by, now);
  wake();
  for (const address of new Set([...inside, ...waiting].map((one) => one.address))) {
    await barredAddresses.bar(meeting.id, address);
  }
  await live.putOut(meeting.id, ids);
}

/** Decides about someone in the lobby. */
async function decideOutside(
  dependencies: Dependencies,
  meeting: Meeting,
  { waiting }: Target,
  action: ModerationAction,
  by: UserId,
): Promise<void> {
  const { rooms, live, sendFrame } = dependencies;
  if (action === 'admit') return admit(dependencies, meeting, waiting, by);
  if (action !== 'deny') throw refused('This person is not in the meeting yet.');
  for (const one of waiting) {
    // Notifies first: a gateway that finds them gone before it learns why treats them as lost, and they would ask to
    // join again.
    sendFrame(toParticipantFrame(one, 'meeting_denied'));
    await rooms.remove(one.id);
  }
  return live.sendLobbyToHosts(meeting.id);
}

/** Decides about someone inside. */
async function decideInside(
  dependencies: Dependencies,
  meeting: Meeting,
  target: Target,
  action: ModerationAction,
  by: UserId,
): Promise<void> {
  const { sendFrame } = dependencies;
  const each = async (decide: (one: Participant) => void | Promise<void>) => {
    for (const one of target.inside) await decide(one);
  };
  switch (action) {
    case 'mute':
      return each((one) => silence(dependencies, one, 'microphone'));
    case 'stop_video':
      return each((one) => silence(dependencies, one, 'camera'));
    case 'ask_to_unmute':
      return each((one) => sendFrame(toParticipantFrame(one, 'meeting_asked', { what: 'unmute' })));
    case 'lower_hand':
      return each((one) => change(dependencies, one, { handRaisedAt: 0 }));
    case 'remove':
      return putOut(dependencies, meeting, target, by);
    case 'make_co_host':
      if (target.role === 'guest') throw refused('A guest cannot be a co-host.');
      return setRole(dependencies, meeting, target.userId, 'co_host');
    case 'make_participant':
      return setRole(dependencies, meeting, target.userId, 'participant');
    case 'admit':
    case 'deny':
    case 'readmit':
      // A concurrent decision was faster.
      return;
  }
}

/**
 * Readmits a person, who joins like anyone else and thereby returns to the conversation. @throws participant_unknown
 */
async function readmit({ meetings, clock, wake }: Dependencies, meeting: Meeting, userId: string): Promise<void> {
  const person = parseIdOrThrow<UserId>(userId, participantUnknown);
  const membership = await meetings.findMembership(meeting.id, person);
  if (!membership || membership.role === 'guest') throw participantUnknown();
  await meetings.readmit(meeting, person, clock.now());
  wake();
}

async function decideAll(
  dependencies: Dependencies,
  meeting: Meeting,
  action: ModerationAction,
  by: UserId,
): Promise<void> {
  const { rooms } = dependencies;
  if (action === 'admit') return admit(dependencies, meeting, await rooms.waiting(meeting.id), by);
  if (action !== 'mute') throw invalid('Specify who this is about.');
  const loud = (await rooms.inside(meeting.id)).filter((one) => !hosts(one.role) && !one.isMuted);
  for (const one of loud) await silence(dependencies, one, 'microphone');
}

/** Decides about a person or one of their devices. */
async function decideAbout(
  dependencies: Dependencies,
  { meeting, membership }: { meeting: Meeting; membership: Membership },
  request: ModerateRequest & { readonly actorId: UserId },
  action: ModerationAction,
): Promise<void> {
  const target = await targetOf(dependencies, meeting, request);
  if (target.role === 'host') throw refused('The host cannot be moderated.');
  // Co-hosts decide about participants, but the host alone decides who is a co-host.
  const aboutHosts = hosts(target.role) || action === 'make_co_host' || action === 'make_participant';
  if (aboutHosts && membership.role !== 'host') throw notHost();
  // A person who has just left can still be barred.
  if (target.inside.length > 0 || action === 'remove') {
    if (target.inside.length === 0 && target.waiting.length > 0)
      throw refused('This person is not in the meeting yet.');
    await decideInside(dependencies, meeting, target, action, request.actorId);
  } else if (target.waiting.length > 0) {
    await decideOutside(dependencies, meeting, target, action, request.actorId);
  } else throw participantUnknown();
}

export function moderate(dependencies: Dependencies): RpcHandler<typeof RoomServiceDefinition.methods.moderate> {
  return async (request) => {
    const actorId = parseActorId(request.actorId);
    const action = moderationActions.find((one) => one === request.action);
    if (!action) throw invalid('Unknown action.');
    const found = await lookUpHostedMeeting(dependencies, parseRoomCode(request.roomCode), actorId);
    const { participantId, userId } = request;
    if (participantId && userId) throw invalid('Specify either a person or one of their devices, not both.');
    if (!participantId && !userId) await decideAll(dependencies, found.meeting, action, actorId);
    else if (action === 'readmit') await readmit(dependencies, found.meeting, userId ?? '');
    else await decideAbout(dependencies, found, { ...request, actorId }, action);
    return {};
  };
}

export function listRemoved(dependencies: Dependencies): RpcHandler<typeof RoomServiceDefinition.methods.listRemoved> {
  return async (request) => {
    const place = readRemovedCursor(request.cursor);
    const { meeting } = await lookUpHostedMeeting(
      dependencies,
      parseRoomCode(request.roomCode),
      parseActorId(request.actorId),
    );
    const limit = clampPageSize(request.limit, limits.removedPerPage, limits.removedPerPage);
    // Queries one row more than requested to detect a next page.
    const rows = await dependencies.meetings.removed(meeting.id, place, limit + 1);
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    return {
      removed: page.map(({ userId, removedAt }) => ({ userId, removedAt: removedAt ?? undefined })),
      nextCursor:
        last && rows.length > limit
          ? writeRemovedCursor({ userId: last.userId, removedAt: last.removedAt ?? new Date(0) })
          : undefined,
    };
  };
}

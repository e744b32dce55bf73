import type { JoinMeetingResult, Meeting, Participant, ServerEventData } from '@nolo/api';
import { limits } from '@nolo/rules';
import type { MediaTrack } from './ports.ts';
import {
  initialRoomState,
  isHosting,
  type FloatingReaction,
  type RoomAnnouncement,
  type RoomEndReason,
  type RoomState,
} from './roomState.ts';

const newestNews = 20;
let lastNumber = 0;

function withNews(
  state: RoomState,
  kind: RoomAnnouncement['kind'],
  person?: RoomAnnouncement['person'],
): Pick<RoomState, 'news'> {
  lastNumber += 1;
  return { news: [...state.news, { id: lastNumber, kind, person }].slice(-newestNews) };
}

/** Applies the response to joining at `now`, in milliseconds. It replaces the known state, except newer changes. */
export function withJoinResponse(
  state: RoomState,
  { participant, participants, meeting: read, version }: JoinMeetingResult,
  now: number,
): Partial<RoomState> {
  const latest = (one: Participant) => newest(newest(one, state.participants[one.id]), state.ahead[one.id]);
  const inside = participants.filter((one) => !hasLeft(state, one)).map(latest);
  const listed = new Set([participant.id, state.selfId, ...participants.map(({ id }) => id)]);
  // Changes newer than the response keep waiting for a join that is newer too.
  const ahead = Object.entries(state.ahead).filter(([id, one]) => !listed.has(id) && !isOlder(one.version, version));
  const joinedSince = Object.values(state.participants).filter(
    (one) => !listed.has(one.id) && isOlder(version, one.version),
  );
  const others = [...inside, ...joinedSince].toSorted(
    (a, b) => a.joinedAt.localeCompare(b.joinedAt) || a.id.localeCompare(b.id),
  );
  const currentMeeting = state.meeting;
  const meeting =
    currentMeeting && read && currentMeeting.id === read.id && isOlder(read.version, currentMeeting.version)
      ? currentMeeting
      : read;
  const everyone = [newest(participant, state.ahead[participant.id]), ...others];
  const known = new Map(everyone.map((one) => [one.id, one]));
  // A returning user finds everyone in the same place.
  const stayed = state.order.filter((id) => id !== participant.id && known.has(id));
  const came = others.filter(({ id }) => !stayed.includes(id)).map(({ id }) => id);
  return {
    phase: { name: 'joined' },
    reconnecting: false,
    selfId: participant.id,
    participants: Object.fromEntries(known),
    order: [participant.id, ...stayed, ...came],
    version,
    left: Object.fromEntries(Object.entries(state.left).filter(([, at]) => isOlder(version ?? 0, at))),
    ahead: Object.fromEntries(ahead),
    meeting,
    speakers: [],
    sendScore: 10,
    poor: [],
    tracks: renamed(state.tracks, state.selfId, participant.id),
    warnedEndsAt: warnedOf(state, meeting, now),
  };
}

/** Returns when the meeting ends, if a warning was sent or would be sent to a user joining now. */
function warnedOf(state: RoomState, meeting: Meeting | null, now: number): string | null {
  const endsAt = meeting?.endsAt ?? null;
  if (endsAt === null) return null;
  return state.warnedEndsAt !== null || Date.parse(endsAt) - now <= limits.meetingWarningMinutes * 60_000
    ? endsAt
    : null;
}

/** Renames keys for a user who returns as another participant after too long, showing what they showed before. */
function renamed<T>(values: Readonly<Record<string, T>>, before: string | null, now: string): Record<string, T> {
  if (before === null || before === now) return { ...values };
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key.startsWith(`${before} `) ? `${now}${key.slice(before.length)}` : key,
      value,
    ]),
  );
}

export function withWaiting({ participant, meeting, guarded }: JoinMeetingResult): Partial<RoomState> {
  return { phase: { name: 'waiting' }, reconnecting: false, guarded, selfId: participant.id, meeting };
}

/** Returns true if a change with `version` is older than `than`. Changes without a version cannot be compared. */
function isOlder(version: number | undefined, than: number | undefined): boolean {
  return version !== undefined && than !== undefined && version < than;
}

const newest = (one: Participant, other: Participant | undefined): Participant =>
  other && isOlder(one.version, other.version) ? other : one;

/** Returns true if a change of a person who is not shown dates from before they left. */
function hasLeft({ left, participants, version: entered }: RoomState, { id, version }: Participant): boolean {
  const leftAt = left[id] ?? (participants[id] ? undefined : entered);
  return leftAt !== undefined && version <= leftAt;
}

export function withParticipantJoined(state: RoomState, participant: Participant): Partial<RoomState> {
  const { id } = participant;
  if (hasLeft(state, participant)) return {};
  if (state.participants[id]) return withParticipantChanged(state, participant);
  const { [id]: change, ...ahead } = state.ahead;
  const { [id]: _leftAt, ...left } = state.left;
  return {
    participants: { ...state.participants, [id]: newest(participant, change) },
    order: [...state.order, id],
    left,
    ahead,
    ...withNews(state, 'joined', participant),
  };
}

/** Applies a change of a known participant. Only `withParticipantJoined` and `withJoinResponse` add people. */
export function withParticipantChanged(state: RoomState, participant: Participant): Partial<RoomState> {
  const { id } = participant;
  const before = state.participants[id];
  if (!before) {
    if (hasLeft(state, participant)) return {};
    return { ahead: { ...state.ahead, [id]: newest(participant, state.ahead[id]) } };
  }
  if (isOlder(participant.version, before.version)) return {};
  const raised = participant.isHandRaised && !before.isHandRaised && id !== state.selfId;
  const promoted = isHosting(participant) && !isHosting(before);
  return {
    participants: { ...state.participants, [id]: participant },
    ...(raised ? withNews(state, 'hand', participant) : {}),
    ...(promoted ? withNews(state, id === state.selfId ? 'youHost' : 'hosts', participant) : {}),
  };
}

export function withoutParticipant(
  state: RoomState,
  departure: Pick<ServerEventData<'meeting_participant_left'>, 'participantId' | 'reason' | 'version'>,
): Partial<RoomState> {
  const { participantId, reason } = departure;
  const { [participantId]: gone, ...participants } = state.participants;
  if (isOlder(departure.version, gone?.version)) return {};
  const { [participantId]: _change, ...ahead } = state.ahead;
  const version = departure.version ?? gone?.version;
  const left = version === undefined ? state.left : { ...state.left, [participantId]: version };
  if (!gone) return { left, ahead };
  return {
    participants,
    left,
    ahead,
    order: state.order.filter((id) => id !== participantId),
    speakers: state.speakers.filter((id) => id !== participantId),
    lastSpeaker: state.lastSpeaker === participantId ? null : state.lastSpeaker,
    tracks: withoutKeysOf(state.tracks, participantId),
    paused: withoutKeysOf(state.paused, participantId),
    ...withNews(state, reason, gone),
  };
}

function withoutKeysOf<T>(values: Readonly<Record<string, T>>, participantId: string): Record<string, T> {
  return Object.fromEntries(Object.entries(values).filter(([key]) => !key.startsWith(`${participantId} `)));
}

/** Moves speakers to the first page, in place of silent participants. */
export function withSpeakers(state: RoomState, speakers: readonly string[]): Partial<RoomState> {
  const known = speakers.filter((id) => state.participants[id] !== undefined);
  const lastSpeaker = known.find((id) => id !== state.selfId) ?? state.lastSpeaker;
  let order = state.order;
  for (const id of known.slice(0, 3)) {
    const place = order.indexOf(id);
    if (place < limits.visibleTiles) continue;
    const silent = order.findLastIndex(
      (other, index) => index > 0 && index < limits.visibleTiles && !known.includes(other),
    );
    if (silent > 0) order = order.with(silent, id).with(place, order[silent] ?? id);
  }
  return { speakers: known, lastSpeaker, order };
}

export function withMeetingState(state: RoomState, change: ServerEventData<'meeting_changed'>['meeting']) {
  if (!state.meeting || isOlder(change.version, state.meeting.version)) return {};
  const meeting: Meeting = { ...state.meeting, ...change };
  const recording = change.isRecording !== state.meeting.isRecording;
  return {
    meeting,
    warnedEndsAt: change.endsAt === null ? null : state.warnedEndsAt,
    ...(recording ? withNews(state, change.isRecording ? 'recording' : 'notRecording') : {}),
  } satisfies Partial<RoomState>;
}

export function withLobby(state: RoomState, waiting: readonly Participant[], version: number): Partial<RoomState> {
  if (isOlder(version, state.lobbyVersion)) return {};
  const known = new Set(state.lobby.map(({ id }) => id));
  const newcomer = waiting.find(({ id }) => !known.has(id));
  return { lobby: waiting, lobbyVersion: version, ...(newcomer ? withNews(state, 'knocked', newcomer) : {}) };
}

export function withReaction(
  state: RoomState,
  { participantId, reaction }: Pick<FloatingReaction, 'participantId' | 'reaction'>,
): Partial<RoomState> & { reactionId: number } {
  lastNumber += 1;
  const id = lastNumber;
  return { reactions: [...state.reactions, { id, participantId, reaction }].slice(-30), reactionId: id };
}

export function withTrack(state: RoomState, key: string, track: MediaTrack | null, paused = false): Partial<RoomState> {
  const { [key]: _before, ...tracks } = state.tracks;
  const { [key]: _pausedBefore, ...others } = state.paused;
  return {
    tracks: track ? { ...tracks, [key]: track } : tracks,
    paused: track && paused ? { ...others, [key]: true } : others,
  };
}

export function withPaused(state: RoomState, key: string, paused: boolean): Partial<RoomState> {
  const { [key]: _before, ...others } = state.paused;
  return { paused: paused ? { ...others, [key]: true } : others };
}

export function withRoomEnd(reason: RoomEndReason, message?: string, nextHost?: string): RoomState {
  return {
    ...initialRoomState,
    phase: { name: 'over', reason, ...(message && { message }), ...(nextHost && { nextHost }) },
  };
}

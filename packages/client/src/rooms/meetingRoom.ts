import type { JoinMeetingResult, Meeting, Participant, ServerEventData } from '@nolo/api';
import { limits, type MediaSource } from '@nolo/rules';
import { createStore } from 'zustand/vanilla';
import type { MediaTrack } from './ports.ts';

export type HostIntervention = 'unmute' | 'muted' | 'video_stopped';

export type RoomEndReason =
  | 'left'
  /** A host left, and the others stayed. */
  | 'handed_on'
  | 'ended'
  | 'time_limit'
  | 'cancelled'
  | 'removed'
  | 'denied'
  | 'not_found'
  | 'over'
  | 'locked'
  | 'full'
  | 'devices'
  | 'sign_in'
  | 'failed';

export type RoomPhase =
  | { name: 'outside' | 'joining' | 'waiting' | 'joined' }
  /** Waits for a media node, with automatic retries. */
  | { name: 'preparing' }
  | {
      name: 'over';
      reason: RoomEndReason;
      message?: string;
      /** Name of the current host, for `handed_on`. Undefined if there is no host. */
      nextHost?: string | undefined;
    };

export type ConnectionQuality = 'unknown' | 'good' | 'fair' | 'poor';

/** Announcement for screen readers, and for everyone in a discreet line. */
export interface RoomAnnouncement {
  id: number;
  kind:
    'joined' | 'left' | 'lost' | 'removed' | 'hand' | 'hosts' | 'youHost' | 'knocked' | 'recording' | 'notRecording';
  /** Undefined if it concerns no person. */
  person: Pick<Participant, 'name' | 'role'> | undefined;
}

export interface FloatingReaction {
  id: number;
  participantId: string;
  reaction: ServerEventData<'meeting_reaction'>['reaction'];
}

export interface RoomState {
  phase: RoomPhase;
  /** True while the socket or the path to the media node is down. */
  reconnecting: boolean;
  /** True if the server is connected, but no path to the media node was found for seconds. The search continues. */
  noPath: boolean;
  /** True if the user waits only because of code guessing. */
  guarded: boolean;
  selfId: string | null;
  participants: Readonly<Record<string, Participant>>;
  /** Order of participants in the grid, the user first. */
  order: readonly string[];
  /** Version of the room for which the join response lists the participants. Undefined before joining. */
  version: number | undefined;
  /** Version at which each participant left. Older changes of theirs are dropped. */
  left: Readonly<Record<string, number>>;
  /** Changes of participants whose `joined` has not arrived yet. */
  ahead: Readonly<Record<string, Participant>>;
  meeting: Meeting | null;
  lobby: readonly Participant[];
  lobbyVersion: number | undefined;
  /** Speakers, loudest first. */
  speakers: readonly string[];
  /** Most recent speaker other than the user. */
  lastSpeaker: string | null;
  /** Tracks by trackKey: those received, and the user's own. */
  tracks: Readonly<Record<string, MediaTrack>>;
  /** Keys of other people's tracks that their sender has paused. */
  paused: Readonly<Record<string, boolean>>;
  microphone: boolean;
  camera: boolean;
  sharing: boolean;
  /** Quality measured every few seconds, and immediate reports: the score of the user's media, and poor senders. */
  quality: ConnectionQuality;
  sendScore: number;
  poor: readonly string[];
  warnedEndsAt: string | null;
  /** Minutes that the plan allows, if that ends the meeting. */
  planMinutes: number | null;
  reactions: readonly FloatingReaction[];
  news: readonly RoomAnnouncement[];
  /** True if the browser requires a press before it plays sound. */
  soundBlocked: boolean;
}

export function trackKey(participantId: string, source: MediaSource): string {
  return `${participantId} ${source}`;
}

export const initialRoomState: RoomState = {
  phase: { name: 'outside' },
  reconnecting: false,
  noPath: false,
  guarded: false,
  selfId: null,
  participants: {},
  order: [],
  version: undefined,
  left: {},
  ahead: {},
  meeting: null,
  lobby: [],
  lobbyVersion: undefined,
  speakers: [],
  lastSpeaker: null,
  tracks: {},
  paused: {},
  microphone: false,
  camera: false,
  sharing: false,
  quality: 'unknown',
  sendScore: 10,
  poor: [],
  warnedEndsAt: null,
  planMinutes: null,
  reactions: [],
  news: [],
  soundBlocked: false,
};

export type RoomStore = ReturnType<typeof createRoomStore>;
export const createRoomStore = () => createStore<RoomState>(() => initialRoomState);

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

/** Returns the other people who stay if the user leaves, in order of joining. */
export function othersInside({ participants, selfId }: Pick<RoomState, 'participants' | 'selfId'>): Participant[] {
  const own = participants[selfId ?? '']?.userId;
  return Object.values(participants)
    .filter(({ userId }) => userId !== own)
    .toSorted((a, b) => a.joinedAt.localeCompare(b.joinedAt) || a.id.localeCompare(b.id));
}

export function isHosting(participant: Participant | undefined): boolean {
  return participant?.role === 'host' || participant?.role === 'co_host';
}

export function raisedHands(state: Pick<RoomState, 'participants'>): Participant[] {
  return Object.values(state.participants)
    .filter(({ isHandRaised }) => isHandRaised)
    .toSorted((a, b) => (a.handRaisedAt ?? '').localeCompare(b.handRaisedAt ?? ''));
}

/** Score below which media visibly suffers, and the media node treats the sender's connection as poor. */
const poorScore = 5;

/** Returns true if a participant's own connection is the cause of their poor picture and sound. */
export function isPoorlySent(state: RoomState, participantId: string): boolean {
  return participantId === state.selfId ? state.sendScore < poorScore : state.poor.includes(participantId);
}

/** Returns the quality to display: the measured one, or a later report. */
export function shownQuality({ quality, sendScore }: Pick<RoomState, 'quality' | 'sendScore'>): ConnectionQuality {
  return sendScore < poorScore ? 'poor' : quality;
}

export function toConnectionQuality(measured: {
  sendLoss: number;
  receiveLoss: number;
  roundTripMs: number;
  degradedConsumers: number;
}): ConnectionQuality {
  const loss = Math.max(measured.sendLoss, measured.receiveLoss);
  if (loss > 0.08 || measured.roundTripMs > 500) return 'poor';
  if (loss > 0.02 || measured.roundTripMs > 250 || measured.degradedConsumers > 0) return 'fair';
  return 'good';
}

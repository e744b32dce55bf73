import type { JoinedMeeting, Meeting, Participant, ServerEventData } from '@nolo/api';
import { limits, type MediaSource } from '@nolo/rules';
import { createStore } from 'zustand/vanilla';

/** Why somebody is not in the room, or no longer. */
export type OverReason =
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
  /** No media node is there yet; tried again by itself. */
  | { name: 'preparing' }
  | {
      name: 'over';
      reason: OverReason;
      message?: string;
      /** Of `handed_on`: the name of whoever hosts now; undefined where nobody does. */
      nextHost?: string | undefined;
    };

export type Quality = 'unknown' | 'good' | 'fair' | 'poor';

/** What is announced to screen readers, and to everybody as a quiet line. */
export interface RoomNews {
  id: number;
  kind:
    'joined' | 'left' | 'lost' | 'removed' | 'hand' | 'hosts' | 'youHost' | 'knocked' | 'recording' | 'notRecording';
  /** Undefined where it is about nobody. */
  person: Pick<Participant, 'name' | 'role'> | undefined;
}

export interface FloatingReaction {
  id: number;
  participantId: string;
  reaction: ServerEventData<'meeting_reaction'>['reaction'];
}

export interface RoomState {
  phase: RoomPhase;
  /** The socket or the way to the media node is away. */
  reconnecting: boolean;
  /** There is a line to the server, and for seconds no path to the media node; it is looked for all the same. */
  noPath: boolean;
  /** One waits only because too many codes are being tried right now. */
  guarded: boolean;
  selfId: string | null;
  participants: Readonly<Record<string, Participant>>;
  /** Everybody's place in the grid, oneself first. */
  order: readonly string[];
  /** The room's version up to which the entry says who is inside; undefined before one. */
  version: number | undefined;
  /** By participant: the version at which they left. News of them that is older is dropped. */
  left: Readonly<Record<string, number>>;
  /** Changes of participants whose `joined` has not arrived yet. */
  ahead: Readonly<Record<string, Participant>>;
  meeting: Meeting | null;
  lobby: readonly Participant[];
  /** The room's version at which the lobby was read. */
  lobbyVersion: number | undefined;
  /** Loudest first. */
  speakers: readonly string[];
  /** Who spoke last, oneself excepted. */
  lastSpeaker: string | null;
  /** By trackKey: what is received, and what is sent of oneself. */
  tracks: Readonly<Record<string, MediaStreamTrack>>;
  /** Tracks of others whose sender has paused them. */
  paused: Readonly<Record<string, boolean>>;
  microphone: boolean;
  camera: boolean;
  sharing: boolean;
  /** As measured by the media node every few seconds. */
  quality: Quality;
  /** As the media node says it at once: how well our own media leave, and whose leave them badly. */
  sendScore: number;
  poor: readonly string[];
  warnedEndsAt: string | null;
  /** How long the plan lets it go on, where that ends it. */
  planMinutes: number | null;
  reactions: readonly FloatingReaction[];
  news: readonly RoomNews[];
  /** The browser wants a press before it plays sound. */
  soundBlocked: boolean;
}

export function trackKey(participantId: string, source: MediaSource): string {
  return `${participantId} ${source}`;
}

export const outside: RoomState = {
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
export const createRoomStore = () => createStore<RoomState>(() => outside);

const newestNews = 20;
let lastNumber = 0;

function withNews(state: RoomState, kind: RoomNews['kind'], person?: RoomNews['person']): Pick<RoomState, 'news'> {
  lastNumber += 1;
  return { news: [...state.news, { id: lastNumber, kind, person }].slice(-newestNews) };
}

/** The answer to joining, at `now` in milliseconds, replaces what was known before, except for news that is newer. */
export function withEntry(
  state: RoomState,
  { participant, participants, meeting: read, version }: JoinedMeeting,
  now: number,
): Partial<RoomState> {
  const latest = (one: Participant) => newest(newest(one, state.participants[one.id]), state.ahead[one.id]);
  const inside = participants.filter((one) => !hasLeft(state, one)).map(latest);
  const listed = new Set([participant.id, state.selfId, ...participants.map(({ id }) => id)]);
  // Changes that are newer than the answer wait on for a join that is newer, too.
  const ahead = Object.entries(state.ahead).filter(([id, one]) => !listed.has(id) && !isOlder(one.version, version));
  const joinedSince = Object.values(state.participants).filter(
    (one) => !listed.has(one.id) && isOlder(version, one.version),
  );
  const others = [...inside, ...joinedSince].toSorted(
    (a, b) => a.joinedAt.localeCompare(b.joinedAt) || a.id.localeCompare(b.id),
  );
  const held = state.meeting;
  const meeting = held && read && held.id === read.id && isOlder(read.version, held.version) ? held : read;
  const everyone = [newest(participant, state.ahead[participant.id]), ...others];
  const known = new Map(everyone.map((one) => [one.id, one]));
  // Who comes back finds everybody where they were.
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

/** When the meeting ends, where that has been said or who comes in now would have been told. */
function warnedOf(state: RoomState, meeting: Meeting | null, now: number): string | null {
  const endsAt = meeting?.endsAt ?? null;
  if (endsAt === null) return null;
  return state.warnedEndsAt !== null || Date.parse(endsAt) - now <= limits.meetingWarningMinutes * 60_000
    ? endsAt
    : null;
}

/** Who was away for too long comes back as another participant, and shows what they showed before. */
function renamed<T>(values: Readonly<Record<string, T>>, before: string | null, now: string): Record<string, T> {
  if (before === null || before === now) return { ...values };
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key.startsWith(`${before} `) ? `${now}${key.slice(before.length)}` : key,
      value,
    ]),
  );
}

export function withWaiting({ participant, meeting, guarded }: JoinedMeeting): Partial<RoomState> {
  return { phase: { name: 'waiting' }, reconnecting: false, guarded, selfId: participant.id, meeting };
}

/** Whether news of version `version` is older than `than`. News without a version cannot be judged. */
function isOlder(version: number | undefined, than: number | undefined): boolean {
  return version !== undefined && than !== undefined && version < than;
}

const newest = (one: Participant, other: Participant | undefined): Participant =>
  other && isOlder(one.version, other.version) ? other : one;

/** Whether news of somebody who is not shown is from before they left. */
function hasLeft({ left, participants, version: entered }: RoomState, { id, version }: Participant): boolean {
  const leftAt = left[id] ?? (participants[id] ? undefined : entered);
  return leftAt !== undefined && version <= leftAt;
}

/** Somebody came in, or back. */
export function withJoined(state: RoomState, participant: Participant): Partial<RoomState> {
  const { id } = participant;
  if (hasLeft(state, participant)) return {};
  if (state.participants[id]) return withChanged(state, participant);
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

/** Somebody changed. Whoever is not known is not shown: only `withJoined` and `withEntry` add people. */
export function withChanged(state: RoomState, participant: Participant): Partial<RoomState> {
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
  told: Pick<ServerEventData<'meeting_participant_left'>, 'participantId' | 'reason' | 'version'>,
): Partial<RoomState> {
  const { participantId, reason } = told;
  const { [participantId]: gone, ...participants } = state.participants;
  if (isOlder(told.version, gone?.version)) return {};
  const { [participantId]: _change, ...ahead } = state.ahead;
  const version = told.version ?? gone?.version;
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

/** Whoever speaks comes to the first page, in the place of somebody there who is silent. */
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

export function withTrack(
  state: RoomState,
  key: string,
  track: MediaStreamTrack | null,
  paused = false,
): Partial<RoomState> {
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

/** Everything that ends with the room. */
export function withOver(reason: OverReason, message?: string, nextHost?: string): RoomState {
  return { ...outside, phase: { name: 'over', reason, ...(message && { message }), ...(nextHost && { nextHost }) } };
}

/** The others who stay in the room if one leaves, the first who came in first. */
export function othersInside({ participants, selfId }: Pick<RoomState, 'participants' | 'selfId'>): Participant[] {
  const own = participants[selfId ?? '']?.userId;
  return Object.values(participants)
    .filter(({ userId }) => userId !== own)
    .toSorted((a, b) => a.joinedAt.localeCompare(b.joinedAt) || a.id.localeCompare(b.id));
}

export function isHosting(participant: Participant | undefined): boolean {
  return participant?.role === 'host' || participant?.role === 'co_host';
}

/** Raised hands in the order in which they went up. */
export function raisedHands(state: Pick<RoomState, 'participants'>): Participant[] {
  return Object.values(state.participants)
    .filter(({ isHandRaised }) => isHandRaised)
    .toSorted((a, b) => (a.handRaisedAt ?? '').localeCompare(b.handRaisedAt ?? ''));
}

/** Below this what somebody sends visibly suffers, and the media node counts the sender's way as poor. */
const poorScore = 5;

/** Whether somebody's own connection is what makes them look and sound bad. */
export function isPoorlySent(state: RoomState, participantId: string): boolean {
  return participantId === state.selfId ? state.sendScore < poorScore : state.poor.includes(participantId);
}

/** What the mark in the room shows: what was measured, or what was said since. */
export function shownQuality({ quality, sendScore }: Pick<RoomState, 'quality' | 'sendScore'>): Quality {
  return sendScore < poorScore ? 'poor' : quality;
}

export function qualityOf(measured: {
  sendLoss: number;
  receiveLoss: number;
  roundTripMs: number;
  degradedConsumers: number;
}): Quality {
  const loss = Math.max(measured.sendLoss, measured.receiveLoss);
  if (loss > 0.08 || measured.roundTripMs > 500) return 'poor';
  if (loss > 0.02 || measured.roundTripMs > 250 || measured.degradedConsumers > 0) return 'fair';
  return 'good';
}

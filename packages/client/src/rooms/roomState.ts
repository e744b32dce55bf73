import type { Meeting, Participant, ServerEventData } from '@nolo/api';
import type { MediaSource } from '@nolo/rules';
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

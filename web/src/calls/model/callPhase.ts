import type { Call, User } from '@nolo/api';
import { callStatuses, type CallType } from '@nolo/rules';

/** State of this tab in a call. */
type CallPhase = 'starting' | 'outgoing' | 'incoming' | 'connecting' | 'connected' | 'ended';

/** Way in which the call ended, from this side. */
export type CallEnding = 'hungUp' | 'disconnected' | 'declined' | 'busy' | 'noAnswer' | 'failed';

/** Single call of this tab. */
export interface LiveCall {
  phase: CallPhase;
  /** Null until the server answers. */
  call: Call | null;
  conversationId: string | null;
  type: CallType;
  /** True if the user's camera should be on from the start. */
  withCamera: boolean;
  /** Time since which they talk, on this device's clock. */
  talkingSince: number | null;
  endedAt: number | null;
  ending: CallEnding | null;
  /** True while the answer is being sent. */
  answering: boolean;
  /** True for an incoming call that was put aside and rings silently. */
  minimised: boolean;
}

export interface CallViewer {
  selfId: string;
  deviceId: string;
  now: number;
}

export type CallPhaseInTab = Exclude<CallPhase, 'starting'> | 'elsewhere' | 'none';

/** Returns the state of a call for one tab of a user. */
export function toCallPhaseInTab(
  call: Call,
  { selfId, deviceId }: Pick<CallViewer, 'selfId' | 'deviceId'>,
): CallPhaseInTab {
  const me = call.participants.find(({ userId }) => userId === selfId);
  if (!me) return 'none';
  if (call.status === 'ended') return 'ended';
  if (me.state === 'ringing') return 'incoming';
  if (me.state !== 'calling' && me.state !== 'joined') return 'none';
  if (me.deviceId !== deviceId) return 'elsewhere';
  if (call.status === 'ringing') return 'outgoing';
  return call.status === 'connected' ? 'connected' : 'connecting';
}

function endingOf(live: LiveCall, call: Call): CallEnding {
  if (call.endReason === 'failed') return 'failed';
  if (live.phase !== 'outgoing' && live.phase !== 'starting') return 'disconnected';
  if (call.endReason === 'declined') return 'declined';
  if (call.endReason === 'busy') return 'busy';
  return call.endReason === 'missed' ? 'noAnswer' : 'hungUp';
}

const rank = (call: Call): number => callStatuses.indexOf(call.status);

/** Adds known people, because frames only contain what is the same for everyone. */
export function withKnownPeople(before: Call | null, call: Call): Call {
  const known = new Map<string, User>();
  for (const { userId, user } of before?.participants ?? []) if (user) known.set(userId, user);
  return {
    ...call,
    participants: call.participants.map((one) => ({ ...one, user: one.user ?? known.get(one.userId) ?? null })),
  };
}

/** Returns the newer of two states of a call: an answer may arrive after the frame with its result. */
function newerOf(before: Call | null, call: Call): Call {
  if (!before) return call;
  if (rank(call) < rank(before)) return withKnownPeople(call, before);
  const next = withKnownPeople(before, call);
  return {
    ...next,
    type: before.type === 'video' ? 'video' : next.type,
    mode: before.mode === 'room' ? 'room' : next.mode,
  };
}

export function createStartingCall(conversationId: string | null, type: CallType): LiveCall {
  return {
    phase: 'starting',
    call: null,
    conversationId,
    type,
    withCamera: type === 'video',
    talkingSince: null,
    endedAt: null,
    ending: null,
    answering: false,
    minimised: false,
  };
}

function talkingSince(live: LiveCall, call: Call, phase: CallPhaseInTab, now: number): number | null {
  if (phase !== 'connected') return live.talkingSince;
  if (live.talkingSince !== null) return live.talkingSince;
  // If seen from its start, it counts from now; if found while ongoing, from the server's time.
  return live.call ? now : Math.min(now, Date.parse(call.startedAt ?? '') || now);
}

/** Returns the conversation of a call, for its two members; someone added later does not know it. */
export function conversationIdOfCall(
  call: Pick<Call, 'id' | 'callerId' | 'conversationId'>,
  selfId: string,
): string | null {
  // The id contains the callee (decision 10).
  return call.callerId === selfId || call.id.startsWith(`call-${selfId}-`) ? call.conversationId : null;
}

/**
 * Returns true if a call is ongoing in this tab: the frame about a user's own call may arrive before the answer to
 * creating it.
 */
export function isInThisTab(call: Call, viewer: CallViewer): boolean {
  return ['outgoing', 'connecting', 'connected'].includes(toCallPhaseInTab(call, viewer));
}

/** Returns this tab's call after an update: its own, or one that starts here. Null if there is no call left. */
export function computeNextLiveCall(live: LiveCall | null, news: Call, viewer: CallViewer): LiveCall | null {
  const own =
    live?.call?.id === news.id || (live?.phase === 'starting' && live.call === null && isInThisTab(news, viewer));
  if (live && !own && live.phase !== 'ended') return live;
  if (!own) {
    const place = toCallPhaseInTab(news, viewer);
    if (place === 'none' || place === 'elsewhere' || place === 'ended') return live;
  }
  const before = own ? live : null;
  if (before?.phase === 'ended') return before;
  const call = newerOf(before?.call ?? null, news);
  const place = toCallPhaseInTab(call, viewer);
  const base = before ?? createStartingCall(call.conversationId, call.type);
  const shared = { ...base, call, conversationId: conversationIdOfCall(call, viewer.selfId), type: call.type };

  if (place === 'none' || place === 'elsewhere') return null;
  if (place !== 'ended') {
    return {
      ...shared,
      phase: place,
      answering: place === 'incoming' && base.answering,
      talkingSince: talkingSince(base, call, place, viewer.now),
    };
  }
  // An unanswered call leaves nothing on the screen; the conversation shows it.
  if (base.phase === 'incoming') return null;
  const ending = endingOf(base, call);
  return ending === 'hungUp' ? null : { ...shared, phase: 'ended', ending, endedAt: viewer.now };
}

/** Returns the other participants who are in the call or being rung. */
export function otherParticipants(call: Call, selfId: string): Call['participants'] {
  return call.participants.filter(({ userId, state }) => userId !== selfId && state !== 'left' && state !== 'declined');
}

/** Returns the other person in a call of two; the caller if several ring one. */
export function otherParticipant(call: Call, selfId: string): Call['participants'][number] | undefined {
  const others = call.participants.filter(({ userId }) => userId !== selfId);
  return (
    others.find(({ userId, state }) => userId === call.callerId && state !== 'left') ??
    others.find(({ state }) => state === 'joined') ??
    others[0]
  );
}

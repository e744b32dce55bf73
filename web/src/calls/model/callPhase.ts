import type { Call, User } from '@nolo/api';
import { callStatuses, type CallType } from '@nolo/rules';

/** Where this tab stands in a call. */
export type CallPhase = 'starting' | 'outgoing' | 'incoming' | 'connecting' | 'connected' | 'ended';

/** How it ended, as seen from here. */
export type CallEnding = 'hungUp' | 'disconnected' | 'declined' | 'busy' | 'noAnswer' | 'failed';

/** The one call of this tab. */
export interface LiveCall {
  phase: CallPhase;
  /** Null while the server has not answered yet. */
  call: Call | null;
  conversationId: string | null;
  type: CallType;
  /** Whether one's own camera is to be on from the start. */
  withCamera: boolean;
  /** Since when they talk, on this device's clock. */
  talkingSince: number | null;
  endedAt: number | null;
  ending: CallEnding | null;
  /** The answer is on its way. */
  answering: boolean;
  /** An incoming call that was put aside and goes on ringing quietly. */
  minimised: boolean;
}

export interface Viewer {
  selfId: string;
  deviceId: string;
  now: number;
}

export type CallPlace = Exclude<CallPhase, 'starting'> | 'elsewhere' | 'none';

/** Where a call stands for one tab of one person. */
export function placeOf(call: Call, { selfId, deviceId }: Pick<Viewer, 'selfId' | 'deviceId'>): CallPlace {
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

/** Frames say nothing of people that is not the same for everyone; what is known of them stays. */
export function withKnownPeople(before: Call | null, call: Call): Call {
  const known = new Map<string, User>();
  for (const { userId, user } of before?.participants ?? []) if (user) known.set(userId, user);
  return {
    ...call,
    participants: call.participants.map((one) => ({ ...one, user: one.user ?? known.get(one.userId) ?? null })),
  };
}

/** The newer of two states of one call: an answer may arrive after the frame that tells what came of it. */
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

export function startingCall(conversationId: string | null, type: CallType): LiveCall {
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

function talkingSince(live: LiveCall, call: Call, phase: CallPlace, now: number): number | null {
  if (phase !== 'connected') return live.talkingSince;
  if (live.talkingSince !== null) return live.talkingSince;
  // Seen from its beginning it counts from now; found as it was going on, from what the server says.
  return live.call ? now : Math.min(now, Date.parse(call.startedAt ?? '') || now);
}

/** The conversation that a call belongs to, for the two who are in it; somebody who was added later knows nothing of it. */
export function conversationOf(call: Pick<Call, 'id' | 'callerId' | 'conversationId'>, selfId: string): string | null {
  // The id names the one who was called (decision 10).
  return call.callerId === selfId || call.id.startsWith(`call-${selfId}-`) ? call.conversationId : null;
}

/** Whether a call is this tab's and goes on: the frame about one's own may overtake the answer to having made it. */
export function isHere(call: Call, viewer: Viewer): boolean {
  return ['outgoing', 'connecting', 'connected'].includes(placeOf(call, viewer));
}

/** The call of this tab after news of a call: its own, or one that begins here. Null where there is none any more. */
export function nextLive(live: LiveCall | null, news: Call, viewer: Viewer): LiveCall | null {
  const own = live?.call?.id === news.id || (live?.phase === 'starting' && live.call === null && isHere(news, viewer));
  if (live && !own && live.phase !== 'ended') return live;
  if (!own) {
    const place = placeOf(news, viewer);
    if (place === 'none' || place === 'elsewhere' || place === 'ended') return live;
  }
  const before = own ? live : null;
  if (before?.phase === 'ended') return before;
  const call = newerOf(before?.call ?? null, news);
  const place = placeOf(call, viewer);
  const base = before ?? startingCall(call.conversationId, call.type);
  const shared = { ...base, call, conversationId: conversationOf(call, viewer.selfId), type: call.type };

  if (place === 'none' || place === 'elsewhere') return null;
  if (place !== 'ended') {
    return {
      ...shared,
      phase: place,
      answering: place === 'incoming' && base.answering,
      talkingSince: talkingSince(base, call, place, viewer.now),
    };
  }
  // What rang here and was not answered leaves nothing on the screen; the conversation tells of it.
  if (base.phase === 'incoming') return null;
  const ending = endingOf(base, call);
  return ending === 'hungUp' ? null : { ...shared, phase: 'ended', ending, endedAt: viewer.now };
}

/** The others: who is in it, or is being rung. */
export function othersIn(call: Call, selfId: string): Call['participants'] {
  return call.participants.filter(({ userId, state }) => userId !== selfId && state !== 'left' && state !== 'declined');
}

/** The one person that a call of two is with; the caller where several ring one. */
export function otherIn(call: Call, selfId: string): Call['participants'][number] | undefined {
  const others = call.participants.filter(({ userId }) => userId !== selfId);
  return (
    others.find(({ userId, state }) => userId === call.callerId && state !== 'left') ??
    others.find(({ state }) => state === 'joined') ??
    others[0]
  );
}

import type { Call, ServerEventData, ServerEventName } from '@nolo/api';
import type { CallApi } from '../src/calls/model/callPorts.ts';
import type { SocketConnection } from '@nolo/client/socket/socketRequests';

type Person = Call['participants'][number];

/** Person data that frames lack. */
const unsaid = { name: null, user: null, audioEnabled: null, videoEnabled: null };

/** Rejection, as `failureOf` of the tests reads it. */
export class FakeCallError extends Error {
  readonly code: string;
  readonly passing: boolean;

  constructor(code: string, passing = false) {
    super(code);
    this.code = code;
    this.passing = passing;
  }
}

/** Creates a ringing call from `you` to `me`. */
export function createIncomingCall(
  change: Partial<Call> = {},
  mine: Partial<Person> = {},
  yours: Partial<Person> = {},
): Call {
  const id = change.id ?? 'call-me-1';
  return {
    id,
    callId: id,
    conversationId: 'c1',
    type: 'audio',
    status: 'ringing',
    mode: 'direct',
    callerId: 'you',
    participants: [
      { ...unsaid, userId: 'you', deviceId: 'theirs', state: 'calling', ...yours },
      { ...unsaid, userId: 'me', deviceId: null, state: 'ringing', ...mine },
    ],
    endReason: null,
    createdAt: '2026-01-01T00:00:00.000Z',
    startedAt: null,
    endedAt: null,
    version: 1,
    ...change,
  };
}

/** Creates a call from `me` on the device `tab`. */
export function createOwnCall(change: Partial<Call> = {}, yours: Partial<Person> = {}): Call {
  const call = createIncomingCall({ id: 'call-you-1', callerId: 'me', ...change });
  const state = call.status === 'ringing' ? 'calling' : 'joined';
  return {
    ...call,
    participants: [
      { ...unsaid, userId: 'me', deviceId: 'tab', state },
      { ...unsaid, userId: 'you', deviceId: null, state: call.status === 'ringing' ? 'ringing' : 'joined', ...yours },
    ],
  };
}

/** Fake server of calls, whose responses the test sets. */
export function fakeCallServer() {
  const requests: string[] = [];
  const answers = new Map<string, (() => Call)[]>();
  const handlers = new Map<string, Set<(data: never) => void>>();
  const watchers = new Set<(open: boolean) => void>();
  let calls: Call[] = [];
  let isOpen = true;

  const answer = async (name: string, known?: Call): Promise<Call> => {
    requests.push(name);
    const next = answers.get(name.split(' ')[0] ?? '')?.shift();
    await Promise.resolve();
    if (next) return next();
    if (known) return known;
    throw new FakeCallError('call_not_found');
  };
  const find = (id: string) => calls.find((call) => call.id === id);
  const api: CallApi = {
    conversationWith: (userId) => Promise.resolve(`with-${userId}`),
    initiate: (conversationId, type) => answer(`initiate ${conversationId} ${type}`),
    list: () => Promise.resolve(calls),
    get: (id) => answer(`get ${id}`, find(id)),
    answer: (id, deviceId) => answer(`answer ${id} ${deviceId}`, find(id)),
    decline: (id) => answer(`decline ${id}`, find(id)),
    end: (id) => answer(`end ${id}`, find(id)),
    update: (id, { type, mode, status }) =>
      answer(`update ${[type, mode, status].filter(Boolean).join(',')}`, find(id)),
    invite: (id, userId) => answer(`invite ${userId}`, find(id)),
  };
  const socket: Pick<SocketConnection, 'isOpen' | 'subscribe' | 'onChange'> = {
    get isOpen() {
      return isOpen;
    },
    subscribe(type, handler) {
      const all = handlers.get(type) ?? new Set();
      handlers.set(type, all);
      all.add(handler as (data: never) => void);
      return () => void all.delete(handler as (data: never) => void);
    },
    onChange(handler) {
      watchers.add(handler);
      return () => void watchers.delete(handler);
    },
  };
  return {
    api,
    socket,
    asked: requests,
    /** Sets the response to the next request with this name. */
    next(name: string, reply: Call | Error): void {
      const queue = answers.get(name) ?? [];
      answers.set(name, queue);
      queue.push(() => {
        if (reply instanceof Error) throw reply;
        return reply;
      });
    },
    /** Sets the calls that the server knows. */
    keep(...known: Call[]): void {
      calls = known;
    },
    frame<N extends ServerEventName>(type: N, data: ServerEventData<N>): void {
      for (const handler of handlers.get(type) ?? []) handler(data as never);
    },
    setOpen(open: boolean): void {
      isOpen = open;
      for (const watcher of watchers) watcher(open);
    },
  };
}

import type { Conversations } from '@nolo/client/keys/conversations/types';
import { NewerListError } from '@nolo/client/keys/keysError';
import type { KeysWithConversations } from '@nolo/client/keys/openKeys';
import type { Keys, KeysState } from '@nolo/client/keys/types';
import { ApiError } from '../../api/request.ts';
import { createKeysClient, KeysFailure, type KeysWorker } from '../model/createKeysClient.ts';
import type { TabToWorker, Unavailable, WorkerToTab } from '../model/keysProtocol.ts';
import { createKeysWorkerHandler } from './keysWorkerHandler.ts';

const state = (peopleVersion: number): KeysState => ({
  phase: { name: 'ready' },
  deviceId: 'd1',
  devices: [],
  recovery: { isSet: false, maySet: true, passkeys: [] },
  link: null,
  requests: [],
  notices: [],
  peopleVersion,
});

/** The keys of these tests store nothing. */
const { port1: storage } = new MessageChannel();
afterAll(() => storage.close());

/** Connects a client with a handler, as a tab with its worker. */
function connect(
  keys: Partial<Keys>,
  lacking: Unavailable | null = null,
  conversations: Partial<Conversations> = { subscribe: () => () => undefined },
) {
  const states: number[] = [];
  const unavailable: Unavailable[] = [];
  const clocks: number[] = [];
  const changed: (string | null)[] = [];
  const worker: KeysWorker = { onmessage: null, onerror: null, terminate: () => undefined, postMessage: () => {} };
  const handle = createKeysWorkerHandler({
    open: () => ({ ...keys, conversations }) as KeysWithConversations,
    lacks: () => lacking,
    post: (data: WorkerToTab) => worker.onmessage?.({ data } as MessageEvent<WorkerToTab>),
    setClock: (aheadMs) => clocks.push(aheadMs),
  });
  worker.postMessage = (message: TabToWorker) => handle(message);
  const client = createKeysClient(worker, {
    onState: ({ peopleVersion }) => states.push(peopleVersion),
    onUnavailable: (reason) => unavailable.push(reason),
    onConversation: (id) => changed.push(id),
  });
  return { client, worker, states, unavailable, clocks, changed };
}

const running = (more: Partial<Keys> = {}): Partial<Keys> => ({
  subscribe: (listener) => {
    queueMicrotask(() => listener(state(2)));
    return () => undefined;
  },
  state: () => state(1),
  start: async () => undefined,
  ...more,
});

test('a tab sees the state and gets answers of its worker', async () => {
  const { client, states, clocks } = connect(
    running({ numberWith: async (userId) => (userId === 'u2' ? '12345' : null) }),
  );
  client.start('u1', 70, storage);
  expect(await client.keys.numberWith('u2')).toBe('12345');
  expect(await client.keys.numberWith('u3')).toBeNull();
  expect(states).toEqual([1, 2]);
  client.setClock(80);
  expect(clocks).toEqual([70, 80]);
});

test('frames reach the keys once they are open', async () => {
  const frames: string[] = [];
  const { client } = connect(running({ onFrame: ({ type }) => void frames.push(type), cancelLink: async () => {} }));
  client.start('u1', 0, storage);
  client.onFrame({ type: 'devices_changed', data: {} });
  await client.keys.cancelLink();
  expect(frames).toEqual(['devices_changed']);
});

test('a tab asks for sealed conversations, passes frames on, and hears which conversation changed', async () => {
  const frames: string[] = [];
  let tell: (id: string | null) => void = () => undefined;
  const { client, changed } = connect(running(), null, {
    subscribe: (listener) => {
      tell = listener;
      return () => undefined;
    },
    signLeave: async (id) => `leave of ${id}`,
    onFrame: ({ type }) => void frames.push(type),
  });
  client.start('u1', 0, storage);
  expect(await client.conversations.signLeave('c1')).toBe('leave of c1');
  client.onConversationsFrame({ type: 'epochs_changed', data: { conversationId: 'c1' } });
  tell('c1');
  tell(null);
  expect(frames).toEqual(['epochs_changed']);
  expect(changed).toEqual(['c1', null]);
});

test('errors of the server and of the keys arrive as what they are', async () => {
  const refusal = new ApiError(403, { code: 'proof_required', message: 'Prove it.', details: { a: 1 } }, '', 5_000);
  const { client } = connect(
    running({
      startOver: () => Promise.reject(refusal),
      confirmLink: () => Promise.reject(Object.assign(new Error('No link.'), { code: 'no_link' })),
      recover: () => Promise.reject(new NewerListError({ id: 'l1', device: 'd2', deviceName: 'Laptop' })),
    }),
  );
  client.start('u1', 0, storage);
  const error = await client.keys.startOver().catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ status: 403, code: 'proof_required', details: { a: 1 }, retryAfterMs: 5_000 });
  const failure = await client.keys.confirmLink().catch((caught: unknown) => caught);
  expect(failure).toBeInstanceOf(KeysFailure);
  expect(failure).toMatchObject({ code: 'no_link' });
  const newer = await client.keys.recover({ words: '' }, []).catch((caught: unknown) => caught);
  expect(newer).toMatchObject({ code: 'newer_in_vault', newer: { id: 'l1', device: 'd2', deviceName: 'Laptop' } });
});

test('a browser that lacks what keys need says so, and calls are refused', async () => {
  const { client, unavailable } = connect(running(), 'engine');
  client.start('u1', 0, storage);
  await expect(client.keys.startOver()).rejects.toMatchObject({ code: 'unavailable' });
  expect(unavailable).toEqual(['engine']);
});

test('a worker that cannot run ends waiting calls', async () => {
  const { client, worker, unavailable } = connect(running());
  worker.postMessage = () => undefined;
  const call = client.keys.startOver();
  worker.onerror?.({} as ErrorEvent);
  await expect(call).rejects.toMatchObject({ code: 'unavailable' });
  await expect(client.keys.startOver()).rejects.toMatchObject({ code: 'unavailable' });
  expect(unavailable).toEqual(['engine']);
});

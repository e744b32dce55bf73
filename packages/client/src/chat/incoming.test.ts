import { fakeChatServer } from '../../tests/fakeChatServer.ts';
import { fakeTimers, settlePromises } from '../../tests/fakeTimers.ts';
import { createMemoryStorage } from '../node/memoryStorage.ts';
import { createChats } from './openChats.ts';
import type { AccountStorage } from './ports.ts';

function setUp() {
  const server = fakeChatServer();
  const clock = fakeTimers();
  let ids = 0;
  /** Starts the program, or starts it again, and records the texts that arrive. */
  const start = async (storage?: AccountStorage) => {
    const kept = await storage?.readAccount();
    const chats = createChats(
      {
        call: () => Promise.reject(new Error('Nothing else is requested.')),
        callPage: () => Promise.reject(new Error('Nothing else is requested.')),
        openSocket: server.openSocket,
        timers: clock.timers,
        newId: () => `client-${++ids}`,
        onRefused: () => {},
      },
      'me',
      { wrapApi: () => server.api, ...(storage && { storage }) },
      kept,
    );
    const texts: string[] = [];
    chats.onMessage(({ content }) => texts.push(content));
    chats.start();
    server.hello();
    await settlePromises();
    return { chats, texts };
  };
  const write = (text: string, from = 'you') =>
    server.push({ type: 'new_message', data: server.store(from, text, null) });
  return { server, clock, start, write };
}

test('messages from others arrive once and in order, whether or not the conversation is open', async () => {
  const { server, start, write } = setUp();
  server.store('you', 'before the start', null);
  const { chats, texts } = await start();
  expect(texts).toEqual([]);
  write('one');
  await settlePromises();
  expect(texts).toEqual(['one']);
  await chats.open('c1');
  write('two');
  write('own, from another device', 'me');
  write('three');
  await settlePromises();
  expect(texts).toEqual(['one', 'two', 'three']);
  chats.stop();
});

test('messages missed during a disconnect arrive after it, however many', async () => {
  const { server, clock, start, write } = setUp();
  const { chats, texts } = await start();
  write('one');
  await settlePromises();
  server.cut();
  const missed = Array.from({ length: 120 }, (_, n) => `missed ${n}`);
  for (const text of missed) server.store('you', text, null);
  await clock.advance(2_000);
  server.hello();
  await settlePromises();
  await settlePromises();
  expect(texts).toEqual(['one', ...missed]);
  chats.stop();
});

test('messages that cannot be loaded are requested again', async () => {
  const { server, clock, start } = setUp();
  const { chats, texts } = await start();
  server.store('you', 'missed', null);
  server.failNextRequest({ passing: true, code: 'network_error' });
  server.push({ type: 'new_message', data: server.store('you', 'live', null) });
  await settlePromises();
  expect(texts).toEqual([]);
  await clock.advance(10_000);
  expect(texts).toEqual(['missed', 'live']);
  chats.stop();
});

test('with a storage, the next start continues where this one ended', async () => {
  const { server, clock, start, write } = setUp();
  const storage = createMemoryStorage();
  const first = await start(storage);
  write('one');
  await clock.advance(1_000);
  first.chats.stop();
  await settlePromises();
  expect(first.texts).toEqual(['one']);
  server.store('you', 'two', null);
  server.store('you', 'three', null);
  const second = await start(storage);
  await settlePromises();
  expect(second.texts).toEqual(['two', 'three']);
  second.chats.stop();
});

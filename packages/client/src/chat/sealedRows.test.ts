import { fakeChatServer } from '../../tests/fakeChatServer.ts';
import { fakeTimers, settlePromises } from '../../tests/fakeTimers.ts';
import { createChatEngine } from './chatEngine.ts';

async function setUp() {
  const server = fakeChatServer();
  const clock = fakeTimers();
  let ids = 0;
  const engine = createChatEngine({
    selfId: 'me',
    api: server.api,
    openSocket: server.openSocket,
    timers: clock.timers,
    newId: () => `client-${++ids}`,
    failureOf: (error) => error as never,
    onOtherFrame: () => {},
    onRefused: () => {},
  });
  const store = (sealed: string | null) => server.change(server.store('you', '', null).id, { sealed });
  const start = async () => {
    engine.start();
    server.hello();
    await settlePromises();
    await engine.open('c1');
  };
  const pending = () => engine.store.getState().timelines['c1']?.pending ?? [];
  return { server, clock, engine, store, start, pending };
}

test('a conversation with a sealed message takes no plain text, and says that an update is needed', async () => {
  const { server, engine, store, start, pending } = await setUp();
  store('c2VhbGVk');
  server.store('you', 'later words', null);
  await start();
  engine.send('c1', 'plain words');
  await settlePromises();
  expect(server.requests).not.toContain('sendMessage');
  expect(pending()).toMatchObject([{ content: 'plain words', state: 'failed', reason: { code: 'update_required' } }]);
  engine.stop();
});

test('a message that waits while the first sealed message arrives is not sent in plain text', async () => {
  const { server, clock, engine, store, start, pending } = await setUp();
  await start();
  server.failNextRequest({ passing: true, code: 'network_error', message: '' });
  engine.send('c1', 'plain words');
  await settlePromises();
  server.push({ type: 'new_message', data: store('c2VhbGVk') });
  await settlePromises();
  server.requests.length = 0;
  await clock.advance(60_000);
  await settlePromises();
  expect(server.requests).not.toContain('sendMessage');
  expect(pending()).toMatchObject([{ state: 'failed', reason: { code: 'update_required' } }]);
  engine.stop();
});

test('a conversation without sealed messages sends as before', async () => {
  const { server, engine, store, start, pending } = await setUp();
  store(null);
  await start();
  engine.send('c1', 'plain words');
  await settlePromises();
  expect(server.requests).toContain('sendMessage');
  expect(pending()).toEqual([]);
  engine.stop();
});

import { fakeChatServer } from '../../tests/fakeChatServer.ts';
import { fakeTimers, settlePromises } from '../../tests/fakeTimers.ts';
import { createChatEngine } from './chatEngine.ts';
import { getConversationActions } from './conversationActions.ts';
import { findQuotedMessage } from './originals.ts';

async function setUp(count: number) {
  const server = fakeChatServer();
  for (let n = 1; n <= count; n++) server.store(n % 2 ? 'you' : 'me', `text ${n}`, null);
  const engine = createChatEngine({
    selfId: 'me',
    api: server.api,
    openSocket: server.openSocket,
    timers: fakeTimers().timers,
    newId: () => 'x',
    failureOf: () => ({ passing: true, code: 'network_error', message: '' }),
    onOtherFrame: () => {},
    onRefused: () => {},
  });
  engine.start();
  server.hello();
  await settlePromises();
  await engine.open('c1');
  const timeline = () => engine.store.getState().timelines['c1']!;
  const window = () => engine.store.getState().windows['c1'];
  const seqs = (messages: readonly { seq: number }[] = []) => [messages[0]?.seq, messages.at(-1)?.seq];
  return { server, engine, timeline, window, seqs };
}

test('a loaded or nearby message is reached by loading everything up to it', async () => {
  const { engine, timeline, window, seqs } = await setUp(400);
  expect(await getConversationActions(engine).reveal('c1', 390)).toBe(true);
  expect(seqs(timeline().messages)).toEqual([351, 400]);
  expect(await getConversationActions(engine).reveal('c1', 200)).toBe(true);
  expect(timeline().messages[0]?.seq).toBeLessThanOrEqual(200);
  expect(window()).toBeUndefined();
  engine.stop();
});

test('a distant message is shown with those around it, and reading on closes the gap', async () => {
  const { engine, timeline, window, seqs } = await setUp(1_000);
  expect(await getConversationActions(engine).reveal('c1', 500)).toBe(true);
  const [first, last] = seqs(window()?.messages);
  expect(first).toBeLessThan(500);
  expect(last).toBeGreaterThan(500);
  expect(seqs(timeline().messages)).toEqual([951, 1_000]);

  await getConversationActions(engine).loadOlder('c1');
  expect(window()?.messages[0]?.seq).toBe(first! - 50);
  for (let page = 0; window() && page < 20; page++) await getConversationActions(engine).loadNewer('c1');
  expect(window()).toBeUndefined();
  expect(seqs(timeline().messages)).toEqual([first! - 50, 1_000]);
  // The messages have neither gaps nor duplicates.
  expect(timeline().messages.every(({ seq }, index) => seq === first! - 50 + index)).toBe(true);
  engine.stop();
});

test('edits meanwhile also apply to the past, and writing returns to the end', async () => {
  const { server, engine, window } = await setUp(1_000);
  await getConversationActions(engine).reveal('c1', 500);
  server.push({ type: 'message_updated', data: server.change('m500', { content: 'changed' }) });
  await settlePromises();
  expect(window()?.messages.find(({ seq }) => seq === 500)?.content).toBe('changed');
  engine.send('c1', 'on we go');
  expect(window()).toBeUndefined();
  engine.stop();
});

test('a nonexistent message is reported as missing, and a lost connection rejects', async () => {
  const { server, engine } = await setUp(1_000);
  expect(await getConversationActions(engine).reveal('c1', 5_000)).toBe(false);
  server.failNextRequest({});
  await expect(getConversationActions(engine).reveal('c1', 100)).rejects.toThrow();
  engine.stop();
});

test('the message quoted by a reply is fetched once, and follows its changes', async () => {
  const { server, engine } = await setUp(1_000);
  const original = () => findQuotedMessage(engine.store.getState(), 'c1', 7);
  const countMessageRequests = () => server.requests.filter((request) => request === 'listMessages').length;
  const before = countMessageRequests();
  getConversationActions(engine).wantOriginal('c1', 7);
  getConversationActions(engine).wantOriginal('c1', 7);
  await settlePromises();
  expect(original()?.content).toBe('text 7');
  expect(countMessageRequests()).toBe(before + 1);
  server.push({ type: 'message_updated', data: server.change('m7', { content: 'other words' }) });
  await settlePromises();
  expect(original()?.content).toBe('other words');
  engine.stop();
});

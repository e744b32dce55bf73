import { fakeChatServer } from '../../tests/fakeChatServer.ts';
import { fakeDevice, fakeTabs } from '../../tests/fakeDevice.ts';
import { fakeTimers, settlePromises } from '../../tests/fakeTimers.ts';
import { createChatEngine, type ChatEngine } from './chatEngine.ts';

const offline = { passing: true, code: 'network_error', message: '' };
const refused = { passing: false, code: 'blocked', message: 'You cannot write here.' };

/** Sets up one account on one device with several tabs. */
function setUp() {
  const server = fakeChatServer();
  const clock = fakeTimers();
  const device = fakeDevice();
  const tabs = fakeTabs();
  let ids = 0;
  let reachable = true;
  const send = server.api.sendMessage;
  const sent: string[] = [];
  const api = {
    ...server.api,
    sendMessage: async (message: Parameters<typeof send>[0]) => {
      if (!reachable) throw Object.assign(new Error('offline'), offline);
      const stored = await send(message);
      sent.push('content' in message ? message.content : '');
      return stored;
    },
  };
  const openTab = (kept?: 'kept'): ChatEngine => {
    const engine = createChatEngine({
      selfId: 'me',
      api,
      openSocket: server.openSocket,
      timers: clock.timers,
      newId: () => `client-${++ids}`,
      failureOf: (error) => error as never,
      onOtherFrame: () => {},
      onRefused: () => {},
      device: device.device,
      tabs: tabs.join(),
      ...(kept && { kept: device.kept('c1') }),
    });
    engine.start();
    return engine;
  };
  const waiting = (engine: ChatEngine) =>
    engine.store.getState().timelines['c1']?.pending.map(({ content, state }) => `${content} ${state}`) ?? [];
  const texts = (engine: ChatEngine) =>
    engine.store.getState().timelines['c1']?.messages.map((message) => message.content);
  return {
    server,
    clock,
    device,
    sent,
    openTab,
    waiting,
    texts,
    setReachable: (value: boolean) => void (reachable = value),
  };
}

test('unsent messages are found again by the next page load, in order, and are sent once', async () => {
  const { clock, device, sent, openTab, waiting, texts, setReachable } = setUp();
  const before = openTab();
  await settlePromises();
  await before.open('c1');
  setReachable(false);
  for (const text of ['one', 'two', 'three']) before.send('c1', text);
  await settlePromises();
  expect(waiting(before)).toEqual(['one waiting', 'two waiting', 'three waiting']);
  expect([...device.unsent.values()].map(({ content }) => content)).toEqual(['one', 'two', 'three']);
  await clock.advance(500);
  before.stop();

  const after = openTab('kept');
  expect(waiting(after)).toEqual(['one waiting', 'two waiting', 'three waiting']);
  setReachable(true);
  await settlePromises();
  await clock.advance(1_000);
  expect(sent).toEqual(['one', 'two', 'three']);
  expect(texts(after)).toEqual(['one', 'two', 'three']);
  expect(waiting(after)).toEqual([]);
  expect(device.unsent.size).toBe(0);
});

test('a tab that closes while its message is in transit leaves nothing to be sent twice', async () => {
  const { clock, server, device, openTab, texts } = setUp();
  const before = openTab();
  await settlePromises();
  await before.open('c1');
  before.send('c1', 'one');
  // The message arrives, but the tab closes before the response.
  await Promise.resolve();
  device.break('refuses');
  await settlePromises();
  before.stop();
  device.break(null);
  device.unsent.set('client-1', {
    clientMessageId: 'client-1',
    conversationId: 'c1',
    content: 'one',
    createdAt: clock.timers.now(),
    refused: null,
  });
  const after = openTab('kept');
  await settlePromises();
  await after.open('c1');
  await settlePromises();
  expect(server.messages).toHaveLength(1);
  expect(texts(after)).toEqual(['one']);
  expect(device.unsent.size).toBe(0);
});

test('one of two tabs sends for both, and both see the progress', async () => {
  const { clock, sent, openTab, waiting, texts, setReachable } = setUp();
  const [first, second] = [openTab(), openTab()];
  await settlePromises();
  await Promise.all([first.open('c1'), second.open('c1')]);
  setReachable(false);
  second.send('c1', 'from the second');
  first.send('c1', 'from the first');
  await settlePromises();
  expect(waiting(first).toSorted()).toEqual(['from the first waiting', 'from the second waiting']);
  expect(waiting(second).toSorted()).toEqual(waiting(first).toSorted());
  setReachable(true);
  await clock.advance(2_000);
  expect(sent.toSorted()).toEqual(['from the first', 'from the second']);
  for (const tab of [first, second]) {
    expect(waiting(tab)).toEqual([]);
    expect(texts(tab)?.toSorted()).toEqual(['from the first', 'from the second']);
  }
});

test('a tab takes over from a sending tab that closes, including what only that one remembers', async () => {
  const { clock, device, sent, openTab, waiting, setReachable } = setUp();
  const [first, second] = [openTab(), openTab()];
  await settlePromises();
  await Promise.all([first.open('c1'), second.open('c1')]);
  setReachable(false);
  first.send('c1', 'stored');
  await settlePromises();
  device.break('refuses');
  second.send('c1', 'in memory');
  await settlePromises();
  device.break(null);
  first.stop();
  setReachable(true);
  await settlePromises();
  await clock.advance(2_000);
  expect(sent).toEqual(['stored', 'in memory']);
  expect(waiting(second)).toEqual([]);
});

test('a refusal is found again with its reason, and is retried or permanently dropped', async () => {
  const { server, device, sent, openTab, waiting } = setUp();
  const before = openTab();
  await settlePromises();
  await before.open('c1');
  for (const text of ['kept', 'dropped']) {
    server.failNextRequest(refused);
    before.send('c1', text);
    await settlePromises();
  }
  expect(waiting(before)).toEqual(['kept failed', 'dropped failed']);
  before.stop();

  const after = openTab('kept');
  await settlePromises();
  expect(after.store.getState().timelines['c1']?.pending).toMatchObject([
    { state: 'failed', reason: { code: 'blocked' } },
    { state: 'failed', reason: { code: 'blocked' } },
  ]);
  after.discard('c1', 'client-2');
  after.retry('c1', 'client-1');
  await settlePromises();
  expect(sent).toEqual(['kept']);
  expect(waiting(after)).toEqual([]);
  expect(device.unsent.size).toBe(0);
});

for (const how of ['refuses', 'hangs'] as const) {
  test(`a storage that ${how} blocks nothing`, async () => {
    const { clock, device, sent, openTab, texts } = setUp();
    device.break(how);
    const tab = openTab();
    await clock.advance(2_000);
    const opened = tab.open('c1');
    if (how === 'hangs') await clock.advance(2_000);
    await opened;
    tab.send('c1', 'one');
    tab.send('c1', 'two');
    await clock.advance(5_000);
    expect(sent).toEqual(['one', 'two']);
    expect(texts(tab)).toEqual(['one', 'two']);
  });
}

test('shown messages are stored and open offline; missed changes are fetched afterwards', async () => {
  const { server, clock, device, openTab, texts } = setUp();
  for (let n = 1; n <= 260; n++) server.store('you', `text ${n}`, null);
  const before = openTab();
  server.hello();
  await settlePromises();
  await before.open('c1');
  // When idle, the app loads more than the screen shows.
  await clock.advance(5_000);
  expect(device.timelines.get('c1')?.messages).toHaveLength(200);
  expect(device.timelines.get('c1')).toMatchObject({ count: 200, hasOlder: true, changeSeq: 260 });
  before.stop();

  server.change('m260', { content: 'text 260, edited' });
  server.store('you', 'text 261', null);
  server.failNextRequest(offline);
  const after = openTab('kept');
  await settlePromises();
  const state = after.store.getState();
  expect(state.list).toBe('ready');
  expect(state.conversations['c1']?.lastMessage?.content).toBe('text 260');
  await after.open('c1');
  expect(texts(after)).toHaveLength(200);
  server.hello();
  await settlePromises();
  expect(texts(after)?.slice(-2)).toEqual(['text 260, edited', 'text 261']);
  expect(server.requests.filter((name) => name === 'listChanges')).toHaveLength(1);
});

test('an unopened conversation is stored as well, and only fetched again after a change', async () => {
  const { server, clock, device, openTab } = setUp();
  server.store('you', 'one', null);
  const before = openTab();
  server.hello();
  await clock.advance(5_000);
  expect(device.timelines.get('c1')?.messages.map(({ content }) => content)).toEqual(['one']);
  before.stop();
  server.requests.length = 0;
  const after = openTab('kept');
  server.hello();
  await clock.advance(5_000);
  expect(server.requests).not.toContain('listMessages');
  server.push({ type: 'new_message', data: server.store('you', 'two', null) });
  await clock.advance(5_000);
  expect(device.timelines.get('c1')?.messages.map(({ content }) => content)).toEqual(['one', 'two']);
  after.stop();
});

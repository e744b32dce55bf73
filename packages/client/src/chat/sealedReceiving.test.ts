import type { Message } from '@nolo/api';
import { eventually } from '@nolo/testing';
import { settlePromises } from '../../tests/fakeTimers.ts';
import { createReversingCodec } from '../../tests/reversingCodec.ts';
import { messagesOf, setUpSealedChat, statesOf } from '../../tests/sealedChat.ts';
import { createContent } from '../content/content.ts';
import { openOfflineChats } from '../content/sealedDevice.ts';
import { followIncomingMessages } from './incoming.ts';
import { openingOf } from './rowOpening.ts';
import { isBeingOpened, isSealed } from './sealedRows.ts';

function setUp({ keys = true, epoch = 0 as number | null } = {}) {
  const content = createContent(createReversingCodec());
  const chat = setUpSealedChat({ epoch, keys, content });
  const engine = chat.create();
  const messages = () => messagesOf(engine);
  const states = () => statesOf(engine);
  const texts = () => messages().map((message) => message.content);
  const settled = () => eventually(() => messages().length > 0 && !states().includes('closed'));
  return { ...chat, content, engine, start: () => chat.start(engine), messages, states, texts, settled };
}

test('a sealed row is on the screen at once, without what the server claims, and opens in its place', async () => {
  const { server, engine, start, messages, states, texts, settled } = setUp();
  server.storeSealed('you', 'one');
  server.change('m1', { fileUrl: '/objects/claimed', reactions: [{ userId: 'me', emoji: '!' }], pinnedAt: 'x' });
  let first: { state: string | undefined; message: Message } | undefined;
  engine.store.subscribe(({ conversations }) => {
    const message = conversations['c1']?.lastMessage;
    if (message) first ??= { state: openingOf(message)?.state, message };
  });
  await start();
  await settled();
  expect(first).toMatchObject({
    state: 'closed',
    message: { content: '', fileUrl: null, reactions: [], pinnedAt: null, seq: 1 },
  });
  expect(isSealed(first!.message)).toBe(true);
  expect(texts()).toEqual(['one']);
  expect(states()).toEqual(['open']);
  expect(messages()[0]).toMatchObject({ reactions: [], pinnedAt: null });
  expect(isSealed(messages()[0]!)).toBe(false);
  expect(engine.store.getState().conversations['c1']?.lastMessage?.content).toBe('one');
  engine.stop();
});

test('two rows that the server serves under one id keep their own texts', async () => {
  const { server, engine, start } = setUp();
  const one = server.storeSealed('you', 'one');
  const two = server.storeSealed('ann', 'two');
  await start();
  const opened = await engine.openRows([one, { ...two, id: one.id }]);
  expect(opened.map(({ senderId, content }) => [senderId, content])).toEqual([
    ['you', 'one'],
    ['ann', 'two'],
  ]);
  engine.stop();
});

test('a row that the server calls hidden shows nothing that it claims', async () => {
  const { server, engine, start } = setUp();
  const { sealed: _, seal: __, ...row } = server.storeSealed('you', 'one');
  await start();
  const forged = { ...row, id: 'm9', seq: 9, content: 'forged', hidden: true };
  expect((await engine.openRows([forged])).map(({ content }) => content)).toEqual(['']);
  engine.stop();
});

test('content, name, preview, and the forwarding note come from the envelope', async () => {
  const { server, engine, start, messages, settled } = setUp();
  const envelope = { v: 1, text: 'look', fileName: 'plan.pdf', linkPreview: '{}', forwarded: true, own: 7 };
  server.storeSealed('you', JSON.stringify(envelope));
  server.change('m1', { fileName: 'other.exe', forwarded: false });
  await start();
  await settled();
  expect(messages()[0]).toMatchObject({
    content: 'look',
    fileName: 'plan.pdf',
    linkPreview: '{}',
    forwarded: true,
    extra: { own: 7 },
  });
  engine.stop();
});

test('rows are opened in pages of at most 50, the newest first', async () => {
  const { server, sealing, engine, start, states } = setUp();
  for (let n = 1; n <= 130; n++) server.storeSealed('you', `text ${n}`);
  await start();
  await eventually(() => states().every((state) => state === 'open'));
  await engine.loadOlder('c1');
  await engine.loadOlder('c1');
  await eventually(() => states().length === 130 && states().every((state) => state === 'open'));
  expect(Math.max(...sealing.pages)).toBe(50);
  expect(sealing.pages.reduce((sum, count) => sum + count, 0)).toBe(130);
  engine.stop();
});

test('a live row opens, a reaction and a pin show as sealed, and the text stays while they are opened', async () => {
  const { server, engine, start, messages, texts, settled } = setUp();
  server.storeSealed('you', 'one');
  await start();
  await settled();
  server.push({ type: 'new_message', data: server.storeSealed('you', 'two') });
  await eventually(() => texts().join() === 'one,two');
  const shown: string[] = [];
  engine.store.subscribe(({ timelines }) => void shown.push(timelines['c1']?.messages[0]?.content ?? ''));
  await server.sealedApi.reactSealed('m1', {
    sealed: { sealed: server.storeSealed('you', '🙂').sealed!, own: [] },
    clientMessageId: 'r1',
  });
  server.push({ type: 'message_updated', data: JSON.parse(JSON.stringify(server.messages[0])) as Message });
  await eventually(() => messages()[0]?.reactions.length === 1);
  expect(messages()[0]?.reactions).toEqual([{ userId: 'me', emoji: '🙂' }]);
  expect(new Set(shown)).toEqual(new Set(['one']));
  engine.stop();
});

test('the emoji of a reaction frame is not believed; the change is fetched', async () => {
  const { server, engine, start, messages, settled } = setUp();
  server.storeSealed('you', 'one');
  await start();
  await settled();
  const { changeSeq } = server.change('m1', { reactions: [{ userId: 'you', emoji: '!' }] });
  const data = { conversationId: 'c1', messageId: 'm1', seq: 1, changeSeq, userId: 'you', emoji: '!' };
  server.push({ type: 'message_reaction', data });
  await eventually(() => messages()[0]?.changeSeq === changeSeq);
  await settled();
  expect(messages()[0]).toMatchObject({ content: 'one', reactions: [] });
  engine.stop();
});

test('a refused row shows nothing of what the server says, and why', async () => {
  const { server, sealing, engine, start, messages, settled } = setUp();
  server.storeSealed('you', 'one', { mentions: ['me'] });
  server.change('m1', { fileUrl: '/objects/a', mentions: ['other'] });
  server.store('you', 'plain words', null);
  sealing.sealFrom(1);
  await start();
  await settled();
  expect(messages().map((message) => openingOf(message))).toMatchObject([
    { state: 'refused', reason: 'signature' },
    { state: 'refused', reason: 'plain' },
  ]);
  for (const message of messages()) expect(message).toMatchObject({ content: '', fileUrl: null, mentions: [] });
  engine.stop();
});

test('plain rows from before the first epoch stay as they are', async () => {
  const { server, sealing, engine, start, texts, states, settled } = setUp();
  server.store('you', 'before', null);
  server.storeSealed('you', 'after');
  sealing.sealFrom(2);
  await start();
  await settled();
  expect(texts()).toEqual(['before', 'after']);
  expect(states()).toEqual(['plain', 'open']);
  engine.stop();
});

test('plain rows are checked although the server hides that the conversation is sealed', async () => {
  const { server, sealing, engine, start, states, texts } = setUp();
  server.hideEpochs();
  server.store('you', 'injected', null);
  sealing.sealFrom(1);
  await start();
  await eventually(() => states()[0] === 'refused');
  expect(texts()).toEqual(['']);
  engine.stop();
});

test('a row without a key waits, and opens once the port says that something changed', async () => {
  const { server, sealing, engine, start, states, texts, settled } = setUp();
  sealing.keys.delete(0);
  server.storeSealed('you', 'one');
  await start();
  await settled();
  expect(states()).toEqual(['waiting']);
  sealing.notify();
  await settlePromises();
  expect(states()).toEqual(['waiting']);
  sealing.keys.add(0);
  sealing.notify();
  await eventually(() => states()[0] === 'open');
  expect(texts()).toEqual(['one']);
  engine.stop();
});

test('rows whose epochs could not be fetched are tried again', async () => {
  const { server, clock, sealing, engine, start, states } = setUp();
  server.storeSealed('you', 'one');
  sealing.fail(Object.assign(new Error('offline'), { passing: true, code: 'network_error' }));
  await start();
  await eventually(() => sealing.calls.includes('open'));
  expect(states()).toEqual(['closed']);
  sealing.fail(null);
  await settlePromises();
  await clock.advance(5_000);
  await eventually(() => states()[0] === 'open');
  engine.stop();
});

test('tombstones say who deleted, what expired, and what the server removed', async () => {
  const { server, sealing, engine, start, messages, settled } = setUp();
  for (const text of ['one', 'two', 'three']) server.storeSealed('you', text);
  const gone = (id: string, fields: Partial<Message>, deletion: string | null) =>
    server.change(id, {
      sealed: '',
      deletedAt: '2026-12-01T00:00:00.000Z',
      seal: { ...server.messages.find((message) => message.id === id)!.seal!, deletion },
      ...fields,
    });
  gone('m1', {}, 'signed');
  gone('m2', {}, null);
  sealing.expiries.set('m2', 0);
  gone('m3', {}, null);
  await start();
  await settled();
  expect(messages().map((message) => openingOf(message))).toMatchObject([
    { state: 'deleted', by: 'you', rowHash: 'hash-of-other-1' },
    { state: 'expired' },
    { state: 'removed' },
  ]);
  engine.stop();
});

test('without keys, sealed rows stay sealed and plain ones are as before', async () => {
  const { server, engine, start, messages } = setUp({ keys: false });
  server.storeSealed('you', 'one');
  server.store('you', 'plain', null);
  await start();
  expect(messages().map((message) => isSealed(message))).toEqual([true, false]);
  engine.stop();
});

test('files are those that the sender named, whatever the row says of them', async () => {
  const { server, engine, start, messages, settled } = setUp();
  const [film, still] = ['3f0e1d6c-8a57-4a8e-9b6d-0d7c2f1a5b4e', '4f0e1d6c-8a57-4a8e-9b6d-0d7c2f1a5b4e'];
  const named = { fileUrl: `/objects/${film}`, previewUrl: `/objects/${still}`, fileSize: 9 };
  server.storeSealed('you', JSON.stringify({ v: 1, ...named, extra: 1 }), { messageType: 'video' });
  server.storeSealed('you', JSON.stringify({ v: 1, ...named, fileUrl: `https://evil.test/objects/${film}` }));
  server.storeSealed('you', JSON.stringify({ v: 1, text: 'no files' }));
  server.change('m1', { fileUrl: named.previewUrl, previewUrl: named.fileUrl, fileSize: 1 });
  server.change('m2', { fileUrl: `https://evil.test/objects/${film}`, previewUrl: named.fileUrl });
  server.change('m3', { fileUrl: named.fileUrl, fileSize: 5 });
  await start();
  await settled();
  expect(messages()[0]).toMatchObject({ ...named, extra: { extra: 1 } });
  expect(messages()[1]).toMatchObject({ fileUrl: null, previewUrl: null });
  expect(messages()[2]).toMatchObject({ content: 'no files', fileUrl: null, fileSize: null });
  engine.stop();
});

test('without keys a row waits for them, and opens once there are some', async () => {
  const { server, sealing, engine, start, states, texts } = setUp();
  server.storeSealed('you', 'one');
  sealing.fail(Object.assign(new Error(), { code: 'not_ready' }));
  await start();
  await eventually(() => states().join() === 'waiting');
  expect(isBeingOpened(engine.store.getState().timelines['c1']!.messages[0]!)).toBe(false);
  sealing.fail(null);
  sealing.notify();
  await eventually(() => texts().join() === 'one');
  engine.stop();
});

test('the device keeps opened rows, so that the next start without a connection shows them', async () => {
  const { server, clock, device, sealing, content, engine, create, start, settled } = setUp();
  server.storeSealed('you', JSON.stringify({ v: 1, text: 'one', fileName: 'a.pdf', forwarded: true }));
  sealing.keys.delete(1);
  server.setNewest(1);
  server.storeSealed('you', 'two');
  await start();
  await settled();
  await clock.advance(1_000);
  expect(JSON.stringify([...device.timelines.values()])).not.toMatch(/one|a\.pdf/);
  engine.stop();

  sealing.calls.length = 0;
  const kept = await openOfflineChats(content, device.kept('c1'));
  const after = create({ kept });
  const timeline = () => after.store.getState().timelines['c1']?.messages ?? [];
  expect(timeline()[0]).toMatchObject({
    content: 'one',
    fileName: 'a.pdf',
    forwarded: true,
    opening: { state: 'open', rowHash: 'hash-of-other-1' },
  });
  expect(timeline()[1]).toMatchObject({ content: '', opening: { state: 'waiting' } });
  expect(after.store.getState().conversations['c1']?.lastMessage).toMatchObject({ opening: { state: 'waiting' } });
  after.start();
  sealing.keys.add(1);
  await eventually(async () => {
    sealing.notify();
    await settlePromises();
    return timeline()[1]?.content === 'two';
  });
  after.stop();
});

test('the past that the user jumps to, and quoted messages, open too', async () => {
  const { server, engine, start, settled } = setUp();
  const { getConversationActions } = await import('./conversationActions.ts');
  for (let n = 1; n <= 600; n++) server.storeSealed('you', `text ${n}`);
  await start();
  await settled();
  const actions = getConversationActions(engine);
  await actions.reveal('c1', 40);
  actions.wantOriginal('c1', 5);
  const { store } = engine;
  await eventually(() => {
    const { originals, windows } = store.getState();
    expect(windows['c1']?.messages.map((message) => openingOf(message)?.state)).toEqual(Array(50).fill('open'));
    expect(originals['c1']?.[5]).toMatchObject({ content: 'text 5' });
    return true;
  });
  engine.stop();
});

test('rows of other lists, such as the pinned ones, are opened for their screens', async () => {
  const { server, engine, start } = setUp();
  const row = server.storeSealed('you', 'pinned words');
  server.store('you', 'other', null);
  await start();
  const [opened] = await engine.openRows([row]);
  expect(opened).toMatchObject({ id: row.id, content: 'pinned words' });
  engine.stop();
});

test('incoming messages are handed over when they are open, those of a late key afterwards, others never', async () => {
  const { server, sealing, engine, start, settled } = setUp();
  await start();
  await engine.open('c1');
  const handed: string[] = [];
  const stop = followIncomingMessages(engine, undefined, ({ content }) => void handed.push(content));
  const push = (data: Message) => server.push({ type: 'new_message', data });
  push(server.storeSealed('you', 'one'));
  await eventually(() => handed.length === 1);
  sealing.keys.delete(1);
  server.setNewest(1);
  push(server.storeSealed('you', 'two'));
  server.setNewest(0);
  const third = server.storeSealed('you', 'three');
  sealing.late.add(third.id);
  push(third);
  const fourth = server.storeSealed('you', 'four');
  sealing.refused.set(fourth.id, 'signature');
  push(fourth);
  push(server.storeSealed('you', 'five'));
  await settled();
  await eventually(() => handed.length === 2);
  expect(handed).toEqual(['one', 'five']);
  sealing.keys.add(1);
  sealing.notify();
  await eventually(() => handed.length === 3);
  expect(handed).toEqual(['one', 'five', 'two']);
  stop();
  engine.stop();
});

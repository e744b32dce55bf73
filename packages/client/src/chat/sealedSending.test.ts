import type { Message } from '@nolo/api';
import { eventually } from '@nolo/testing';
import { settlePromises } from '../../tests/fakeTimers.ts';
import { openText } from '../../tests/reversingConversations.ts';
import { setUp } from '../../tests/sealedTabs.ts';
import { openingOf } from './rowOpening.ts';

/** Messages that are sealed and sent, once each, whatever happens on the way. */

const offline = { passing: true, code: 'network_error', message: '' };

test('a message is sealed with everything of its envelope, and nothing of it is beside the seal', async () => {
  const { server, sealing, open, arrive } = setUp();
  const engine = await open();
  const media = {
    messageType: 'file' as const,
    name: 'plan.pdf',
    size: 9,
    info: null,
    fields: {
      messageType: 'file' as const,
      fileUrl: '/objects/3f0e1d6c-8a57-4a8e-9b6d-0d7c2f1a5b4e',
      fileName: 'plan.pdf',
      fileSize: 9,
      mediaInfo: '{"w":1}',
    },
  };
  engine.send('c1', 'look', { media, forwarded: true, mentions: ['you', 'ann', 'you'], linkPreview: '{"t":1}' });
  await arrive(engine, ['look']);
  const [body] = server.bodies;
  expect(Object.keys(body!).toSorted()).toEqual([
    'clientMessageId',
    'conversationId',
    'encryption',
    'fileSize',
    'fileUrl',
    'hasLink',
    'mentions',
    'messageType',
    'sealed',
  ]);
  expect(body).toMatchObject({ encryption: 'epochs', mentions: ['ann', 'you'], hasLink: true });
  expect(sealing.drafts[0]).toMatchObject({
    kind: 'message',
    clientMessageId: 'client-1',
    messageType: 'file',
    mentions: ['ann', 'you'],
    fileIds: ['3f0e1d6c-8a57-4a8e-9b6d-0d7c2f1a5b4e'],
    hasLink: true,
    conversation: { id: 'c1', type: 'direct', memberIds: ['me', 'you'], sealedFromSeq: 1, hasPlainMessages: false },
  });
  expect(JSON.parse(openText(body!.sealed!.sealed).content)).toEqual({
    v: 1,
    text: 'look',
    fileUrl: '/objects/3f0e1d6c-8a57-4a8e-9b6d-0d7c2f1a5b4e',
    fileSize: 9,
    fileName: 'plan.pdf',
    mediaInfo: '{"w":1}',
    linkPreview: '{"t":1}',
    forwarded: true,
  });
  engine.stop();
});

test('messages are acknowledged one after another, and each names what was seen and what it replies to', async () => {
  const { server, sealing, open, arrive, messages } = setUp();
  server.storeSealed('you', 'one');
  const engine = await open();
  await arrive(engine, ['one']);
  await eventually(() => openingOf(messages(engine)[0]!)?.state === 'open');
  engine.send('c1', 'two', { replyTo: { seq: 1, messageId: 'm1', senderId: 'you' } });
  engine.send('c1', 'three');
  await arrive(engine, ['one', 'two', 'three']);
  expect(sealing.drafts).toMatchObject([
    { replyTo: { messageId: 'm1', rowHash: 'hash-of-other-1' }, seen: 'hash-of-other-1' },
    { replyTo: null },
  ]);
  expect(sealing.calls.filter((call) => call.startsWith('ack') || call.startsWith('seal'))).toEqual([
    'seal message',
    'acknowledged client-1',
    'seal message',
    'acknowledged client-2',
  ]);
  expect(server.bodies.map(({ replyToSeq }) => replyToSeq)).toEqual([1, undefined]);
  expect(server.bodies[1]?.sealed?.own).toEqual(['hash-of-client-1']);
  engine.stop();
});

test('after a lost answer the same bytes go again, and the message stands there once', async () => {
  const { server, clock, sealing, open, arrive } = setUp();
  const engine = await open();
  server.loseAnswers(2);
  engine.send('c1', 'one');
  await eventually(() => server.bodies.length === 1);
  for (const ms of [1_000, 2_000]) {
    await settlePromises();
    await clock.advance(ms);
  }
  await arrive(engine, ['one']);
  expect(server.bodies).toHaveLength(3);
  expect(new Set(server.bodies.map(({ sealed }) => sealed?.sealed)).size).toBe(1);
  expect(sealing.drafts).toHaveLength(1);
  expect(server.messages).toHaveLength(1);
  engine.stop();
});

test('what was sealed is on the device before it is sent, and a later start sends the same bytes', async () => {
  const { server, clock, device, sealing, open, openTab, arrive } = setUp();
  const before = await open();
  server.loseAnswers(1);
  let stored: unknown;
  const { sendMessage } = server.api;
  server.api.sendMessage = (message) => {
    stored ??= device.unsent.get('client-1')?.request;
    return sendMessage(message);
  };
  before.send('c1', 'one');
  await eventually(() => server.bodies.length === 1);
  before.stop();
  expect(stored).toMatchObject({ sealed: { sealed: server.bodies[0]!.sealed!.sealed }, epoch: null });

  const after = openTab('kept');
  server.hello();
  await after.open('c1');
  await clock.advance(1_000);
  await arrive(after, ['one']);
  expect(server.bodies.map(({ sealed }) => sealed?.sealed)).toEqual(Array(2).fill(server.bodies[0]!.sealed!.sealed));
  expect(sealing.drafts).toHaveLength(1);
  expect(device.unsent.size).toBe(0);
  after.stop();
});

test('a kill between sealing and sending loses nothing and seals nothing twice', async () => {
  const { server, device, sealing, open, openTab, arrive } = setUp();
  const { sendMessage } = server.api;
  server.api.sendMessage = () => new Promise(() => {});
  const before = await open();
  before.send('c1', 'one');
  await eventually(() => device.unsent.get('client-1')?.request !== undefined);
  before.stop();
  expect(server.messages).toHaveLength(0);
  server.api.sendMessage = sendMessage;
  const after = openTab('kept');
  server.hello();
  await after.open('c1');
  await arrive(after, ['one']);
  expect(sealing.drafts).toHaveLength(1);
  after.stop();
});

test('an epoch that has to begin goes along with the message, and both are repeated', async () => {
  const { server, clock, sealing, open, arrive } = setUp();
  const engine = await open();
  sealing.begin(1);
  server.loseAnswers(1);
  engine.send('c1', 'one');
  await eventually(() => server.bodies.length === 1);
  await settlePromises();
  await clock.advance(1_000);
  await arrive(engine, ['one']);
  engine.send('c1', 'two');
  await arrive(engine, ['one', 'two']);
  expect(server.epochs).toEqual(['header-1']);
  expect(server.requests.filter((name) => name === 'commitEpoch')).toHaveLength(2);
  expect(sealing.drafts).toHaveLength(2);
  engine.stop();
});

test('after a newer epoch the message is sealed again under its id', async () => {
  const { server, sealing, open, arrive } = setUp();
  const engine = await open();
  server.setNewest(1);
  const { seal } = sealing.port;
  sealing.port.seal = async (draft) => {
    const result = await seal(draft);
    sealing.setNewest(1);
    return result;
  };
  engine.send('c1', 'one');
  await arrive(engine, ['one']);
  expect(server.bodies.map(({ clientMessageId, sealed }) => [clientMessageId, openText(sealed!.sealed).n])).toEqual([
    ['client-1', 0],
    ['client-1', 1],
  ]);
  engine.stop();
});

test('a message that needs approval is sealed again as a draft', async () => {
  const { server, sealing, open, pending } = setUp();
  const engine = await open();
  server.requireApproval();
  engine.send('c1', 'one');
  await eventually(() => engine.store.getState().unapprovedCounts['c1'] === 1);
  expect(pending(engine)).toEqual([]);
  expect(sealing.drafts.map((draft) => draft.kind === 'message' && draft.held)).toEqual([undefined, true]);
  engine.stop();
});

test('a message that arrives over the socket before its answer is acknowledged as the server stored it', async () => {
  const { server, clock, sealing, openTab, arrive } = setUp();
  const rows: Message[] = [];
  const engine = openTab(undefined, { ...sealing.port, acknowledged: async (_, row) => void rows.push(row) });
  server.hello();
  await settlePromises();
  await engine.open('c1');
  server.loseAnswers(1);
  engine.send('c1', 'one');
  await eventually(() => server.messages.length === 1);
  server.push({ type: 'new_message', data: structuredClone(server.messages[0]!) });
  await arrive(engine, ['one']);
  await settlePromises();
  await clock.advance(1_000);
  await eventually(() => rows.length === 1);
  expect(rows).toEqual([server.messages[0]]);
  engine.stop();
});

test('a direct message is sealed for the person on the screen, whomever the server lists as members', async () => {
  const { server, sealing, open } = setUp();
  const lie = <Row extends object>(row: Row): Row => {
    const members = ['me', 'eve'].map((userId) => ({ userId, role: 'member', leftAt: null, changeSeq: 1 }));
    return { ...row, members, otherUser: { id: 'you' } };
  };
  const { getConversation, listConversations } = server.api;
  server.api.getConversation = async (id) => lie(await getConversation(id));
  server.api.listConversations = async (cursor) => {
    const page = await listConversations(cursor);
    return { ...page, items: page.items.map(lie) };
  };
  server.storeSealed('you', 'one');
  server.storeSealed('eve', 'two');
  const engine = await open();
  engine.send('c1', 'secret');
  await eventually(() => sealing.drafts.length === 1);
  expect(sealing.drafts[0]?.conversation.memberIds).toEqual(['me', 'you']);
  const [one, two] = engine.store.getState().timelines['c1']!.messages;
  expect([openingOf(one!), openingOf(two!)]).toMatchObject([{ state: 'open' }, { state: 'refused', reason: 'device' }]);
  engine.stop();
});

test('a definite refusal fails the message, and trying again seals it anew', async () => {
  const { server, device, sealing, open, arrive, pending } = setUp();
  const engine = await open();
  const { sendMessage } = server.api;
  server.api.sendMessage = async () => {
    throw Object.assign(new Error('blocked'), { ...offline, passing: false, code: 'blocked' });
  };
  engine.send('c1', 'one');
  await eventually(() => pending(engine)[0]?.state === 'failed');
  await settlePromises();
  expect(device.unsent.get('client-1')).not.toHaveProperty('request');
  server.api.sendMessage = sendMessage;
  engine.retry('c1', 'client-1');
  await arrive(engine, ['one']);
  expect(sealing.drafts).toHaveLength(2);
  engine.stop();
});

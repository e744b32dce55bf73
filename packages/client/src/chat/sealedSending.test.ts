import type { Message } from '@nolo/api';
import { eventually } from '@nolo/testing';
import { fakeTabs } from '../../tests/fakeDevice.ts';
import { settlePromises } from '../../tests/fakeTimers.ts';
import { openText } from '../../tests/reversingConversations.ts';
import { messagesOf, setUpSealedChat } from '../../tests/sealedChat.ts';
import type { ChatEngine } from './chatEngine.ts';
import { openingOf } from './rowOpening.ts';
import { answerQuestion } from './sealedDecisions.ts';

/** Sets up an account with one conversation, c1, sealed unless `epoch` is null. */
function setUp({ epoch = 0 as number | null, startsSealed = false } = {}) {
  const chat = setUpSealedChat({ epoch, startsSealed });
  const { server, device, sealing } = chat;
  const tabs = fakeTabs();
  const openTab = (kept?: 'kept', port = sealing.port): ChatEngine => {
    const more = { tabs: tabs.join(), conversations: port, ...(kept && { kept: device.kept('c1') }) };
    const engine = chat.create(more);
    engine.start();
    return engine;
  };
  const open = () => chat.start(chat.create({ tabs: tabs.join() }));
  const pending = (engine: ChatEngine) => engine.store.getState().timelines['c1']?.pending ?? [];
  const messages = messagesOf;
  const texts = (engine: ChatEngine) => messages(engine).map(({ content }) => content);
  /** Waits until these texts are in the conversation, sealed on the server, and open here. */
  const arrive = (engine: ChatEngine, expected: string[]) =>
    eventually(() => {
      expect(texts(engine)).toEqual(expected);
      expect(pending(engine)).toEqual([]);
      return true;
    });
  const sealedTexts = () => server.bodies.flatMap(({ sealed }) => (sealed ? [openText(sealed.sealed).content] : []));
  return { ...chat, openTab, open, pending, messages, texts, arrive, sealedTexts };
}

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

test('a plain message that the server refuses as plain is sealed', async () => {
  const { server, sealing, open, arrive } = setUp({ epoch: null });
  const engine = await open();
  server.setNewest(0, 1);
  sealing.setSend({ state: 'sealed' });
  engine.send('c1', 'one');
  await arrive(engine, ['one']);
  expect(server.requests.filter((name) => name === 'sendMessage')).toHaveLength(2);
  expect(server.bodies).toHaveLength(1);
  expect(server.bodies[0]).toMatchObject({ encryption: 'epochs' });
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

const waits = [
  { state: 'waiting_for_key' },
  { state: 'question', questions: [{ id: 'q1', kind: 'identity', userId: 'you' }] },
  { state: 'blocked', reason: 'fork', userId: 'you' },
] as const;
for (const state of waits) {
  test(`messages wait in order while the conversation is ${state.state}, and go when that is over`, async () => {
    const { server, clock, sealing, open, arrive, pending, sealedTexts } = setUp();
    const engine = await open();
    sealing.setSend(state);
    engine.send('c1', 'one');
    engine.send('c1', 'two');
    await eventually(() => pending(engine).every(({ heldBy }) => heldBy !== undefined));
    expect(pending(engine)).toMatchObject([
      { content: 'one', state: 'waiting', heldBy: state },
      { content: 'two', state: 'waiting', heldBy: state },
    ]);
    await clock.advance(60_000);
    expect(server.requests).not.toContain('sendMessage');
    if (state.state === 'question') await answerQuestion(engine, 'c1', 'q1', true);
    else {
      sealing.setSend({ state: 'sealed' });
      sealing.notify();
    }
    await arrive(engine, ['one', 'two']);
    expect(sealedTexts()).toEqual(['one', 'two']);
    expect(engine.store.getState().standings['c1']?.send).toEqual({ state: 'sealed' });
    engine.stop();
  });
}

test('a message goes although what it waited for was over before the port had said so', async () => {
  const { sealing, open, arrive } = setUp();
  const engine = await open();
  sealing.setSend({ state: 'waiting_for_key' });
  const { seal } = sealing.port;
  sealing.port.seal = async (draft) => {
    const result = await seal(draft);
    sealing.port.seal = seal;
    sealing.setSend({ state: 'sealed' });
    sealing.notify();
    return result;
  };
  engine.send('c1', 'one');
  await arrive(engine, ['one']);
  engine.stop();
});

test('on a device whose keys are gone a message waits, and is not sent plain', async () => {
  const { server, sealing, open, pending } = setUp();
  const engine = await open();
  sealing.fail(Object.assign(new Error('no keys'), { code: 'not_ready' }));
  engine.send('c1', 'one');
  await eventually(() => pending(engine)[0]?.heldBy !== undefined);
  expect(pending(engine)[0]?.heldBy).toEqual({ state: 'blocked', reason: 'keys' });
  expect(server.requests).not.toContain('sendMessage');
  engine.stop();
});

test('a message from before a change of people waits for a tap, over a restart too, with those behind it', async () => {
  const { server, clock, sealing, open, openTab, pending, arrive, sealedTexts } = setUp();
  const first = await open();
  sealing.setSend({ state: 'waiting_for_key' });
  first.send('c1', 'before');
  await eventually(() => pending(first)[0]?.heldBy !== undefined);
  await clock.advance(1_000);
  sealing.changeMembersAt(clock.timers.now());
  first.stop();
  sealing.setSend({ state: 'sealed' });
  const engine = openTab('kept');
  server.hello();
  await settlePromises();
  await engine.open('c1');
  engine.send('c1', 'after');
  const waits = { state: 'written_before', userIds: ['you'] };
  await eventually(() => pending(engine).length === 2 && pending(engine).every(({ heldBy }) => heldBy !== undefined));
  expect(pending(engine).map(({ heldBy }) => heldBy)).toEqual([waits, waits]);
  engine.retry('c1', pending(engine)[0]!.clientMessageId);
  await arrive(engine, ['before', 'after']);
  expect(sealedTexts()).toEqual(['before', 'after']);
  engine.stop();
});

test('a message that waits for a tap can be discarded', async () => {
  const { clock, sealing, open, pending, arrive } = setUp();
  const engine = await open();
  sealing.changeMembersAt(clock.timers.now() + 1);
  engine.send('c1', 'before');
  await eventually(() => pending(engine)[0]?.heldBy !== undefined);
  sealing.changeMembersAt(-Infinity);
  engine.discard('c1', pending(engine)[0]!.clientMessageId);
  engine.send('c1', 'after');
  await arrive(engine, ['after']);
  engine.stop();
});

test('no plain text goes after a restart to a conversation that was seen sealed, if the server denies that', async () => {
  const { server, sealing, open, pending, messages } = setUp({ epoch: null });
  sealing.seen.add('c1');
  sealing.sealFrom(1);
  server.store('you', 'I am you', null);
  const engine = await open();
  sealing.setSend({ state: 'blocked', reason: 'old' });
  engine.send('c1', 'secret');
  await eventually(() => pending(engine)[0]?.heldBy !== undefined);
  expect(server.bodies).toEqual([]);
  expect(messages(engine).map((one) => openingOf(one)?.state)).toEqual(['refused']);
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

test('a conversation without an epoch stays plain', async () => {
  const { server, sealing, open, arrive } = setUp({ epoch: null });
  const engine = await open();
  sealing.setSend({ state: 'sealed' });
  engine.send('c1', 'one');
  await arrive(engine, ['one']);
  expect(server.bodies).toMatchObject([{ content: 'one', encryption: 'none' }]);
  expect(sealing.drafts).toEqual([]);
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

test('no plain text goes to a conversation whose headers the server withholds', async () => {
  const { server, sealing, open, pending } = setUp({ epoch: null });
  sealing.setSend({ state: 'blocked', reason: 'old' });
  sealing.seen.add('c1');
  const engine = await open();
  engine.send('c1', 'secret');
  await eventually(() => sealing.calls.includes('seal message'));
  await settlePromises();
  expect(server.bodies).toEqual([]);
  expect(pending(engine)).toHaveLength(1);
  engine.stop();
});

test.each([
  ['nothing', [], false],
  ["the server's own lines", ['system'], false],
  ['a plain message', ['system', 'text'], true],
] as const)('the first message after %s begins the first epoch', async (_, before, hasPlainMessages) => {
  const { server, sealing, open, pending } = setUp({ epoch: null, startsSealed: true });
  for (const messageType of before) {
    server.store('you', messageType, null);
    Object.assign(server.messages.at(-1)!, { messageType });
  }
  const engine = await open();
  sealing.setSend({ state: 'sealed' });
  sealing.begin(0);
  engine.send('c1', 'one');
  await eventually(() => server.bodies.length === 1 && pending(engine).length === 0);
  expect(server.epochs).toEqual(['header-0']);
  expect(server.bodies).toMatchObject([{ encryption: 'epochs' }]);
  expect(sealing.drafts).toMatchObject([{ conversation: { hasPlainMessages } }]);
  engine.stop();
});

test('nothing is sent plain to a conversation whose epochs the server hides', async () => {
  const { server, sealing, open, arrive, sealedTexts } = setUp();
  server.hideEpochs();
  const engine = await open();
  engine.send('c1', 'one');
  await arrive(engine, ['one']);
  expect(sealedTexts()).toEqual(['one']);
  expect(sealing.calls).toContain('standing');
  engine.stop();
});

test('only the sending tab seals, and a question answered in another tab sends what waits', async () => {
  const { server, sealing, open, openTab, arrive, pending } = setUp();
  const first = await open();
  let sealedInSecond = 0;
  const second = openTab(undefined, {
    ...sealing.port,
    subscribe: () => () => undefined,
    seal: (draft) => {
      sealedInSecond += 1;
      return sealing.port.seal(draft);
    },
  });
  await second.open('c1');
  sealing.setSend(waits[1]);
  second.send('c1', 'one');
  await eventually(() => pending(second)[0]?.heldBy !== undefined);
  await answerQuestion(second, 'c1', 'q1', true);
  await arrive(first, ['one']);
  await arrive(second, ['one']);
  expect(sealedInSecond).toBe(0);
  expect(server.bodies).toHaveLength(1);
  first.stop();
  second.stop();
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

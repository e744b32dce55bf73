import { eventually } from '@nolo/testing';
import { settlePromises } from '../../tests/fakeTimers.ts';
import { openText } from '../../tests/reversingConversations.ts';
import { messagesOf, setUpSealedChat } from '../../tests/sealedChat.ts';
import { getConversationActions } from './conversationActions.ts';
import { openingOf } from './rowOpening.ts';
import { changeGroup } from './sealedDecisions.ts';

/** Opens a sealed conversation, c1, with one message of the user and one of the other person. */
async function openWithMessages({ epoch = 0 as number | null } = {}) {
  const chat = setUpSealedChat({ epoch });
  const { server } = chat;
  if (epoch !== null) {
    const content = JSON.stringify({ v: 1, text: 'mine', fileName: 'a.pdf', forwarded: true });
    server.storeSealed('me', content, { messageType: 'file', mentions: ['you'], clientMessageId: 'own-1' });
    server.storeSealed('you', 'yours');
  }
  const engine = await chat.start(chat.create());
  const messages = () => messagesOf(engine);
  const settled = () =>
    eventually(() => messages().every((message) => message.seq > 0 && openingOf(message)?.state === 'open'));
  if (epoch !== null) await settled();
  const contentOf = (sealed: string) => openText(sealed).content;
  return { ...chat, engine, actions: getConversationActions(engine), messages, contentOf };
}

const offline = Object.assign(new Error('offline'), { passing: true, code: 'network_error' });

test('an edit seals the whole message again, with the next version and the first row hash', async () => {
  const { server, sealing, engine, messages, contentOf } = await openWithMessages();
  await engine.edit('m1', 'better');
  await eventually(() => messages()[0]?.content === 'better');
  expect(sealing.drafts).toMatchObject([
    {
      kind: 'edit',
      clientMessageId: 'own-1',
      version: 1,
      target: { messageId: 'm1', rowHash: 'hash-of-own-1' },
      mentions: ['you'],
      messageType: 'file',
    },
  ]);
  expect(messages()[0]).toMatchObject({ content: 'better', fileName: 'a.pdf', forwarded: true, mentions: ['you'] });
  expect(JSON.parse(contentOf(server.messages[0]!.sealed!))).toMatchObject({ text: 'better', fileName: 'a.pdf' });
  expect(sealing.calls).toContain('acknowledged own-1');
  await engine.edit('m1', 'best', { mentions: [] });
  await eventually(() => messages()[0]?.content === 'best');
  expect(sealing.drafts[1]).toMatchObject({ version: 2, mentions: [], target: { rowHash: 'hash-of-own-1' } });
  engine.stop();
});

test('a reaction is sealed, and so is taking it away', async () => {
  const { server, sealing, engine, actions, messages } = await openWithMessages();
  await actions.react('m2', '👍');
  await eventually(() => messages()[1]?.reactions.length === 1);
  expect(messages()[1]?.reactions).toEqual([{ userId: 'me', emoji: '👍' }]);
  await actions.react('m2', null);
  await eventually(() => messages()[1]?.reactions.length === 0);
  const target = { messageId: 'm2', rowHash: 'hash-of-other-1' };
  expect(sealing.drafts).toMatchObject([
    { kind: 'reaction', emoji: '👍', target },
    { kind: 'reaction', emoji: '', target },
  ]);
  expect(new Set(server.annotations.map(({ clientMessageId }) => clientMessageId)).size).toBe(2);
  expect(messages()[1]).toMatchObject({ content: 'yours' });
  engine.stop();
});

test('a pin is sealed, and unpinning is not', async () => {
  const { sealing, engine, actions, messages } = await openWithMessages();
  await actions.pin('m2', true);
  await eventually(() => messages()[1]?.pinnedAt !== null);
  await actions.pin('m2', false);
  await eventually(() => messages()[1]?.pinnedAt === null);
  expect(sealing.drafts).toMatchObject([{ kind: 'pin', target: { messageId: 'm2' } }]);
  engine.stop();
});

test('nothing about a message that is not in memory goes out plain', async () => {
  const { server, sealing, engine, actions } = await openWithMessages();
  await expect(actions.react('unknown', '👍')).rejects.toMatchObject({ code: 'message_not_found' });
  await expect(actions.pin('unknown', true)).rejects.toMatchObject({ code: 'message_not_found' });
  expect(sealing.drafts).toEqual([]);
  expect(server.messages.some(({ reactions }) => reactions.length > 0)).toBe(false);
  engine.stop();
});

test('a deletion for everyone is signed and acknowledged', async () => {
  const { server, sealing, engine, messages } = await openWithMessages();
  await engine.remove('m1');
  await eventually(() => openingOf(messages()[0]!)?.state === 'deleted');
  expect(server.deletions).toEqual([{ body: 'delete hash-of-own-1', signature: 'signed' }]);
  expect(sealing.calls).toContain('deleted delete hash-of-own-1');
  expect(messages()[0]).toMatchObject({ content: '', fileName: null });
  engine.stop();
});

test('a deletion for a stale epoch is signed again', async () => {
  const { server, engine, messages } = await openWithMessages();
  server.refuseDeletions(1);
  await engine.remove('m1');
  await eventually(() => openingOf(messages()[0]!)?.state === 'deleted');
  expect(server.deletions).toHaveLength(2);
  engine.stop();
});

test('an action for a stale epoch is sealed again, and begins the epoch that is due', async () => {
  const { server, sealing, engine, actions, messages } = await openWithMessages();
  server.setNewest(1);
  const { seal } = sealing.port;
  sealing.port.seal = async (draft) => {
    const result = await seal(draft);
    sealing.begin(2);
    return result;
  };
  await actions.react('m2', '👍');
  await eventually(() => messages()[1]?.reactions.length === 1);
  expect(sealing.drafts).toHaveLength(2);
  // The port knows by the id that what it sealed was refused.
  expect(sealing.drafts[1]?.clientMessageId).toBe(sealing.drafts[0]?.clientMessageId);
  expect(server.epochs).toEqual(['header-2']);
  engine.stop();
});

test('an edit whose answer was lost sends the same bytes when the user repeats it', async () => {
  const { server, sealing, engine, messages } = await openWithMessages();
  const { editSealed } = server.sealedApi;
  const sent: string[] = [];
  server.sealedApi.editSealed = async (id, edit) => {
    sent.push(edit.sealed.sealed);
    if (sent.length === 1) throw offline;
    return editSealed(id, edit);
  };
  await expect(engine.edit('m1', 'better')).rejects.toBe(offline);
  await engine.edit('m1', 'better');
  await eventually(() => messages()[0]?.content === 'better');
  expect(sent).toHaveLength(2);
  expect(sent[0]).toBe(sent[1]);
  expect(sealing.drafts).toHaveLength(1);
  engine.stop();
});

test('an action is refused with its reason while the conversation takes nothing, and is not sent plain', async () => {
  const { server, sealing, engine, actions, messages } = await openWithMessages();
  sealing.setSend({ state: 'blocked', reason: 'fork' });
  server.requests.length = 0;
  await expect(engine.edit('m1', 'better')).rejects.toMatchObject({ code: 'blocked', state: { reason: 'fork' } });
  await expect(actions.react('m2', '👍')).rejects.toMatchObject({ code: 'blocked' });
  expect(server.requests).toEqual([]);
  expect(messages()[0]?.content).toBe('mine');
  expect(engine.store.getState().optimisticUpdates).toEqual({});
  engine.stop();
});

test('an action that the server does not take as plain is sealed', async () => {
  const { server, sealing, engine, actions, messages } = await openWithMessages({ epoch: null });
  server.push({ type: 'new_message', data: server.store('you', 'yours', null) });
  await eventually(() => messages().length === 1);
  await eventually(() => sealing.calls.includes('standing'));
  server.setNewest(0, 2);
  sealing.setSend({ state: 'sealed' });
  const sent: string[] = [];
  server.api.react = () => {
    sent.push('plain');
    return Promise.reject(Object.assign(new Error(), { passing: false, code: 'encryption_required' }));
  };
  server.sealedApi.reactSealed = (id) => {
    sent.push('sealed');
    return Promise.resolve(server.messages.find((message) => message.id === id)!);
  };
  await actions.react('m1', '👍');
  expect(sent).toEqual(['plain', 'sealed']);
  expect(sealing.drafts).toMatchObject([{ kind: 'reaction', target: { messageId: 'm1', rowHash: null } }]);
  engine.stop();
});

test('what the epochs say is loaded with the conversation, and again when the port reports a change', async () => {
  const { server, sealing, engine } = await openWithMessages();
  const standing = () => engine.store.getState().standings['c1'];
  await eventually(() => standing()?.epoch === 0);
  sealing.setNewest(4);
  sealing.notify();
  await eventually(() => standing()?.epoch === 4);
  sealing.setNewest(5);
  server.cut();
  await settlePromises();
  engine.retryConnection();
  server.hello();
  await eventually(() => standing()?.epoch === 5);
  expect(sealing.calls).toContain('frame reconnected');
  engine.stop();
});

test('a group that is only read asks for no keys of its members; one that is written to does', async () => {
  const chat = setUpSealedChat();
  const { server, sealing } = chat;
  const { getConversation, listConversations } = server.api;
  server.api.getConversation = async (id) => ({ ...(await getConversation(id)), type: 'group' });
  server.api.listConversations = async (cursor) => {
    const page = await listConversations(cursor);
    return { ...page, items: page.items.map((row) => ({ ...row, type: 'group' as const })) };
  };
  const engine = await chat.start(chat.create());
  const send = () => engine.store.getState().standings['c1']?.send;
  await eventually(() => send() === null);
  expect(sealing.calls).not.toContain('standing');
  engine.typing('c1', true);
  await eventually(() => send()?.state === 'sealed');
  sealing.setSend({ state: 'waiting_for_key' });
  sealing.notify();
  await eventually(() => send()?.state === 'waiting_for_key');
  engine.stop();
});

test('a group change returns the epoch for the body of the ordinary route, or why there is none', async () => {
  const { sealing, engine } = await openWithMessages();
  const changes = [{ kind: 'add', userId: 'ann' }] as const;
  expect(await changeGroup(engine, 'c1', changes)).toMatchObject({
    state: 'sealed',
    epoch: { header: { body: JSON.stringify(changes) } },
  });
  sealing.setSend({ state: 'waiting_for_key' });
  expect(await changeGroup(engine, 'c1', changes)).toEqual({ state: 'waiting_for_key' });
  engine.stop();
});

test('changes of a conversation without an epoch go without one', async () => {
  const { engine } = await openWithMessages({ epoch: null });
  expect(await changeGroup(engine, 'c1', [{ kind: 'timer', seconds: 60 }])).toMatchObject({ state: 'plain' });
  engine.stop();
});

test('frames about epochs and devices reach the port, and that some may have been lost', async () => {
  const { server, sealing, engine } = await openWithMessages();
  server.push({ type: 'epochs_changed', data: { conversationId: 'c1', n: 1 } });
  server.push({ type: 'nacks_changed', data: { conversationId: 'c1' } });
  server.push({ type: 'devices_changed', data: { userId: 'you', chain: 0, n: 2 } });
  await settlePromises();
  expect(sealing.calls.filter((call) => call.startsWith('frame'))).toEqual([
    'frame reconnected',
    'frame epochs_changed',
    'frame nacks_changed',
    'frame devices_changed',
  ]);
  engine.stop();
});

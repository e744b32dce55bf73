import type { Conversation, ConversationMeta, UnapprovedMessageReply, ServerFrame } from '@nolo/api';
import { fakeChatServer } from '../../tests/fakeChatServer.ts';
import { fakeDevice } from '../../tests/fakeDevice.ts';
import { fakeTimers, settlePromises } from '../../tests/fakeTimers.ts';
import { createChatEngine } from './chatEngine.ts';
import { deliveryOf } from './chatStore.ts';

const at = '2026-01-01T00:00:00.000Z';
const meta: ConversationMeta = {
  id: 'c1',
  name: 'Hikers',
  description: '',
  pictureUrl: null,
  disappearingSeconds: null,
  group: {
    isPublic: true,
    maxMembers: 100,
    roomCode: 'ABC235',
    codeExpiresAt: null,
    settings: {
      allowScreenShare: true,
      allowFileSharing: true,
      allowRecording: false,
      moderationEnabled: false,
      requireApproval: false,
    },
    hasInvite: false,
    inviteExpiresAt: null,
  },
};

/** Turns the fake server's conversation into a group of `me` and `you`. */
async function group(held?: UnapprovedMessageReply) {
  const server = fakeChatServer();
  const time = fakeTimers();
  const device = fakeDevice();
  const other: ServerFrame[] = [];
  const asGroup = (row: Conversation): Conversation => ({
    ...row,
    ...meta,
    type: 'group',
    myRole: 'member',
    memberCount: 2,
  });
  const { api } = server;
  const engine = createChatEngine({
    selfId: 'me',
    api: {
      ...api,
      listConversations: async () => {
        const { items, nextCursor } = await api.listConversations();
        return { items: items.map(asGroup), nextCursor };
      },
      getConversation: async (id) => asGroup(await api.getConversation(id)),
      ...(held && { sendMessage: () => Promise.resolve(held) }),
    },
    device: device.device,
    openSocket: server.openSocket,
    timers: time.timers,
    newId: () => 'own-1',
    failureOf: (error) => ({ passing: false, code: 'refused', message: '', ...(error as object) }),
    onOtherFrame: (frame) => void other.push(frame),
    onRefused: () => {},
  });
  engine.start();
  server.hello();
  await settlePromises();
  await engine.open('c1');
  const row = () => engine.store.getState().conversations['c1'];
  return { engine, server, time, device, other, row };
}

const member = (userId: string, changeSeq: number, role: 'owner' | 'admin' | 'member' = 'member', left = false) => ({
  userId,
  role,
  changeSeq,
  joinedAt: at,
  leftAt: left ? at : null,
});

test('members come and go, and the person’s role changes with them; known receipts stay', async () => {
  const { server, row, other } = await group();
  server.push({
    type: 'members_changed',
    data: {
      conversationId: 'c1',
      changeSeq: 2,
      memberCount: 3,
      members: [member('cleo', 1), member('me', 2, 'admin')],
    },
  });
  expect(row()).toMatchObject({ memberCount: 3, myRole: 'admin', changeSeq: 2 });
  expect(row()?.members.map(({ userId, role }) => [userId, role])).toEqual([
    ['me', 'admin'],
    ['you', 'member'],
    ['cleo', 'member'],
  ]);
  // Visible member lists are notified too.
  expect(other.map(({ type }) => type)).toContain('members_changed');
});

test('a row has at most five members of a large group, and its ticks then claim nothing', async () => {
  const { server, row } = await group();
  const many = ['a', 'b', 'c', 'd', 'e', 'f'].map((userId, index) => member(userId, index + 1));
  server.push({
    type: 'members_changed',
    data: { conversationId: 'c1', changeSeq: 6, memberCount: 33, members: many },
  });
  const current = row()!;
  expect(current.members).toHaveLength(5);
  const own = server.store('me', 'Hello', null);
  const all = { ...current, members: current.members.map((one) => ({ ...one, readSeq: 9, deliveredSeq: 9 })) };
  expect(deliveryOf(own, all, 'me')).toBe('sent');
  expect(deliveryOf(own, { ...all, memberCount: 5 }, 'me')).toBe('read');
});

test('the ticks of a smaller group show delivered and read once that is true of every recipient', async () => {
  const { engine, server, row } = await group();
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  const many = names.map((userId, index) => ({ ...member(userId, index + 1), joinedAt: row()!.createdAt }));
  server.push({ type: 'members_changed', data: { conversationId: 'c1', changeSeq: 6, memberCount: 8, members: many } });
  const own = server.store('me', 'Hello', null);
  const state = () => deliveryOf(own, row()!, 'me');
  let changeSeq = 6;
  const receipt = (userId: string, readSeq: number) => {
    changeSeq += 1;
    server.push({ type: 'receipt', data: { conversationId: 'c1', changeSeq, userId, deliveredSeq: own.seq, readSeq } });
  };
  for (const userId of names) receipt(userId, 0);
  expect(state()).toBe('sent');
  // The approver of a message sends no receipt for it.
  const opening = { state: 'open', rowHash: 'r', sentAt: 0, late: false, outOfOrder: false, pinnedBy: null } as const;
  const approved = { ...own, opening: { ...opening, approvedBy: 'you' } };
  expect(deliveryOf(approved, row()!, 'me')).toBe('delivered');
  receipt('you', 0);
  expect(state()).toBe('delivered');
  for (const userId of ['you', ...names]) receipt(userId, own.seq);
  expect(state()).toBe('read');

  // A list row names only a few members, and later members never received the message.
  engine.addConversation({ ...row()!, members: row()!.members.slice(0, 5) });
  expect(state()).toBe('read');
  const late = { ...member('late', changeSeq + 1), joinedAt: '2030-01-01T00:00:00.000Z' };
  server.push({
    type: 'members_changed',
    data: { conversationId: 'c1', changeSeq: changeSeq + 1, memberCount: 9, members: [late] },
  });
  expect(state()).toBe('read');
});

test('name, picture and settings change with the events', async () => {
  const { server, row } = await group();
  server.push({
    type: 'conversation_updated',
    data: { conversationId: 'c1', changeSeq: 1, conversation: { ...meta, name: 'Climbers' } },
  });
  expect(row()).toMatchObject({ name: 'Climbers', changeSeq: 1 });
});

test('a removed member loses the conversation here and on the device, and is informed which one', async () => {
  const { engine, server, time, device, row } = await group();
  server.store('you', 'Hello', null);
  await time.advance(1_000);
  expect(device.rows.has('c1')).toBe(true);
  server.push({ type: 'conversation_removed', data: { conversationId: 'c1', reason: 'removed' } });
  await settlePromises();
  expect(row()).toBeUndefined();
  expect(engine.store.getState().timelines['c1']).toBeUndefined();
  expect(engine.store.getState().removedFrom).toEqual({ conversationId: 'c1', name: 'Hikers' });
  expect(device.rows.has('c1')).toBe(false);
});

test('leaving voluntarily is not announced', async () => {
  const { engine, server, row } = await group();
  server.push({ type: 'conversation_removed', data: { conversationId: 'c1', reason: 'left' } });
  expect(row()).toBeUndefined();
  expect(engine.store.getState().removedFrom).toBeNull();
});

test('a group missing from the full list was left while disconnected', async () => {
  const { engine, server } = await group();
  const stale: Conversation = { ...engine.store.getState().conversations['c1']!, id: 'c2' };
  engine.addConversation(stale);
  server.push({ type: 'sync_required', data: {} });
  await settlePromises();
  expect(Object.keys(engine.store.getState().conversations)).toEqual(['c1']);
});

test('frames name nobody: unknown people are fetched once, and stored', async () => {
  const { engine, server, time, device } = await group();
  const countUserRequests = () => server.requests.filter((name) => name === 'getUser').length;
  const before = countUserRequests();
  const first = server.store('you', 'Hello', null);
  server.push({ type: 'new_message', data: first });
  server.push({ type: 'new_message', data: server.store('you', 'Again', null) });
  await settlePromises();
  expect(countUserRequests() - before).toBeLessThanOrEqual(1);
  expect(engine.store.getState().people['you']).toMatchObject({ id: 'you' });
  await time.advance(1_000);
  expect(device.people.has('you')).toBe(true);
});

test('a message pending approval leaves the conversation and is counted', async () => {
  const held = { held: true, id: 'h1', conversationId: 'c1', clientMessageId: 'own-1', createdAt: at } as const;
  const { engine, server } = await group(held);
  engine.send('c1', 'https://example.com');
  await settlePromises();
  const { timelines, unapprovedCounts } = engine.store.getState();
  expect(timelines['c1']?.pending).toEqual([]);
  expect(unapprovedCounts['c1']).toBe(1);
  server.push({ type: 'held_messages_changed', data: { conversationId: 'c1', count: 0 } });
  expect(engine.store.getState().unapprovedCounts['c1']).toBe(0);
});

test('a message that was withdrawn before its answer arrived is gone', async () => {
  const { engine, server } = await group();
  server.failNextRequest(Object.assign(new Error('withdrawn'), { code: 'message_withdrawn' }));
  engine.send('c1', 'https://example.com');
  await settlePromises();
  expect(engine.store.getState().timelines['c1']?.pending).toEqual([]);
});

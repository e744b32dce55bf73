import { randomUUID } from 'node:crypto';
import type { Knex } from '@nolo/kit/db';
import type { FrameDelivery } from '@nolo/kit/delivery';
import type { ConversationId, UserId } from '@nolo/kit/ids';
import { createTestEnvironment, openDatabase } from '@nolo/testing';
import { aSendMessageRequest } from '@nolo/testing/protos';
import { checkDraft } from '../src/domain/message.ts';
import { createConversationStore } from '../src/store/conversations.ts';
import { createMessageAnnotationStore } from '../src/store/annotations.ts';
import { createMessageStore } from '../src/store/messages.ts';
import { createDeliveryResolver } from '../src/store/deliveryResolver.ts';
import { createDisappearingTimerStore } from '../src/store/disappearingTimers.ts';

/** Tests the stores alone: nothing relays the outbox, as if NATS were down. */
let environment: Awaited<ReturnType<typeof createTestEnvironment<'chat'>>>;
let db: Knex;

beforeAll(async () => {
  environment = await createTestEnvironment(['chat']);
  db = openDatabase(environment.urls.chat, 'chat');
});
afterAll(async () => {
  await db.destroy();
  await environment.drop();
});

const at = new Date('2026-01-01T00:00:00Z');
const secret = 'nobody shall know';

async function sendSecret(seconds: number | null) {
  const [alice, bob] = [randomUUID() as UserId, randomUUID() as UserId];
  const direct = await createConversationStore(db).getOrCreateDirect(alice, bob, at);
  const conversationId = direct?.id as ConversationId;
  await createDisappearingTimerStore(db).set(alice, conversationId, seconds, at);
  const draft = checkDraft(alice, aSendMessageRequest({ content: secret }));
  const [outcome] = await createMessageStore(db).append(conversationId, [draft], at);
  if (outcome?.kind !== 'stored') throw new Error('The message was not stored.');
  return outcome.message;
}

/** Returns the frames that members would receive if the outbox were relayed now. */
const tellable = async (conversationId: ConversationId): Promise<FrameDelivery['frame'][]> => {
  const { rows } = (await db.raw(`select payload from outbox where payload::text like ? order by id`, [
    `%${conversationId}%`,
  ])) as { rows: { payload: unknown }[] };
  const deliveries = await createDeliveryResolver(db)(rows.map(({ payload }) => payload));
  return deliveries.flat().map(({ frame }) => frame);
};

const messageFrames = async (conversationId: ConversationId) =>
  (await tellable(conversationId))
    .filter(({ type }) => type === 'receipt' || type.includes('message'))
    .map(({ type, data }) => [type, (data as { changeSeq: number }).changeSeq]);

const outbox = async () => JSON.stringify(await db('outbox').select('payload'));

it('an erased message leaves only its tombstone, without a gap in the numbers', async () => {
  const message = await sendSecret(null);
  const { conversationId } = message;
  const messages = createMessageStore(db);
  await messages.revise(message, { content: `${secret}!`, encryption: 'none' }, at);
  await createMessageAnnotationStore(db).react(message.senderId, message.id, '👍', at);
  expect(await outbox()).not.toContain(secret);
  expect(JSON.stringify(await tellable(conversationId))).toContain(`${secret}!`);
  // Each change has its number, and a state is never published under another one.
  expect(await messageFrames(conversationId)).toEqual([
    ['receipt', message.changeSeq],
    ['new_message', message.changeSeq + 2],
    ['receipt', message.changeSeq + 1],
    ['message_updated', message.changeSeq + 2],
    ['message_reaction', message.changeSeq + 2],
  ]);
  await messages.erase(message, at);
  const frames = JSON.stringify(await tellable(conversationId));
  expect(frames).not.toContain(secret);
  expect(frames).not.toContain('👍');
  expect(await messageFrames(conversationId)).toEqual([
    ['receipt', message.changeSeq],
    ['message_updated', message.changeSeq + 3],
    ['receipt', message.changeSeq + 1],
    ['message_updated', message.changeSeq + 3],
    ['message_reaction', message.changeSeq + 2],
    ['message_updated', message.changeSeq + 3],
  ]);
});

it('an expired message leaves no content behind, and is erased once', async () => {
  const message = await sendSecret(30);
  const timers = createDisappearingTimerStore(db);
  const due = new Date(at.getTime() + 30_000);
  expect(await timers.eraseExpired(100, new Date(due.getTime() - 1))).toEqual([]);
  expect(await timers.overdueSince(due)).toEqual(due);
  expect(JSON.stringify(await tellable(message.conversationId))).toContain(secret);
  expect(await timers.eraseExpired(100, due)).toEqual([due]);
  expect(JSON.stringify(await tellable(message.conversationId))).not.toContain(secret);
  expect(await timers.eraseExpired(100, due)).toEqual([]);
  expect(await timers.overdueSince(due)).toBeUndefined();
});

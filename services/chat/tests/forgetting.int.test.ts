import { randomUUID } from 'node:crypto';
import { createDb, type Knex } from '@nolo/kit/db';
import type { ConversationId, UserId } from '@nolo/kit/ids';
import { createTestEnvironment } from '@nolo/testing';
import { checkDraft } from '../src/domain/message.ts';
import { schemaName } from '../src/migrate.ts';
import { createConversationStore } from '../src/store/conversations.ts';
import { createMarkStore } from '../src/store/marks.ts';
import { createMessageStore } from '../src/store/messages.ts';
import { createTimerStore } from '../src/store/timers.ts';

/** The stores by themselves: nothing passes the outbox on, as while NATS is away. */
let environment: Awaited<ReturnType<typeof createTestEnvironment<'chat'>>>;
let db: Knex;

beforeAll(async () => {
  environment = await createTestEnvironment(['chat']);
  db = createDb({ url: environment.urls.chat, schema: schemaName, poolMax: 4 });
}, 30_000);
afterAll(async () => {
  await db.destroy();
  await environment.drop();
});

const at = new Date('2026-01-01T00:00:00Z');
const secret = 'nobody shall know';

async function secretSaid(seconds: number | null) {
  const [alice, bob] = [randomUUID() as UserId, randomUUID() as UserId];
  const direct = await createConversationStore(db).getOrCreateDirect(alice, bob, at);
  const conversationId = direct?.id as ConversationId;
  await createTimerStore(db).set(alice, conversationId, seconds, at);
  const draft = checkDraft(alice, {
    content: secret,
    encryption: '',
    messageType: '',
    clientMessageId: '',
    attachment: undefined,
    mentions: [],
    replyToSeq: 0,
    forwarded: false,
    linkPreview: '',
    hasLink: false,
  });
  const [outcome] = await createMessageStore(db).append(conversationId, [draft], at);
  if (outcome?.kind !== 'stored') throw new Error('The message was not stored.');
  return outcome.message;
}

const framesWith = async (text: string): Promise<string[]> => {
  const { rows } = (await db.raw(
    `select payload -> 'frame' ->> 'type' as type from outbox where payload::text like ? order by id`,
    [`%${text}%`],
  )) as { rows: { type: string }[] };
  return rows.map(({ type }) => type);
};

it('an erased message leaves no frame behind that has not left yet', async () => {
  const message = await secretSaid(null);
  const messages = createMessageStore(db);
  await messages.revise(message, { content: `${secret}!`, encryption: 'none' }, at);
  expect(await framesWith(secret)).toEqual(['new_message', 'message_updated']);
  await createMarkStore(db).react(message.senderId, message.id, '👍', at);
  expect(await framesWith('message_reaction')).toEqual(['message_reaction']);
  await messages.erase(message, at);
  expect(await framesWith(secret)).toEqual([]);
  // Everyone is still told that it is gone.
  expect(await framesWith(message.id)).toEqual(['message_updated']);
});

it('nor does one that disappeared, and it is erased once', async () => {
  const message = await secretSaid(30);
  const timers = createTimerStore(db);
  const due = new Date(at.getTime() + 30_000);
  expect(await timers.eraseExpired(100, new Date(due.getTime() - 1))).toEqual([]);
  expect(await timers.overdueSince(due)).toEqual(due);
  expect(await framesWith(secret)).toEqual(['new_message']);
  expect(await timers.eraseExpired(100, due)).toEqual([due]);
  expect(await framesWith(secret)).toEqual([]);
  expect(await framesWith(message.id)).toEqual(['message_updated']);
  expect(await timers.eraseExpired(100, due)).toEqual([]);
  expect(await timers.overdueSince(due)).toBeUndefined();
});

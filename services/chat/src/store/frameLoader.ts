import type { Knex } from '@nolo/kit/db';
import type { ConversationId, UserId } from '@nolo/kit/ids';
import type { ConversationSettings, Member } from '../domain/conversation.ts';
import {
  toMemberFrameData,
  toMessageFrameData,
  toConversationFrameData,
  toSettingsFrameData,
  type ChatFrame,
  type OutboxFact,
  type OutboxFacts,
} from '../domain/frames.ts';
import type { StoredMessage } from '../domain/message.ts';
import {
  memberColumns,
  messageColumns,
  conversationMetaColumns,
  conversationSettingsColumns,
  mapMemberRow,
  toStoredMessage,
  mapConversationMetaRow,
  mapConversationSettingsRow,
  type MemberRow,
  type MessageRow,
  type ConversationMetaRow,
  type ConversationSettingsRow,
} from './rows.ts';
import { defineStatement } from './statement.ts';

/**
 * Looks up messages by key, independent of the planner's estimate for a fast-growing table. The estimate for JSON does
 * not depend on its size, so the statement is planned only once. $1 positions.
 */
const messagesAt = defineStatement<MessageRow>(
  'told_messages',
  `select ${messageColumns('m')} from json_to_recordset($1::json) as t(conversation_id uuid, seq bigint, n bigint)
  cross join lateral (
    select * from messages p where p.conversation_id = t.conversation_id and p.seq >= t.seq and p.seq < t.seq + t.n
    order by p.seq limit t.n
  ) m`,
);

/** $1 conversations. */
const metasOf = defineStatement<ConversationMetaRow>(
  'told_metas',
  `select ${conversationMetaColumns('c')} from conversations c where c.id = any($1::uuid[])`,
);

/** $1 conversations, $2 people, in pairs. */
const membersAt = defineStatement<MemberRow & ConversationSettingsRow>(
  'told_members',
  `select ${memberColumns('m', 'p')}, ${conversationSettingsColumns('m')}
  from unnest($1::uuid[], $2::uuid[]) as t(conversation_id, user_id)
  join members m on m.conversation_id = t.conversation_id and m.user_id = t.user_id
  left join preferences p on p.user_id = m.user_id`,
);

const keyOf = (conversationId: ConversationId, what: number | UserId = '' as UserId) => `${conversationId} ${what}`;

const isOf = <Name extends keyof OutboxFacts>(
  fact: OutboxFact,
  ...names: Name[]
): fact is Extract<OutboxFact, { type: Name }> => (names as string[]).includes(fact.type);

/** Current rows that facts refer to. */
interface Rows {
  readonly messages: ReadonlyMap<string, StoredMessage>;
  readonly metas: ReadonlyMap<ConversationId, ConversationMetaRow>;
  readonly members: ReadonlyMap<string, { readonly member: Member; readonly settings: ConversationSettings }>;
}

async function readMessages(db: Knex, facts: readonly OutboxFact[]): Promise<Rows['messages']> {
  const places = facts.filter((fact) => isOf(fact, 'new_message', 'message_updated', 'message_reaction'));
  if (places.length === 0) return new Map();
  const wanted = places.map((fact) => ({
    conversation_id: fact.of.conversationId,
    seq: fact.of.seq,
    n: fact.type === 'new_message' ? fact.of.count : 1,
  }));
  const rows = await messagesAt(db, JSON.stringify(wanted));
  return new Map(rows.map((row) => [keyOf(row.conversation_id, row.seq), toStoredMessage(row)]));
}

async function readMetas(db: Knex, facts: readonly OutboxFact[]): Promise<Rows['metas']> {
  const ids = facts.filter((fact) => isOf(fact, 'conversation_updated')).map((fact) => fact.of.conversationId);
  if (ids.length === 0) return new Map();
  return new Map((await metasOf(db, ids)).map((row) => [row.c_id, row]));
}

async function readMembers(db: Knex, facts: readonly OutboxFact[]): Promise<Rows['members']> {
  const pairs = facts.flatMap((fact): { conversationId: ConversationId; userId: UserId }[] => {
    if (isOf(fact, 'conversation_settings')) return [fact.of];
    if (!isOf(fact, 'members_changed')) return [];
    const { conversationId, userIds } = fact.of;
    return userIds.map((userId) => ({ conversationId, userId }));
  });
  if (pairs.length === 0) return new Map();
  const rows = await membersAt(
    db,
    pairs.map(({ conversationId }) => conversationId),
    pairs.map(({ userId }) => userId),
  );
  return new Map(
    rows.map((row) => [
      keyOf(row.m_conversation_id, row.m_user_id),
      { member: mapMemberRow(row), settings: mapConversationSettingsRow(row) },
    ]),
  );
}

/**
 * Returns the frames of a message at a change number. A message that changed again since is shown in its current state
 * under its own number; for the earlier change, only the counter moves. A message erased before delivery is not
 * announced as new.
 */
function messageFrames(
  type: 'new_message' | 'message_updated',
  { conversationId, seq, changeSeq }: OutboxFacts['message_updated'],
  rows: Rows,
): ChatFrame[] {
  const message = rows.messages.get(keyOf(conversationId, seq));
  if (!message) return [];
  const shown: ChatFrame = {
    type: message.deletedAt === null ? type : 'message_updated',
    data: toMessageFrameData(message),
  };
  return message.changeSeq === changeSeq ? [shown] : [{ type: 'receipt', data: { conversationId, changeSeq } }, shown];
}

function newMessages({ count, seq, changeSeq, ...rest }: OutboxFacts['new_message'], rows: Rows): ChatFrame[] {
  return Array.from({ length: count }, (_, nth) =>
    messageFrames('new_message', { ...rest, seq: seq + nth, changeSeq: changeSeq + nth }, rows),
  ).flat();
}

function membersChanged({ userIds, ...rest }: OutboxFacts['members_changed'], rows: Rows): ChatFrame {
  const members = userIds
    .flatMap((userId) => rows.members.get(keyOf(rest.conversationId, userId))?.member ?? [])
    .toSorted((one, other) => one.changeSeq - other.changeSeq);
  return { type: 'members_changed', data: { ...rest, members: members.map(toMemberFrameData) } };
}

/** Returns the frames of a fact. Empty if its row is gone, since there is nothing left to publish. */
function framesOf(fact: OutboxFact, rows: Rows): ChatFrame[] {
  switch (fact.type) {
    case 'new_message':
      return newMessages(fact.of, rows);
    case 'message_updated':
      return messageFrames(fact.type, fact.of, rows);
    case 'message_reaction': {
      const message = rows.messages.get(keyOf(fact.of.conversationId, fact.of.seq));
      if (!message) return [];
      const emoji = message.reactions.find(({ userId }) => userId === fact.of.userId)?.emoji ?? null;
      return [{ type: fact.type, data: { ...fact.of, messageId: message.id, emoji } }];
    }
    case 'conversation_updated': {
      const row = rows.metas.get(fact.of.conversationId);
      return row
        ? [
            {
              type: fact.type,
              data: { ...fact.of, conversation: toConversationFrameData(mapConversationMetaRow(row)) },
            },
          ]
        : [];
    }
    case 'members_changed':
      return [membersChanged(fact.of, rows)];
    case 'conversation_settings': {
      const { conversationId, userId } = fact.of;
      const found = rows.members.get(keyOf(conversationId, userId));
      return found ? [{ type: fact.type, data: toSettingsFrameData(conversationId, found.settings) }] : [];
    }
    case 'counter_moved':
      return [{ type: 'receipt', data: fact.of }];
    default:
      return [{ type: fact.type, data: fact.of } as ChatFrame];
  }
}

/** Creates frames from facts and the rows that they refer to, read together. */
export function createFrameLoader(db: Knex) {
  return async (facts: readonly OutboxFact[]): Promise<ReadonlyMap<OutboxFact, readonly ChatFrame[]>> => {
    const [messages, metas, members] = await Promise.all([
      readMessages(db, facts),
      readMetas(db, facts),
      readMembers(db, facts),
    ]);
    const rows = { messages, metas, members };
    return new Map(facts.map((fact) => [fact, framesOf(fact, rows)]));
  };
}

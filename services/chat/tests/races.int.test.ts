import type { Knex } from '@nolo/kit/db';
import { eventually } from '@nolo/testing';
import { aSendMessageRequest, anEditMessageRequest } from '@nolo/testing/protos';
import { runInParallel, chatErrorKindAndCode, startChat, type TestChat } from './startChat.ts';
import { createTestGroup } from './groupFixtures.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startChat();
});
afterAll(() => chat.stop());

async function gather(count: number) {
  const owner = await chat.person();
  const members = await Promise.all(Array.from({ length: count }, () => chat.person()));
  const { id } = await createTestGroup(chat, owner, { memberIds: members });
  return { owner, members, id };
}

const add = (groups: TestChat['groups'], actorId: string, conversationId: string, userIds: string[]) =>
  groups.addMembers({ actorId, conversationId, userIds });

const countMessageFrames = (userId: string, content: string) =>
  chat
    .framesTo(userId)
    .filter(({ type, data }) => type === 'new_message' && 'content' in data && data.content === content).length;

/** Waits until `count` statements of the service wait for a lock. */
const waitingFor = (count: number) =>
  eventually(async () => {
    const { rows } = (await chat.db.raw(
      `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )) as { rows: [{ n: number }] };
    return rows[0].n >= count;
  });

/** Locks the conversation like a concurrent transaction until `work` is done, then releases it. */
async function whileLocked<T>(conversationId: string, work: (trx: Knex) => Promise<T>): Promise<T> {
  return chat.db.transaction(async (trx) => {
    await trx.raw('select id from conversations where id = ? for no key update', [conversationId]);
    return work(trx);
  });
}

const deadlocks = async () => {
  const { rows } = (await chat.db.raw('select deadlocks from pg_stat_database where datname = current_database()')) as {
    rows: [{ deadlocks: number }];
  };
  return rows[0].deadlocks;
};

describe('recipients are the members at the moment the number is assigned', () => {
  test('a member removed meanwhile is not notified, and a newcomer is', async () => {
    const { owner, members, id } = await gather(3);
    const [gone = '', stays = ''] = members;
    const newcomer = await chat.person();
    const sent = await whileLocked(id, async (trx) => {
      const sending = chat.send(owner, id, { content: 'after the change' });
      await waitingFor(1);
      await trx.raw(
        `update members set left_at = now(), left_reason = 'removed', left_seq = (select last_seq from conversations where id = ?)
        where conversation_id = ? and user_id = ?`,
        [id, id, gone],
      );
      await trx.raw(
        `insert into members (conversation_id, user_id, joined_at, joined_seq, read_seq, change_seq)
        select id, ?, now(), last_seq, last_seq, last_change_seq from conversations where id = ?`,
        [newcomer, id],
      );
      return { sending };
    });
    await sent.sending;
    await eventually(
      () =>
        countMessageFrames(stays, 'after the change') === 1 && countMessageFrames(newcomer, 'after the change') === 1,
    );
    expect(countMessageFrames(gone, 'after the change')).toBe(0);
  });

  test('a sender removed meanwhile is refused', async () => {
    const { members, id } = await gather(2);
    const [gone = ''] = members;
    const { sending } = await whileLocked(id, async (trx) => {
      const refused = chatErrorKindAndCode(chat.send(gone, id));
      await waitingFor(1);
      await trx.raw(`update members set left_at = now(), left_seq = 0 where conversation_id = ? and user_id = ?`, [
        id,
        gone,
      ]);
      return { sending: refused };
    });
    expect(await sending).toBe('not_found conversation_not_found');
  });

  test('an edit of an older message is not shown to newcomers', async () => {
    const { owner, members, id } = await gather(2);
    const [stays = ''] = members;
    const old = await chat.send(owner, id, { content: 'before' });
    const newcomer = await chat.person();
    await add(chat.groups, owner, id, [newcomer]);
    await chat.client.editMessage(anEditMessageRequest({ actorId: owner, messageId: old.id, content: 'still before' }));
    await chat.messageActions.setReaction({ actorId: owner, messageId: old.id, emoji: '👍' });
    await chat.send(owner, id, { content: 'now' });
    await eventually(() => countMessageFrames(newcomer, 'now') === 1 && countMessageFrames(stays, 'now') === 1);
    const types = chat.framesTo(newcomer).map(({ type }) => type);
    expect(types).not.toContain('message_updated');
    expect(types).not.toContain('message_reaction');
    // The newcomer's counter still moves, so that they detect no loss; delivery is at least once.
    const moved = chat.framesTo(newcomer).flatMap((frame) => (frame.type === 'receipt' ? frame.data.changeSeq : []));
    expect(new Set(moved).size).toBe(2);
    expect(chat.framesTo(stays).map(({ type }) => type)).toEqual(
      expect.arrayContaining(['message_updated', 'message_reaction']),
    );
  });
});

test('concurrent actions of all kinds in one group, on two replicas, cause no deadlock', async () => {
  const { owner, members, id } = await gather(12);
  const other = await chat.startReplica();
  const replicas = [chat, other];
  const sent = await Promise.all(members.map((member) => chat.send(member, id)));
  const before = await deadlocks();
  const refused: unknown[] = [];
  const attempt = (work: Promise<unknown>) => work.catch((error: unknown) => void refused.push(error));
  await runInParallel(600, 24, (index) => {
    const { client, messageActions, groups } = replicas[index % 2] ?? chat;
    const member = members[index % members.length] ?? owner;
    const message = sent[(index * 7) % sent.length];
    if (!message) throw new Error('Nothing was sent.');
    switch (index % 9) {
      case 0:
        return attempt(messageActions.pinMessage({ actorId: owner, messageId: message.id, pinned: index % 2 === 0 }));
      case 1:
        return attempt(
          messageActions.setReaction({ actorId: member, messageId: message.id, emoji: index % 2 ? '👍' : '' }),
        );
      case 2:
        return attempt(client.moveCursor({ actorId: member, conversationId: id, deliveredSeq: index, readSeq: index }));
      case 3:
        return attempt(
          client.editMessage(
            anEditMessageRequest({ actorId: message.senderId, messageId: message.id, content: `${index}` }),
          ),
        );
      case 4:
        return attempt(groups.removeMember({ actorId: owner, conversationId: id, userId: member }));
      case 5:
        return attempt(add(groups, owner, id, [member]));
      case 6:
        return attempt(
          messageActions.updateConversationSettings({
            actorId: member,
            conversationId: id,
            archived: index % 2 === 0,
            pinned: undefined,
            mutedUntil: undefined,
            unmute: false,
            markedUnread: undefined,
          }),
        );
      case 7:
        return attempt(
          messageActions.starMessage({ actorId: member, messageId: message.id, starred: index % 2 === 0 }),
        );
      default:
        return attempt(
          client.sendMessage(aSendMessageRequest({ actorId: member, conversationId: id, content: `${index}` })),
        );
    }
  });
  expect(refused.filter((error) => (error as { kind?: string }).kind === 'unavailable')).toEqual([]);
  // PostgreSQL counts a session's statistics once it has been idle for a moment.
  await chat.db.raw('select pg_stat_force_next_flush()');
  expect(await deadlocks()).toBe(before);
});

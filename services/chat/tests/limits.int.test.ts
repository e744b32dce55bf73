import { randomUUID } from 'node:crypto';
import { limits } from '@nolo/rules';
import { chatErrorKindAndCode, startChat, type TestChat } from './startChat.ts';
import { createTestGroup, createGroupWithRoles, joinByRoomCode } from './groupFixtures.ts';

/** Tests limits, each filled up to one below. */

let chat: TestChat;
beforeAll(async () => {
  chat = await startChat();
});
afterAll(() => chat.stop());

test('groups per account are limited', async () => {
  const [ann, ben] = [await chat.person(), await chat.person()];
  const { id } = await createTestGroup(chat, ann);
  // Copies of the existing group's rows.
  const copies = limits.groupsPerUser - 2;
  const { rows } = (await chat.db.raw(
    `insert into conversations
    select (jsonb_populate_record(c, jsonb_build_object('id', gen_random_uuid(), 'room_code', null))).*
    from conversations c, generate_series(1, ?) where c.id = ? returning id`,
    [copies, id],
  )) as { rows: { id: string }[] };
  expect(rows).toHaveLength(copies);
  await chat.db.raw(
    `insert into members
    select (jsonb_populate_record(m, jsonb_build_object('conversation_id', other))).*
    from members m, unnest(?::uuid[]) other where m.conversation_id = ? and m.user_id = ?`,
    [rows.map((row) => row.id), id, ann],
  );
  await createTestGroup(chat, ann);
  expect(await chatErrorKindAndCode(createTestGroup(chat, ann))).toBe('conflict too_many_groups');
  const { meta } = await createTestGroup(chat, ben, { isPublic: true });
  expect(await chatErrorKindAndCode(joinByRoomCode(chat, ann, meta?.group?.roomCode ?? ''))).toBe(
    'conflict too_many_groups',
  );
});

test('pending messages per group are limited across all senders', async () => {
  const settings = { allowScreenShare: true, allowFileSharing: true, allowRecording: false, moderationEnabled: true };
  const { id, member } = await createGroupWithRoles(chat, { settings });
  const waiting = Array.from({ length: limits.unapprovedPerGroup - 1 }, () => ({
    id: randomUUID(),
    conversation_id: id,
    sender_id: randomUUID(),
    draft: {},
    held_at: chat.clock.now(),
  }));
  await chat.db('held_messages').insert(waiting);
  expect(await chat.send(member, id, { hasLink: true })).toMatchObject({ held: true });
  expect(await chatErrorKindAndCode(chat.send(member, id, { hasLink: true }))).toBe('conflict too_many_held');
});

test('reactions per message are limited, but an existing one can be changed', async () => {
  const { alice, bob, conversation } = await chat.pair();
  const { id } = await chat.send(alice, conversation.id);
  const others = Array.from({ length: limits.reactionsPerMessage - 1 }, () => ({ userId: randomUUID(), emoji: '👍' }));
  await chat
    .db('messages')
    .where({ id })
    .update({ reactions: JSON.stringify(others) });
  const react = (actorId: string, emoji: string) => chat.messageActions.setReaction({ actorId, messageId: id, emoji });
  expect((await react(bob, '🎉')).reactions).toHaveLength(limits.reactionsPerMessage);
  expect(await chatErrorKindAndCode(react(alice, '🎉'))).toBe('conflict too_many_reactions');
  expect((await react(bob, '❤️')).reactions).toHaveLength(limits.reactionsPerMessage);
});

test('starred messages per person are limited across all conversations', async () => {
  const { alice, bob, conversation } = await chat.pair();
  const { id } = await chat.send(alice, conversation.id);
  await chat.db.raw(
    `with copied as (
      insert into messages
      select (jsonb_populate_record(m, jsonb_build_object(
        'id', gen_random_uuid(), 'seq', 100000 + number, 'client_message_id', null))).*
      from messages m, generate_series(1, ?) number where m.id = ? returning id, conversation_id, seq)
    insert into stars select ?, id, conversation_id, seq, now() from copied`,
    [limits.starsPerUser - 1, id, bob],
  );
  const star = async (actorId: string) => {
    const message = await chat.send(alice, conversation.id);
    return chat.messageActions.starMessage({ actorId, messageId: message.id, starred: true });
  };
  await star(bob);
  expect(await chatErrorKindAndCode(star(bob))).toBe('conflict too_many_stars');
  await star(alice);
});

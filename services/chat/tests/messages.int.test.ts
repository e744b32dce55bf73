import { aSendMessageRequest, anEditMessageRequest } from '@nolo/testing/protos';
import { randomUUID } from 'node:crypto';
import { runInParallel, chatErrorKindAndCode, startChat, type TestChat } from './startChat.ts';
import { emptyAttachmentInput } from './memoryFiles.ts';

const hour = 3_600_000;

let chat: TestChat;
beforeAll(async () => {
  chat = await startChat();
});
afterAll(() => chat.stop());

describe('SendMessage', () => {
  test('stores all given fields and returns them', async () => {
    const { alice, bob, conversation } = await chat.pair();
    const clientMessageId = randomUUID();
    const attachment = {
      ...emptyAttachmentInput,
      fileUrl: chat.files.store(alice),
      fileSize: 12,
    };
    const sent = await chat.send(alice, conversation.id, {
      content: 'look ✓',
      messageType: 'image',
      clientMessageId,
      attachment,
      mentions: [bob, bob],
    });
    expect(sent).toMatchObject({
      conversationId: conversation.id,
      senderId: alice,
      seq: 1,
      changeSeq: 3,
      content: 'look ✓',
      encryption: 'none',
      messageType: 'image',
      clientMessageId,
      attachment,
      mentions: [bob],
      createdAt: chat.clock.now(),
    });
    const { messages } = await chat.client.listMessages({ actorId: bob, conversationId: conversation.id });
    expect(messages).toEqual([sent]);
  });

  test.each([
    ['too much', { content: 'a'.repeat(262_145) }, 'too_large message_too_large'],
    ['too many bytes', { content: 'ä'.repeat(131_073) }, 'too_large message_too_large'],
    ['blank', { content: ' \n\u200b ' }, 'invalid message_blank'],
    ['NUL', { content: 'a\0b' }, 'invalid message_invalid'],
    ['a system message', { messageType: 'system' }, 'invalid message_invalid'],
    ['an unknown type', { messageType: 'poll' }, 'invalid message_invalid'],
    ['an unknown encryption', { encryption: 'rot13' }, 'invalid message_invalid'],
    ['a client id that is not a UUID', { clientMessageId: 'one' }, 'invalid message_invalid'],
    ['a mention of an unknown account', { mentions: ['bob'] }, 'invalid message_invalid'],
    ['51 mentions', { mentions: Array.from({ length: 51 }, () => randomUUID()) }, 'invalid message_invalid'],
  ])('refuses a message: %s', async (_, more, refusal) => {
    const { alice, conversation } = await chat.pair();
    expect(await chatErrorKindAndCode(chat.send(alice, conversation.id, more))).toBe(refusal);
    expect((await chat.send(alice, conversation.id)).seq).toBe(1);
  });

  test('accepts exactly 262,144 bytes, and any content while it is encrypted', async () => {
    const { alice, conversation } = await chat.pair();
    expect((await chat.send(alice, conversation.id, { content: 'ä'.repeat(131_072) })).seq).toBe(1);
    expect((await chat.send(alice, conversation.id, { content: ' ', encryption: 'mls' })).seq).toBe(2);
    expect((await chat.send(alice, conversation.id, { clientMessageId: undefined })).clientMessageId).toBeUndefined();
    expect((await chat.send(alice, conversation.id, { clientMessageId: undefined })).seq).toBe(4);
  });

  test('rejects strangers and unknown conversations alike', async () => {
    const { alice, conversation } = await chat.pair();
    const stranger = randomUUID();
    expect(await chatErrorKindAndCode(chat.send(stranger, conversation.id))).toBe('not_found conversation_not_found');
    expect(await chatErrorKindAndCode(chat.send(alice, randomUUID()))).toBe('not_found conversation_not_found');
    expect(await chatErrorKindAndCode(chat.send(alice, "x'; drop table messages"))).toBe(
      'not_found conversation_not_found',
    );
  });

  test('refuses both sides of a block until it is lifted, and repeats earlier responses', async () => {
    const { alice, bob, conversation } = await chat.pair();
    const first = await chat.send(bob, conversation.id);
    await chat.block(alice, bob);
    expect(await chatErrorKindAndCode(chat.send(alice, conversation.id))).toBe('forbidden blocked');
    expect(await chatErrorKindAndCode(chat.send(bob, conversation.id))).toBe('forbidden blocked');
    const retry = await chat.send(bob, conversation.id, { clientMessageId: first.clientMessageId });
    expect(retry).toEqual(first);
    expect(
      await chatErrorKindAndCode(
        chat.client.editMessage(anEditMessageRequest({ actorId: bob, messageId: first.id, content: 'psst' })),
      ),
    ).toBe('forbidden blocked');
    await chat.block(alice, bob, false);
    expect((await chat.send(bob, conversation.id)).seq).toBe(2);
  });

  test('returns the first response for the same client id, and refuses it elsewhere', async () => {
    const { alice, conversation } = await chat.pair();
    const other = await chat.openAccepted(alice, randomUUID());
    const first = await chat.send(alice, conversation.id);
    const { clientMessageId } = first;
    expect(await chat.send(alice, conversation.id, { clientMessageId, content: 'other words' })).toEqual(first);
    expect(await chat.send(alice, conversation.id, { clientMessageId: clientMessageId!.toUpperCase() })).toEqual(first);
    expect(await chatErrorKindAndCode(chat.send(alice, other.id, { clientMessageId }))).toBe(
      'conflict client_message_id_reused',
    );
    // Client IDs of another person are independent.
    const bob = conversation.members.find(({ userId }) => userId !== alice)!.userId;
    expect((await chat.send(bob, conversation.id, { clientMessageId })).seq).toBe(2);
  });

  test('numbers without gaps in order of changes, with 16 senders on two replicas and many retries', async () => {
    const { alice, bob, conversation } = await chat.pair();
    const replica = await chat.startReplica();
    const stranger = randomUUID();
    const ids = Array.from({ length: 400 }, () => randomUUID());
    const answers = new Map<string, Set<string>>();
    // Each ID occurs three times, the third shortly after the first two.
    const storm = ids.flatMap((id, index) => [id, id, ids[Math.max(0, index - 3)]!]).concat(ids.slice(-3));
    await runInParallel(storm.length, 16, async (turn) => {
      const clientMessageId = storm[turn]!;
      const index = ids.indexOf(clientMessageId);
      const client = Math.random() < 0.5 ? chat.client : replica.client;
      const request = aSendMessageRequest({
        actorId: index % 2 ? alice : bob,
        conversationId: conversation.id,
        content: `message ${index}`,
        clientMessageId,
      });
      if (index % 20 === 0) await chatErrorKindAndCode(client.sendMessage({ ...request, actorId: stranger }));
      const { id } = await client.sendMessage(request);
      answers.set(clientMessageId, (answers.get(clientMessageId) ?? new Set()).add(id));
    });
    expect([...answers.values()].every((given) => given.size === 1)).toBe(true);
    const rows = (await chat
      .db('messages')
      .where({ conversation_id: conversation.id })
      .orderBy('seq')
      .select('seq', 'change_seq', 'id')) as { seq: number; change_seq: number; id: string }[];
    expect(rows.map(({ seq }) => seq)).toEqual(ids.map((_, index) => index + 1));
    expect(rows.map(({ change_seq }) => change_seq)).toEqual(ids.map((_, index) => index + 3));
    const view = await chat.client.getConversation({ actorId: alice, conversationId: conversation.id });
    expect(view).toMatchObject({ lastSeq: 400, changeSeq: 402 });
  });

  test('survives two conversations and two replicas racing for the same client ids', async () => {
    const { alice, conversation } = await chat.pair();
    const other = await chat.openAccepted(alice, randomUUID());
    const ids = Array.from({ length: 60 }, () => randomUUID());
    const outcomes = await Promise.all(
      ids.flatMap((clientMessageId) =>
        [conversation.id, other.id].map(async (conversationId) =>
          chatErrorKindAndCode(chat.send(alice, conversationId, { clientMessageId })),
        ),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === 'none')).toHaveLength(60);
    expect(outcomes.filter((outcome) => outcome === 'conflict client_message_id_reused')).toHaveLength(60);
    for (const id of [conversation.id, other.id]) {
      const seqs = (await chat.db('messages').where({ conversation_id: id }).orderBy('seq').pluck('seq')) as number[];
      expect(seqs).toEqual(seqs.map((_, index) => index + 1));
    }
  });
});

describe('ListMessages', () => {
  test('pages in both directions, always in ascending order', async () => {
    const { alice, bob, conversation } = await chat.pair();
    const page = async (place: { before?: number; after?: number }, limit = 3) => {
      const reply = await chat.client.listMessages({
        actorId: bob,
        conversationId: conversation.id,
        before: undefined,
        after: undefined,
        limit,
        ...place,
      });
      return [reply.messages.map(({ seq }) => seq), reply.hasMore];
    };
    expect(await page({})).toEqual([[], false]);
    for (let index = 0; index < 7; index += 1) await chat.send(alice, conversation.id);
    expect(await page({})).toEqual([[5, 6, 7], true]);
    expect(await page({ before: 5 })).toEqual([[2, 3, 4], true]);
    expect(await page({ before: 2 })).toEqual([[1], false]);
    expect(await page({ before: 4 })).toEqual([[1, 2, 3], false]);
    expect(await page({ before: 1 })).toEqual([[], false]);
    expect(await page({ after: 0 })).toEqual([[1, 2, 3], true]);
    expect(await page({ after: 4 })).toEqual([[5, 6, 7], false]);
    expect(await page({ after: 7 })).toEqual([[], false]);
    expect(await page({ after: 2, before: 6 })).toEqual([[3, 4, 5], false]);
    expect(await page({ before: Number.MAX_SAFE_INTEGER }, 1000)).toEqual([[1, 2, 3, 4, 5, 6, 7], false]);
    expect(await page({ after: -5 }, 1)).toEqual([[1], true]);
  });

  test('is closed to strangers', async () => {
    const { conversation } = await chat.pair();
    const call = chat.client.listMessages({ actorId: randomUUID(), conversationId: conversation.id });
    expect(await chatErrorKindAndCode(call)).toBe('not_found conversation_not_found');
  });
});

describe('pages of very long messages', () => {
  test('are shorter, and still lead through all of them', async () => {
    const { alice, bob, conversation } = await chat.pair();
    const { id: conversationId } = conversation;
    const count = 24;
    const content = 'x'.repeat(262_144);
    for (let n = 0; n < count; n += 1) await chat.send(alice, conversationId, { content });
    const all = Array.from({ length: count }, (_, index) => index + 1);

    const down: number[] = [];
    for (let hasMore = true; hasMore;) {
      const before = down[0];
      const page = await chat.client.listMessages({ actorId: bob, conversationId, before, limit: 100 });
      down.unshift(...page.messages.map(({ seq }) => seq));
      ({ hasMore } = page);
    }
    const up: number[] = [];
    for (let hasMore = true; hasMore;) {
      const page = await chat.client.listMessages({ actorId: bob, conversationId, after: up.at(-1) ?? 0, limit: 100 });
      up.push(...page.messages.map(({ seq }) => seq));
      ({ hasMore } = page);
    }
    const changed: number[] = [];
    let since = 0;
    for (let hasMore = true; hasMore;) {
      const page = await chat.client.listChanges({ actorId: bob, conversationId, since, limit: 500 });
      changed.push(...page.changes.flatMap(({ what }) => (what?.$case === 'message' ? [what.value.seq] : [])));
      since = page.changeSeq;
      ({ hasMore } = page);
    }
    expect([down, up, changed]).toEqual([all, all, all]);
  });
});

describe('EditMessage and DeleteMessage', () => {
  const edit = (actorId: string, messageId: string, content = 'better') =>
    chat.client.editMessage(anEditMessageRequest({ actorId, messageId, content }));
  const erase = (actorId: string, messageId: string) => chat.client.deleteMessage({ actorId, messageId });

  test('replaces the content and keeps the position', async () => {
    const { alice, conversation } = await chat.pair();
    const sent = await chat.send(alice, conversation.id);
    chat.clock.advance(1000);
    const edited = await edit(alice, sent.id);
    expect(edited).toEqual({ ...sent, content: 'better', changeSeq: sent.changeSeq + 1, editedAt: chat.clock.now() });
  });

  test('leaves an empty tombstone, however often it is repeated', async () => {
    const { alice, bob, conversation } = await chat.pair();
    const sent = await chat.send(alice, conversation.id, {
      content: '{"v":1,"text":"words","fileName":"secret.txt"}',
      messageType: 'file',
      mentions: [bob],
      attachment: {
        fileUrl: chat.files.store(alice, 'file', 1),
        fileSize: 1,
        voiceMessageUrl: chat.files.store(alice, 'voice'),
        previewUrl: chat.files.store(alice),
      },
    });
    const gone = await erase(alice, sent.id);
    expect(gone).toEqual({
      ...sent,
      content: '',
      attachment: undefined,
      mentions: [],
      changeSeq: sent.changeSeq + 1,
      deletedAt: chat.clock.now(),
    });
    chat.clock.advance(48 * hour);
    expect(await erase(alice, sent.id)).toEqual(gone);
    expect(await chatErrorKindAndCode(edit(alice, sent.id))).toBe('not_found message_not_found');
    const [row] = ((await chat.db.raw('select * from messages where id = ?', [sent.id])) as { rows: unknown[] }).rows;
    expect(JSON.stringify(row)).not.toMatch(/secret|words/);
  });

  test('is refused after 24 hours', async () => {
    const { alice, conversation } = await chat.pair();
    const sent = await chat.send(alice, conversation.id);
    chat.clock.advance(24 * hour);
    expect((await edit(alice, sent.id)).content).toBe('better');
    chat.clock.advance(1);
    expect(await chatErrorKindAndCode(edit(alice, sent.id))).toBe('forbidden edit_expired');
    expect(await chatErrorKindAndCode(erase(alice, sent.id))).toBe('forbidden delete_expired');
  });

  test('is limited to the author; strangers do not even learn that the message exists', async () => {
    const { alice, bob, conversation } = await chat.pair();
    const sent = await chat.send(alice, conversation.id);
    for (const act of [edit, erase]) {
      expect(await chatErrorKindAndCode(act(bob, sent.id))).toBe('forbidden not_author');
      expect(await chatErrorKindAndCode(act(randomUUID(), sent.id))).toBe('not_found message_not_found');
      expect(await chatErrorKindAndCode(act(alice, randomUUID()))).toBe('not_found message_not_found');
      expect(await chatErrorKindAndCode(act(alice, 'nonsense'))).toBe('not_found message_not_found');
    }
  });

  test('validates new content like the original', async () => {
    const { alice, conversation } = await chat.pair();
    const sent = await chat.send(alice, conversation.id);
    expect(await chatErrorKindAndCode(edit(alice, sent.id, ' '))).toBe('invalid message_blank');
    expect(await chatErrorKindAndCode(edit(alice, sent.id, 'a'.repeat(262_145)))).toBe('too_large message_too_large');
    expect(await chatErrorKindAndCode(edit(alice, sent.id, '\0'))).toBe('invalid message_invalid');
  });

  test('concurrent deletions count as one change', async () => {
    const { alice, conversation } = await chat.pair();
    const sent = await chat.send(alice, conversation.id);
    const answers = await Promise.all(Array.from({ length: 20 }, () => erase(alice, sent.id)));
    expect(new Set(answers.map(({ changeSeq }) => changeSeq))).toEqual(new Set([sent.changeSeq + 1]));
  });
});

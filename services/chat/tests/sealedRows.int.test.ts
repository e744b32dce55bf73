import { randomUUID } from 'node:crypto';
import type { Knex } from '@nolo/kit/db';
import { eventually } from '@nolo/testing';
import { up } from '../migrations/021_fields_into_content.ts';
import { down as restoreIndex, up as emptyLegacyColumns } from '../migrations/025_legacy_columns_empty.ts';
import { startChat, type TestChat } from './startChat.ts';
import { createTestGroup } from './groupFixtures.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startChat();
}, 30_000);
afterAll(() => chat.stop());

/** Legacy columns of a voice note of release 0.1.0. */
const legacyColumns = {
  file_name: null as string | null,
  voice_message_duration: 2.25,
  voice_message_transcription: 'words',
  media_info: 'no JSON',
  link_preview: '{"url":"https://a.example","title":"\\u0000"}',
};
const cleared = Object.fromEntries(Object.keys(legacyColumns).map((name) => [name, null]));
const caption = 'a caption with "quotes" and ✓';
const expectedEnvelope = {
  v: 1,
  text: caption,
  voiceMessageDuration: 2.25,
  voiceMessageTranscription: 'words',
  mediaInfo: 'no JSON',
  linkPreview: legacyColumns.link_preview,
};

/** Stores a voice note as release 0.1.0 did. */
async function addLegacyVoiceNote(ownerId: string, conversationId: string, more: Record<string, unknown> = {}) {
  const attachment = chat.attach(ownerId, 'voice');
  const sent = await chat.send(ownerId, conversationId, { content: caption, messageType: 'voice', attachment });
  await chat
    .db('messages')
    .where({ id: sent.id })
    .update({ ...legacyColumns, ...more });
  return sent;
}

const storedColumns = async (id: string) =>
  (await chat
    .db('messages')
    .where({ id })
    .first(...Object.keys(legacyColumns))) as Record<string, unknown>;
const read = (actorId: string, messageId: string) => chat.client.getMessage({ actorId, messageId });

test('data in legacy columns of 0.1.0 moves into the content, and nothing else changes', async () => {
  const { alice, bob, conversation } = await chat.pair();
  const sent = await addLegacyVoiceNote(alice, conversation.id);
  const file = await addLegacyVoiceNote(alice, conversation.id, { ...cleared, content: '', file_name: 'plans.pdf' });
  await up(chat.db);

  const note = await read(bob, sent.id);
  expect(JSON.parse(note.content)).toEqual(expectedEnvelope);
  // Readers see the same content, so this is neither a change nor an edit.
  expect(note).toEqual({ ...sent, content: note.content });
  expect(JSON.parse((await read(bob, file.id)).content)).toEqual({ v: 1, fileName: 'plans.pdf' });
  expect([await storedColumns(sent.id), await storedColumns(file.id)]).toEqual([cleared, cleared]);

  await up(chat.db);
  expect(await read(bob, sent.id)).toEqual(note);
});

test('plain text, envelopes, ciphertext and tombstones stay unchanged', async () => {
  const { alice, conversation } = await chat.pair();
  const plain = await chat.send(alice, conversation.id, { content: '{"v":1} is no envelope' });
  const envelope = '{"v":1,"text":"edited","voiceMessageTranscription":"other words"}';
  const edited = await addLegacyVoiceNote(alice, conversation.id, { content: envelope });
  const encrypted = await addLegacyVoiceNote(alice, conversation.id, { content: 'c2VhbGVk', encryption: 'mls' });
  const erased = await addLegacyVoiceNote(alice, conversation.id, { content: '', deleted_at: new Date() });
  await up(chat.db);

  expect(await read(alice, plain.id)).toEqual(plain);
  expect(await read(alice, edited.id)).toEqual({ ...edited, content: envelope });
  expect(await read(alice, encrypted.id)).toEqual({ ...encrypted, content: 'c2VhbGVk', encryption: 'mls' });
  expect([await storedColumns(edited.id), await storedColumns(erased.id)]).toEqual([cleared, cleared]);
  expect((await read(alice, erased.id)).content).toBe('');
});

test('the columns are empty and have no index after the migration of 0.4.0', async () => {
  const { alice, conversation } = await chat.pair();
  const hasIndex = async () =>
    (await chat.db('pg_indexes').where({ schemaname: 'chat', indexname: 'messages_beside' })).length === 1;
  expect(await hasIndex()).toBe(false);
  await restoreIndex(chat.db);
  expect(await hasIndex()).toBe(true);
  const sent = await addLegacyVoiceNote(alice, conversation.id);
  const encrypted = await addLegacyVoiceNote(alice, conversation.id, { content: 'c2VhbGVk', encryption: 'mls' });
  await emptyLegacyColumns(chat.db);

  expect(JSON.parse((await read(alice, sent.id)).content)).toEqual(expectedEnvelope);
  expect(await read(alice, encrypted.id)).toEqual({ ...encrypted, content: 'c2VhbGVk', encryption: 'mls' });
  expect([await storedColumns(sent.id), await storedColumns(encrypted.id)]).toEqual([cleared, cleared]);
  expect(await hasIndex()).toBe(false);
});

test('a message pending approval keeps its data when it is approved', async () => {
  const [owner, member] = [await chat.person(), await chat.person()];
  const settings = { allowScreenShare: true, allowFileSharing: true, allowRecording: false, moderationEnabled: true };
  const group = await createTestGroup(chat, owner, { memberIds: [member], settings });
  const attachment = chat.attach(member, 'voice');
  const sent = await chat.send(member, group.id, { content: caption, messageType: 'voice', attachment });
  expect(sent.held).toBe(true);
  const old = JSON.stringify({ ...expectedEnvelope, v: undefined, text: undefined, fileName: null });
  await chat.db.raw('update held_messages set draft = draft || ?::jsonb where id = ?', [old, sent.id]);
  await up(chat.db);

  const { held } = await chat.groups.listHeldMessages({ actorId: owner, conversationId: group.id });
  expect(JSON.parse(held[0]!.message!.content)).toEqual(expectedEnvelope);
  await chat.groups.decideHeldMessage({ actorId: owner, conversationId: group.id, heldId: sent.id, approve: true });
  const { messages } = await chat.client.listMessages({ actorId: owner, conversationId: group.id });
  const approved = messages.at(-1)!;
  expect(JSON.parse(approved.content)).toEqual(expectedEnvelope);
  expect(approved.attachment).toEqual(attachment);
  expect(await storedColumns(approved.id)).toEqual(cleared);
});

/** Returns a database whose connection is lost after a number of statements. */
function createFailingDb(statements: number): Knex {
  let left = statements;
  return new Proxy(chat.db, {
    get: (target, name) => {
      if (name === 'raw' && left === 0) throw new Error('The connection was lost.');
      if (name === 'raw') left -= 1;
      return Reflect.get(target, name) as unknown;
    },
  });
}

test('an interrupted run leaves every message intact, and the next one continues', async () => {
  const { alice, conversation } = await chat.pair();
  for (let n = 0; n < 230; n += 1) await chat.send(alice, conversation.id, { content: `${n}` });
  const rowsOfConversation = () => chat.db('messages').where({ conversation_id: conversation.id });
  await rowsOfConversation().update({ media_info: 'kept' });
  const sealed = async () => Number((await rowsOfConversation().where({ media_info: null }).count('* as n'))[0]?.['n']);

  let statements = 1;
  while ((await sealed()) === 0) {
    statements += 1;
    await expect(up(createFailingDb(statements))).rejects.toThrow('The connection was lost.');
  }
  expect(await sealed()).toBe(100);
  await up(chat.db);
  expect(await sealed()).toBe(230);
  const rows = (await rowsOfConversation().orderBy('seq').select('content')) as { content: string }[];
  expect(rows.map(({ content }) => JSON.parse(content) as unknown)).toEqual(
    rows.map((_, n) => ({ v: 1, text: `${n}`, mediaInfo: 'kept' })),
  );
});

test('skips a locked message, and waits for it at the end', async () => {
  const { alice, conversation } = await chat.pair();
  const locked = await addLegacyVoiceNote(alice, conversation.id);
  const other = await addLegacyVoiceNote(alice, conversation.id);
  const holder = await chat.db.transaction();
  await holder.raw('select 1 from messages where id = ? for update', [locked.id]);
  const running = up(chat.db);
  try {
    await eventually(async () => (await storedColumns(other.id))['media_info'] === null);
    expect(await storedColumns(locked.id)).toMatchObject({ media_info: 'no JSON' });
  } finally {
    await holder.commit();
  }
  await running;
  expect(await storedColumns(locked.id)).toEqual(cleared);
});

test('undeliverable frames of 0.1.0, which contain message content, are deleted', async () => {
  const parked = (payload: object) => ({
    id: randomUUID(),
    subject: 'deliver',
    payload: JSON.stringify(payload),
    attempts: 5,
    error: 'It failed.',
    created_at: new Date(),
  });
  const fact = parked({ to: [], fact: { type: 'sync_required', of: {} } });
  await chat.db('outbox_parked').insert([parked({ recipients: [], frame: { type: 'new_message', data: {} } }), fact]);
  await up(chat.db);
  expect(await chat.db('outbox_parked').select('id')).toEqual([{ id: fact.id }]);
});

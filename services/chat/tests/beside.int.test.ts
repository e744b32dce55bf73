import { anEditMessageRequest } from '@nolo/testing/protos';
import { sealLegacyBatch } from '../src/jobs/sealLegacyColumns.ts';
import { createLegacyColumnStore } from '../src/store/legacyColumns.ts';
import { startChat, type ChatUnderTest } from './chatUnderTest.ts';
import { noAttachment } from './memoryFiles.ts';

let chat: ChatUnderTest;
beforeAll(async () => {
  chat = await startChat();
});
afterAll(() => chat.stop());

const seal = () => sealLegacyBatch(createLegacyColumnStore(chat.db));

/** Returns a message of the previous release, with its file data in legacy columns. */
const legacyVoiceNote = (ownerId: string) => ({
  content: 'a caption with "quotes" and ✓',
  messageType: 'voice',
  linkPreview: '{"url":"https://a.example","title":"\\u0000"}',
  attachment: {
    ...noAttachment,
    voiceMessageUrl: chat.files.store(ownerId, 'voice'),
    voiceMessageDuration: 2.25,
    voiceMessageTranscription: 'words',
    mediaInfo: 'no JSON',
  },
});

test('legacy columns written by callers of the previous release are readable and move into the content', async () => {
  const { alice, bob, conversation } = await chat.pair();
  const given = legacyVoiceNote(alice);
  const sent = await chat.send(alice, conversation.id, given);
  expect(sent).toMatchObject(given);
  expect(await seal()).toBe(1);

  const read = await chat.client.getMessage({ actorId: bob, messageId: sent.id });
  expect(JSON.parse(read.content)).toEqual({
    v: 1,
    text: given.content,
    voiceMessageDuration: 2.25,
    voiceMessageTranscription: 'words',
    mediaInfo: 'no JSON',
    linkPreview: given.linkPreview,
  });
  const attachment = { ...noAttachment, voiceMessageUrl: given.attachment.voiceMessageUrl };
  // Readers see the same content, so this is neither a change nor an edit.
  expect(read).toEqual({ ...sent, content: read.content, attachment, linkPreview: undefined });
  expect(await seal()).toBe(0);
});

test('plain text, ciphertext and envelopes stay unchanged, and legacy columns next to one are cleared', async () => {
  const { alice, conversation } = await chat.pair();
  const words = await chat.send(alice, conversation.id, { content: 'plain' });
  const encrypted = await chat.send(alice, conversation.id, {
    ...legacyVoiceNote(alice),
    content: 'c2VhbGVk',
    encryption: 'mls',
  });
  const edited = await chat.send(alice, conversation.id, legacyVoiceNote(alice));
  const envelope = '{"v":1,"text":"edited","voiceMessageTranscription":"words"}';
  const edit = anEditMessageRequest({ actorId: alice, messageId: edited.id, content: envelope });
  await chat.client.editMessage(edit);
  expect(await seal()).toBe(1);

  const { messages } = await chat.client.listMessages({ actorId: alice, conversationId: conversation.id });
  expect(messages.slice(0, 2)).toEqual([words, encrypted]);
  expect(messages[2]).toMatchObject({
    content: envelope,
    linkPreview: undefined,
    attachment: { mediaInfo: undefined },
  });
});

test('works in batches, and skips locked messages', async () => {
  const { alice, conversation } = await chat.pair();
  const ids: string[] = [];
  for (let n = 0; n < 3; n += 1) ids.push((await chat.send(alice, conversation.id, legacyVoiceNote(alice))).id);
  const store = createLegacyColumnStore(chat.db);
  await chat.db.transaction(async (trx) => {
    await trx.raw('select 1 from messages where id = ? for update', [ids[1]!]);
    expect([await store.seal(1), await store.seal(10), await store.seal(10)]).toEqual([1, 1, 0]);
  });
  expect(await store.seal(10)).toBe(1);
});

test('finds the rows by their index', async () => {
  const plan = await chat.db.transaction(async (trx) => {
    await trx.raw('set local enable_seqscan = off');
    const sql = `explain select 1 from messages where encryption = 'none' and (file_name is not null
      or voice_message_duration is not null or voice_message_transcription is not null
      or media_info is not null or link_preview is not null) limit 100`;
    return JSON.stringify(((await trx.raw(sql)) as { rows: unknown[] }).rows);
  });
  expect(plan).toContain('messages_beside');
});

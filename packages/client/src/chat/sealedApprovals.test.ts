import type { UnapprovedMessage } from '@nolo/api';
import { eventually } from '@nolo/testing';
import { boundOf, rowHashOf, sealText } from '../../tests/reversingConversations.ts';
import { messagesOf, setUpSealedChat } from '../../tests/sealedChat.ts';
import { followIncomingMessages } from './incoming.ts';
import { decideHeldMessage, openHeldMessages } from './sealedDecisions.ts';
import { approverOf, openingOf } from './rowOpening.ts';

const voice = '/objects/3f0e1d6c-8a57-4a8e-9b6d-0d7c2f1a5b4e';

/** Returns a draft of another member as the server lists it: without the recording of a voice message. */
function draftOf(content: string): UnapprovedMessage {
  const fields = { messageType: 'voice' as const, mentions: ['me'], clientMessageId: 'draft-1', hasLink: false };
  return {
    ...fields,
    id: 'held-1',
    conversationId: 'c1',
    senderId: 'you',
    sender: null,
    content: '',
    encryption: 'epochs',
    sealed: sealText({ n: 0, content, bound: boundOf(fields), salt: 0 }),
    seal: {
      epoch: 0,
      deviceId: 'device',
      version: 0,
      place: 0,
      own: [],
      targetRow: null,
      rowHash: rowHashOf('draft-1'),
      origin: 'origin',
      hasLink: false,
      deletion: null,
      annotations: [],
      held: true,
      draftId: null,
      draftOrigin: null,
    },
    fileUrl: null,
    fileName: null,
    fileSize: null,
    mediaInfo: null,
    previewUrl: null,
    linkPreview: null,
    createdAt: '2026-12-01T00:00:00.000Z',
  };
}

async function open() {
  const chat = setUpSealedChat();
  const engine = await chat.start(chat.create());
  return { ...chat, engine };
}

const content = JSON.stringify({ v: 1, text: 'listen', voiceMessageUrl: voice });

test('drafts open with all their files, for admins and their authors', async () => {
  const { sealing, engine } = await open();
  const [draft] = await openHeldMessages(engine, 'c1', [draftOf(content)]);
  expect(draft).toMatchObject({ id: 'held-1', content: 'listen', voiceMessageUrl: voice });
  expect(openingOf(draft!)).toMatchObject({ state: 'open' });
  sealing.keys.delete(0);
  const [waiting] = await openHeldMessages(engine, 'c1', [draftOf(content)]);
  expect(openingOf(waiting!)?.state).toBe('waiting');
  await expect(decideHeldMessage(engine, draftOf(content), true)).rejects.toMatchObject({ code: 'waiting_for_key' });
  engine.stop();
});

test('a device whose keys are not ready shows drafts as waiting, and opens them later', async () => {
  const { sealing, engine } = await open();
  sealing.fail(Object.assign(new Error('not ready'), { code: 'not_ready' }));
  const [waiting] = await openHeldMessages(engine, 'c1', [draftOf(content)]);
  expect(openingOf(waiting!)?.state).toBe('waiting');
  sealing.fail(null);
  expect(await openHeldMessages(engine, 'c1', [draftOf(content)])).toMatchObject([{ content: 'listen' }]);
  engine.stop();
});

test('a plain draft is refused in a sealed conversation, and shown elsewhere', async () => {
  const plain = {
    ...draftOf(content),
    encryption: 'none',
    sealed: null,
    seal: undefined,
    content: 'in the open',
  } as const;
  const { engine } = await open();
  const rows = await openHeldMessages(engine, 'c1', [plain, draftOf(content)]);
  expect(rows).toMatchObject([{ content: '', opening: { state: 'refused', reason: 'plain' } }, { content: 'listen' }]);
  engine.stop();
  const other = setUpSealedChat({ epoch: null });
  const plainEngine = await other.start(other.create());
  expect(await openHeldMessages(plainEngine, 'c1', [plain])).toMatchObject([{ content: 'in the open' }]);
  plainEngine.stop();
});

test('an admin approves a draft with a message of their own, which is shown as its author’s', async () => {
  const { server, sealing, engine } = await open();
  const heard: string[] = [];
  const stop = followIncomingMessages(engine, undefined, ({ content: text }) => heard.push(text));
  server.setNewest(1);
  await decideHeldMessage(engine, draftOf(content), true).catch(() => undefined);
  sealing.setNewest(1);
  await decideHeldMessage(engine, draftOf(content), true);
  expect(sealing.drafts.at(-1)).toMatchObject({ kind: 'approval', draft: { id: 'held-1', senderId: 'you' } });
  const stored = server.messages[0]!;
  expect(stored).toMatchObject({
    senderId: 'me',
    messageType: 'voice',
    mentions: ['me'],
    voiceMessageUrl: voice,
    seal: { draftId: 'held-1', held: false },
  });
  await eventually(() => sealing.calls.includes(`acknowledged ${stored.clientMessageId}`));
  server.push({ type: 'new_message', data: stored });
  await eventually(() => messagesOf(engine)[0]?.content === 'listen');
  const shown = messagesOf(engine)[0]!;
  expect(shown).toMatchObject({ senderId: 'you', sender: null, voiceMessageUrl: voice });
  expect(approverOf(shown)).toBe('me');
  // The user approved it, so it is no news.
  expect(heard).toEqual([]);
  stop();
  // A later state of the row, and its deletion, are by its author too.
  const { seal } = stored;
  server.push({ type: 'message_updated', data: { ...stored, changeSeq: stored.changeSeq + 1 } });
  await eventually(() => messagesOf(engine)[0]?.changeSeq === stored.changeSeq + 1);
  expect(messagesOf(engine)[0]).toMatchObject({ senderId: 'you', opening: { approvedBy: 'me' } });
  const deletion = { deletedAt: stored.createdAt, seal: { ...seal!, deletion: 'signed', draftOrigin: 'you' } };
  server.push({ type: 'message_updated', data: { ...stored, ...deletion, changeSeq: stored.changeSeq + 2 } });
  await eventually(() => openingOf(messagesOf(engine)[0]!)?.state === 'deleted');
  expect(messagesOf(engine)[0]).toMatchObject({ senderId: 'you', content: '' });
  engine.stop();
});

test('a rejected draft is removed, and nothing is sealed', async () => {
  const { server, sealing, engine } = await open();
  await decideHeldMessage(engine, draftOf(content), false);
  expect(server.decisions).toEqual([{ heldId: 'held-1', approve: false }]);
  expect(sealing.drafts).toEqual([]);
  engine.stop();
});

test('a device without keys opens no drafts, and approves none', async () => {
  const chat = setUpSealedChat({ keys: false });
  const engine = await chat.start(chat.create());
  const [waiting] = await openHeldMessages(engine, 'c1', [draftOf(content)]);
  expect(openingOf(waiting!)?.state).toBe('waiting');
  await expect(decideHeldMessage(engine, draftOf(content), true)).rejects.toMatchObject({ code: 'blocked' });
  engine.stop();
});

test('an approval leaves what its admin has not read unread', async () => {
  const { server, engine } = await open();
  const row = () => engine.store.getState().conversations['c1']!;
  server.push({ type: 'new_message', data: server.storeSealed('you', JSON.stringify({ v: 1, text: 'one' })) });
  await eventually(() => messagesOf(engine)[0]?.content === 'one');
  const { unreadCount, readSeq } = row();
  expect(unreadCount).toBe(1);
  await decideHeldMessage(engine, draftOf(content), true);
  server.push({ type: 'new_message', data: server.messages.at(-1)! });
  await eventually(() => messagesOf(engine)[1]?.content === 'listen');
  expect(row()).toMatchObject({ unreadCount: 2, readSeq });
  engine.stop();
});

test('a draft that answers a message shows it', async () => {
  const { engine } = await open();
  const replyTo = { seq: 1, messageId: 'm1', senderId: 'me' };
  const rows = await openHeldMessages(engine, 'c1', [{ ...draftOf(content), replyTo }]);
  expect(rows).toMatchObject([{ content: 'listen', replyTo }]);
  engine.stop();
});

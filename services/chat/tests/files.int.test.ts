import { randomUUID } from 'node:crypto';
import { eventually, followEvents } from '@nolo/testing';
import { aSendMessageRequest } from '@nolo/testing/protos';
import { chatErrorKindAndCode, startChat, type TestChat } from './startChat.ts';
import { createGroupWithRoles } from './groupFixtures.ts';
import { emptyAttachmentInput } from './memoryFiles.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startChat();
});
afterAll(() => chat.stop());

const idOf = (url: string) => url.slice('/objects/'.length);
const picture = (fileUrl: string, more: object = {}) => ({
  content: '',
  messageType: 'image',
  attachment: { ...emptyAttachmentInput, fileUrl, ...more },
});
const canRead = async (actorId: string, url: string) =>
  (await chat.client.canReadFile({ actorId, fileId: idOf(url) })).allowed;
const isNamed = async (url: string) =>
  (await chat.client.listNamedFiles({ fileIds: [idOf(url)] })).fileIds.length === 1;
const erase = (actorId: string, messageId: string) => chat.client.deleteMessage({ actorId, messageId });

/** Records the files released to the files service. */
async function released(): Promise<() => string[]> {
  const ids: string[] = [];
  await followEvents(chat.db, ['event.chat.files_released'], ({ data }) => {
    ids.push(...(data as { fileIds: string[] }).fileIds);
  });
  return () => ids;
}

test('members of the conversation can read a file while its message exists', async () => {
  const { alice, bob, conversation } = await chat.pair();
  const stranger = await chat.person();
  const url = chat.files.store(alice);
  expect(await canRead(bob, url)).toBe(false);
  const { id } = await chat.send(alice, conversation.id, picture(url));
  expect([await canRead(alice, url), await canRead(bob, url), await canRead(stranger, url)]).toEqual([
    true,
    true,
    false,
  ]);
  expect(await isNamed(url)).toBe(true);
  const listReleasedFiles = await released();
  await erase(alice, id);
  expect([await canRead(alice, url), await canRead(bob, url), await isNamed(url)]).toEqual([false, false, false]);
  await eventually(() => listReleasedFiles().includes(idOf(url)));
});

test('a preview image counts as a file of the message', async () => {
  const { alice, bob, conversation } = await chat.pair();
  const [film, still] = [chat.files.store(alice, 'video'), chat.files.store(alice)];
  const sent = await chat.send(alice, conversation.id, {
    ...picture(film, { previewUrl: still }),
    messageType: 'video',
  });
  expect(sent.attachment).toMatchObject({ fileUrl: film, previewUrl: still });
  expect([await canRead(bob, film), await canRead(bob, still)]).toEqual([true, true]);
});

test('members cannot read files from before they joined or after they left', async () => {
  const group = await createGroupWithRoles(chat);
  const url = chat.files.store(group.owner);
  await chat.send(group.owner, group.id, picture(url));
  const newcomer = await chat.person();
  await chat.groups.addMembers({ actorId: group.owner, conversationId: group.id, userIds: [newcomer] });
  expect([await canRead(group.member, url), await canRead(newcomer, url)]).toEqual([true, false]);
  await chat.groups.leaveGroup({ actorId: group.member, conversationId: group.id });
  expect(await canRead(group.member, url)).toBe(false);
});

test('people can send only files they own or have received', async () => {
  const { alice, bob, conversation } = await chat.pair();
  const url = chat.files.store(alice);
  const other = await chat.pair();
  await chat.client.getOrCreateDirect({ actorId: bob, otherUserId: other.alice });
  expect(await chatErrorKindAndCode(chat.send(bob, conversation.id, picture(url)))).toBe('not_found file_not_found');
  await chat.send(alice, conversation.id, picture(url));
  await chat.send(bob, conversation.id, { ...picture(url), forwarded: true });
  expect(await chatErrorKindAndCode(chat.send(other.alice, other.conversation.id, picture(url)))).toBe(
    'not_found file_not_found',
  );
});

test('a message takes the size of its file, and its type must match the kind of file', async () => {
  const { alice, conversation } = await chat.pair();
  const url = chat.files.store(alice, 'image', 4_321);
  const sent = await chat.send(alice, conversation.id, picture(url, { fileSize: 1 }));
  expect(sent.attachment?.fileSize).toBe(4_321);
  for (const [kind, messageType] of [
    ['file', 'image'],
    ['video', 'image'],
    ['image', 'video'],
  ] as const) {
    const wrong = { ...picture(chat.files.store(alice, kind)), messageType };
    expect(await chatErrorKindAndCode(chat.send(alice, conversation.id, wrong))).toBe('invalid message_invalid');
  }
  // The server cannot inspect encrypted content.
  const sealed = { ...picture(chat.files.store(alice, 'file')), encryption: 'mls' };
  await chat.send(alice, conversation.id, sealed);
});

test('a message resent after its file is gone gets the original response', async () => {
  const { alice, conversation } = await chat.pair();
  const url = chat.files.store(alice);
  const clientMessageId = randomUUID();
  const sent = await chat.send(alice, conversation.id, { ...picture(url), clientMessageId });
  await erase(alice, sent.id);
  chat.files.files.delete(idOf(url));
  expect(await chat.send(alice, conversation.id, { ...picture(url), clientMessageId })).toMatchObject({ id: sent.id });
});

test('concurrent messages of one sender stay in order, with or without files', async () => {
  const { alice, conversation } = await chat.pair();
  const request = (content: string, more: object = {}) =>
    aSendMessageRequest({ actorId: alice, conversationId: conversation.id, content, ...more });
  const file = { ...picture(chat.files.store(alice)), content: 'two' };
  const messages = [
    request('one'),
    request('two', file),
    request('three'),
    request('four', { ...file, content: 'four' }),
  ];
  const { results } = await chat.client.sendMessages({ messages, traceparents: [] });
  const seqs = results.map(({ outcome }) => (outcome?.$case === 'message' ? outcome.value.seq : 0));
  expect(seqs).toEqual([1, 2, 3, 4]);
});

test('pending messages are visible to admins, and a rejection is announced', async () => {
  const settings = { allowScreenShare: true, allowFileSharing: true, allowRecording: false, moderationEnabled: true };
  const group = await createGroupWithRoles(chat, { settings });
  const { id, owner, admin, member } = group;
  const listReleasedFiles = await released();
  const decide = async (url: string, approve: boolean) => {
    const pendingMessage = await chat.send(member, id, picture(url));
    expect(pendingMessage.held).toBe(true);
    expect([await canRead(admin, url), await isNamed(url)]).toEqual([true, true]);
    await chat.groups.decideHeldMessage({ actorId: owner, conversationId: id, heldId: pendingMessage.id, approve });
  };
  const [taken, refused] = [chat.files.store(member), chat.files.store(member)];
  await decide(taken, true);
  expect([await canRead(admin, taken), await isNamed(taken)]).toEqual([true, true]);
  await decide(refused, false);
  expect([await canRead(admin, refused), await isNamed(refused)]).toEqual([false, false]);
  await eventually(() => listReleasedFiles().includes(idOf(refused)));
});

test('a disappearing message releases its files', async () => {
  const { alice, bob, conversation } = await chat.pair();
  await chat.messageActions.setTimer({ actorId: alice, conversationId: conversation.id, seconds: 30 });
  const url = chat.files.store(alice);
  await chat.send(alice, conversation.id, picture(url));
  const listReleasedFiles = await released();
  chat.clock.advance(30_000);
  expect(await canRead(bob, url)).toBe(false);
  await eventually(() => listReleasedFiles().includes(idOf(url)));
  expect(await isNamed(url)).toBe(false);
});

test('files of pending messages are readable by admins and by no other member', async () => {
  const settings = { allowScreenShare: true, allowFileSharing: true, allowRecording: false, moderationEnabled: true };
  const group = await createGroupWithRoles(chat, { settings });
  const { id, owner, admin, member } = group;
  const other = await chat.person();
  await chat.groups.addMembers({ actorId: owner, conversationId: id, userIds: [other] });
  const url = chat.files.store(member);
  const pendingMessage = await chat.send(member, id, picture(url));
  expect(pendingMessage.held).toBe(true);
  const readers = () => Promise.all([owner, admin, other].map((actorId) => canRead(actorId, url)));
  expect(await readers()).toEqual([true, true, false]);
  expect(await canRead(await chat.person(), url)).toBe(false);
  await chat.groups.decideHeldMessage({ actorId: admin, conversationId: id, heldId: pendingMessage.id, approve: true });
  expect(await readers()).toEqual([true, true, true]);
});

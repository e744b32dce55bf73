import { randomUUID } from 'node:crypto';
import { fromUuid } from '@nolo/e2ee';
import type { Message } from '@nolo/proto/conversation';
import { eventually } from '@nolo/testing';
import { createGroupWithRoles } from './groupFixtures.ts';
import { noRow, sealConversation, type SealedConversation, type SealFields } from './sealFixtures.ts';
import { chatErrorKindAndCode, startChat, type TestChat } from './startChat.ts';
import { refusalOf } from './vaultFixtures.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startChat();
}, 30_000);
afterAll(() => chat.stop());

const settings = { allowScreenShare: true, allowFileSharing: true, allowRecording: false, moderationEnabled: true };
const refused = (reason: string) => ({ code: 'seal_refused', details: { reason } });

async function moderated() {
  const group = await createGroupWithRoles(chat, { settings });
  const { owner, admin, member } = group;
  return { ...group, sealed: await sealConversation(chat, group.id, { [owner]: 2, [admin]: 1, [member]: 0 }) };
}

const listHeld = async (actorId: string, conversationId: string) =>
  (await chat.groups.listHeldMessages({ actorId, conversationId })).held;
const list = async (actorId: string, conversationId: string) =>
  (await chat.client.listMessages({ actorId, conversationId, limit: 100 })).messages.filter(({ sealed }) => sealed);

/** Builds an admin's approval of a draft. */
async function approval(
  sealed: SealedConversation,
  actorId: string,
  { id: heldId, message }: { id: string; message?: Message },
  {
    fields = {},
    draftId = heldId,
    ...more
  }: { fields?: SealFields; draftId?: string; attachment?: Message['attachment']; messageType?: string } = {},
) {
  const row = Uint8Array.from(message?.sealed?.rowHash ?? noRow);
  const target = { kind: 4, messageId: fromUuid(draftId), row } as const;
  const request = await sealed.request(actorId, { target, ...fields }, more);
  const own = request.sealed && { ...request.sealed, draftId };
  return { actorId, conversationId: sealed.id, heldId, approve: true, message: { ...request, sealed: own } };
}

type Moderated = Awaited<ReturnType<typeof moderated>>;

/** Returns the message in which the admin approves a draft of the member. */
async function approveDraft(
  { id, admin, member, sealed }: Moderated,
  ...draft: [SealFields?, { replyToSeq?: number }?]
) {
  const [fields, more] = draft;
  const held = await sealed.send(member, { hasLink: true, held: true, ...fields }, more);
  await chat.groups.decideHeldMessage(await approval(sealed, admin, { id: held.id, message: held }));
  return (await list(admin, id)).at(-1)!;
}

const alertsOf = async (conversationId: string, seq: number, more: { reactedBy?: string } = {}) => {
  const request = { conversationId, firstSeq: seq, lastSeq: seq, userIds: [], ...more };
  const { alerts } = await chat.alerts.listAlerts(request);
  return Object.fromEntries(alerts.map(({ userId, reason, senderId }) => [userId, [reason, senderId]]));
};

test('a draft that needs approval is sealed again as one, and then waits', async () => {
  const { id, owner, admin, member, sealed } = await moderated();
  const clientMessageId = randomUUID();
  const plain = sealed.send(member, { clientMessageId, hasLink: true });
  expect(await chatErrorKindAndCode(plain)).toBe('conflict approval_required');
  const request = await sealed.request(member, { clientMessageId, hasLink: true, held: true });
  const held = await chat.client.sendMessage(request);
  expect(held).toMatchObject({ held: true, seq: 0, encryption: 'epochs', clientMessageId });
  expect(await chat.client.sendMessage(request)).toEqual(held);
  const [draft] = await listHeld(admin, id);
  expect(draft?.message).toEqual(held);
  expect(held.sealed).toMatchObject({
    held: true,
    hasLink: true,
    sealed: request.sealed?.sealed,
    epoch: 0,
    version: 0,
  });
  expect(held.sealed?.origin?.length).toBeGreaterThan(200);
  expect(await listHeld(member, id)).toEqual([draft]);
  expect(await list(owner, id)).toEqual([]);
  // Text and what admins send waits for nobody.
  expect(await sealed.send(member)).toMatchObject({ held: false });
  expect(await sealed.send(admin, { hasLink: true })).toMatchObject({ held: false });
  expect(await refusalOf(sealed.send(admin, { held: true }))).toEqual(refused('held'));
});

test('an admin approves a draft with a message of their own, once', async () => {
  const { id, owner, admin, member, sealed } = await moderated();
  const attachment = chat.attach(member, 'image');
  const files = [attachment?.fileUrl?.split('/').at(-1) ?? ''];
  const sending = await sealed.request(member, { type: 'image', files, held: true }, { attachment });
  const held = await chat.client.sendMessage(sending);
  await sealed.next();
  const [draft] = await listHeld(admin, id);
  const more = { fields: { type: 'image', files }, attachment };
  const requests = [await approval(sealed, admin, draft!, more), await approval(sealed, owner, draft!, more)];
  const outcomes = await Promise.all(requests.map((one) => chatErrorKindAndCode(chat.groups.decideHeldMessage(one))));
  expect(outcomes.toSorted()).toEqual(['none', 'not_found message_not_found']);
  const accepted = requests[outcomes.indexOf('none')]!;
  const [post, ...others] = await list(member, id);
  expect(others).toEqual([]);
  expect(post).toMatchObject({
    senderId: accepted.actorId,
    attachment,
    messageType: 'image',
    sealed: { draftId: held.id },
  });
  expect(post?.sealed?.targetRow).toEqual(held.sealed?.rowHash);
  expect(await listHeld(admin, id)).toEqual([]);
  // Both repeats are answered: the approval, and the author's message.
  await chat.groups.decideHeldMessage(accepted);
  expect(await chat.client.sendMessage(sending)).toEqual(post);
  expect(await list(member, id)).toEqual([post]);
  expect(await chat.client.canReadFile({ actorId: owner, fileId: files[0] ?? '' })).toMatchObject({ allowed: true });
});

test('refuses an approval that does not fit the draft', async () => {
  const { id, admin, member, sealed } = await moderated();
  const held = await sealed.send(member, { hasLink: true, held: true });
  const [draft] = await listHeld(admin, id);
  const decide = async (...given: Parameters<typeof approval>) =>
    refusalOf(chat.groups.decideHeldMessage(await approval(...given)));
  const bare = { actorId: admin, conversationId: id, heldId: held.id, approve: true };
  expect(await chatErrorKindAndCode(chat.groups.decideHeldMessage(bare))).toBe('conflict encryption_required');
  expect(await decide(sealed, member, draft!)).toMatchObject({ code: 'not_admin' });
  expect(await decide(sealed, admin, draft!, { draftId: randomUUID() })).toEqual(refused('target'));
  const target = { kind: 4, messageId: fromUuid(held.id), row: noRow } as const;
  expect(await decide(sealed, admin, draft!, { fields: { target } })).toEqual(refused('target'));
  const attachment = chat.attach(admin, 'image');
  const files = [attachment?.fileUrl?.split('/').at(-1) ?? ''];
  const other = { fields: { type: 'image', files }, attachment };
  expect(await decide(sealed, admin, draft!, other)).toEqual(refused('files'));
  const { epoch } = sealed;
  await sealed.next({ endsRows: true });
  expect(await decide(sealed, admin, draft!, { fields: { epoch } })).toMatchObject({ code: 'epoch_stale' });
  expect(await listHeld(admin, id)).toHaveLength(1);
  expect(await list(member, id)).toEqual([]);
});

test('a rejected draft stays rejected', async () => {
  const { id, admin, member, sealed } = await moderated();
  const request = await sealed.request(member, { hasLink: true, held: true });
  const held = await chat.client.sendMessage(request);
  await chat.groups.decideHeldMessage({ actorId: admin, conversationId: id, heldId: held.id, approve: false });
  await sealed.next({ endsRows: true });
  expect(await chatErrorKindAndCode(chat.client.sendMessage(request))).toBe('forbidden message_rejected');
});

test('the author of an approved draft can delete it, and the approver cannot edit it', async () => {
  const { id, admin, member, sealed } = await moderated();
  await sealed.send(member, { hasLink: true, held: true });
  const [draft] = await listHeld(admin, id);
  await chat.groups.decideHeldMessage(await approval(sealed, admin, draft!));
  const [post] = await list(member, id);
  expect(await chatErrorKindAndCode(sealed.edit(admin, post!))).toBe('forbidden not_author');
  expect(await chatErrorKindAndCode(sealed.edit(member, post!))).toBe('forbidden not_author');
  const deleted = await chat.client.deleteMessage(await sealed.deletion(member, post!));
  const kept = { rowHash: post?.sealed?.rowHash, draftOrigin: draft?.message?.sealed?.origin };
  expect(deleted.sealed).toMatchObject(kept);
  // Clients check the author by it, also after the author has left.
  await chat.groups.leaveGroup({ actorId: member, conversationId: id });
  const [tombstone] = await list(admin, id);
  expect(tombstone?.sealed).toMatchObject(kept);
});

test('a draft from before its group was sealed stays until an admin rejects it', async () => {
  const { id, owner, admin, member } = await createGroupWithRoles(chat, { settings });
  await chat.send(member, id, { hasLink: true });
  await sealConversation(chat, id, { [owner]: 2, [admin]: 1, [member]: 0 });
  const [draft] = await listHeld(admin, id);
  const decide = (approve: boolean) =>
    chat.groups.decideHeldMessage({ actorId: admin, conversationId: id, heldId: draft?.id ?? '', approve });
  expect(await chatErrorKindAndCode(decide(true))).toBe('conflict encryption_required');
  expect(await listHeld(admin, id)).toEqual([draft]);
  await decide(false);
  expect(await listHeld(admin, id)).toEqual([]);
});

test('an approved answer alerts who is answered, and answers and reactions to it alert its author', async () => {
  const group = await moderated();
  const { id, owner, admin, member, sealed } = group;
  const question = await sealed.send(owner);
  const replyTo = { seq: question.seq, messageId: question.id, senderId: owner };
  const fields = { target: sealed.targetOf(0, question) };
  const more = { replyToSeq: question.seq };
  await sealed.send(member, { hasLink: true, held: true, ...fields }, more);
  for (const userId of [admin, member])
    expect((await listHeld(userId, id)).map(({ message }) => message?.replyTo)).toEqual([replyTo]);
  const post = await approveDraft(group, fields, more);
  expect(post).toMatchObject({ senderId: admin, replyTo });
  expect(await alertsOf(id, post.seq)).toEqual({ [owner]: ['reply', member] });
  const target = { target: sealed.targetOf(0, post) };
  const answer = await sealed.send(owner, target, { replyToSeq: post.seq });
  expect(answer.replyTo).toEqual({ seq: post.seq, messageId: post.id, senderId: member });
  expect(await alertsOf(id, answer.seq)).toEqual({ [member]: ['reply', owner], [admin]: ['message', owner] });
  await chat.messageActions.setReaction(await sealed.reaction(admin, post));
  expect(await alertsOf(id, post.seq, { reactedBy: admin })).toEqual({ [member]: ['reaction', admin] });
  const events = chat.db('events').where({ subject: 'event.chat.message_reacted' });
  expect(await events.whereRaw(`payload ->> 'userId' = ?`, [admin])).toHaveLength(1);
});

test('an approved message is unread for nobody who wrote or approved it, and marks nothing else as read', async () => {
  const group = await moderated();
  const { id, owner, admin, member, sealed } = group;
  const unread = async (actorId: string) =>
    (await chat.client.getConversation({ actorId, conversationId: id })).unreadCount;
  const { seq } = await sealed.send(owner);
  await chat.client.moveCursor({ actorId: member, conversationId: id, deliveredSeq: seq, readSeq: seq });
  const before = await unread(admin);
  await approveDraft(group);
  expect([await unread(member), await unread(owner), await unread(admin)]).toEqual([0, 1, before + 1]);
  await chat.client.moveCursor({ actorId: admin, conversationId: id, deliveredSeq: undefined, readSeq: seq + 1 });
  await sealed.send(owner);
  const last = (await list(owner, id)).at(-1)!.seq;
  await chat.client.moveCursor({ actorId: admin, conversationId: id, deliveredSeq: undefined, readSeq: last });
  await approveDraft(group);
  expect([await unread(member), await unread(admin)]).toEqual([2, 0]);
  await eventually(() =>
    chat.framesTo(admin).some(({ type, data }) => type === 'read_cursor' && data.readSeq === last + 1),
  );
});

test('an approved message is in the export of its author, and goes with their account alone', async () => {
  const group = await moderated();
  const { id, owner, admin, member } = group;
  const post = await approveDraft(group);
  const exported = async (actorId: string) => {
    const ids: string[] = [];
    for await (const message of chat.client.exportMessages({ actorId })) ids.push(message.id);
    return ids.includes(post.id);
  };
  for (const actorId of [admin, member]) await chat.groups.leaveGroup({ actorId, conversationId: id });
  expect([await exported(member), await exported(admin)]).toEqual([true, false]);
  const lose = async (userId: string) => {
    await chat.client.updatePreferences({ actorId: userId, shareReceipts: false });
    await chat.publishEvent('event.identity.user_deleted', { userId }, randomUUID(), userId);
    await eventually(async () => (await chat.db('preferences').where({ user_id: userId }).first()) === undefined);
    return (await list(owner, id)).at(-1);
  };
  expect(await lose(admin)).toMatchObject({ id: post.id, deletedAt: undefined });
  expect(await lose(member)).toMatchObject({ id: post.id, deletedAt: expect.any(Date) });
});

test('an author withdraws a draft unless an admin was first, and nothing is half done', async () => {
  const { id, owner, admin, member, sealed } = await moderated();
  const withdraw = (actorId: string, heldId: string) =>
    chatErrorKindAndCode(chat.groups.withdrawHeldMessage({ actorId, conversationId: id, heldId }));
  const request = await sealed.request(member, { hasLink: true, held: true });
  const held = await chat.client.sendMessage(request);
  const approving = await approval(sealed, admin, { id: held.id, message: held });
  const decide = (one: object) => chatErrorKindAndCode(chat.groups.decideHeldMessage({ ...approving, ...one }));
  expect(await withdraw(owner, held.id)).toBe('forbidden not_author');
  expect(await listHeld(admin, id)).toHaveLength(1);
  for (const _ of ['once', 'again']) expect(await withdraw(member, held.id)).toBe('none');
  expect(await listHeld(admin, id)).toEqual([]);
  for (const approve of [true, false]) expect(await decide({ approve })).toBe('conflict message_withdrawn');
  expect(await chatErrorKindAndCode(chat.client.sendMessage(request))).toBe('conflict message_withdrawn');
  expect(await list(member, id)).toEqual([]);

  for (let round = 0; round < 8; round += 1) {
    const draft = await sealed.send(member, { hasLink: true, held: true });
    const one = await approval(sealed, admin, { id: draft.id, message: draft });
    const [approved, withdrawn] = await Promise.all([
      chatErrorKindAndCode(chat.groups.decideHeldMessage(one)),
      withdraw(member, draft.id),
    ]);
    const isPosted = (await list(member, id)).some((post) => post.sealed?.draftId === draft.id);
    const expected = isPosted ? ['none', 'conflict message_approved'] : ['conflict message_withdrawn', 'none'];
    expect([approved, withdrawn]).toEqual(expected);
    if (isPosted) expect(await withdraw(member, draft.id)).toBe('conflict message_approved');
  }
  expect(await listHeld(admin, id)).toEqual([]);
});

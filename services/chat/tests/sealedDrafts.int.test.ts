import { randomUUID } from 'node:crypto';
import { fromUuid } from '@nolo/e2ee';
import type { Message } from '@nolo/proto/conversation';
import { createGroupWithRoles } from './groupFixtures.ts';
import { noRow, sealConversation, type SealedConversation, type SealFields } from './sealFixtures.ts';
import { chatErrorKindAndCode, startTestChat, type TestChat } from './startTestChat.ts';
import { refusalOf } from './vaultFixtures.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startTestChat();
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

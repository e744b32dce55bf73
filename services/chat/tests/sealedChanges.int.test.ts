import { randomBytes } from 'node:crypto';
import { limits } from '@nolo/rules';
import { eventually } from '@nolo/testing';
import { createTestDevice } from '@nolo/testing/keys';
import { anEditMessageRequest } from '@nolo/testing/protos';
import { createGroupWithRoles } from './groupFixtures.ts';
import { noRow, sealConversation, sealedPair } from './sealFixtures.ts';
import { chatErrorKindAndCode, startChat, type TestChat } from './startChat.ts';
import { refusalOf } from './vaultFixtures.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startChat();
}, 30_000);
afterAll(() => chat.stop());

const hour = 3_600_000;
const stale = (n: number, reason: string) => ({ code: 'epoch_stale', details: { n, reason } });
const refused = (reason: string) => ({ code: 'seal_refused', details: { reason } });
const read = (actorId: string, messageId: string) => chat.client.getMessage({ actorId, messageId });
const react = (request: Parameters<TestChat['messageActions']['setReaction']>[0]) =>
  chat.messageActions.setReaction(request);
const pin = (request: Parameters<TestChat['messageActions']['pinMessage']>[0]) =>
  chat.messageActions.pinMessage(request);

/** A sealed group whose first epoch may know another role of the admin. */
async function sealedGroup(roles: { admin: 0 | 1 } = { admin: 1 }) {
  const group = await createGroupWithRoles(chat);
  const { owner, admin, member } = group;
  return {
    ...group,
    sealed: await sealConversation(chat, group.id, { [owner]: 2, [admin]: roles.admin, [member]: 0 }),
  };
}

/** A sealed direct conversation with one message of before. */
async function sealedLater() {
  const { alice, bob, conversation } = await chat.pair();
  const plain = await chat.send(alice, conversation.id, { clientMessageId: crypto.randomUUID() });
  return { alice, bob, plain, sealed: await sealConversation(chat, conversation.id, { [alice]: 0, [bob]: 0 }) };
}

describe('EditMessage of a sealed message', () => {
  test('replaces the sealed content, and keeps the row of the first version', async () => {
    const { alice, bob, sealed } = await sealedPair(chat);
    const sent = await sealed.send(alice, { mentions: [bob], hasLink: true });
    await sealed.next();
    const edited = await sealed.edit(alice, sent);
    expect(edited).toMatchObject({
      content: '',
      encryption: 'epochs',
      mentions: [],
      clientMessageId: sent.clientMessageId,
    });
    expect(edited.sealed).toMatchObject({ version: 1, epoch: 1, rowHash: sent.sealed?.rowHash, hasLink: false });
    expect(edited.sealed?.targetRow).toEqual(sent.sealed?.rowHash);
    const again = await sealed.edit(alice, edited, { mentions: [bob] });
    expect(again).toMatchObject({ mentions: [bob], sealed: { version: 2, origin: edited.sealed?.origin } });
    expect(edited.sealed?.origin?.length).toBeGreaterThan(200);
    expect(await read(bob, sent.id)).toEqual(again);
  });

  test('keeps the change number of the newest version over later reactions', async () => {
    const { alice, bob, sealed } = await sealedPair(chat);
    const sent = await sealed.send(alice);
    const edited = await sealed.edit(alice, sent);
    expect([sent.sealed?.place, edited.sealed?.place]).toEqual([0, edited.changeSeq]);
    const reacted = await react(await sealed.reaction(bob, edited));
    expect(reacted.changeSeq).toBeGreaterThan(edited.changeSeq);
    expect(reacted.sealed?.place).toBe(edited.changeSeq);
    const again = await sealed.edit(alice, reacted);
    expect(again.sealed?.place).toBe(again.changeSeq);
  });

  test('a version that release 0.4.0 stored has a place after the one before it', async () => {
    const { alice, bob, sealed } = await sealedPair(chat);
    const edited = await sealed.edit(alice, await sealed.send(alice));
    const columns = { version: 2, change_seq: edited.changeSeq + 1 };
    await chat.db('messages').where({ id: edited.id }).update(columns);
    const stored = await read(bob, edited.id);
    expect([stored.sealed?.version, stored.sealed?.place]).toEqual([2, edited.changeSeq + 1]);
    // Versions from before the upgrade have no place in the database.
    await chat.db('messages').where({ id: edited.id }).update({ version_place: null });
    expect((await read(bob, edited.id)).sealed?.place).toBe(edited.changeSeq + 1);
  });

  test('another device of the author may edit', async () => {
    const { alice, sealed } = await sealedPair(chat);
    const sent = await sealed.send(alice);
    const device = await createTestDevice(alice);
    sealed.devices.set(alice, device);
    await sealed.next();
    expect((await sealed.edit(alice, sent)).sealed).toMatchObject({ deviceId: device.uuid, version: 1 });
  });

  test('a repeat is answered as before, and another version than the next one refused', async () => {
    const { alice, sealed } = await sealedPair(chat);
    const sent = await sealed.send(alice);
    const request = await sealed.editRequest(alice, sent);
    const edited = await chat.client.editMessage(request);
    await sealed.next({ endsRows: true });
    expect(await chat.client.editMessage(request)).toEqual(edited);
    expect(await chatErrorKindAndCode(sealed.edit(alice, sent))).toBe('conflict edit_conflict');
    expect(await chatErrorKindAndCode(sealed.edit(alice, sent, { version: 3 }))).toBe('conflict edit_conflict');
    expect(await read(alice, sent.id)).toEqual(edited);
  });

  test('of two edits at the same time, one is stored', async () => {
    const { alice, sealed } = await sealedPair(chat);
    const sent = await sealed.send(alice);
    const requests = await Promise.all([1, 2, 3].map(() => sealed.editRequest(alice, sent)));
    const outcomes = await Promise.all(requests.map((one) => chatErrorKindAndCode(chat.client.editMessage(one))));
    expect(outcomes.toSorted()).toEqual(['conflict edit_conflict', 'conflict edit_conflict', 'none']);
  });

  test('refuses what does not fit the conversation or the message', async () => {
    const { alice, bob, sealed } = await sealedPair(chat);
    const [sent, before] = [await sealed.send(alice), sealed.epoch];
    const plain = anEditMessageRequest({ actorId: alice, messageId: sent.id, content: 'plain' });
    expect(await chatErrorKindAndCode(chat.client.editMessage(plain))).toBe('conflict encryption_required');
    expect(await chatErrorKindAndCode(sealed.edit(bob, sent))).toBe('forbidden not_author');
    const target = { ...sealed.targetOf(2, sent), row: noRow };
    expect(await refusalOf(sealed.edit(alice, sent, { target }))).toEqual(refused('target'));
    expect(await refusalOf(sealed.edit(alice, sent, { version: 0 }))).toEqual(refused('row'));
    expect(await refusalOf(sealed.edit(alice, sent, { held: true }))).toEqual(refused('row'));
    await sealed.next({ endsRows: true });
    expect(await refusalOf(sealed.edit(alice, sent, { epoch: before }))).toEqual(stale(1, 'newer'));
    await chat.db('conversations').where({ id: sealed.id }).update({ removal_pending: true });
    expect(await refusalOf(sealed.edit(alice, sent))).toEqual(stale(1, 'removal'));
    expect(await read(bob, sent.id)).toEqual(sent);
  });

  test('seals a message of before, whose row counts as zeros', async () => {
    const { alice, plain, sealed } = await sealedLater();
    const edited = await sealed.edit(alice, plain);
    expect(edited).toMatchObject({
      content: '',
      encryption: 'epochs',
      sealed: { version: 1, rowHash: Buffer.from(noRow) },
    });
    // The tombstone is like that of any message of before, because nobody signed the first version.
    const deleted = await chat.client.deleteMessage(await sealed.deletion(alice, edited));
    expect(deleted).toMatchObject({ encryption: 'none', content: '', sealed: undefined });
  });
});

describe('DeleteMessage of a sealed message', () => {
  test('keeps the signed deletion and what the row hash covers', async () => {
    const { alice, bob, sealed } = await sealedPair(chat);
    const sent = await sealed.send(alice);
    await react(await sealed.reaction(bob, sent));
    const request = await sealed.deletion(alice, sent);
    const deleted = await chat.client.deleteMessage(request);
    const { rowHash } = sent.sealed ?? {};
    expect(deleted).toMatchObject({ content: '', encryption: 'epochs', sealed: { rowHash, annotations: [], own: [] } });
    expect(deleted.sealed?.sealed).toHaveLength(0);
    expect(deleted.sealed?.deletion?.includes(request.deletion.body ?? '')).toBe(true);
    expect(await chat.client.deleteMessage(request)).toEqual(deleted);
    expect(await read(bob, sent.id)).toEqual(deleted);
    expect(await chat.db('sealed_annotations').where({ conversation_id: sealed.id })).toEqual([]);
  });

  test('needs a deletion that names the message, in an epoch of the conversation', async () => {
    const { alice, bob, sealed } = await sealedPair(chat);
    const [sent, other] = [await sealed.send(alice), await sealed.send(alice)];
    const bare = chat.client.deleteMessage({ actorId: alice, messageId: sent.id });
    expect(await chatErrorKindAndCode(bare)).toBe('conflict encryption_required');
    const remove = async (...given: Parameters<typeof sealed.deletion>) =>
      refusalOf(chat.client.deleteMessage(await sealed.deletion(...given)));
    expect(await remove(alice, sent, { row: noRow })).toEqual(refused('target'));
    expect(await remove(alice, sent, { n: 5 })).toEqual(refused('header'));
    expect(await remove(alice, sent, { epoch: { ...sealed.epoch, headerHash: noRow } })).toEqual(refused('header'));
    expect(await remove(alice, sent, { device: sealed.deviceOf(bob) })).toEqual(refused('device'));
    const elsewhere = { ...(await sealed.deletion(alice, other)), messageId: sent.id };
    expect(await refusalOf(chat.client.deleteMessage(elsewhere))).toEqual(refused('target'));
    const signature = randomBytes(63);
    const { deletion, ...rest } = await sealed.deletion(alice, sent);
    const short = { ...rest, deletion: { ...deletion, signature } };
    expect(await refusalOf(chat.client.deleteMessage(short))).toEqual(refused('malformed'));
    expect(await chatErrorKindAndCode(chat.client.deleteMessage(await sealed.deletion(bob, sent)))).toBe(
      'forbidden not_author',
    );
  });

  test('of an epoch from before a removal is refused, and one from before an addition is not', async () => {
    const { alice, sealed } = await sealedPair(chat);
    const [first, second] = [await sealed.send(alice), await sealed.send(alice)];
    const early = await sealed.deletion(alice, first);
    await sealed.next();
    expect((await chat.client.deleteMessage(early)).deletedAt).toBeDefined();
    const late = await sealed.deletion(alice, second);
    await sealed.next({ endsRows: true });
    await sealed.next();
    expect(await chatErrorKindAndCode(chat.client.deleteMessage(late))).toBe('conflict epoch_stale');
    expect((await read(alice, second.id))?.deletedAt).toBeUndefined();
    await chat.client.deleteMessage(await sealed.deletion(alice, second));
    expect((await chat.client.deleteMessage(late)).deletedAt).toBeDefined();
  });

  test('an admin deletes in an epoch that says so', async () => {
    const { admin, member, sealed } = await sealedGroup({ admin: 0 });
    const sent = await sealed.send(member);
    const early = chat.client.deleteMessage(await sealed.deletion(admin, sent));
    expect(await refusalOf(early)).toEqual(refused('device'));
    sealed.roles[admin] = 1;
    await sealed.next();
    const deleted = await chat.client.deleteMessage(await sealed.deletion(admin, sent));
    expect(deleted.sealed?.deletion).toBeDefined();
  });

  test('a message of before is deleted without a signature', async () => {
    const { alice, plain } = await sealedLater();
    const deleted = await chat.client.deleteMessage({ actorId: alice, messageId: plain.id });
    expect(deleted).toMatchObject({ encryption: 'none', sealed: undefined });
  });
});

describe('SetReaction in a sealed conversation', () => {
  test('keeps the newest sealed reaction of each person', async () => {
    const { alice, bob, sealed } = await sealedPair(chat);
    const sent = await sealed.send(alice);
    const first = await sealed.reaction(bob, sent);
    const reacted = await react(first);
    expect(reacted.reactions).toEqual([]);
    expect(reacted.sealed?.annotations).toEqual([
      {
        kind: 'reaction',
        userId: bob,
        deviceId: sealed.deviceOf(bob).uuid,
        clientMessageId: first.clientMessageId,
        epoch: 0,
        sealed: first.sealed.sealed,
        place: reacted.changeSeq,
      },
    ]);
    expect(reacted.changeSeq).toBe(sent.changeSeq + 1);
    await sealed.next({ endsRows: true });
    expect(await react(first)).toEqual(reacted);
    const second = await sealed.reaction(bob, sent, { content: '' });
    await react(await sealed.reaction(alice, sent));
    const changed = await react(second);
    expect(changed.sealed?.annotations.map(({ userId, epoch }) => [userId, epoch])).toEqual([
      [alice, 1],
      [bob, 1],
    ]);
    expect(await read(alice, sent.id)).toEqual(changed);
    await eventually(() => chat.framesTo(alice).filter(({ type }) => type === 'message_updated').length === 3);
    expect(chat.framesTo(alice).findLast(({ type }) => type === 'message_updated')?.data).toMatchObject({
      id: sent.id,
      seal: { annotations: [{ userId: alice }, { userId: bob, sealed: second.sealed.sealed.toString('base64url') }] },
    });
  });

  test('alerts the author to the first one only, because a later one may take it away', async () => {
    const { alice, bob, sealed } = await sealedPair(chat);
    const sent = await sealed.send(alice);
    await react(await sealed.reaction(bob, sent));
    await react(await sealed.reaction(bob, sent, { content: '' }));
    const events = await chat.db('events').where({ subject: 'event.chat.message_reacted', key: sealed.id });
    expect(events).toHaveLength(1);
    const { alerts } = await chat.alerts.listAlerts({
      conversationId: sealed.id,
      firstSeq: sent.seq,
      reactedBy: bob,
      userIds: [],
    });
    expect(alerts).toMatchObject([{ userId: alice, senderId: bob, reason: 'reaction' }]);
  });

  test('refuses plain ones, and those that do not fit the message', async () => {
    const { alice, bob, sealed } = await sealedPair(chat);
    const [sent, before] = [await sealed.send(alice), sealed.epoch];
    for (const emoji of ['👍', undefined]) {
      const plain = react({ actorId: bob, messageId: sent.id, emoji });
      expect(await chatErrorKindAndCode(plain)).toBe('conflict encryption_required');
    }
    const wrong = async (fields: Parameters<typeof sealed.reaction>[2]) =>
      refusalOf(react(await sealed.reaction(bob, sent, fields)));
    expect(await wrong({ target: { ...sealed.targetOf(1, sent), row: noRow } })).toEqual(refused('target'));
    expect(await wrong({ target: null })).toEqual(refused('target'));
    expect(await wrong({ own: [noRow] })).toEqual(refused('row'));
    expect(await wrong({ device: sealed.deviceOf(alice) })).toEqual(refused('device'));
    expect(await wrong({ content: 'long'.repeat(200) })).toEqual(refused('malformed'));
    const { clientMessageId: _, ...unnamed } = await sealed.reaction(bob, sent);
    expect(await refusalOf(react(unnamed))).toEqual(refused('row'));
    await sealed.next({ endsRows: true });
    expect(await wrong({ epoch: before })).toEqual(stale(1, 'newer'));
    const stranger = await chat.person();
    const foreign = { ...(await sealed.reaction(bob, sent)), actorId: stranger };
    expect(await chatErrorKindAndCode(react(foreign))).toBe('not_found message_not_found');
    expect(await read(alice, sent.id)).toEqual(sent);
  });

  test('a message of before takes sealed ones, which replace a plain one', async () => {
    const { alice, bob, conversation } = await chat.pair();
    const plain = await chat.send(alice, conversation.id);
    await react({ actorId: bob, messageId: plain.id, emoji: '👍' });
    const sealed = await sealConversation(chat, conversation.id, { [alice]: 0, [bob]: 0 });
    const reacted = await react(await sealed.reaction(bob, plain));
    expect(reacted).toMatchObject({ content: plain.content, encryption: 'none', reactions: [] });
    expect(reacted.sealed).toMatchObject({ rowHash: Buffer.from(noRow), annotations: [{ userId: bob }] });
    expect(reacted.sealed?.sealed).toHaveLength(0);
    expect(await chat.db('reactions').where({ conversation_id: conversation.id })).toEqual([]);
  });

  test('a message has a limit of reactions, sealed or not', async () => {
    const { alice, bob, sealed } = await sealedPair(chat);
    const sent = await sealed.send(alice);
    const full = Array.from({ length: limits.reactionsPerMessage }, () => ({
      userId: crypto.randomUUID(),
      emoji: '👍',
    }));
    await chat
      .db('messages')
      .where({ id: sent.id })
      .update({ reactions: JSON.stringify(full) });
    const more = react(await sealed.reaction(bob, sent));
    expect(await chatErrorKindAndCode(more)).toBe('conflict too_many_reactions');
  });
});

describe('PinMessage in a sealed conversation', () => {
  test('keeps the sealed pin until the message is unpinned', async () => {
    const { alice, bob, sealed } = await sealedPair(chat);
    const sent = await sealed.send(alice);
    const request = await sealed.pin(bob, sent);
    const pinned = await pin(request);
    expect(pinned.sealed?.annotations).toMatchObject([{ kind: 'pin', userId: bob, place: pinned.changeSeq }]);
    expect(await pin(request)).toEqual(pinned);
    const { messages } = await chat.messageActions.listPinned({ actorId: alice, conversationId: sealed.id });
    expect(messages).toEqual([pinned]);
    const unpinned = await pin({ actorId: alice, messageId: sent.id, pinned: false });
    expect(unpinned).toMatchObject({ pinnedAt: undefined, sealed: { annotations: [] } });
  });

  test('refuses a plain one, and one that does not fit the message', async () => {
    const { alice, bob, sealed } = await sealedPair(chat);
    const [sent, before] = [await sealed.send(alice), sealed.epoch];
    const plain = pin({ actorId: bob, messageId: sent.id, pinned: true });
    expect(await chatErrorKindAndCode(plain)).toBe('conflict encryption_required');
    const target = { ...sealed.targetOf(3, sent), row: noRow };
    expect(await refusalOf(pin(await sealed.pin(bob, sent, { target })))).toEqual(refused('target'));
    await sealed.next({ endsRows: true });
    expect(await refusalOf(pin(await sealed.pin(bob, sent, { epoch: before })))).toEqual(stale(1, 'newer'));
    const member = await sealedGroup();
    const other = await member.sealed.send(member.owner);
    const denied = pin(await member.sealed.pin(member.member, other));
    expect(await chatErrorKindAndCode(denied)).toBe('forbidden not_admin');
    chat.clock.advance(hour);
    expect(await read(alice, sent.id)).toEqual(sent);
  });
});

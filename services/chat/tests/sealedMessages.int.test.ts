import { randomBytes, randomUUID } from 'node:crypto';
import { openMessage, type BoundMessage } from '@nolo/e2ee';
import type { Message } from '@nolo/proto/conversation';
import { eventually } from '@nolo/testing';
import { createTestDevice } from '@nolo/testing/keys';
import { noRow, sealConversation, sealedPair, type SealedConversation } from './sealFixtures.ts';
import { chatErrorKindAndCode, startChat, type TestChat } from './startChat.ts';
import { refusalOf } from './vaultFixtures.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startChat();
}, 30_000);
afterAll(() => chat.stop());

const list = async (actorId: string, conversationId: string) =>
  (await chat.client.listMessages({ actorId, conversationId })).messages;
const stale = (n: number, reason: string) => ({ code: 'epoch_stale', details: { n, reason } });
const refused = (reason: string) => ({ code: 'seal_refused', details: { reason } });

/** Opens a message with what its row says. */
function open(sealed: SealedConversation, row: Message, more: Partial<BoundMessage> = {}) {
  const { senderId, clientMessageId = '', mentions, messageType, sealed: seal } = row;
  const { version = 0, own = [], hasLink = false } = seal ?? {};
  const bound = sealed.boundOf(senderId, { clientMessageId, type: messageType, mentions, version, hasLink });
  const device = sealed.deviceOf(senderId);
  return openMessage(
    Uint8Array.from(seal?.sealed ?? []),
    sealed.epoch,
    { ...bound, own: own.map((hash) => Uint8Array.from(hash)), ...more },
    device.signKey,
  );
}

describe('SendMessage in a sealed conversation', () => {
  test('stores what a device sealed, and readers can open it by what the row says', async () => {
    const { alice, bob, sealed } = await sealedPair(chat);
    const first = await sealed.send(alice);
    const own = [Uint8Array.from(first.sealed?.rowHash ?? [])];
    const {
      clientMessageId,
      sealed: given,
      rowHash,
    } = await sealed.seal(alice, { mentions: [bob], own, hasLink: true });
    const more = { content: '', encryption: 'epochs', clientMessageId, sealed: given, mentions: [bob], hasLink: true };
    const sent = await chat.send(alice, sealed.id, more);
    expect(sent).toMatchObject({ content: '', encryption: 'epochs', seq: 2, mentions: [bob], clientMessageId });
    expect(sent.sealed).toEqual({
      sealed: given.sealed,
      epoch: 0,
      deviceId: sealed.deviceOf(alice).uuid,
      version: 0,
      place: 0,
      own: own.map((hash) => Buffer.from(hash)),
      targetRow: undefined,
      rowHash,
      origin: undefined,
      hasLink: true,
      deletion: undefined,
      annotations: [],
      held: false,
      draftId: undefined,
    });
    const read = await list(bob, sealed.id);
    expect(read).toEqual([first, sent]);
    expect((await open(sealed, sent)).content).toBe('{"v":1,"text":"hello"}');
    const { conversations } = await chat.client.listConversations({ actorId: bob });
    expect(conversations[0]).toMatchObject({ lastMessage: sent, meta: { sealedFromSeq: 1 } });
  });

  test('announces it as it is stored', async () => {
    const { alice, bob, sealed } = await sealedPair(chat);
    const sent = await sealed.send(alice);
    const frame = () => chat.framesTo(bob).find(({ type }) => type === 'new_message');
    await eventually(() => frame() !== undefined);
    expect(frame()?.data).toMatchObject({
      id: sent.id,
      content: '',
      encryption: 'epochs',
      sealed: Buffer.from(sent.sealed?.sealed ?? []).toString('base64url'),
      seal: {
        epoch: 0,
        version: 0,
        rowHash: Buffer.from(sent.sealed?.rowHash ?? []).toString('base64url'),
        origin: null,
      },
    });
  });

  test('answers a repeat as before, whatever happened to the epoch since', async () => {
    const { alice, sealed } = await sealedPair(chat);
    const request = await sealed.request(alice);
    const sent = await chat.client.sendMessage(request);
    await sealed.next({ endsRows: true });
    expect(await chat.client.sendMessage(request)).toEqual(sent);
    // Sealed again for the next epoch under the same id, the first one counts.
    const again = await sealed.send(alice, { clientMessageId: request.clientMessageId ?? '' });
    expect(again).toEqual(sent);
  });

  test('accepts nothing that is not sealed, except lines of the server', async () => {
    const { alice, sealed } = await sealedPair(chat);
    expect(await chatErrorKindAndCode(chat.send(alice, sealed.id))).toBe('conflict encryption_required');
    const content = '{"kind":"call","durationSeconds":0}';
    const line = { actorId: alice, conversationId: sealed.id, clientMessageId: randomUUID(), content, quiet: false };
    expect(await chat.client.addSystemMessage(line)).toMatchObject({ messageType: 'system', sealed: undefined });
  });

  test('a conversation without an epoch accepts nothing sealed', async () => {
    const [{ alice, sealed }, other] = [await sealedPair(chat), await chat.pair()];
    const request = await sealed.request(alice, {}, { actorId: other.alice, conversationId: other.conversation.id });
    expect(await refusalOf(chat.client.sendMessage(request))).toEqual(stale(-1, 'none'));
  });

  test('accepts the epoch before for ten seconds, unless the next one ends it', async () => {
    const { alice, sealed } = await sealedPair(chat);
    const before = sealed.epoch;
    await sealed.next();
    chat.clock.advance(9_000);
    await sealed.send(alice, { epoch: before });
    chat.clock.advance(1_001);
    expect(await refusalOf(sealed.send(alice, { epoch: before }))).toEqual(stale(1, 'newer'));
    const second = sealed.epoch;
    await sealed.next({ endsRows: true });
    expect(await refusalOf(sealed.send(alice, { epoch: second }))).toEqual(stale(2, 'newer'));
    await sealed.next();
    await sealed.next();
    expect(await refusalOf(sealed.send(alice, { epoch: second }))).toEqual(stale(4, 'newer'));
    await sealed.send(alice);
    expect(await refusalOf(sealed.send(alice, { epoch: { ...sealed.epoch, n: 9 } }))).toEqual(stale(4, 'newer'));
  });

  test('an epoch with a timer lasts for the timer, but at least five and at most sixty minutes', async () => {
    for (const [timer, minutes] of [
      [10, 5],
      [1_800, 30],
      [86_400, 60],
    ] as const) {
      const { alice, sealed } = await sealedPair(chat, { timer });
      chat.clock.advance(minutes * 60_000);
      await sealed.send(alice);
      chat.clock.advance(1);
      expect(await refusalOf(sealed.send(alice))).toEqual(stale(0, 'timer'));
      const before = sealed.epoch;
      await sealed.next();
      expect(await refusalOf(sealed.send(alice, { epoch: before }))).toEqual(stale(1, 'newer'));
    }
  });

  test('accepts nothing while somebody lost access and no epoch says so', async () => {
    const { alice, sealed } = await sealedPair(chat);
    await chat.db('conversations').where({ id: sealed.id }).update({ removal_pending: true });
    expect(await refusalOf(sealed.send(alice))).toEqual(stale(0, 'removal'));
  });

  test('refuses what was not sealed by a device of the author in that epoch', async () => {
    const { alice, bob, sealed } = await sealedPair(chat);
    const device = await createTestDevice(alice);
    expect(await refusalOf(sealed.send(alice, { device }))).toEqual(refused('device'));
    expect(await refusalOf(sealed.send(alice, { device: sealed.deviceOf(bob) }))).toEqual(refused('device'));
    const stranger = await chat.person();
    const foreign = await sealed.request(alice, {}, { actorId: stranger });
    expect(await chatErrorKindAndCode(chat.client.sendMessage(foreign))).toBe('not_found conversation_not_found');
  });

  test.each([
    ['no sealed message', (given: object) => ({ sealed: { ...given, sealed: randomBytes(100) } }), 'malformed'],
    ['too many bytes', (given: object) => ({ sealed: { ...given, sealed: randomBytes(262_401) } }), 'malformed'],
    ['a short hash', (given: object) => ({ sealed: { ...given, own: [randomBytes(31)] } }), 'malformed'],
    ['too many hashes', (given: object) => ({ sealed: { ...given, own: Array(65).fill(noRow) } }), 'malformed'],
    ['a target without a reply', (given: object) => ({ sealed: { ...given, targetRow: randomBytes(32) } }), 'target'],
    ['a reply without a target', () => ({ replyToSeq: 1 }), 'target'],
    ['a reply to nothing', () => ({ replyToSeq: 9 }), 'target'],
    ['a version', (given: object) => ({ sealed: { ...given, version: 1 } }), 'row'],
    ['an approval', (given: object) => ({ sealed: { ...given, draftId: randomUUID() } }), 'target'],
    ['a draft', (given: object) => ({ sealed: { ...given, held: true } }), 'held'],
  ])('refuses %s', async (_, change, reason) => {
    const { alice, sealed } = await sealedPair(chat);
    await sealed.send(alice);
    const request = await sealed.request(alice);
    const changed = { ...request, ...change(request.sealed ?? {}) } as typeof request;
    expect(await refusalOf(chat.client.sendMessage(changed))).toEqual(refused(reason));
    expect(await list(alice, sealed.id)).toHaveLength(1);
  });

  test.each([
    ['other content', { content: 'plain' }],
    ['another encryption', { encryption: 'none' }],
    ['no client id', { clientMessageId: undefined }],
    ['a mark of forwarding', { forwarded: true }],
    ['no sealed content', { sealed: undefined }],
  ])('refuses %s beside it', async (_, more) => {
    const { alice, sealed } = await sealedPair(chat);
    const request = await sealed.request(alice, {}, more);
    expect(await chatErrorKindAndCode(chat.client.sendMessage(request))).toBe('invalid message_invalid');
  });

  test('a reply names the row that it answers, and zeros for one that was not sealed', async () => {
    const { alice, bob, conversation } = await chat.pair();
    const plain = await chat.send(alice, conversation.id);
    const sealed = await sealConversation(chat, conversation.id, { [alice]: 0, [bob]: 0 });
    const first = await sealed.send(bob, { target: sealed.targetOf(0, plain) }, { replyToSeq: plain.seq });
    expect(first).toMatchObject({
      replyTo: { seq: 1, messageId: plain.id },
      sealed: { targetRow: Buffer.from(noRow) },
    });
    const target = sealed.targetOf(0, first);
    const second = await sealed.send(alice, { target }, { replyToSeq: first.seq });
    expect(second.sealed?.targetRow).toEqual(first.sealed?.rowHash);
    expect((await open(sealed, second, { target })).content).toBe('{"v":1,"text":"hello"}');
    const wrong = sealed.send(alice, { target: { ...target, row: noRow } }, { replyToSeq: first.seq });
    expect(await refusalOf(wrong)).toEqual(refused('target'));
  });

  test('messages that are stored together are judged one by one', async () => {
    const { alice, bob, sealed } = await sealedPair(chat);
    const before = sealed.epoch;
    const late = await sealed.request(bob, { epoch: before });
    await sealed.next({ endsRows: true });
    const messages = [await sealed.request(alice), late, await sealed.request(bob)];
    const { results } = await chat.client.sendMessages({ messages, traceparents: [] });
    expect(results.map(({ outcome }) => outcome?.$case)).toEqual(['message', 'error', 'message']);
    expect((await list(alice, sealed.id)).map(({ seq }) => seq)).toEqual([1, 2]);
  });
});

describe('what is left of a sealed message', () => {
  test('a disappeared message shows which one it was, without its content', async () => {
    const { alice, bob, sealed } = await sealedPair(chat, { timer: 10 });
    await chat.db('conversations').where({ id: sealed.id }).update({ disappearing_seconds: 10 });
    const sent = await sealed.send(alice);
    chat.clock.advance(11_000);
    await eventually(async () => (await list(bob, sealed.id))[0]?.deletedAt !== undefined);
    const [gone] = await list(bob, sealed.id);
    expect(gone).toMatchObject({
      content: '',
      encryption: 'epochs',
      sealed: { deletion: undefined, own: [], version: 0 },
    });
    expect(gone?.sealed?.sealed).toHaveLength(0);
    expect(gone?.sealed?.rowHash).toEqual(sent.sealed?.rowHash);
    expect(gone?.sealed?.origin?.length).toBeGreaterThan(200);
  });

  test('the same is left of what a deleted account wrote, and nothing of its reactions', async () => {
    const { alice, bob, sealed } = await sealedPair(chat);
    const [own, other] = [await sealed.send(alice), await sealed.send(bob)];
    await chat.messageActions.setReaction(await sealed.reaction(alice, other));
    await chat.publishEvent('event.identity.user_deleted', { userId: alice }, randomUUID(), alice);
    await eventually(async () => (await list(bob, sealed.id))[0]?.deletedAt !== undefined);
    const rows = await list(bob, sealed.id);
    expect(rows[0]?.sealed).toMatchObject({ rowHash: own.sealed?.rowHash, annotations: [] });
    expect(rows[0]?.sealed?.sealed).toHaveLength(0);
    expect(rows[1]?.sealed?.annotations).toEqual([]);
    expect(rows[1]?.sealed?.sealed).toEqual(other.sealed?.sealed);
  });

  test('a message that the viewer hid shows nothing of it', async () => {
    const { alice, bob, sealed } = await sealedPair(chat);
    const sent = await sealed.send(alice);
    const hidden = await chat.messageActions.hideMessage({ actorId: bob, messageId: sent.id });
    expect(hidden).toMatchObject({ hidden: true, content: '', sealed: undefined });
    expect(await list(bob, sealed.id)).toEqual([hidden]);
  });

  test('an export of the account has it as it is stored', async () => {
    const { alice, sealed } = await sealedPair(chat);
    const sent = await sealed.send(alice);
    const exported: Message[] = [];
    for await (const message of chat.client.exportMessages({ actorId: alice })) exported.push(message);
    expect(exported).toEqual([sent]);
  });
});

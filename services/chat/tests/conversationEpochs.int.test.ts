import { randomBytes, randomUUID } from 'node:crypto';
import { encodeBox, readBox, toUuid } from '@nolo/e2ee';
import { eventually } from '@nolo/testing';
import { createTestDevice } from '@nolo/testing/keys';
import type { TestEpoch } from '@nolo/testing/vaults';
import {
  commitNext,
  commitTo,
  createSealedGroup,
  createSealedPair,
  giveKeys,
  signNext,
  type SealedConversation,
  type SealedPerson,
} from './epochFixtures.ts';
import { chat, framesTo, listEpochs, stateOf, targetFor } from './epochScene.ts';
import { answerOf, refusalOf, refused } from './vaultFixtures.ts';

describe('the epochs of a direct conversation', () => {
  it('begin with the first one, after which messages are sealed', async () => {
    const { alice, bob, conversation } = await chat.pair();
    await chat.send(alice, conversation.id);
    const people = [await giveKeys(chat, alice), await giveKeys(chat, bob)] as const;
    const sealed: SealedConversation = {
      id: conversation.id,
      kind: 1,
      people: new Map(people.map((one) => [one, 0])),
      epoch: undefined,
    };
    const first = await commitNext(chat, sealed, people[0]);
    const state = await stateOf(sealed);
    expect(state).toMatchObject({ epoch: 0, sealed_from_seq: 2, removal_pending: false });
    for (const person of people) await eventually(() => framesTo(person, 'epochs_changed').length === 1);
    const view = await chat.client.getConversation({ actorId: bob, conversationId: conversation.id });
    expect(view.meta?.sealedFromSeq).toBe(2);
    const { epochs, more } = await listEpochs(sealed, people[1], 0, true);
    expect(more).toBe(false);
    expect(epochs).toMatchObject([
      {
        ...answerOf(first),
        seq: 1,
        changeSeq: Number(state.last_change_seq),
        at: expect.any(Date),
        roster: first.message.roster,
        previousSecret: undefined,
      },
    ]);
    expect(toUuid(readBox(epochs[0]!.box!).device)).toBe(people[1].device.uuid);
    expect((await listEpochs(sealed, people[1])).epochs[0]?.roster).toBeUndefined();
    await commitNext(chat, sealed, people[1]);
    expect(await stateOf(sealed)).toMatchObject({ epoch: 1, sealed_from_seq: 2 });
  });

  it('begin with no header that denies the unsealed messages before it', async () => {
    const { alice, bob, conversation } = await chat.pair();
    await chat.send(alice, conversation.id);
    const [first, second] = [await giveKeys(chat, alice), await giveKeys(chat, bob)];
    const people = new Map([first, second].map((one) => [one, 0 as const]));
    const sealed: SealedConversation = { id: conversation.id, kind: 1, people, epoch: undefined };
    const denying = await signNext(sealed, first, { reason: 0 });
    await expect(commitTo(chat, sealed, first, denying)).rejects.toMatchObject({
      kind: 'conflict',
      code: 'epoch_stale',
      details: { n: -1, reason: 'none' },
    });
    expect(await stateOf(sealed)).toMatchObject({ epoch: null });
    await commitTo(chat, sealed, first, await signNext(sealed, first, { reason: 4 }));
    expect(await stateOf(sealed)).toMatchObject({ epoch: 0, sealed_from_seq: 2 });
  });

  it('get the first answer again, and of a race one wins', async () => {
    const { alice, bob, sealed } = await createSealedPair(chat);
    const first = sealed.epoch!;
    const [mine, theirs] = [await signNext(sealed, alice), await signNext(sealed, bob)];
    const results = await Promise.allSettled([
      commitTo(chat, sealed, alice, mine),
      commitTo(chat, sealed, bob, theirs),
    ]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { kind: 'conflict', code: 'epoch_stale', details: { n: 1, reason: 'newer' } },
    });
    expect(await commitTo(chat, sealed, alice, first)).toEqual(answerOf(first));
  });

  it('have a timer only with the change that sets it', async () => {
    const { alice, sealed } = await createSealedPair(chat);
    const timed = await signNext(sealed, alice, { timer: 3_600 });
    expect(await refusalOf(commitTo(chat, sealed, alice, timed))).toEqual(refused('settings'));
    const set = (epoch?: TestEpoch) =>
      chat.messageActions.setTimer({
        actorId: alice.userId,
        conversationId: sealed.id,
        seconds: 3_600,
        epoch: epoch && { sessionId: alice.sessionId, epoch: epoch.message },
      });
    expect(await refusalOf(set())).toMatchObject({ code: 'encryption_required' });
    expect((await targetFor(sealed, alice)).timer).toBe(0);
    expect((await set(timed)).meta?.disappearingSeconds).toBe(3_600);
    expect(await stateOf(sealed)).toMatchObject({ epoch: 1 });
    // Repeating the request changes nothing.
    await set(timed);
    sealed.epoch = timed;
    chat.keys.setOutdated(alice.userId, alice.device);
    await commitNext(chat, sealed, alice, { timer: 3_600, withoutBox: [alice.device] });
  });

  it('send the first message in the same request, and stay if it is refused', async () => {
    const { alice, bob, conversation } = await chat.pair();
    const people = [await giveKeys(chat, alice), await giveKeys(chat, bob)] as const;
    const sealed: SealedConversation = {
      id: conversation.id,
      kind: 1,
      people: new Map(people.map((one) => [one, 0])),
      epoch: undefined,
    };
    const first = await signNext(sealed, people[0]);
    const message = { ...emptyMessage, clientMessageId: randomUUID(), content: '' };
    expect(await refusalOf(commitTo(chat, sealed, people[0], first, { message }))).not.toMatchObject({
      code: 'epoch_refused',
    });
    expect(await stateOf(sealed)).toMatchObject({ epoch: 0, last_seq: 0 });
  });

  it('name accounts for those who are or were members, and for others while one is left', async () => {
    const { owner, admin, member, sealed } = await createSealedGroup(chat);
    const stranger = await chat.person();
    const { alice, bob } = await chat.pair();
    const named = async (actorId: string | undefined, ...people: readonly string[]) =>
      (await chat.epochs.findNamedAccounts({ actorId, userIds: [...people, stranger, alice] })).userIds;
    expect(await named(admin.userId, member.userId)).toEqual([member.userId]);
    expect(await named(stranger, member.userId)).toEqual([]);
    // The conversation with this person has no epoch yet.
    expect(await named(bob)).toEqual([]);
    expect(await named(member.userId, member.userId)).toEqual([]);
    const leave = ({ userId }: SealedPerson) =>
      chat.groups.leaveGroup({ actorId: userId, conversationId: sealed.id, leave: undefined });
    await leave(member);
    await leave(admin);
    expect(await named(admin.userId, member.userId)).toEqual([member.userId]);
    expect(await named(undefined, member.userId)).toEqual([member.userId]);
    await leave(owner);
    expect(await named(admin.userId, member.userId)).toEqual([member.userId]);
    expect(await named(undefined, member.userId)).toEqual([]);
  });

  it('belong to its members, and to sessions with a device', async () => {
    const { alice, sealed } = await createSealedPair(chat);
    const stranger = await giveKeys(chat, await chat.person());
    const next = await signNext(sealed, alice);
    const missing = { code: 'conversation_not_found' };
    expect(await refusalOf(listEpochs(sealed, stranger))).toMatchObject(missing);
    expect(await refusalOf(targetFor(sealed, stranger))).toMatchObject(missing);
    expect(await refusalOf(commitTo(chat, sealed, stranger, next))).toEqual(refused('subject'));
    expect(await refusalOf(commitTo(chat, sealed, { ...alice, sessionId: randomUUID() }, next))).toMatchObject({
      code: 'device_required',
    });
    expect(await refusalOf(commitTo(chat, { id: randomUUID() }, alice, next))).toEqual(refused('subject'));
    await chat.block(alice.userId, [...sealed.people.keys()][1]!.userId);
    expect(await refusalOf(commitTo(chat, sealed, alice, next))).toMatchObject({ code: 'blocked' });
  });
});

describe('an epoch of a group is refused', () => {
  it('if it does not have its members, roles, settings, devices, and boxes', async () => {
    const { owner, admin, member, sealed } = await createSealedGroup(chat);
    const ghost = await giveKeys(chat, await chat.person());
    const with_ = (people: [SealedPerson, 0 | 1 | 2][]): SealedConversation => ({ ...sealed, people: new Map(people) });
    const roles = [...sealed.people] as [SealedPerson, 0 | 1 | 2][];
    const good = await signNext(sealed, owner);
    const [own, ...others] = good.message.boxes;
    const other = (change: Partial<TestEpoch['message']>) => ({ message: { ...good.message, ...change } });
    const cases: [string, Pick<TestEpoch, 'message'>][] = [
      ['members', await signNext(with_([...roles, [ghost, 0]]), owner)],
      ['members', await signNext(with_(roles.filter(([one]) => one !== member)), owner)],
      ['members', await signNext(with_(roles.map(([one, role]) => [one, one === member ? 1 : role])), owner)],
      ['settings', await signNext(sealed, owner, { admission: 1 })],
      ['settings', await signNext(sealed, owner, { timer: 60 })],
      ['left_out', await signNext(sealed, owner, { leftOut: [member.device] })],
      ['time', await signNext(sealed, owner, { at: chat.clock.now().getTime() + 400_000 })],
      ['boxes', await signNext(sealed, owner, { withoutBox: [admin.device] })],
      ['boxes', other({ boxes: [...good.message.boxes, own!] })],
      ['boxes', other({ boxes: [{ deviceId: randomUUID(), box: own!.box }, ...others] })],
      [
        'boxes',
        other({
          boxes: [
            {
              ...own!,
              box: Buffer.from(encodeBox({ ...readBox(own!.box!), suite: 1, encapsulated: new Uint8Array(32) })),
            },
            ...others,
          ],
        }),
      ],
      ['previous_secret', other({ previousSecret: Buffer.alloc(48) })],
      ['order', other({ roster: (await signNext(sealed, owner, { leftOut: [member.device] })).message.roster })],
      ['signature', other({ header: { ...good.message.header, signature: randomBytes(64) } })],
    ];
    for (const [reason, epoch] of cases)
      expect([reason, await refusalOf(commitTo(chat, sealed, owner, epoch))]).toEqual([reason, refused(reason)]);
    // A device commits only in its own session.
    const sessionId = randomUUID();
    chat.keys.signIn(owner.userId, sessionId, await createTestDevice(owner.userId));
    expect(await refusalOf(commitTo(chat, sealed, { ...owner, sessionId }, good))).toEqual(refused('device'));
    await commitTo(chat, sealed, owner, good);
    expect(await stateOf(sealed)).toMatchObject({ epoch: 1 });
  });

  it('if the conversation is the chat of a meeting', async () => {
    const owner = await giveKeys(chat, await chat.person());
    const id = randomUUID();
    await chat.client.joinMeetingConversation({
      actorId: '',
      conversationId: id,
      userId: owner.userId,
      role: 'owner',
    } as never);
    const sealed: SealedConversation = { id, kind: 2, people: new Map([[owner, 2]]), epoch: undefined };
    expect(await refusalOf(commitTo(chat, sealed, owner, await signNext(sealed, owner)))).toEqual(refused('kind'));
  });
});

const emptyMessage = {
  actorId: '',
  conversationId: '',
  encryption: 'none',
  messageType: 'text',
  attachment: undefined,
  mentions: [],
  replyToSeq: undefined,
  forwarded: false,
  hasLink: false,
  sealed: undefined,
};

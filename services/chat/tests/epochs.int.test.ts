import { randomBytes, randomUUID } from 'node:crypto';
import { encodeBox, noAccount, readBox, signChange, signHeader, toUuid } from '@nolo/e2ee';
import { limits } from '@nolo/rules';
import { eventually } from '@nolo/testing';
import { createTestDevice, createTestRecovery, signFirstList, signNextList } from '@nolo/testing/keys';
import { sealAnswer, signTestNack, vaultUuidOf, type TestEpoch } from '@nolo/testing/vaults';
import { nextEventId, startTestChat, type TestChat } from './startTestChat.ts';
import {
  acceptList,
  addDevice,
  addList,
  commit,
  createVaultOwner,
  refusalOf,
  signNextEpoch,
  type VaultOwner,
} from './vaultFixtures.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startTestChat();
  // Epochs carry the time of this machine.
  chat.clock.advance(Date.now() - chat.clock.now().getTime());
});
afterAll(() => chat.stop());

const recoveryKeyId = '00000000-0000-0000-0000-000000000000';
const listEpochs = ({ userId, vaultId }: VaultOwner, sessionId: string | undefined, from = 0) =>
  chat.epochs.listEpochs({ actorId: userId, sessionId, conversationId: vaultId, from });
const refused = (reason: string) => ({ code: 'epoch_refused', details: { reason } });
const answerOf = ({ checked }: TestEpoch) => ({ n: checked.header.n, hash: Buffer.from(checked.hash) });
const storedNumbers = ({ vaultId }: VaultOwner) =>
  chat.db('epochs').where({ conversation_id: vaultId }).orderBy('n').pluck('n');
const framesTo = ({ userId }: VaultOwner, type: string) =>
  chat.framesTo(userId).flatMap((frame) => (frame.type === type ? [frame.data] : []));

describe('the epochs of a vault', () => {
  it('begin with the first list, and are listed with the boxes of the device', async () => {
    const owner = await createVaultOwner(chat);
    const { device, sessionId } = await addDevice(chat, owner);
    await eventually(() => framesTo(owner, 'epochs_changed').length === 2);
    expect(framesTo(owner, 'epochs_changed')).toEqual([0, 1].map((n) => ({ conversationId: owner.vaultId, n })));
    const { epochs, more } = await listEpochs(owner, owner.sessionId);
    expect(more).toBe(false);
    const [first, second] = epochs;
    expect(first).toMatchObject({ n: 0, recoveryBox: undefined, answer: undefined, previousSecret: undefined });
    expect(second).toMatchObject({
      ...answerOf(owner.epoch),
      header: owner.epoch.message.header,
      roster: owner.epoch.message.roster,
      box: owner.epoch.message.boxes.find(({ deviceId }) => deviceId === owner.laptop.uuid)!.box,
      previousSecret: owner.epoch.message.previousSecret,
    });
    const atPhone = (await listEpochs(owner, sessionId)).epochs;
    expect(atPhone[0]!.box).toBeUndefined();
    expect(toUuid(readBox(atPhone[1]!.box!).device)).toBe(device.uuid);
    expect((await listEpochs(owner, randomUUID(), 1)).epochs).toMatchObject([{ n: 1, box: undefined }]);
  });

  it('get the first answer again, also after later ones', async () => {
    const owner = await createVaultOwner(chat);
    const first = owner.epoch;
    const second = await signNextEpoch(owner);
    expect(await commit(chat, owner, second)).toEqual(answerOf(second));
    expect(await commit(chat, owner, second)).toEqual(answerOf(second));
    owner.epoch = second;
    const third = await signNextEpoch(owner);
    await commit(chat, owner, third);
    expect(await commit(chat, owner, first)).toEqual(answerOf(first));
    expect(await commit(chat, owner, second)).toEqual(answerOf(second));
    expect(await storedNumbers(owner)).toEqual([0, 1, 2]);
  });

  it('follow one another: the loser of a race learns the newest number', async () => {
    const owner = await createVaultOwner(chat);
    const { device, sessionId } = await addDevice(chat, owner);
    const [mine, theirs] = [await signNextEpoch(owner), await signNextEpoch(owner, { committer: device })];
    const results = await Promise.allSettled([
      commit(chat, owner, mine),
      commit(chat, { ...owner, sessionId }, theirs),
    ]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { kind: 'conflict', code: 'epoch_stale', details: { n: 2, reason: 'newer' } },
    });
    owner.epoch = results[0].status === 'fulfilled' ? theirs : mine;
    const onLoser = await signNextEpoch(owner);
    expect(await refusalOf(commit(chat, owner, onLoser))).toEqual({
      code: 'epoch_stale',
      details: { n: 2, reason: 'newer' },
    });
    expect(await storedNumbers(owner)).toEqual([0, 1, 2]);
  });

  it('give up another branch if a device of the epoch before signed that', async () => {
    const owner = await createVaultOwner(chat);
    await addDevice(chat, owner);
    const { header: before, hash: ancestor } = owner.epoch.checked;
    // The server never had the other branch.
    const bare = { type: 8, account: noAccount, other: Uint8Array.from(randomBytes(32)), evidence: null } as const;
    const signer = { account: before.account, device: owner.laptop.id, ancestor, at: Date.now() };
    const evidence = await signChange(owner.laptop.key, before.conversation, signer, bare);
    const resolution = await signNextEpoch(owner, {
      change: (header) => ({ ...header, changes: [...header.changes, { ...bare, evidence }] }),
    });
    const unsigned = await signHeader(owner.laptop.key, { ...resolution.checked.header, changes: [bare] });
    const header = { body: Buffer.from(unsigned.body), signature: Buffer.from(unsigned.signature) };
    expect(await refusalOf(commit(chat, owner, { message: { ...resolution.message, header } }))).toEqual(
      refused('rights'),
    );
    expect(await commit(chat, owner, resolution)).toEqual(answerOf(resolution));
    owner.epoch = resolution;
    await commit(chat, owner, await signNextEpoch(owner));
    expect(await storedNumbers(owner)).toEqual([0, 1, 2, 3]);
  });

  it('come in pages', async () => {
    const owner = await createVaultOwner(chat);
    await chat.db.raw(
      `insert into epochs select conversation_id, g, hash, body, signature, roster, user_id, device_id, null, false, now()
       from epochs, generate_series(1, ?) g where conversation_id = ?`,
      [limits.epochsPerPage, owner.vaultId],
    );
    const page = await listEpochs(owner, owner.sessionId);
    expect(page).toMatchObject({ more: true });
    expect(page.epochs).toHaveLength(limits.epochsPerPage);
    expect(await listEpochs(owner, owner.sessionId, limits.epochsPerPage)).toMatchObject({
      more: false,
      epochs: [{ n: limits.epochsPerPage }],
    });
    // Fewer if they are large.
    await chat
      .db('epochs')
      .where({ conversation_id: owner.vaultId })
      .update({ roster: Buffer.alloc(100_000) });
    const large = await listEpochs(owner, owner.sessionId);
    expect(large.more).toBe(true);
    expect(large.epochs.length).toBeLessThan(25);
  });

  it('belong to the account, and to sessions with a device', async () => {
    const [owner, other] = [await createVaultOwner(chat), await createVaultOwner(chat)];
    const next = await signNextEpoch(owner);
    const foreign = { userId: other.userId, vaultId: owner.vaultId, sessionId: other.sessionId };
    expect(await refusalOf(commit(chat, foreign, next))).toEqual(refused('subject'));
    expect(await refusalOf(commit(chat, { ...owner, sessionId: randomUUID() }, next))).toMatchObject({
      code: 'device_required',
    });
    const missing = { code: 'conversation_not_found' };
    expect(await refusalOf(listEpochs({ ...owner, userId: other.userId }, other.sessionId))).toMatchObject(missing);
    expect(await refusalOf(listEpochs({ ...owner, vaultId: 'vault' }, owner.sessionId))).toMatchObject(missing);
    const nobody = await chat.person();
    expect(await refusalOf(commit(chat, { ...owner, userId: nobody }, next))).toMatchObject({
      code: 'device_required',
    });
  });
});

describe('an epoch is refused', () => {
  it('if it is not what the newest list asks for, and then nothing is stored', async () => {
    const owner = await createVaultOwner(chat);
    const { device } = await addDevice(chat, owner);
    const good = await signNextEpoch(owner);
    const { message } = good;
    const [own, others] = [message.boxes[0]!, message.boxes.slice(1)];
    const changed = async (change: Parameters<typeof signNextEpoch>[1]) => (await signNextEpoch(owner, change)).message;
    const cases: [string, TestEpoch['message']][] = [
      ['malformed', { ...message, header: { ...message.header, body: message.header!.body!.subarray(1) } }],
      ['malformed', { ...message, header: { ...message.header, body: Buffer.alloc(limits.epochHeaderBytes + 1) } }],
      ['malformed', { ...message, header: undefined }],
      ['malformed', { ...message, roster: Buffer.alloc(0) }],
      ['signature', { ...message, header: { ...message.header, signature: randomBytes(64) } }],
      ['order', { ...message, roster: randomBytes(20) }],
      ['boxes', { ...message, boxes: [own] }],
      ['boxes', { ...message, boxes: [...message.boxes, own] }],
      ['boxes', { ...message, boxes: [...message.boxes, { deviceId: randomUUID(), box: own.box }] }],
      ['boxes', { ...message, boxes: [{ ...own, box: others[0]!.box }, ...others] }],
      ['boxes', { ...message, boxes: [{ deviceId: recoveryKeyId, box: own.box }, ...others] }],
      ['malformed', { ...message, boxes: [{ ...own, box: randomBytes(100) }, ...others] }],
      ['malformed', { ...message, boxes: [{ ...own, box: Buffer.alloc(limits.epochBoxBytes + 1) }, ...others] }],
      [
        'boxes',
        {
          ...message,
          boxes: [
            {
              ...own,
              box: Buffer.from(encodeBox({ ...readBox(own.box!), suite: 1, encapsulated: new Uint8Array(32) })),
            },
            ...others,
          ],
        },
      ],
      ['previous_secret', { ...message, previousSecret: undefined }],
      ['previous_secret', { ...message, previousSecret: Buffer.alloc(47) }],
      ['left_out', await changed({ leftOut: [device] })],
      ['device', await changed({ committer: device })],
      ['time', await changed({ at: chat.clock.now().getTime() + 301_000 })],
    ];
    for (const [reason, epoch] of cases)
      expect([reason, await refusalOf(commit(chat, owner, { message: epoch }))]).toEqual([reason, refused(reason)]);
    expect(await storedNumbers(owner)).toEqual([0, 1]);
    await commit(chat, owner, good);
  });

  it('if it is of another conversation than a vault', async () => {
    const owner = await createVaultOwner(chat);
    const { checked, message } = await signNextEpoch(owner);
    const group = await signHeader(owner.laptop.key, { ...checked.header, kind: 2 });
    const header = { body: Buffer.from(group.body), signature: Buffer.from(group.signature) };
    const epoch = { ...message, header };
    expect(await refusalOf(commit(chat, owner, { message: epoch }))).toMatchObject({ code: 'conversation_not_found' });
  });

  it('if it names another list than the newest one', async () => {
    const owner = await createVaultOwner(chat);
    const { device } = await addDevice(chat, owner);
    const before = { ...owner };
    await addList(chat, owner, { remove: [device] });
    // The list went alone; its epoch follows.
    const old = await signNextEpoch(before);
    expect(await refusalOf(commit(chat, owner, old))).toEqual(refused('list'));
    await commit(chat, owner, await signNextEpoch(owner));
  });

  it('if the identity was replaced, whose vault stays readable', async () => {
    const owner = await createVaultOwner(chat);
    const former = { ...owner };
    const tablet = await createTestDevice(owner.userId);
    const fresh = await signFirstList(tablet);
    const vaultId = vaultUuidOf(fresh.epoch);
    await acceptList(chat, { userId: owner.userId, vaultId }, fresh, tablet);
    chat.keys.signIn(owner.userId, owner.sessionId, tablet);
    expect(await refusalOf(commit(chat, former, await signNextEpoch(former)))).toEqual(refused('device'));
    expect((await listEpochs(former, owner.sessionId)).epochs).toMatchObject([{ n: 0, box: undefined }]);
    expect((await listEpochs({ ...owner, vaultId }, owner.sessionId)).epochs).toMatchObject([
      { n: 0, box: expect.anything() },
    ]);
  });

  it('if the vault has no epoch yet that it follows', async () => {
    const userId = await chat.person();
    const laptop = await createTestDevice(userId);
    const first = await signFirstList(laptop);
    chat.keys.accept(userId, first);
    const sessionId = randomUUID();
    chat.keys.signIn(userId, sessionId, laptop);
    const owner = { userId, vaultId: vaultUuidOf(first.epoch), laptop, sessionId, newest: first, epoch: first.epoch };
    const next = await signNextEpoch(owner);
    expect(await refusalOf(commit(chat, owner, next))).toEqual({
      code: 'epoch_stale',
      details: { n: -1, reason: 'none' },
    });
    // A server that lost the vault takes its epochs again, however old they are.
    chat.clock.advance(40 * 86_400_000);
    await commit(chat, owner, first.epoch);
    await commit(chat, owner, next);
  });
});

describe('an epoch that this service lost', () => {
  const show = (
    { userId, vaultId }: VaultOwner,
    { message }: Pick<TestEpoch, 'message'>,
    sessionId: string | undefined,
    keys?: ReturnType<TestChat['keys']['stateFor']>,
  ) =>
    chat.epochs.commitEpoch({ actorId: userId, sessionId, conversationId: vaultId, epoch: message, keys, lost: true });
  /** Forgets the epochs of a vault from a number on, as an old backup does. */
  const forget = async ({ vaultId }: VaultOwner, from: number) => {
    for (const table of ['epochs', 'epoch_boxes'])
      await chat.db(table).where({ conversation_id: vaultId }).where('n', '>=', from).delete();
  };

  it('comes back in order from any session, without boxes, though lists and suspensions changed', async () => {
    const owner = await createVaultOwner(chat);
    const first = Buffer.from(owner.newest.checked.hash);
    const { device, sessionId } = await addDevice(chat, owner);
    const added = owner.epoch;
    const second = await signNextEpoch(owner, { leftOut: [device] });
    chat.keys.suspend(owner.userId, device);
    await commit(chat, owner, second);
    owner.epoch = second;
    chat.keys.suspend(owner.userId, device, false);
    const third = await signNextEpoch(owner);
    await commit(chat, owner, third);
    owner.epoch = third;
    await addDevice(chat, owner);
    await forget(owner, 1);
    await chat.db('epoch_lists').where({ user_id: owner.userId }).whereNot({ hash: first }).delete();
    const bare = ({ message }: TestEpoch) => ({ message: { ...message, boxes: [], previousSecret: undefined } });
    // The chain is what it was: nothing stands in for a number, and nothing is left out.
    expect(await refusalOf(show(owner, second, sessionId))).toEqual({
      code: 'epoch_stale',
      details: { n: 0, reason: 'newer' },
    });
    expect(await refusalOf(commit(chat, { ...owner, sessionId }, added))).toMatchObject({ code: 'epoch_refused' });
    for (const epoch of [added, second, third]) await show(owner, bare(epoch), randomUUID());
    await show(owner, owner.epoch, randomUUID());
    expect(await storedNumbers(owner)).toEqual([0, 1, 2, 3, 4]);
    expect(await show(owner, added, sessionId)).toEqual(answerOf(added));
    expect(await refusalOf(show(owner, owner.epoch, undefined))).toMatchObject({ code: 'device_required' });
    // A device that has no box asks, and another one answers.
    const caller = { actorId: owner.userId, conversationId: owner.vaultId };
    await chat.epochs.sendNack({ ...caller, sessionId, nack: await signTestNack(third, device) });
    const box = { deviceId: device.uuid, box: await sealAnswer(third, device.id) };
    await chat.epochs.answerNack({ ...caller, sessionId: owner.sessionId, n: 3, box });
    const { epochs } = await listEpochs(owner, sessionId);
    expect(epochs.map(({ box: sealed, answer }) => [sealed !== undefined, answer !== undefined])).toEqual([
      [false, false],
      [false, false],
      [false, false],
      [false, true],
      [true, false],
    ]);
    await commit(chat, owner, await signNextEpoch(owner));
  });

  it('is refused if it is not signed and in order, and so are boxes for others', async () => {
    const owner = await createVaultOwner(chat);
    const next = await signNextEpoch(owner);
    const [own] = next.message.boxes;
    const cases: [string, TestEpoch['message']][] = [
      ['signature', { ...next.message, header: { ...next.message.header, signature: randomBytes(64) } }],
      ['order', { ...next.message, roster: randomBytes(20) }],
      ['boxes', { ...next.message, boxes: [{ deviceId: randomUUID(), box: own!.box }] }],
      ['boxes', { ...next.message, boxes: [own!, own!] }],
      ['previous_secret', { ...next.message, previousSecret: Buffer.alloc(47) }],
    ];
    for (const [reason, message] of cases)
      expect([reason, await refusalOf(show(owner, { message }, owner.sessionId))]).toEqual([reason, refused(reason)]);
    const other = await createVaultOwner(chat);
    const foreign = { ...owner, userId: other.userId };
    expect(await refusalOf(show(foreign, next, other.sessionId))).toEqual(refused('subject'));
    await commit(chat, owner, next);
    const rival = await signNextEpoch(owner, { reason: 3 });
    expect(await refusalOf(show(owner, rival, owner.sessionId))).toEqual({
      code: 'epoch_stale',
      details: { n: 1, reason: 'newer' },
    });
  });

  it('goes with the list that it names, if that was lost too', async () => {
    const owner = await createVaultOwner(chat);
    const next = await signNextEpoch(owner);
    const list = await signNextList(owner.newest.checked, owner.laptop, {
      add: [await createTestDevice(owner.userId)],
    });
    const keys = chat.keys.stateFor(owner.userId, list, owner.laptop);
    expect(await refusalOf(show(owner, next, undefined, keys))).toEqual(refused('list'));
    await show(owner, list.epoch, undefined, keys);
    expect(await storedNumbers(owner)).toEqual([0, 1]);
  });
});

describe('a suspended device', () => {
  it('is left out of the next epoch, and returns with a later one', async () => {
    const owner = await createVaultOwner(chat);
    const { device } = await addDevice(chat, owner);
    chat.keys.suspend(owner.userId, device);
    expect(await refusalOf(commit(chat, owner, await signNextEpoch(owner)))).toEqual(refused('left_out'));
    owner.epoch = await signNextEpoch(owner, { leftOut: [device] });
    await commit(chat, owner, owner.epoch);
    chat.keys.suspend(owner.userId, device, false);
    const back = await signNextEpoch(owner);
    await commit(chat, owner, back);
    expect(back.message.boxes).toHaveLength(2);
  });
});

describe('a device without box keys', () => {
  it('needs no box until it has some, and then asks for the secret', async () => {
    const owner = await createVaultOwner(chat);
    const { device, sessionId } = await addDevice(chat, owner);
    const next = await signNextEpoch(owner);
    const boxes = next.message.boxes.filter(({ deviceId }) => deviceId !== device.uuid);
    const without = { message: { ...next.message, boxes } };
    expect(await refusalOf(commit(chat, owner, without))).toEqual(refused('boxes'));
    chat.keys.setKeyless(owner.userId, device);
    const others = { message: { ...next.message, boxes: [] } };
    expect(await refusalOf(commit(chat, owner, others))).toEqual(refused('boxes'));
    await commit(chat, owner, without);
    owner.epoch = next;
    chat.keys.setKeyless(owner.userId, device, false);
    const { epochs } = await listEpochs(owner, sessionId, 2);
    expect(epochs).toMatchObject([{ n: 2, box: undefined }]);
    const caller = { actorId: owner.userId, sessionId, conversationId: owner.vaultId };
    await chat.epochs.sendNack({ ...caller, nack: await signTestNack(next, device) });
    const box = { deviceId: device.uuid, box: await sealAnswer(next, device.id) };
    await chat.epochs.answerNack({ ...caller, sessionId: owner.sessionId, n: 2, box });
    expect((await listEpochs(owner, sessionId, 2)).epochs).toMatchObject([{ n: 2, answer: expect.anything() }]);
  });
});

describe('the recovery key', () => {
  it('has a box in each epoch once it is set, which every session of the account gets', async () => {
    const owner = await createVaultOwner(chat);
    const { listed } = await createTestRecovery(owner.newest.checked);
    await addList(chat, owner, { recovery: listed });
    const next = await signNextEpoch(owner);
    const without = { ...next.message, boxes: next.message.boxes.filter(({ deviceId }) => deviceId !== recoveryKeyId) };
    expect(await refusalOf(commit(chat, owner, { message: without }))).toEqual(refused('boxes'));
    await commit(chat, owner, next);
    const { epochs } = await listEpochs(owner, randomUUID());
    expect(epochs.map(({ recoveryBox }) => recoveryBox !== undefined)).toEqual([false, true, true]);
  });

  it('restarts the vault without the secret of the epoch before', async () => {
    const owner = await createVaultOwner(chat);
    const restart = await signNextEpoch(owner, { reason: 3 });
    const withSecret = { ...restart.message, previousSecret: randomBytes(48) };
    expect(await refusalOf(commit(chat, owner, { message: withSecret }))).toEqual(refused('previous_secret'));
    await commit(chat, owner, restart);
  });
});

describe('a request for a secret', () => {
  const send = ({ userId, vaultId }: VaultOwner, sessionId: string, nack: { body: Buffer; signature: Buffer }) =>
    chat.epochs.sendNack({ actorId: userId, sessionId, conversationId: vaultId, nack });
  const list = async ({ userId, vaultId, sessionId }: VaultOwner) =>
    (await chat.epochs.listNacks({ actorId: userId, sessionId, conversationId: vaultId })).nacks;
  const answer = (owner: VaultOwner, sessionId: string, n: number, deviceId: string, box: Buffer) =>
    chat.epochs.answerNack({
      actorId: owner.userId,
      sessionId,
      conversationId: owner.vaultId,
      n,
      box: { deviceId, box },
    });

  it('is kept once for each device and epoch until another device answers', async () => {
    const owner = await createVaultOwner(chat);
    const { device, sessionId } = await addDevice(chat, owner);
    const nack = await signTestNack(owner.epoch, device);
    await send(owner, sessionId, nack);
    await send(owner, sessionId, nack);
    expect(await list(owner)).toEqual([nack]);
    const renewed = await signTestNack(owner.epoch, device, 1);
    await send(owner, sessionId, renewed);
    expect(await list(owner)).toEqual([renewed]);
    await eventually(() => framesTo(owner, 'nacks_changed').length === 2);
    const late = await sealAnswer(owner.epoch, device.id, 0);
    expect(await refusalOf(answer(owner, owner.sessionId, 1, device.uuid, late))).toEqual({
      code: 'nack_refused',
      details: { reason: 'subject' },
    });
    const box = await sealAnswer(owner.epoch, device.id, 1);
    await answer(owner, owner.sessionId, 1, device.uuid, box);
    expect(await list(owner)).toEqual([]);
    expect((await listEpochs(owner, sessionId, 1)).epochs).toMatchObject([{ answer: box }]);
    expect((await listEpochs(owner, owner.sessionId, 1)).epochs).toMatchObject([{ answer: undefined }]);
    expect(await refusalOf(answer(owner, owner.sessionId, 1, device.uuid, box))).toMatchObject({
      code: 'nack_not_found',
    });
    await eventually(() => framesTo(owner, 'epochs_changed').length === 3);
    expect(framesTo(owner, 'epochs_changed').at(-1)).toEqual({ conversationId: owner.vaultId, n: 1 });
  });

  it('is refused if another device signed it, or if it names another epoch', async () => {
    const owner = await createVaultOwner(chat);
    const { device, sessionId } = await addDevice(chat, owner);
    const nackRefused = (reason: string) => ({ code: 'nack_refused', details: { reason } });
    const nack = await signTestNack(owner.epoch, device);
    expect(await refusalOf(send(owner, owner.sessionId, nack))).toEqual(nackRefused('subject'));
    const forged = await signTestNack(owner.epoch, { ...device, key: owner.laptop.key });
    expect(await refusalOf(send(owner, sessionId, forged))).toEqual(nackRefused('signature'));
    const elsewhere = await signTestNack((await createVaultOwner(chat)).epoch, device);
    expect(await refusalOf(send(owner, sessionId, elsewhere))).toEqual(nackRefused('subject'));
    const unknown = await signTestNack(await signNextEpoch(owner), device);
    expect(await refusalOf(send(owner, sessionId, unknown))).toEqual(nackRefused('subject'));
    const long = { body: Buffer.alloc(limits.nackBytes + 1), signature: nack.signature };
    expect(await refusalOf(send(owner, sessionId, long))).toEqual(nackRefused('malformed'));
    expect(await list(owner)).toEqual([]);
  });

  it('is answered only by a device that has the secret, and goes with a device that is removed', async () => {
    const owner = await createVaultOwner(chat);
    const first = owner.epoch;
    const { device, sessionId } = await addDevice(chat, owner);
    await send(owner, sessionId, await signTestNack(first, device));
    const box = await sealAnswer(first, device.id);
    expect(await refusalOf(answer(owner, sessionId, 0, device.uuid, box))).toEqual({
      code: 'nack_refused',
      details: { reason: 'rights' },
    });
    await answer(owner, owner.sessionId, 0, device.uuid, box);
    await send(owner, sessionId, await signTestNack(owner.epoch, device));
    await addList(chat, owner, { remove: [device] });
    await commit(chat, owner, await signNextEpoch(owner));
    expect(await list(owner)).toEqual([]);
    const boxes = await chat.db('epoch_boxes').where({ conversation_id: owner.vaultId }).pluck('device_id');
    expect(new Set(boxes)).toEqual(new Set([owner.laptop.uuid]));
  });
});

test('an epoch that is cut off at any step leaves nothing, and is accepted when it is sent again', async () => {
  const owner = await createVaultOwner(chat);
  const next = await signNextEpoch(owner);
  for (const table of ['epochs', 'epoch_boxes', 'outbox']) {
    await chat.db.raw(`
      create function fail_once() returns trigger language plpgsql as $$ begin raise exception 'cut off'; end $$;
      create trigger fail_once before insert on ${table} for each row execute function fail_once();
    `);
    await expect(commit(chat, owner, next)).rejects.toMatchObject({ kind: 'internal' });
    await chat.db.raw(`drop trigger fail_once on ${table}; drop function fail_once();`);
    expect(await storedNumbers(owner)).toEqual([0]);
  }
  expect(await commit(chat, owner, next)).toEqual(answerOf(next));
});

test('two replicas that get the same epoch at once store it once', async () => {
  const owner = await createVaultOwner(chat);
  const other = await chat.startReplica();
  const next = await signNextEpoch(owner);
  const replicas = [chat, { ...chat, epochs: other.epochs }, chat, { ...chat, epochs: other.epochs }];
  const answers = await Promise.all(replicas.map((replica) => commit(replica, owner, next)));
  for (const one of answers) expect(one).toEqual(answerOf(next));
  expect(await storedNumbers(owner)).toEqual([0, 1]);
});

test('epochs of a deleted account are deleted', async () => {
  const [owner, other] = [await createVaultOwner(chat), await createVaultOwner(chat)];
  await chat.publishEvent('event.identity.user_deleted', { userId: owner.userId }, nextEventId());
  await eventually(async () => (await storedNumbers(owner)).length === 0);
  for (const table of ['vaults', 'epoch_lists'])
    expect(await chat.db(table).where({ user_id: owner.userId })).toEqual([]);
  expect(await storedNumbers(other)).toEqual([0]);
});

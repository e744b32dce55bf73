import { randomBytes, randomUUID } from 'node:crypto';
import { encodeBox, noAccount, readBox, signChange, signHeader, toUuid } from '@nolo/e2ee';
import { limits } from '@nolo/rules';
import { eventually } from '@nolo/testing';
import { createTestDevice, signFirstList } from '@nolo/testing/keys';
import { vaultUuidOf, type TestEpoch } from '@nolo/testing/vaults';
import { nextEventId, startChat, type TestChat } from './startChat.ts';
import {
  acceptList,
  addDevice,
  addList,
  commit,
  createVaultOwner,
  refusalOf,
  signNextEpoch,
  listEpochs,
  storedNumbers,
  framesTo,
  refused,
  answerOf,
  recoveryKeyId,
} from './vaultFixtures.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startChat();
  // Epochs carry the time of this machine.
  chat.clock.advance(Date.now() - chat.clock.now().getTime());
});
afterAll(() => chat.stop());

describe('the epochs of a vault', () => {
  it('begin with the first list, and are listed with the boxes of the device', async () => {
    const owner = await createVaultOwner(chat);
    const { device, sessionId } = await addDevice(chat, owner);
    await eventually(() => framesTo(chat, owner, 'epochs_changed').length === 2);
    expect(framesTo(chat, owner, 'epochs_changed')).toEqual([0, 1].map((n) => ({ conversationId: owner.vaultId, n })));
    const { epochs, more } = await listEpochs(chat, owner, owner.sessionId);
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
    const atPhone = (await listEpochs(chat, owner, sessionId)).epochs;
    expect(atPhone[0]!.box).toBeUndefined();
    expect(toUuid(readBox(atPhone[1]!.box!).device)).toBe(device.uuid);
    expect((await listEpochs(chat, owner, randomUUID(), 1)).epochs).toMatchObject([{ n: 1, box: undefined }]);
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
    expect(await storedNumbers(chat, owner)).toEqual([0, 1, 2]);
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
    expect(await storedNumbers(chat, owner)).toEqual([0, 1, 2]);
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
    expect(await storedNumbers(chat, owner)).toEqual([0, 1, 2, 3]);
  });

  it('come in pages', async () => {
    const owner = await createVaultOwner(chat);
    await chat.db.raw(
      `insert into epochs select conversation_id, g, hash, body, signature, roster, user_id, device_id, null, false, now()
       from epochs, generate_series(1, ?) g where conversation_id = ?`,
      [limits.epochsPerPage, owner.vaultId],
    );
    const page = await listEpochs(chat, owner, owner.sessionId);
    expect(page).toMatchObject({ more: true });
    expect(page.epochs).toHaveLength(limits.epochsPerPage);
    expect(await listEpochs(chat, owner, owner.sessionId, limits.epochsPerPage)).toMatchObject({
      more: false,
      epochs: [{ n: limits.epochsPerPage }],
    });
    // Fewer if they are large.
    await chat
      .db('epochs')
      .where({ conversation_id: owner.vaultId })
      .update({ roster: Buffer.alloc(100_000) });
    const large = await listEpochs(chat, owner, owner.sessionId);
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
    expect(await refusalOf(listEpochs(chat, { ...owner, userId: other.userId }, other.sessionId))).toMatchObject(
      missing,
    );
    expect(await refusalOf(listEpochs(chat, { ...owner, vaultId: 'vault' }, owner.sessionId))).toMatchObject(missing);
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
    expect(await storedNumbers(chat, owner)).toEqual([0, 1]);
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
    expect((await listEpochs(chat, former, owner.sessionId)).epochs).toMatchObject([{ n: 0, box: undefined }]);
    expect((await listEpochs(chat, { ...owner, vaultId }, owner.sessionId)).epochs).toMatchObject([
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
    expect(await storedNumbers(chat, owner)).toEqual([0]);
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
  expect(await storedNumbers(chat, owner)).toEqual([0, 1]);
});

test('epochs of a deleted account are deleted', async () => {
  const [owner, other] = [await createVaultOwner(chat), await createVaultOwner(chat)];
  await chat.publishEvent('event.identity.user_deleted', { userId: owner.userId }, nextEventId());
  await eventually(async () => (await storedNumbers(chat, owner)).length === 0);
  for (const table of ['vaults', 'epoch_lists'])
    expect(await chat.db(table).where({ user_id: owner.userId })).toEqual([]);
  expect(await storedNumbers(chat, other)).toEqual([0]);
});

import { equalBytes, toHex, type Bytes } from './bytes.ts';
import { commitTo, createEpochSecret, devicesOf, openBox, sealBox, vaultIdOf, type CheckedEpoch } from './epochs.ts';
import { signInvited } from './evidence.ts';
import { noAccount, type Change } from './headers.ts';
import { createSigningKey, randomBytes } from './primitives.ts';
import { findMember } from './rosters.ts';
import { free, publicBoxesOf, rolesOf, setting, World, type BareChange, type TestPerson } from '../tests/world.ts';

const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'accepted',
    (error: { code?: string; message?: string }) => error.code ?? error.message,
  );

/** A group of an owner, an admin, and a member. */
async function aGroup() {
  const world = new World();
  const [owner, admin, member] = [await world.person(), await world.person(), await world.person()];
  const start = await world.start(owner, {}, [
    free(owner.add(owner, 2)),
    free(owner.add(admin, 1)),
    free(owner.add(member)),
  ]);
  const by = (person: TestPerson, change: BareChange, ancestor: CheckedEpoch = start): Promise<Change> =>
    person.sign(start.header.conversation, ancestor.hash, change);
  return { world, owner, admin, member, start, by };
}

test('a group starts with its owner, who adds the first members', async () => {
  const { world, owner, admin, member, start } = await aGroup();
  expect(rolesOf(start)).toEqual({ [toHex(owner.account)]: 2, [toHex(admin.account)]: 1, [toHex(member.account)]: 0 });
  const all = [free(owner.add(owner, 2)), free(owner.add(admin, 1))];
  expect(await codeOf(world.start(admin, {}, all))).toBe('order');
  expect(await codeOf(world.start(member, {}, all))).toBe('order');
  expect(await codeOf(world.start(owner, { n: 1 }, all))).toBe('order');
  expect(await codeOf(world.start(owner, { previous: randomBytes(32) }, all))).toBe('order');
  expect(await codeOf(world.start(owner, { roster: randomBytes(32) }, all))).toBe('order');
  expect(await codeOf(world.start(owner, { suite: 1 }, all))).toBe('order');
  expect(await codeOf(world.start(owner, { at: world.now + 90_000_000 }, all))).toBe('order');
});

test('members add people up to their own role', async () => {
  const { world, owner, admin, member, start, by } = await aGroup();
  const friend = await world.person();
  const added = await world.next(start, member, [await by(member, member.add(friend))]);
  expect(rolesOf(added)[toHex(friend.account)]).toBe(0);
  expect(await codeOf(world.next(start, member, [await by(member, member.add(friend, 1))]))).toBe('rights');
  expect(await codeOf(world.next(start, admin, [await by(admin, admin.add(friend, 2))]))).toBe('rights');
  expect(await codeOf(world.next(start, owner, [await by(owner, owner.add(friend, 2))]))).toBe('accepted');
  expect(await codeOf(world.next(start, owner, [await by(owner, owner.add(member, 0))]))).toBe('order');
  expect(await codeOf(world.next(start, owner, [free(owner.add(friend))]))).toBe('rights');
});

test('a newcomer may commit their own addition, and nobody else may', async () => {
  const { world, owner, member, start, by } = await aGroup();
  const [friend, stranger] = [await world.person(), await world.person()];
  const addition = await by(owner, owner.add(friend));
  expect(await codeOf(world.next(start, friend, [addition]))).toBe('accepted');
  expect(await codeOf(world.next(start, stranger, [addition]))).toBe('order');
  expect(await codeOf(world.next(start, stranger, [await by(stranger, stranger.add(stranger))]))).toBe('rights');
  expect(await codeOf(world.next(start, member, [addition]))).toBe('accepted');
});

test('roles change by those above, and a group always has an owner', async () => {
  const { world, owner, admin, member, start, by } = await aGroup();
  const role = (person: TestPerson, value: 0 | 1 | 2): BareChange => ({
    type: 4,
    account: person.account,
    role: value,
  });
  const outcome = async (person: TestPerson, change: BareChange) =>
    codeOf(world.next(start, person, [await by(person, change)]));
  expect(await outcome(admin, role(member, 1))).toBe('accepted');
  expect(await outcome(admin, role(member, 2))).toBe('rights');
  expect(await outcome(admin, role(owner, 0))).toBe('rights');
  expect(await outcome(member, role(member, 1))).toBe('rights');
  expect(await outcome(owner, role(admin, 2))).toBe('accepted');
  expect(await outcome(admin, { type: 1, account: member.account, lastRows: [] })).toBe('accepted');
  expect(await outcome(admin, { type: 1, account: owner.account, lastRows: [] })).toBe('rights');
  expect(await outcome(member, { type: 1, account: admin.account, lastRows: [] })).toBe('rights');
  // The owner steps down and leaves: the one that they appoint follows.
  const handed = await world.next(start, member, [
    await by(owner, role(admin, 2)),
    await by(owner, { type: 2, account: owner.account, lastRows: [] }),
  ]);
  expect(rolesOf(handed)).toEqual({ [toHex(admin.account)]: 2, [toHex(member.account)]: 0 });
  // The server says that the owner is gone.
  const gone = await world.next(start, member, [free({ type: 1, account: owner.account, lastRows: [] })]);
  expect(rolesOf(gone)[toHex(admin.account)]).toBe(2);
});

test('a group without an owner is passed to the highest role that can sign', async () => {
  const { world, owner, admin, member, start, by } = await aGroup();
  const keyless: BareChange = { type: 0, account: new Uint8Array(16).fill(1), role: 1, list: null };
  const joined = await world.next(start, owner, [await by(owner, keyless)]);
  // The owner leaves, and the one that they appointed is removed by the server before anybody commits.
  const gone = await world.next(joined, member, [
    await by(owner, { type: 2, account: owner.account, lastRows: [] }, joined),
    free({ type: 1, account: admin.account, lastRows: [] }),
  ]);
  expect(rolesOf(gone)).toEqual({ [toHex(keyless.account)]: 1, [toHex(member.account)]: 2 });
});

test("the last row of a token that is no longer admitted is the committer's", async () => {
  const { world, owner, admin, start, by } = await aGroup();
  const token = await world.device(owner.account, 2);
  await owner.change({ add: [token] });
  const list = free({ type: 3, account: owner.account, list: owner.reference, lastRows: [] });
  const admit = (value: 0 | 1, row: Bytes | null): BareChange => ({
    type: 7,
    account: owner.account,
    device: token.id,
    admitted: value,
    lastRows: value === 1 ? [] : [{ device: token.id, row }],
  });
  const listed = await world.next(start, owner, [list]);
  const admitted = await world.next(listed, owner, [await by(owner, admit(1, null), listed)]);
  const signed = await by(owner, admit(0, null), admitted);
  const last = { device: token.id, row: new Uint8Array(32) };
  const ended = await world.next(admitted, admin, [{ ...signed, lastRows: [last] } as Change]);
  expect(devicesOf(ended.members).some((device) => equalBytes(device, token.id))).toBe(false);
});

test('evidence serves once, for its chain, and not after another change', async () => {
  const { world, owner, admin, member, start, by } = await aGroup();
  const friend = await world.person();
  const addition = await by(owner, owner.add(friend));
  const added = await world.next(start, owner, [addition]);
  const removed = await world.next(added, owner, [
    await by(owner, { type: 1, account: friend.account, lastRows: [] }, added),
  ]);
  expect(await codeOf(world.next(removed, member, [addition]))).toBe('rights');
  const again = await by(owner, owner.add(friend), removed);
  expect(await codeOf(world.next(removed, member, [again]))).toBe('accepted');

  const timer = await by(admin, setting(1, 60));
  const on = await world.next(start, admin, [timer]);
  const off = await world.next(on, admin, [await by(admin, setting(1, 0), on)]);
  expect(await codeOf(world.next(off, member, [timer]))).toBe('rights');

  const other = await aGroup();
  const foreign = await owner.sign(other.start.header.conversation, start.hash, owner.add(friend));
  expect(await codeOf(world.next(start, owner, [foreign]))).toBe('signature');
  const unknown = await by(owner, owner.add(friend), other.start);
  expect(await codeOf(world.next(start, owner, [unknown]))).toBe('rights');
  const promised = await by(admin, admin.add(friend));
  const demoted = await world.next(start, owner, [await by(owner, { type: 1, account: admin.account, lastRows: [] })]);
  expect(await codeOf(world.next(demoted, member, [promised]))).toBe('rights');
  world.now += 31 * 86_400_000;
  expect(await codeOf(world.next(start, owner, [addition]))).toBe('rights');
});

test('a member who is removed in a header cannot add somebody in it', async () => {
  const { world, owner, admin, member, start, by } = await aGroup();
  const friend = await world.person();
  const changes = [
    await by(admin, admin.add(friend)),
    await by(owner, { type: 1, account: admin.account, lastRows: [] }),
  ];
  expect(await codeOf(world.next(start, member, changes))).toBe('rights');
});

test('a removed device commits nothing, and its evidence counts no more', async () => {
  const { world, owner, admin, member, start, by } = await aGroup();
  const [lost, friend] = [admin.device, await world.person()];
  const laptop = await world.device(admin.account);
  await admin.change({ add: [laptop] });
  const before = await by(admin, admin.add(friend));
  const lists = (person: TestPerson, rows = 0): Change =>
    free({
      type: 3,
      account: person.account,
      list: person.reference,
      lastRows: rows > 0 ? [{ device: lost.id, row: null }] : [],
    });
  const withLaptop = await world.next(start, admin, [lists(admin)]);
  expect(findMember(withLaptop.members, admin.account)?.devices).toHaveLength(2);
  await admin.change({ remove: [lost.id] });
  // The lost device is not in the roster that the header names, so it cannot commit the header.
  expect(await codeOf(world.next(withLaptop, admin, [lists(admin, 1)]))).toBe('order');
  const without = await world.next(withLaptop, member, [lists(admin, 1)]);
  expect(await codeOf(world.next(withLaptop, member, [lists(admin, 1), before]))).toBe('rights');
  expect(await codeOf(world.next(without, admin, []))).toBe('order');
  admin.device = laptop;
  expect(await codeOf(world.next(without, admin, []))).toBe('accepted');
  expect(await codeOf(world.next(withLaptop, admin, [lists(admin, 1)]))).toBe('accepted');
  expect(await codeOf(world.next(start, owner, [before]))).toBe('accepted');
});

test('invite links invite until somebody is removed', async () => {
  const { world, owner, member, start, by } = await aGroup();
  const link = await createSigningKey();
  const keys: BareChange = { type: 5, account: noAccount, setting: { field: 3, value: [link.publicKey] } };
  const open = await world.next(start, owner, [await by(owner, keys)]);
  const friend = await world.person();
  const invited = async (role: 0 | 1, ancestor = open): Promise<Change> => {
    const change = free(friend.add(friend, role));
    const { conversation } = start.header;
    return {
      ...change,
      evidence: await signInvited(link, conversation, { ancestor: ancestor.hash, at: world.now }, change),
    } as Change;
  };
  expect(await codeOf(world.next(open, friend, [await invited(0)]))).toBe('accepted');
  expect(await codeOf(world.next(open, friend, [await invited(1)]))).toBe('rights');
  expect(await codeOf(world.next(start, friend, [await invited(0)]))).toBe('rights');
  const closed = await world.next(open, owner, [
    await by(owner, { type: 1, account: member.account, lastRows: [] }, open),
  ]);
  expect(closed.header.inviteKeys).toEqual([]);
  expect(await codeOf(world.next(closed, friend, [await invited(0)]))).toBe('rights');
  // The evidence for the link does not open it again.
  expect(await codeOf(world.next(closed, owner, [await by(owner, keys)]))).toBe('rights');
});

test('only groups that anyone with the code can join take additions without evidence', async () => {
  const { world, owner, start, by } = await aGroup();
  const friend = await world.person();
  const code = await world.next(start, owner, [await by(owner, setting(0, 1))]);
  expect(await codeOf(world.next(code, owner, [free(owner.add(friend))]))).toBe('accepted');
  expect(await codeOf(world.next(code, owner, [free(owner.add(friend, 1))]))).toBe('rights');
  expect(await codeOf(world.next(code, friend, [free(owner.add(friend))]))).toBe('order');
});

test('a direct conversation has two members, who both set its timer', async () => {
  const world = new World();
  const [ann, ben, eve] = [await world.person(), await world.person(), await world.person()];
  const both = [free(ann.add(ann)), free(ann.add(ben))];
  const start = await world.start(ann, { kind: 1 }, both);
  expect(await codeOf(world.start(eve, { kind: 1 }, both))).toBe('order');
  expect(await codeOf(world.start(ann, { kind: 1 }, [...both, free(ann.add(eve))]))).toBe('order');
  expect(await codeOf(world.start(ann, { kind: 1 }, [free(ann.add(ann, 2)), free(ann.add(ben))]))).toBe('order');
  const { conversation } = start.header;
  const timer = await ben.sign(conversation, start.hash, setting(1, 300));
  expect((await world.next(start, ben, [timer])).header.timer).toBe(300);
  expect(await codeOf(world.next(start, ben, [await ben.sign(conversation, start.hash, ben.add(eve))]))).not.toBe(
    'accepted',
  );
  expect(await codeOf(world.next(start, ben, [await ben.sign(conversation, start.hash, setting(0, 1))]))).toBe(
    'rights',
  );
  expect(await codeOf(world.next(start, ben, [free({ type: 1, account: ann.account, lastRows: [] })]))).toBe('order');
});

test('a changed identity is a change of its own, and commits nothing before', async () => {
  const world = new World();
  const [ann, ben] = [await world.person(), await world.person()];
  const start = await world.start(ann, { kind: 1 }, [free(ann.add(ann)), free(ann.add(ben))]);
  const anew = await world.person(ben.account);
  const identity = free({ type: 6, account: ben.account, list: anew.reference, lastRows: [] });
  const list = free({ type: 3, account: ben.account, list: anew.reference, lastRows: [] });
  expect(await codeOf(world.next(start, ann, [list]))).toBe('order');
  expect(await codeOf(world.next(start, anew, [identity]))).toBe('order');
  expect(await codeOf(world.next(start, anew, [identity], { reason: 3 }))).toBe('order');
  expect(await codeOf(world.next(start, ann, [identity]))).toBe('accepted');
  const annAnew = await world.person(ann.account);
  const all = [identity, free({ type: 6, account: ann.account, list: annAnew.reference, lastRows: [] })];
  expect(await codeOf(world.next(start, anew, all, { reason: 3 }))).toBe('accepted');
  expect(await codeOf(world.next(start, anew, all))).toBe('order');
});

test('the vault belongs to one identity, and its first device starts it', async () => {
  const world = new World();
  const [ann, ben] = [await world.person(), await world.person()];
  const conversation = await vaultIdOf(ann.account, ann.list.identity);
  const own = [free(ann.add(ann, 2))];
  expect(await codeOf(world.start(ann, { kind: 0, conversation }, own))).toBe('accepted');
  expect(await codeOf(world.start(ann, { kind: 0 }, own))).toBe('order');
  expect(await codeOf(world.start(ann, { kind: 0, conversation }, [...own, free(ann.add(ben))]))).toBe('order');
  expect(await codeOf(world.start(ben, { kind: 0, conversation }, own))).toBe('order');
});

test('a left out device gets no secret and commits nothing', async () => {
  const { world, owner, member, start, by } = await aGroup();
  const leftOut = [{ device: member.device.id, row: null }];
  const without = await world.next(start, owner, [], { leftOut });
  expect(findMember(without.members, member.account)?.devices).toEqual([]);
  expect(await codeOf(world.next(start, member, [], { leftOut }))).toBe('order');
  const friend = await world.person();
  const addition = await by(member, member.add(friend));
  expect(await codeOf(world.next(without, owner, [addition]))).toBe('rights');
  expect(findMember((await world.next(without, owner, [])).members, member.account)?.devices).toHaveLength(1);
});

test('a box opens for its device, epoch, and purpose, and contains the secret of the header', async () => {
  const { world, owner, member, start } = await aGroup();
  const secret = createEpochSecret();
  const commit = await commitTo(secret, start.header.conversation, 1);
  const epoch = await world.next(start, owner, [], { commit });
  const to = { device: member.device.id, number: 0, keys: publicBoxesOf(member.device) };
  const box = await sealBox('box', epoch, to, secret);
  const key = member.device.boxes.xWing;
  expect(await openBox('box', epoch, box, key)).toEqual(secret);
  expect(await codeOf(openBox('answer', epoch, box, key))).toBe('unopened');
  expect(await codeOf(openBox('box', start, box, key))).toBe('unopened');
  expect(await codeOf(openBox('box', epoch, { ...box, device: owner.device.id }, key))).toBe('unopened');
  expect(await codeOf(openBox('box', epoch, box, owner.device.boxes.xWing))).toBe('unopened');
  expect(await codeOf(openBox('box', epoch, box, member.device.boxes.x25519))).toBe('unopened');
  const another = await sealBox('box', epoch, to, createEpochSecret());
  expect(await codeOf(openBox('box', epoch, another, key))).toBe('unopened');
});

import { equalBytes, toHex, type Bytes } from '../../src/bytes.ts';
import type { Encodable } from '../../src/encoding.ts';
import {
  checkFirstList,
  checkNextList,
  followList,
  recoverySigner,
  signList,
  type CheckedList,
  type DeviceList,
  type ListedDevice,
  type ListedRecovery,
} from '../../src/lists.ts';
import { deriveRecoveryKeys, toListedRecovery } from '../../src/recovery.ts';
import { signStatement, type Statement } from '../../src/statements.ts';
import type { SigningKey } from '../../src/primitives.ts';
import { account, at, bytesOf, changeByte, codeOf, deviceOf, idOf, type NamedDevice } from './make.ts';

/** Step of a chain: a list that is presented as the next one after another, and what a client says. */
interface ListVector {
  /** Name of the state that an accepted list leads to. */
  name?: string;
  why: string;
  /** State that the list is presented after; null for a first list. */
  after: string | null;
  body: string;
  signature: string;
  /** Code of the refusal; null if the list is in order. */
  code: string | null;
  hash?: string;
  identity?: string;
}

const [laptop, phone, tablet, token, another, newcomer] = [
  deviceOf('laptop'),
  deviceOf('phone'),
  deviceOf('tablet', 1),
  deviceOf('token', 2),
  deviceOf('another'),
  deviceOf('newcomer', 1),
] as const;

const recoveryDevice = ({ signing }: { signing: SigningKey }) => ({ id: recoverySigner, key: signing });
type Signer = Pick<NamedDevice, 'id' | 'key'>;
type Changes = Parameters<typeof followList>[3];

const listed = ({ id, kind, signKey }: NamedDevice, addedBy: Bytes | null, seniority: number): ListedDevice => ({
  id,
  kind,
  signKey,
  addedBy,
  seniority,
});

const withKey = (signKey: Bytes): NamedDevice => ({ ...another, signKey, id: idOf(signKey) });

const firstOf = (device: NamedDevice): DeviceList => ({
  account,
  n: 0,
  previous: null,
  devices: [listed(device, null, 0)],
  nextSeniority: 1,
  recovery: null,
  signer: device.id,
  at,
});

/** Collects lists, each checked by this implementation. */
class Lists {
  readonly vectors: ListVector[] = [];
  readonly states = new Map<string, CheckedList>();

  state(name: string): CheckedList {
    const state = this.states.get(name);
    if (!state) throw new Error(`no list is named ${name}`);
    return state;
  }

  async add(why: string, after: string | null, statement: Statement, name?: string): Promise<void> {
    const before = after === null ? null : this.state(after);
    let checked: CheckedList | undefined;
    const code = await codeOf(async () => {
      checked = before === null ? await checkFirstList(statement) : await checkNextList(before, statement);
    });
    if ((code === null) !== (name !== undefined)) throw new Error(`${why}: ${code ?? 'accepted'}`);
    const vector: ListVector = { why, after, body: toHex(statement.body), signature: toHex(statement.signature), code };
    if (checked && name !== undefined) {
      this.states.set(name, checked);
      this.vectors.push({ name, ...vector, hash: toHex(checked.hash), identity: toHex(checked.identity) });
    } else this.vectors.push(vector);
  }

  /** Adds the list that a signer makes after a state with these changes, and with these fields replaced. */
  async next(
    why: string,
    after: string,
    by: Signer,
    changes: Changes,
    { name, ...fields }: Partial<DeviceList> & { name?: string } = {},
  ): Promise<void> {
    const list = { ...followList(this.state(after), by.id, at, changes), ...fields };
    await this.add(why, after, await signList(by.key, list), name);
  }
}

async function addFirstLists(lists: Lists): Promise<void> {
  const first = firstOf(laptop);
  const [entry] = first.devices as [ListedDevice];
  await lists.add('a first list', null, await signList(laptop.key, first), 'one');
  await lists.add('a first list of a program', null, await signList(tablet.key, firstOf(tablet)), 'program');
  const refused: [why: string, fields: Partial<DeviceList>][] = [
    ['a first list with number 1', { n: 1 }],
    ['a first list with a previous one', { previous: bytesOf('previous') }],
    ['a first list without a device', { devices: [] }],
    ['a first list with two devices', { devices: [entry, listed(phone, laptop.id, 1)], nextSeniority: 2 }],
    ['a first list with seniority 1', { devices: [{ ...entry, seniority: 1 }], nextSeniority: 2 }],
    ['a first list whose next seniority is 2', { nextSeniority: 2 }],
    ['a first list whose next seniority is 0', { nextSeniority: 0 }],
    ['a first device that names an adder', { devices: [{ ...entry, addedBy: laptop.id }] }],
    ['a first list by another device', { signer: phone.id }],
    ['a first list by the recovery key', { signer: recoverySigner }],
    [
      'a first device with the id of the recovery key',
      { devices: [{ ...entry, id: recoverySigner }], signer: recoverySigner },
    ],
    ['a first list with a recovery key', { recovery: await recoveryOf('first', lists.state('one').identity) }],
  ];
  for (const [why, fields] of refused) await lists.add(why, null, await signList(laptop.key, { ...first, ...fields }));
  await lists.add('a first list of a token', null, await signList(token.key, firstOf(token)));
  await lists.add('a first list with another signature', null, await signList(phone.key, first));
}

const recoveryKeysOf = (name: string) => deriveRecoveryKeys(bytesOf(`${name}: recovery`), account);
const recoveryOf = async (name: string, identity: Bytes) =>
  toListedRecovery(await recoveryKeysOf(name), account, identity);

async function addMalformedLists(lists: Lists): Promise<void> {
  const body = (await signList(laptop.key, firstOf(laptop))).body;
  const device = [laptop.id, 0, laptop.signKey, null, 0];
  const rest = [1, null, laptop.id, at];
  const bodies: [why: string, body: Encodable][] = [
    ['version 2', [2, account, 0, null, [device], ...rest]],
    ['version 0 and nothing else', [0]],
    ['version 2 of another form', [2, 'whatever']],
    ['a list with a field too many', [1, account, 0, null, [device], ...rest, 0]],
    ['a list with a field too few', [1, account, 0, null, [device], 1, null, laptop.id]],
    ['a list with a short account', [1, account.slice(1), 0, null, [device], ...rest]],
    ['a list with text as the account', [1, 'a'.repeat(16), 0, null, [device], ...rest]],
    ['a list with text as the number', [1, account, '0', null, [device], ...rest]],
    ['a list with null as the number', [1, account, null, null, [device], ...rest]],
    ['a list with bytes of another length as the previous one', [1, account, 0, new Uint8Array(), [device], ...rest]],
    ['a list with null as the devices', [1, account, 0, null, null, ...rest]],
    ['a device of kind 3', [1, account, 0, null, [[laptop.id, 3, laptop.signKey, null, 0]], ...rest]],
    ['a device with a short key', [1, account, 0, null, [[laptop.id, 0, laptop.signKey.slice(1), null, 0]], ...rest]],
    ['a device with a field too many', [1, account, 0, null, [[...device, 0]], ...rest]],
    ['33 devices', [1, account, 0, null, Array.from({ length: 33 }, () => device), ...rest]],
    ['an empty list as the recovery key', [1, account, 0, null, [device], 1, [], laptop.id, at]],
    ['a text instead of a body', 'list'],
    ['an empty body', []],
    ['a version as text', ['1']],
  ];
  for (const [why, one] of bodies) await lists.add(why, null, await signStatement('list', laptop.key, one));
  const { signature } = await signList(laptop.key, firstOf(laptop));
  await lists.add('a list with a byte too many', null, { body: Uint8Array.from([...body, 0]), signature });
  await lists.add('a list with a byte too few', null, { body: body.slice(0, -1), signature });
  // 8a instead of 89: the array of the body in a form that is not canonical.
  const longer = Uint8Array.from([0x98, 0x09, ...body.subarray(1)]);
  await lists.add('a list in a longer form', null, { body: longer, signature });
  await lists.add('a changed signature', null, { body, signature: changeByte(signature, 5, (byte) => byte ^ 1) });
  await lists.add('a short signature', null, { body, signature: signature.slice(1) });
  const foreign = await signStatement('header', laptop.key, [1]);
  await lists.add('a signature for another type', null, {
    body,
    signature: (await signStatement('boxkeys', laptop.key, [1])).signature,
  });
  await lists.add('a statement of another type', null, foreign);
}

async function addDeviceLists(lists: Lists): Promise<void> {
  await lists.next('a device adds another', 'one', laptop, { add: [phone] }, { name: 'two' });
  await lists.next('a junior device adds two', 'two', phone, { add: [tablet, token] }, { name: 'four' });
  await lists.next('a list that changes nothing', 'four', tablet, {});
  await lists.next('a device removes juniors', 'four', phone, { remove: [tablet.id, token.id] }, { name: 'removed' });
  await lists.next('a device comes back', 'removed', laptop, { add: [tablet] }, { name: 'back' });
  await lists.next('a device removes itself', 'four', laptop, { remove: [laptop.id] }, { name: 'self' });
  await lists.next(
    'a device removes itself and adds one',
    'two',
    laptop,
    { remove: [laptop.id], add: [tablet] },
    { name: 'swap' },
  );
  await lists.next('a program adds a device', 'program', tablet, { add: [laptop] }, { name: 'programTwo' });

  const { devices } = lists.state('four').list;
  const [first, second, third, fourth] = devices as [ListedDevice, ListedDevice, ListedDevice, ListedDevice];
  const added = (fields: Partial<ListedDevice>) => [...devices, { ...listed(another, laptop.id, 4), ...fields }];
  const refused: [why: string, fields: Partial<DeviceList>][] = [
    ['another account', { account: bytesOf('another account', 16) }],
    ['the same number', { n: 2 }],
    ['a number too high', { n: 4 }],
    ['another previous list', { previous: lists.state('two').hash }],
    ['no previous list', { previous: null }],
    ['a signer that is not listed', { signer: newcomer.id }],
    ['a device id of another key', { devices: added({ id: newcomer.id }), nextSeniority: 5 }],
    ['a device id of no key', { devices: added({ id: bytesOf('id', 16) }), nextSeniority: 5 }],
    ['the recovery key as signer without one', { signer: recoverySigner }],
    ['another kind', { devices: [first, second, { ...third, kind: 0 }, fourth] }],
    ['another signing key', { devices: [first, { ...second, signKey: another.signKey }, third, fourth] }],
    ['another adder', { devices: [first, second, { ...third, addedBy: laptop.id }, fourth] }],
    ['no adder', { devices: [first, { ...second, addedBy: null }, third, fourth] }],
    ['another seniority', { devices: [first, second, third, { ...fourth, seniority: 4 }], nextSeniority: 5 }],
    ['swapped devices', { devices: [first, third, second, fourth] }],
    ['a device twice', { devices: [first, second, second, third, fourth] }],
    ['a lower next seniority', { nextSeniority: 4 }],
    ['a higher next seniority', { nextSeniority: 6 }],
    ['an added device and the old next seniority', { devices: added({}) }],
    ['an added device with a skipped seniority', { devices: added({ seniority: 5 }), nextSeniority: 6 }],
    ['an added device that skips the next seniority', { devices: added({}), nextSeniority: 6 }],
    ['an added device with a used seniority', { devices: [first, second, third, listed(another, laptop.id, 3)] }],
    ['an added device that names another adder', { devices: added({ addedBy: phone.id }), nextSeniority: 5 }],
    ['an added device that names itself', { devices: added({ addedBy: another.id }), nextSeniority: 5 }],
    ['an added device without an adder', { devices: added({ addedBy: null }), nextSeniority: 5 }],
    ['an added device of the recovery key', { devices: added({ addedBy: recoverySigner }), nextSeniority: 5 }],
    [
      'an added device with a listed key',
      { devices: added({ signKey: phone.signKey, id: phone.id }), nextSeniority: 5 },
    ],
    [
      'an added device with the signer’s key',
      { devices: added({ signKey: laptop.signKey, id: laptop.id }), nextSeniority: 5 },
    ],
    ['an added device with the id of the recovery key', { devices: added({ id: recoverySigner }), nextSeniority: 5 }],
    [
      'an added device with the key of one that it replaces',
      {
        devices: [first, third, fourth, { ...listed(another, laptop.id, 4), signKey: phone.signKey }],
        nextSeniority: 5,
      },
    ],
    [
      'a device that leaves and comes back in one list',
      { devices: [first, third, fourth, { ...second, addedBy: laptop.id, seniority: 4 }], nextSeniority: 5 },
    ],
    [
      'two added devices with one id',
      { devices: [...added({}), { ...listed(newcomer, laptop.id, 5), id: another.id }], nextSeniority: 6 },
    ],
    [
      'two added devices with one key',
      { devices: [...added({}), { ...listed(newcomer, laptop.id, 5), signKey: another.signKey }], nextSeniority: 6 },
    ],
    [
      'two added devices in the wrong order',
      { devices: [...devices, listed(another, laptop.id, 5), listed(newcomer, laptop.id, 4)], nextSeniority: 6 },
    ],
    ['no devices and no recovery key', { devices: [] }],
    ['only a token and no recovery key', { devices: [fourth] }],
  ];
  for (const [why, fields] of refused) {
    // Only the stated fault is wrong with a list.
    const add = fields.devices ? [] : [another];
    await lists.next(why, 'four', laptop, { add }, fields);
  }
  await lists.next('a list by a token', 'four', token, { add: [another] });
  await lists.next('a removed device as signer', 'removed', tablet, { add: [another] });
  await lists.next('a removal of a senior device', 'four', phone, { remove: [laptop.id] });
  await lists.next('a removal of a senior device by a junior one', 'four', tablet, { remove: [tablet.id, phone.id] });
  await lists.next('a signature of another device', 'four', { id: laptop.id, key: phone.key }, { add: [another] });
  await lists.next(
    'a list of another chain',
    'program',
    tablet,
    { add: [another] },
    { previous: lists.state('one').hash },
  );
}

async function addRecoveryLists(lists: Lists): Promise<void> {
  const { identity } = lists.state('one');
  const [own, other] = [await recoveryKeysOf('own'), await recoveryKeysOf('other')];
  const [ownListed, otherListed] = [await recoveryOf('own', identity), await recoveryOf('other', identity)];
  const foreign = await recoveryOf('own', lists.state('program').identity);
  const [key, otherKey] = [recoveryDevice(own), recoveryDevice(other)];
  const set = { recovery: ownListed };
  await lists.next('the most senior device sets a recovery key', 'four', laptop, set, { name: 'covered' });
  await lists.next(
    'a recovery key is set, and its setter removed',
    'two',
    laptop,
    { ...set, remove: [laptop.id] },
    { name: 'handedOn' },
  );
  await lists.next('the next senior device sets a recovery key', 'self', phone, set, { name: 'inherited' });
  await lists.next('the recovery key changes nothing', 'covered', key, {});
  await lists.next(
    'the recovery key removes any device',
    'covered',
    key,
    { remove: [laptop.id], add: [another] },
    { name: 'recovered' },
  );
  const two = { add: [another, newcomer] };
  await lists.next('the recovery key adds two devices', 'covered', key, two, { name: 'addedTwo' });
  await lists.next('the recovery key replaces itself', 'covered', key, { recovery: otherListed }, { name: 'replaced' });
  await lists.next('the new recovery key signs', 'replaced', otherKey, { remove: [phone.id] }, { name: 'after' });
  await lists.next('every device leaves', 'handedOn', phone, { remove: [phone.id] }, { name: 'empty' });
  await lists.next('the recovery key adds the only device', 'empty', key, { add: [another] }, { name: 'refilled' });
  await lists.next(
    'a device signs after a recovery key was set',
    'covered',
    phone,
    { add: [another] },
    { name: 'busy' },
  );
  const tokens = { remove: [laptop.id, phone.id, tablet.id] };
  await lists.next('only a token and the recovery key remain', 'covered', laptop, tokens, { name: 'token' });
  const otherBoxes: ListedRecovery = await toListedRecovery({ ...own, boxes: other.boxes }, account, identity);
  await lists.next(
    'the recovery key renews its box keys',
    'covered',
    key,
    { recovery: otherBoxes },
    { name: 'renewed' },
  );

  const refused: [why: string, after: string, by: Signer, changes: Changes][] = [
    ['a recovery key by a junior device', 'four', phone, set],
    ['a recovery key of another identity', 'four', laptop, { recovery: foreign }],
    [
      'a recovery key of another account',
      'four',
      laptop,
      { recovery: await toListedRecovery(own, bytesOf('else', 16), identity) },
    ],
    [
      'a recovery key with other box keys',
      'four',
      laptop,
      { recovery: { ...ownListed, boxKeys: otherListed.boxKeys } },
    ],
    [
      'a recovery key with another consent',
      'four',
      laptop,
      { recovery: { ...ownListed, consent: otherListed.consent } },
    ],
    ['a device replaces the recovery key', 'covered', laptop, { recovery: otherListed }],
    ['a device changes the consent', 'covered', laptop, { recovery: { ...ownListed, consent: otherListed.consent } }],
    ['a device removes the recovery key', 'covered', laptop, { recovery: null }],
    ['the recovery key removes itself', 'covered', key, { recovery: null }],
    [
      'a new recovery key without consent',
      'covered',
      key,
      { recovery: { ...otherListed, consent: ownListed.consent } },
    ],
    [
      'a recovery key that is a device’s key',
      'covered',
      key,
      { recovery: await toListedRecovery({ ...own, signing: phone.key }, account, identity) },
    ],
    ['an added device with the recovery key', 'covered', laptop, { add: [withKey(ownListed.signKey)] }],
    [
      'an added device with the replaced recovery key',
      'covered',
      key,
      { recovery: otherListed, add: [withKey(ownListed.signKey)] },
    ],
    [
      'an added device with the new recovery key',
      'covered',
      key,
      { recovery: otherListed, add: [withKey(otherListed.signKey)] },
    ],
    ['the replaced recovery key as signer', 'replaced', key, { add: [another] }],
    ['the new recovery key as signer of its own list', 'covered', otherKey, { recovery: otherListed }],
    ['a removal of a senior device, with a recovery key', 'covered', phone, { remove: [laptop.id] }],
    ['a list by a device that left', 'empty', phone, { add: [another] }],
  ];
  for (const [why, after, by, changes] of refused) await lists.next(why, after, by, changes);
}

/** Chains of device lists: every kind of next list that is in order, and every kind that is refused. */
export async function makeLists() {
  const lists = new Lists();
  await addFirstLists(lists);
  await addMalformedLists(lists);
  await addDeviceLists(lists);
  await addRecoveryLists(lists);
  if (!equalBytes(lists.state('after').identity, lists.state('one').hash)) throw new Error('another identity');
  return { lists, vectors: lists.vectors };
}

export { laptop, phone };

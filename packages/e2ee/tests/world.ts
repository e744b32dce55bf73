import { equalBytes, toHex, type Bytes } from '../src/bytes.ts';
import { createBoxKeyPairs, toPublicBoxKeys, type BoxKeyPairs } from '../src/boxKeys.ts';
import {
  checkFirstHeader,
  checkNextHeader,
  commitTo,
  createEpochSecret,
  suiteFor,
  type CheckedEpoch,
} from '../src/epochs.ts';
import { signChange } from '../src/evidence.ts';
import {
  changeTypes,
  compareChanges,
  hashOfRoster,
  noAccount,
  signHeader,
  type Change,
  type Header,
  type ListReference,
} from '../src/headers.ts';
import {
  checkFirstList,
  checkNextList,
  deviceIdOf,
  followList,
  signList,
  type CheckedList,
  type DeviceKind,
} from '../src/lists.ts';
import { createSigningKey, randomBytes, type SigningKey } from '../src/primitives.ts';
import { applyChanges } from '../src/rosters.ts';

export interface TestDevice {
  readonly id: Bytes;
  readonly kind: DeviceKind;
  readonly signKey: Bytes;
  readonly key: SigningKey;
  readonly boxes: BoxKeyPairs;
}

const at = Date.UTC(2026, 10, 29);

/** Accounts with devices and lists, whose conversations a test plays through. */
export class World {
  readonly #lists: CheckedList[] = [];
  now = at;

  readonly lists = (account: Bytes, { hash }: ListReference): CheckedList | undefined =>
    this.#lists.find((one) => equalBytes(one.list.account, account) && equalBytes(one.hash, hash));

  get options() {
    return { lists: this.lists, now: this.now };
  }

  async device(account: Bytes, kind: DeviceKind = 0): Promise<TestDevice> {
    const key = await createSigningKey();
    const id = await deviceIdOf(account, key.publicKey);
    return { id, kind, signKey: key.publicKey, key, boxes: await createBoxKeyPairs() };
  }

  async person(account: Bytes = randomBytes(16)): Promise<TestPerson> {
    const device = await this.device(account);
    const { id, kind, signKey } = device;
    const list = await checkFirstList(
      await signList(device.key, {
        account,
        n: 0,
        previous: null,
        devices: [{ id, kind, signKey, addedBy: null, seniority: 0 }],
        nextSeniority: 1,
        recovery: null,
        signer: id,
        at,
      }),
    );
    return new TestPerson(this, account, device, this.keep(list));
  }

  keep(list: CheckedList): CheckedList {
    this.#lists.push(list);
    return list;
  }

  /** Signs and checks header 0. */
  async start(by: TestPerson, fields: Partial<Header>, changes: readonly Change[]): Promise<CheckedEpoch> {
    const header = await this.#header(by, null, changes, { reason: 0, kind: 2, ...fields });
    return checkFirstHeader(await signHeader(by.device.key, header), this.options);
  }

  /** Signs and checks the header after another one, by a person's current device. */
  async next(before: CheckedEpoch, by: TestPerson, changes: readonly Change[], fields: Partial<Header> = {}) {
    const header = await this.#header(by, before, changes, fields);
    return checkNextHeader(before, await signHeader(by.device.key, header), this.options);
  }

  async #header(
    by: TestPerson,
    before: CheckedEpoch | null,
    unordered: readonly Change[],
    fields: Partial<Header>,
  ): Promise<Header> {
    const changes = unordered.toSorted(compareChanges);
    const conversation = before?.header.conversation ?? fields.conversation ?? randomBytes(16);
    const n = before ? before.header.n + 1 : 0;
    const kind = fields.kind ?? before?.header.kind ?? 2;
    const leftOut = fields.leftOut ?? [];
    const settings = { admission: 0, timer: 0, approval: 0, inviteKeys: [], ...before?.header, ...settingsOf(changes) };
    const revokes = changes.some(({ type }) => [1, 2, 6].includes(type));
    // A builder that breaks the rules on purpose must not fail before the check does.
    const members = (() => {
      try {
        return applyChanges(before?.members ?? [], { changes, leftOut, kind }, this.lists);
      } catch {
        return before?.members ?? [];
      }
    })();
    const { admission, timer, approval, inviteKeys } = settings as Header;
    return {
      conversation,
      kind,
      n,
      previous: before?.hash ?? null,
      suite: suiteFor(members),
      roster: await hashOfRoster(members),
      admission,
      timer,
      approval,
      inviteKeys: revokes && !('inviteKeys' in settingsOf(changes)) ? [] : inviteKeys,
      changes,
      leftOut,
      commit: await commitTo(createEpochSecret(), conversation, n),
      account: by.account,
      device: by.device.id,
      reason: 1,
      at: this.now,
      ...fields,
    };
  }
}

const settingsOf = (changes: readonly Change[]): Partial<Header> =>
  Object.assign(
    {},
    ...changes.map((change) =>
      change.type === changeTypes.setting
        ? { [['admission', 'timer', 'approval', 'inviteKeys'][change.setting.field] ?? '']: change.setting.value }
        : {},
    ),
  ) as Partial<Header>;

type WithoutEvidence<C> = C extends Change ? Omit<C, 'evidence'> : never;
export type BareChange = WithoutEvidence<Change>;

export class TestPerson {
  readonly world: World;
  readonly account: Bytes;
  device: TestDevice;
  list: CheckedList;

  constructor(world: World, account: Bytes, device: TestDevice, list: CheckedList) {
    this.world = world;
    this.account = account;
    this.device = device;
    this.list = list;
  }

  get reference(): ListReference {
    return { n: this.list.list.n, hash: this.list.hash };
  }

  /** Signs the next list with the current device. */
  async change(changes: Parameters<typeof followList>[3]): Promise<void> {
    const next = followList(this.list, this.device.id, at, changes);
    this.list = this.world.keep(await checkNextList(this.list, await signList(this.device.key, next)));
  }

  /** Signs a change as a member. */
  async sign(conversation: Bytes, ancestor: Bytes, bare: BareChange): Promise<Change> {
    const change = { ...bare, evidence: null } as Change;
    const signer = { account: this.account, device: this.device.id, ancestor, at: this.world.now };
    return { ...change, evidence: await signChange(this.device.key, conversation, signer, change) } as Change;
  }

  add(person: TestPerson, role: 0 | 1 | 2 = 0): BareChange {
    return { type: 0, account: person.account, role, list: person.reference };
  }
}

/** A change without evidence. */
export const free = (bare: BareChange): Change => ({ ...bare, evidence: null }) as Change;

/** A setting of a conversation. */
export const setting = (field: 0 | 1 | 2, value: number): BareChange =>
  ({ type: 5, account: noAccount, setting: { field, value } }) as BareChange;

/** Returns the members' accounts with their roles. */
export const rolesOf = ({ members }: CheckedEpoch): Record<string, number> =>
  Object.fromEntries(members.map(({ account, role }) => [toHex(account), role]));

export const publicBoxesOf = ({ boxes }: TestDevice) => toPublicBoxKeys(boxes);

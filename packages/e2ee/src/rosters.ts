import { compareBytes, equalBytes, toHex, type Bytes } from './bytes.ts';
import { changeTypes, type Change, type Header, type ListReference, type Member, type Role } from './headers.ts';
import { findDevice, type CheckedList } from './lists.ts';
import { Refusal } from './refusal.ts';

/** Members of a conversation as its headers change them (docs/encryption.md, section 4). */

/** Returns a checked list by its account and reference, or undefined if the client has not checked it. */
export type ListResolver = (account: Bytes, reference: ListReference) => CheckedList | undefined;

const refuse = (message: string): never => {
  throw new Refusal('order', message);
};

/** Returns the member with this account, or undefined. */
export const findMember = (members: readonly Member[], account: Uint8Array): Member | undefined =>
  members.find((member) => equalBytes(member.account, account));

/**
 * Returns the checked list of a member.
 *
 * @throws Refusal `order` if the resolver knows none
 */
export function listOfMember(lists: ListResolver, account: Bytes, reference: ListReference): CheckedList {
  const found = lists(account, reference);
  if (!found || !equalBytes(found.list.account, account) || !equalBytes(found.hash, reference.hash))
    return refuse('a member whose list is not known');
  return found;
}

/** Returns true if both lists belong to one identity. */
export const isSameIdentity = (a: CheckedList, b: CheckedList): boolean => equalBytes(a.identity, b.identity);

interface Draft {
  account: Bytes;
  role: Role;
  list: ListReference | null;
  /** Ids of admitted tokens, as hexadecimal digits. */
  tokens: Set<string>;
}

const toDraft = (member: Member, lists: ListResolver): Draft => {
  const { account, role, list } = member;
  const tokens = list
    ? member.devices.filter((device) => findDevice(listOfMember(lists, account, list).list, device)?.kind === 2)
    : [];
  return { account, role, list, tokens: new Set(tokens.map(toHex)) };
};

/** Changes that may concern an account only once in a header. */
const onceTypes: ReadonlySet<number> = new Set([
  changeTypes.add,
  changeTypes.remove,
  changeTypes.leave,
  changeTypes.role,
  changeTypes.identity,
]);

/** Names what a change concerns; no two changes of a header concern the same. */
function subjectOf(change: Change): string {
  if (onceTypes.has(change.type)) return toHex(change.account);
  const part = change.type === changeTypes.setting ? change.setting.field : '';
  const device = change.type === changeTypes.token ? toHex(change.device) : '';
  return `${change.type}:${toHex(change.account)}:${part}${device}`;
}

function assertOnce(changes: readonly Change[]): void {
  const seen = new Set<string>();
  for (const change of changes) {
    const subject = subjectOf(change);
    if (seen.has(subject)) refuse('two changes of one thing');
    seen.add(subject);
  }
}

/** Returns the list after the one before: the same identity, and not older. */
function followedBy(before: ListReference | null, after: ListReference, account: Bytes, lists: ListResolver): void {
  const checked = listOfMember(lists, account, after);
  if (checked.list.n !== after.n) refuse('a list with another number');
  if (!before) return;
  const was = listOfMember(lists, account, before);
  if (!isSameIdentity(was, checked)) refuse('a list of another identity');
  // A header leads from the other branch of a fork that ended to the one that stays.
  if (was.isRefused === true && checked.isRefused !== true) return;
  if (after.n < before.n || (after.n === before.n && !equalBytes(after.hash, before.hash))) refuse('an older list');
}

function applyChange(drafts: Map<string, Draft>, change: Change, lists: ListResolver): void {
  const key = toHex(change.account);
  const known = drafts.get(key);
  const member = (): Draft => known ?? refuse('a change of somebody who is no member');
  switch (change.type) {
    case changeTypes.add:
      if (known) refuse('an addition of a member');
      if (change.list) listOfMember(lists, change.account, change.list);
      drafts.set(key, { account: change.account, role: change.role, list: change.list, tokens: new Set() });
      return;
    case changeTypes.remove:
    case changeTypes.leave:
      member();
      drafts.delete(key);
      return;
    case changeTypes.list: {
      const draft = member();
      followedBy(draft.list, change.list, change.account, lists);
      draft.list = change.list;
      return;
    }
    case changeTypes.role:
      member().role = change.role;
      return;
    case changeTypes.identity: {
      const draft = member();
      const after = listOfMember(lists, change.account, change.list);
      if (!draft.list || isSameIdentity(listOfMember(lists, change.account, draft.list), after))
        refuse('a change of identity without another identity');
      Object.assign(draft, { list: change.list, role: 0, tokens: new Set() });
      return;
    }
    case changeTypes.token: {
      const draft = member();
      const device = draft.list && findDevice(listOfMember(lists, change.account, draft.list).list, change.device);
      if (device?.kind !== 2) refuse('an admission of what is no token');
      if (change.admitted === 1) draft.tokens.add(toHex(change.device));
      else draft.tokens.delete(toHex(change.device));
      return;
    }
    case changeTypes.setting:
    case changeTypes.resolve:
  }
}

/** Returns the devices of a list that get a secret: those of people, and admitted tokens, unless left out. */
function devicesOf({ list, tokens }: CheckedList & { tokens: ReadonlySet<string> }, out: ReadonlySet<string>): Bytes[] {
  return list.devices
    .filter(({ id, kind }) => !out.has(toHex(id)) && (kind !== 2 || tokens.has(toHex(id))))
    .map(({ id }) => id)
    .toSorted(compareBytes);
}

/**
 * Makes the account with the highest role, and among these the lowest id, the owner of a group that has none. Accounts
 * that change their identity come after others with a device, and accounts without a device come last: they can sign
 * nothing.
 */
function appointOwner(members: readonly Member[], changes: readonly Change[]): Member[] {
  if (members.some(({ role }) => role === 2)) return [...members];
  const changed = new Set(
    changes.filter(({ type }) => type === changeTypes.identity).map(({ account }) => toHex(account)),
  );
  const rankOf = ({ account, devices }: Member) => (devices.length === 0 ? 2 : Number(changed.has(toHex(account))));
  const [next] = members.toSorted(
    (a, b) => rankOf(a) - rankOf(b) || b.role - a.role || compareBytes(a.account, b.account),
  );
  return members.map((member) => (member === next ? { ...member, role: 2 } : member));
}

/**
 * Returns the members after the changes of a header, in ascending order of their accounts.
 *
 * @param before members of the header before, or none for header 0
 * @throws Refusal `order` for a change that does not fit the members or the lists
 */
export function applyChanges(
  before: readonly Member[],
  { changes, leftOut, kind }: Pick<Header, 'changes' | 'leftOut' | 'kind'>,
  lists: ListResolver,
): Member[] {
  assertOnce(changes);
  const drafts = new Map(before.map((member) => [toHex(member.account), toDraft(member, lists)]));
  for (const change of changes) applyChange(drafts, change, lists);
  const ordered = [...drafts.values()].toSorted((a, b) => compareBytes(a.account, b.account));
  const out = new Set(leftOut.map(({ device }) => toHex(device)));
  const members = ordered.map(({ account, role, list, tokens }) => ({
    account,
    role,
    list,
    devices: list ? devicesOf({ ...listOfMember(lists, account, list), tokens }, out) : [],
  }));
  return kind === 2 ? appointOwner(members, changes) : members;
}

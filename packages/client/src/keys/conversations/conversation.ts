import type { NewEpoch } from '@nolo/api';
import {
  endingHeaders,
  equalBytes,
  findDevice,
  readHeader,
  readRoster,
  type Bytes,
  type Change,
  type CheckedEpoch,
  type Header,
  type InviteLink,
  type ListResolver,
  type Member,
  type Statement,
} from '@nolo/e2ee';
import type { KeyContext } from '../context.ts';
import { nameOf, padNumber } from '../wire.ts';
import type { ConversationBlock, ConversationFacts } from './types.ts';

/** Conversation as this device's storage has it (docs/encryption.md, section 4). */

/** Device of a roster with what a message needs. */
export interface RosterDevice {
  readonly account: Bytes;
  readonly device: Bytes;
  readonly signKey: Bytes;
}

/** Place of an epoch in the server's order: after the rows and changes with these numbers. */
export interface Place {
  readonly seq: number;
  readonly changeSeq: number;
  /** Milliseconds since 1970 by the server. */
  readonly at: number;
}

export interface ConversationEpoch {
  readonly n: number;
  readonly hash: Bytes;
  readonly statement: Statement;
  /** Members in canonical encoding. */
  readonly roster: Bytes;
  readonly devices: readonly RosterDevice[];
  readonly place: Place;
  /** Null while this device could not open it, and once its time was over. */
  readonly secret: Bytes | null;
  /** Milliseconds since 1970 by this device's own clock. */
  readonly acceptedAt: number;
  /**
   * Time when this device learned of the header's changes, as the server's clock has it: when it built one that it
   * committed, otherwise when it checked it.
   */
  readonly learnedAt: number;
  /** True if the own account was in it with the identity that it had when this device checked the header. */
  readonly isOwn: boolean;
  /** Account whose device signed this header or a change in it, although this device knew its removal. */
  readonly removedSigner: Bytes | null;
}

/** Epoch that this device built and that may go with a message. */
export interface PendingEpoch {
  readonly head: CheckedEpoch;
  readonly request: NewEpoch;
  /** Milliseconds since 1970, as the server's clock has it. */
  readonly builtAt: number;
  /** Milliseconds since 1970 by this device's own clock, at the same moment. */
  readonly keptFrom: number;
  readonly devices: readonly RosterDevice[];
  readonly secret: Bytes;
}

/** Branch that this device took in the place of another one, because it removed whoever began that. */
export interface SwitchedBranch {
  /** Hash of its first header. */
  readonly hash: Bytes;
  /** True if the other branch had changes that this one lacks: the user is asked before anything is sealed. */
  readonly isAsked: boolean;
}

/** Header that a record in the vault names. */
export interface NewerHeader {
  readonly n: number;
  readonly hash: Bytes;
  /** Device that wrote the record. */
  readonly device: Bytes;
}

/** Newest row of a device, which a header names when the device leaves. */
export interface LastKnownRow {
  readonly hash: Bytes;
  readonly place: number;
}

/** Addition that somebody signed for a member. */
export type Addition = Extract<Change, { readonly type: 0 }>;

interface ConversationMeta {
  /** Newest header, checked along the chain. */
  readonly head: CheckedEpoch | null;
  /** Reason why the server's last answer cannot be. */
  readonly block: ConversationBlock | null;
  /** Newest headers of other branches that the server showed, while no rule decided (section 4). */
  readonly forks: readonly Bytes[];
  /** Newest header that the server showed last, if it was in order. */
  readonly shown: Bytes | null;
  readonly switched: readonly SwitchedBranch[];
  /** Header that another device of the account saw, and that the server does not show. */
  readonly newer: NewerHeader | null;
  /** True once this device, or the vault, has seen a header: no plain text goes here any more. */
  readonly isSeen: boolean;
  /** Signed additions of members whom no header has yet, as far as they count. */
  readonly additions: readonly Addition[];
  /** Header and member of it from which this device checks, because an invite link names them. */
  readonly entry: Omit<InviteLink, 'seed'> | null;
  readonly facts: Pick<ConversationFacts, 'type' | 'memberIds'> | null;
  /** Answers of the user, by the question's id. */
  readonly answers: Readonly<Record<string, boolean>>;
  /** Hashes of this device's acknowledged rows and deletions that none of them named. */
  readonly own: readonly Bytes[];
  readonly lastRows: Readonly<Record<string, LastKnownRow>>;
  /** Last requests for secrets, by the number of the epoch. */
  readonly asked: Readonly<Record<number, number>>;
}

export interface Conversation extends ConversationMeta {
  readonly id: Bytes;
  readonly epochs: readonly ConversationEpoch[];
  /** Epochs of other branches, whose rows stay. */
  readonly others: readonly ConversationEpoch[];
  readonly pending: PendingEpoch | null;
}

const prefixOf = (id: Bytes): string => `conversations/${nameOf(id)}/`;
const metaKeyOf = (id: Bytes): string => `${prefixOf(id)}meta`;
const pendingKeyOf = (id: Bytes): string => `${prefixOf(id)}pending`;
const epochKeyOf = (id: Bytes, { n }: ConversationEpoch): string => `${prefixOf(id)}epochs/${padNumber(n)}`;
const otherKeyOf = (id: Bytes, { hash }: ConversationEpoch): string => `${prefixOf(id)}others/${nameOf(hash)}`;
/** Ids of all conversations of which a header was seen. */
const seenPrefix = 'sealed/';

/** Conversations with secrets that have to go. */
const expiringPrefix = 'expiring/';

export interface Expiring {
  readonly id: Bytes;
  /** Time when the next secret has to be gone, in milliseconds since 1970 by this device's own clock. */
  readonly at: number;
}

export const listExpiring = ({ store }: KeyContext): Promise<readonly Expiring[]> =>
  store.list<Expiring>(expiringPrefix);

export const listSeen = ({ store }: KeyContext): Promise<readonly Bytes[]> => store.list<Bytes>(seenPrefix);

const emptyMeta: ConversationMeta = {
  head: null,
  block: null,
  forks: [],
  shown: null,
  switched: [],
  newer: null,
  isSeen: false,
  additions: [],
  entry: null,
  facts: null,
  answers: {},
  own: [],
  lastRows: {},
  asked: {},
};

/** Reads a conversation, of which nothing may be known. */
export async function loadConversation({ store }: Pick<KeyContext, 'store'>, id: Bytes): Promise<Conversation> {
  const meta = { ...emptyMeta, ...(await store.read<ConversationMeta>(metaKeyOf(id))) };
  const epochs = await store.list<ConversationEpoch>(`${prefixOf(id)}epochs/`);
  const others = await store.list<ConversationEpoch>(`${prefixOf(id)}others/`);
  const pending = (await store.read<PendingEpoch>(pendingKeyOf(id))) ?? null;
  return { ...meta, id, epochs, others, pending };
}

/** Values that store what changed of a conversation. */
export function toConversationValues(before: Conversation, after: Conversation): Record<string, unknown> {
  const { id, epochs, others, pending, ...meta } = after;
  const values: Record<string, unknown> = { [metaKeyOf(id)]: meta };
  for (const one of before.epochs) if (!epochs.some(({ n }) => n === one.n)) values[epochKeyOf(id, one)] = undefined;
  for (const one of epochs) if (!before.epochs.includes(one)) values[epochKeyOf(id, one)] = one;
  for (const one of before.others) if (!hasEpoch(others, one.hash)) values[otherKeyOf(id, one)] = undefined;
  for (const one of others) if (!before.others.includes(one)) values[otherKeyOf(id, one)] = one;
  if (pending !== before.pending) values[pendingKeyOf(id)] = pending ?? undefined;
  const at = nextExpiryOf(after);
  if (at !== nextExpiryOf(before)) values[`${expiringPrefix}${nameOf(id)}`] = at === null ? undefined : { id, at };
  if (after.isSeen && !before.isSeen) values[`${seenPrefix}${nameOf(id)}`] = id;
  return values;
}

export const hasEpoch = (epochs: readonly Pick<ConversationEpoch, 'hash'>[], hash: Bytes): boolean =>
  epochs.some((one) => equalBytes(one.hash, hash));

/** Newest epoch; undefined if there is none. */
export const newestOf = ({ epochs }: Pick<Conversation, 'epochs'>): ConversationEpoch | undefined => epochs.at(-1);

/** Headers by their hash, because every row looks at them. */
const knownHeaders = new WeakMap<object, Header>();

export function headerOf(epoch: Pick<ConversationEpoch, 'statement'>): Header {
  const known = knownHeaders.get(epoch);
  if (known) return known;
  const header = readHeader(epoch.statement);
  knownHeaders.set(epoch, header);
  return header;
}

const knownEndings = new WeakMap<Conversation['epochs'], readonly number[]>();

/** Numbers of the headers after which rows of older epochs are late. */
export function endingsOf({ epochs }: Conversation): readonly number[] {
  const known = knownEndings.get(epochs);
  if (known) return known;
  const endings = endingHeaders(epochs.map(headerOf));
  knownEndings.set(epochs, endings);
  return endings;
}

const knownMembers = new WeakMap<ConversationEpoch, readonly Member[]>();

export function membersOf(epoch: ConversationEpoch): readonly Member[] {
  const known = knownMembers.get(epoch);
  if (known) return known;
  const members = readRoster(epoch.roster);
  knownMembers.set(epoch, members);
  return members;
}

/** Returns what the header after an epoch is checked against. */
export function checkedAt({ head, epochs }: Conversation, n: number): CheckedEpoch | null {
  const at = epochs.findIndex((one) => one.n === n);
  const epoch = epochs[at];
  if (!head || !epoch) return null;
  return {
    header: headerOf(epoch),
    hash: epoch.hash,
    members: membersOf(epoch),
    // A newcomer has a history from before the first epoch.
    history: head.history.slice(0, head.history.length - (epochs.length - 1 - at)),
  };
}

/** Returns the conversation with epochs replaced or added. */
export function withEpochs(conversation: Conversation, changed: readonly ConversationEpoch[]): Conversation {
  const all = new Map([...conversation.epochs, ...changed].map((one) => [one.n, one]));
  return { ...conversation, epochs: [...all.values()].toSorted((a, b) => a.n - b.n) };
}

/** Returns the device of an account in the roster of an epoch. */
export const deviceIn = (
  { devices }: Pick<ConversationEpoch, 'devices'>,
  account: Bytes,
  device: Bytes,
): RosterDevice | undefined =>
  devices.find((one) => equalBytes(one.device, device) && equalBytes(one.account, account));

const minuteMs = 60_000;
/** Time that an epoch of a conversation without a timer lasts. */
export const epochMs = 7 * 86_400_000;

/** Milliseconds that an epoch of a conversation with a timer lasts (section 4, Timer). */
export const lastsMs = (timer: number): number => Math.min(Math.max(timer * 1_000, 5 * minuteMs), 60 * minuteMs);

/**
 * Time when the secret of an epoch with a timer has to be gone; infinite without one. All of these are times of the
 * device's own clock: a server that sets its clock back would keep secrets.
 */
const expiryOf = ({ timer }: Pick<Header, 'timer'>, since: number): number =>
  timer > 0 ? since + lastsMs(timer) + timer * 1_000 : Infinity;

/** Returns true once the secret of an epoch with a timer has to be gone. */
export const isExpired = (epoch: ConversationEpoch, now: number): boolean =>
  now > expiryOf(headerOf(epoch), epoch.acceptedAt);

const pendingExpiryOf = (pending: PendingEpoch | null): number =>
  pending ? expiryOf(pending.head.header, pending.keptFrom) : Infinity;

/** Time when the next secret of a conversation has to be gone; null if none ever has to. */
export function nextExpiryOf({ epochs, others, pending }: Conversation): number | null {
  const times = [...epochs, ...others].map((one) => (one.secret ? expiryOf(headerOf(one), one.acceptedAt) : Infinity));
  const next = Math.min(pendingExpiryOf(pending), ...times);
  return next === Infinity ? null : next;
}

/** Deletes secrets of epochs with a timer whose time is over. */
export function dropExpired(conversation: Conversation, now: number): Conversation {
  if (now <= (nextExpiryOf(conversation) ?? Infinity)) return conversation;
  const drop = (epoch: ConversationEpoch): ConversationEpoch =>
    epoch.secret && isExpired(epoch, now) ? { ...epoch, secret: null } : epoch;
  return {
    ...conversation,
    epochs: conversation.epochs.map(drop),
    others: conversation.others.map(drop),
    pending: now > pendingExpiryOf(conversation.pending) ? null : conversation.pending,
  };
}

/** Devices of the members with their signing keys. */
export function rosterDevices(members: readonly Member[], lists: ListResolver): RosterDevice[] {
  return members.flatMap(({ account, list, devices }) => {
    const checked = list && lists(account, list);
    if (!checked) return [];
    return devices.flatMap((device) => {
      const listed = findDevice(checked.list, device);
      return listed ? [{ account, device, signKey: listed.signKey }] : [];
    });
  });
}

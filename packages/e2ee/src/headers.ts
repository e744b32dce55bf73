import { compareBytes, type Bytes } from './bytes.ts';
import {
  bytes32,
  decodeCanonical,
  encodeCanonical,
  exactly,
  id,
  listOf,
  nullable,
  signatureBytes,
  time,
  tuple,
  uint,
  type Encodable,
  type Reader,
} from './encoding.ts';
import { maxDevices } from './lists.ts';
import { hashFor, type SigningKey, type SuiteId } from './primitives.ts';
import { Refusal } from './refusal.ts';
import { protocolVersion, readBody, signStatement, type Statement } from './statements.ts';

/** Form of the headers of a conversation (docs/encryption.md, section 4). `epochs.ts` checks them. */

/** 0 vault, 1 direct, 2 group. */
export type ConversationKind = 0 | 1 | 2;
/** 0 member, 1 admin, 2 owner. */
export type Role = 0 | 1 | 2;

/** Names a device list. */
export interface ListReference {
  readonly n: number;
  readonly hash: Bytes;
}

export interface Member {
  readonly account: Bytes;
  readonly role: Role;
  /** Null while the member has no keys. */
  readonly list: ListReference | null;
  /** Devices that get the secret, in ascending order. */
  readonly devices: readonly Bytes[];
}

/** Last message of a device that leaves; null if it wrote none. */
export interface LastRow {
  readonly device: Bytes;
  readonly row: Bytes | null;
}

/** Settings of a conversation that its members see enforced. */
export interface Settings {
  /** 1 if anyone with the code that the server checks can join. */
  readonly admission: 0 | 1;
  /** Seconds after which messages disappear, or 0. */
  readonly timer: number;
  /** 1 if members' messages wait for an admin. */
  readonly approval: 0 | 1;
  /** Public keys of invite links. */
  readonly inviteKeys: readonly Bytes[];
}

/** Signature of a member over a change, or of an invite key over an addition. */
export type Evidence = MemberEvidence | InviteEvidence;

interface SignedChange {
  /** Hash of a header of the chain. */
  readonly ancestor: Bytes;
  /** Milliseconds since 1970 on the signer's clock. */
  readonly at: number;
  readonly signature: Bytes;
}

export interface MemberEvidence extends SignedChange {
  readonly by: 'member';
  readonly account: Bytes;
  readonly device: Bytes;
}

export interface InviteEvidence extends SignedChange {
  readonly by: 'invite';
  readonly inviteKey: Bytes;
}

export const changeTypes = {
  add: 0,
  remove: 1,
  leave: 2,
  list: 3,
  role: 4,
  setting: 5,
  identity: 6,
  token: 7,
  resolve: 8,
} as const;
export type ChangeType = (typeof changeTypes)[keyof typeof changeTypes];

export type SettingChange =
  | { readonly field: 0; readonly value: 0 | 1 }
  | { readonly field: 1; readonly value: number }
  | { readonly field: 2; readonly value: 0 | 1 }
  | { readonly field: 3; readonly value: readonly Bytes[] };

interface AccountChange {
  readonly account: Bytes;
  readonly evidence: Evidence | null;
}

export type Change =
  | (AccountChange & { readonly type: 0; readonly role: Role; readonly list: ListReference | null })
  | (AccountChange & { readonly type: 1; readonly lastRows: readonly LastRow[] })
  | (AccountChange & { readonly type: 2; readonly lastRows: readonly LastRow[] })
  | (AccountChange & { readonly type: 3; readonly list: ListReference; readonly lastRows: readonly LastRow[] })
  | (AccountChange & { readonly type: 4; readonly role: Role })
  | (AccountChange & { readonly type: 5; readonly setting: SettingChange })
  | (AccountChange & { readonly type: 6; readonly list: ListReference; readonly lastRows: readonly LastRow[] })
  | (AccountChange & {
      readonly type: 7;
      readonly device: Bytes;
      readonly admitted: 0 | 1;
      readonly lastRows: readonly LastRow[];
    })
  | (AccountChange & { readonly type: 8; readonly other: Bytes });

/** 0 start, 1 changes, 2 age, 3 restart, 4 start of a conversation that has unencrypted messages. */
export type HeaderReason = 0 | 1 | 2 | 3 | 4;

export interface Header extends Settings {
  readonly conversation: Bytes;
  readonly kind: ConversationKind;
  readonly n: number;
  readonly previous: Bytes | null;
  readonly suite: SuiteId;
  /** Hash of the members. */
  readonly roster: Bytes;
  readonly changes: readonly Change[];
  /** Suspended devices, which do not get the secret, in ascending order. */
  readonly leftOut: readonly LastRow[];
  /** Commitment to the secret. */
  readonly commit: Bytes;
  /** Committer. */
  readonly account: Bytes;
  readonly device: Bytes;
  readonly reason: HeaderReason;
  /** Milliseconds since 1970 on the committer's clock; never decreases along a chain. */
  readonly at: number;
}

/** Maximum number of members, and of devices that get a secret. */
export const maxMembers = 1_000;
export const maxInviteKeys = 16;
const maxChanges = 4_000;

/** Account of changes that concern none. */
export const noAccount: Bytes = new Uint8Array(16);

const headerType = 'header';

const lastRowReader: Reader<LastRow> = (value) => {
  const [device, row] = tuple(id, nullable(bytes32))(value);
  return { device, row };
};
const lastRowsReader = listOf(lastRowReader, 64);

const evidenceReader: Reader<Evidence> = (value) => {
  if (Array.isArray(value) && value[0] === 1) {
    const [, inviteKey, ancestor, at, signature] = tuple(exactly(1), bytes32, bytes32, time, signatureBytes)(value);
    return { by: 'invite', inviteKey, ancestor, at, signature };
  }
  const [, account, device, ancestor, at, signature] = tuple(exactly(0), id, id, bytes32, time, signatureBytes)(value);
  return { by: 'member', account, device, ancestor, at, signature };
};

const inviteKeysReader = listOf(bytes32, maxInviteKeys);

const settingReader: Reader<SettingChange> = (value) => {
  const field = Array.isArray(value) ? (value[0] as unknown) : undefined;
  if (field === 3) return { field, value: tuple(exactly(3), inviteKeysReader)(value)[1] };
  if (field === 1) return { field, value: tuple(exactly(1), uint())(value)[1] };
  const [which, flag] = tuple(uint(2), uint(1))(value);
  return { field: which as 0 | 2, value: flag as 0 | 1 };
};

type ChangeValue<T extends ChangeType> = Omit<Extract<Change, { type: T }>, 'type' | 'account' | 'evidence'>;

const valueReaders: { readonly [T in ChangeType]: Reader<ChangeValue<T>> } = {
  0: (value) => {
    const [role, n, hash] = tuple(uint(2), nullable(uint()), nullable(bytes32))(value);
    if ((n === null) !== (hash === null)) throw new Refusal('malformed', 'half a list');
    return { role: role as Role, list: n === null || hash === null ? null : { n, hash } };
  },
  1: (value) => ({ lastRows: lastRowsReader(value) }),
  2: (value) => ({ lastRows: lastRowsReader(value) }),
  3: (value) => {
    const [n, hash, lastRows] = tuple(uint(), bytes32, lastRowsReader)(value);
    return { list: { n, hash }, lastRows };
  },
  4: (value) => ({ role: uint(2)(value) as Role }),
  5: (value) => ({ setting: settingReader(value) }),
  6: (value) => {
    const [n, hash, lastRows] = tuple(uint(), bytes32, lastRowsReader)(value);
    return { list: { n, hash }, lastRows };
  },
  7: (value) => {
    const [device, admitted, lastRows] = tuple(id, uint(1), lastRowsReader)(value);
    return { device, admitted: admitted as 0 | 1, lastRows };
  },
  8: (value) => ({ other: bytes32(value) }),
};

const changeReader: Reader<Change> = (value) => {
  const [type, account, inner, evidence] = tuple(uint(8), id, (one: unknown) => one, nullable(evidenceReader))(value);
  return { type, account, evidence, ...valueReaders[type as ChangeType](inner) } as Change;
};

const toEncodableLastRows = (rows: readonly LastRow[]): Encodable => rows.map(({ device, row }) => [device, row]);

/** Returns the encodable value of a change. */
export function toEncodableValue(change: Change): Encodable {
  switch (change.type) {
    case 0:
      return [change.role, change.list?.n ?? null, change.list?.hash ?? null];
    case 1:
    case 2:
      return toEncodableLastRows(change.lastRows);
    case 3:
    case 6:
      return [change.list.n, change.list.hash, toEncodableLastRows(change.lastRows)];
    case 4:
      return change.role;
    case 5:
      return [change.setting.field, change.setting.value];
    case 7:
      return [change.device, change.admitted, toEncodableLastRows(change.lastRows)];
    case 8:
      return change.other;
  }
}

/** Returns the value that evidence signs: without the last rows of removals and tokens, which are the committer's. */
export function toSignedValue(change: Change): Encodable {
  if (change.type === changeTypes.remove) return null;
  return change.type === changeTypes.token ? [change.device, change.admitted] : toEncodableValue(change);
}

const toEncodableEvidence = (evidence: Evidence | null): Encodable =>
  evidence &&
  (evidence.by === 'member'
    ? [0, evidence.account, evidence.device, evidence.ancestor, evidence.at, evidence.signature]
    : [1, evidence.inviteKey, evidence.ancestor, evidence.at, evidence.signature]);

const toEncodableChange = (change: Change): Encodable => [
  change.type,
  change.account,
  toEncodableValue(change),
  toEncodableEvidence(change.evidence),
];

/** Encodes a change with its evidence, as a server keeps a signed leave. */
export const encodeChange = (change: Change): Bytes => encodeCanonical(toEncodableChange(change));

/** Reads what `encodeChange` wrote, without checking it. @throws Refusal `malformed` */
export const readChange = (encoded: Uint8Array): Change => decodeCanonical(encoded, changeReader);

/** Compares changes by type, account, and value. */
export const compareChanges = (a: Change, b: Change): number =>
  a.type - b.type ||
  compareBytes(a.account, b.account) ||
  compareBytes(encodeCanonical(toEncodableValue(a)), encodeCanonical(toEncodableValue(b)));

const headerReader: Reader<Header> = (value) => {
  const [
    ,
    conversation,
    kind,
    n,
    previous,
    suite,
    roster,
    admission,
    timer,
    approval,
    inviteKeys,
    changes,
    leftOut,
    commit,
    account,
    device,
    reason,
    at,
  ] = tuple(
    exactly(protocolVersion),
    id,
    uint(2),
    uint(),
    nullable(bytes32),
    uint(2),
    bytes32,
    uint(1),
    uint(),
    uint(1),
    inviteKeysReader,
    listOf(changeReader, maxChanges),
    listOf(lastRowReader, maxMembers * 32),
    bytes32,
    id,
    id,
    uint(4),
    time,
  )(value);
  if (suite === 0) throw new Refusal('malformed', 'an unknown suite');
  return {
    conversation,
    kind: kind as ConversationKind,
    n,
    previous,
    suite: suite as SuiteId,
    roster,
    admission: admission as 0 | 1,
    timer,
    approval: approval as 0 | 1,
    inviteKeys,
    changes,
    leftOut,
    commit,
    account,
    device,
    reason: reason as HeaderReason,
    at,
  };
};

const toEncodableHeader = (header: Header): Encodable => [
  protocolVersion,
  header.conversation,
  header.kind,
  header.n,
  header.previous,
  header.suite,
  header.roster,
  header.admission,
  header.timer,
  header.approval,
  header.inviteKeys,
  header.changes.map(toEncodableChange),
  toEncodableLastRows(header.leftOut),
  header.commit,
  header.account,
  header.device,
  header.reason,
  header.at,
];

/** Reads a header without checking it. */
export const readHeader = (statement: Pick<Statement, 'body'>): Header => readBody(statement, headerReader);

/** Hash of a header, which names its epoch. */
export const hashOfHeader = ({ body }: Pick<Statement, 'body'>): Promise<Bytes> => hashFor(headerType, body);

/** Signs a header as its committer. */
export const signHeader = (key: SigningKey, header: Header): Promise<Statement> =>
  signStatement(headerType, key, toEncodableHeader(header));

/** Encodes the members, who are in ascending order of their accounts. */
export const encodeRoster = (members: readonly Member[]): Bytes =>
  encodeCanonical(
    members.map(({ account, role, list, devices }) => [account, role, list?.n ?? null, list?.hash ?? null, devices]),
  );

const memberReader: Reader<Member> = (value) => {
  const [account, role, n, hash, devices] = tuple(
    id,
    uint(2),
    nullable(uint()),
    nullable(bytes32),
    listOf(id, maxDevices),
  )(value);
  if ((n === null) !== (hash === null)) throw new Refusal('malformed', 'half a list');
  return { account, role: role as Role, list: n === null || hash === null ? null : { n, hash }, devices };
};

/**
 * Reads what `encodeRoster` wrote. The hash in a header tells whether these are the members of its epoch.
 *
 * @throws Refusal `malformed`
 */
export const readRoster = (encoded: Uint8Array): Member[] => decodeCanonical(encoded, listOf(memberReader, maxMembers));

/** Hash of the members, who are in ascending order of their accounts. */
export const hashOfRoster = (members: readonly Member[]): Promise<Bytes> => hashFor('roster', encodeRoster(members));

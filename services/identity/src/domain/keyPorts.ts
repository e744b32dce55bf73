import type { Bytes, CheckedList, DeviceKind, Statement } from '@nolo/e2ee';
import type { BrandedId, SessionId, UserId } from '@nolo/kit/ids';
import type { RequestingSession } from './securityPorts.ts';

/** Ports for devices with keys (docs/encryption.md, section 3). */

export type DeviceId = BrandedId<'device'>;

/** Position of a list: the number of the chain, and the number within it. */
export interface ListPosition {
  chain: number;
  n: number;
}

export interface StoredDeviceList extends ListPosition {
  statement: Statement;
}

export interface StoredBoxKeys {
  deviceId: DeviceId;
  number: number;
  statement: Statement;
}

/** Public part of an account's keys. */
export interface AccountKeys {
  userId: UserId;
  /** Undefined if the account has no list. */
  newest: ListPosition | undefined;
  lists: StoredDeviceList[];
  /** True if there are further lists. */
  more: boolean;
  boxKeys: StoredBoxKeys[];
  suspended: DeviceId[];
}

export interface KeyQuery {
  userId: UserId;
  /** Position after which lists are returned. Parts that are undefined: the newest chain, and its first list. */
  after: { chain: number | undefined; n: number | undefined };
}

/** Device as its owner sees it. */
export interface OwnDevice {
  id: DeviceId;
  kind: DeviceKind;
  name: string;
  createdAt: Date;
  lastUsedAt: Date | null;
  network: string | null;
  country: string | null;
  city: string | null;
  current: boolean;
  suspendedAt: Date | null;
  sessionExpired: boolean;
  sessionId: string | null;
}

/** Recovery seed that a passkey wraps. */
interface WrappedSeed {
  passkeyId: string;
  credentialId: Buffer;
  wrapped: Buffer;
}

export interface KeyReader {
  /** Returns the public part of each account, in the order of the queries. */
  find(queries: readonly KeyQuery[], listsPerAccount: number, now: Date): Promise<AccountKeys[]>;
  devices(requester: RequestingSession, now: Date): Promise<OwnDevice[]>;
  seeds(userId: UserId): Promise<WrappedSeed[]>;
  /** Returns the newest list, the device of the session, and a list by its hash. Undefined if the account has none. */
  state(
    userId: UserId,
    wanted: { sessionId: SessionId | undefined; named: Buffer | undefined },
    now: Date,
  ): Promise<ListState | undefined>;
  /** Returns the states of the accounts that have lists, in the order of the queries. */
  states(queries: readonly ListStateQuery[], sessionId: SessionId | undefined, now: Date): Promise<AccountListState[]>;
  /** Counts devices by state, for metrics. */
  countByState(now: Date): Promise<{ state: 'active' | 'suspended' | 'removed'; count: number }[]>;
}

/** Accounts that headers of sealed conversations name, whose lists members need to check these headers. */
export interface NamedAccounts {
  /** Returns which of these accounts conversations of a person name. */
  amongThoseOf(actorId: UserId, userIds: readonly UserId[]): Promise<ReadonlySet<UserId>>;
  /** Returns which of these accounts conversations name that still have another member. */
  amongAll(userIds: readonly UserId[]): Promise<ReadonlySet<UserId>>;
}

/** Deleted accounts whose lists are kept. */
export interface KeptListStore {
  /** Returns accounts that were not checked since a time. */
  due(before: Date, limit: number): Promise<UserId[]>;
  keep(userIds: readonly UserId[], now: Date): Promise<void>;
  /** Deletes the lists. */
  drop(userIds: readonly UserId[]): Promise<void>;
}

/** Device of the newest chain that is not removed. */
export interface KnownDevice {
  id: DeviceId;
  suspended: boolean;
  /** True if it has no box keys, so that nothing can be sealed to it. */
  keyless: boolean;
}

/** Stored facts that decide about a new list. */
export interface DeviceListState {
  userId: UserId;
  newest: { chain: number; checked: CheckedList } | undefined;
  /** Returns the stored list of the newest chain with this number. */
  listAt: (n: number) => Promise<{ body: Uint8Array; hash: Uint8Array } | undefined>;
  devices: readonly KnownDevice[];
  /** Device of the session that sends the list. */
  ownDevice: DeviceId | undefined;
}

/** List with the box keys of the devices that it adds, and the epoch of the vault that follows from it. */
export interface DeviceListUpload {
  list: Statement;
  boxKeys: readonly Statement[];
  /** Encoded epoch, which the service of the vault reads. */
  vault: Bytes | undefined;
  /** True if the list was accepted before, and lost: then any session of the account may send it. */
  lost: boolean;
}

export interface AddedDevice {
  id: DeviceId;
  kind: DeviceKind;
  signKey: Bytes;
  /** Box keys with the time that they name. Undefined if a lost list came without them. */
  boxKeys: { statement: Statement; number: number; at: Date } | undefined;
}

/** Changes that an accepted list makes. */
export interface DeviceListPlan {
  chain: number;
  checked: CheckedList;
  added: readonly AddedDevice[];
  removed: readonly DeviceId[];
  /** Added device that gets the session of the request. */
  claimed: DeviceId | undefined;
  /** True if wrapped seeds no longer belong to the recovery key. */
  dropsSeeds: boolean;
  /** True if the list is accepted only together with an epoch of the vault. */
  needsVault: boolean;
  /** Events that the account's owner is notified of. */
  notices: readonly ('device_added' | 'identity_replaced' | 'recovery_set' | 'recovery_replaced')[];
  /** True if the sessions of removed devices end. */
  endsSessions: boolean;
  needsProof: boolean;
}

export interface AcceptedList extends ListPosition {
  hash: Uint8Array;
}

/** List that waits until its epoch of the vault is accepted. */
export interface PendingList {
  /** Names this attempt: the same list may come again with another epoch. */
  id: string;
  userId: UserId;
  list: Bytes;
  hash: Bytes;
  /** Hash of the first list of its chain. */
  identity: Bytes;
  vault: Bytes;
  /** Device that commits the epoch. */
  committer: DeviceId;
  /** Devices of the list that were suspended when it was received. */
  suspended: DeviceId[];
  /** Devices of the list that had no box keys then. */
  keyless: DeviceId[];
  lost: boolean;
  receivedAt: Date;
}

export type AcceptedOutcome =
  | ({ outcome: 'accepted'; endedTokenHashes: Buffer[]; linked: number } & AcceptedList)
  | ({ outcome: 'repeated' } & AcceptedList);

export type RefusedOutcome =
  'conflict' | 'unproven' | 'session_missing' | 'device_mismatch' | 'device_present' | 'vault_missing' | 'limited';

export type DeviceListOutcome =
  | AcceptedOutcome
  | { outcome: RefusedOutcome }
  /** The list waits for its epoch. */
  | { outcome: 'pending'; pending: PendingList }
  /** A different list waits for its epoch, which must be settled first. */
  | { outcome: 'blocked'; pending: PendingList };

export interface DeviceListStore {
  /**
   * Adds a list, or begins a new chain with it. A list with an epoch of the vault waits for it: it changes nothing yet.
   *
   * @throws Refusal if the list is not in order
   */
  add(
    requester: RequestingSession,
    upload: DeviceListUpload,
    options: { replaces: boolean },
    now: Date,
  ): Promise<DeviceListOutcome>;
  /** Returns the list of the account that waits for its epoch. */
  pendingOf(userId: UserId): Promise<PendingList | undefined>;
  /** Returns accounts whose list waits since before this time. */
  listPending(before: Date, limit: number): Promise<UserId[]>;
  /** Accepts a waiting list after its epoch was accepted. Undefined if it no longer waits. */
  accept(pending: PendingList, now: Date): Promise<AcceptedOutcome | undefined>;
  /** Drops a waiting list after its epoch was refused. */
  drop(pending: PendingList): Promise<void>;
}

/** Service that keeps the epochs of the vault. */
export interface VaultEpochs {
  /**
   * Begins the epoch that waits with a list. The same one again has the same outcome.
   *
   * @throws AppError: of a kind that `isDefinite` tells, if the epoch is refused for good
   */
  commit(pending: PendingList): Promise<void>;
}

/** Newest list of an account, for services that decide by it. */
interface ListState {
  list: Buffer;
  hash: Buffer;
  identity: Buffer;
  suspended: DeviceId[];
  /** Devices without box keys. */
  keyless: DeviceId[];
  device: DeviceId | undefined;
  /** Requested list of the same chain. */
  named: Buffer | undefined;
}

export interface ListStateQuery {
  userId: UserId;
  /** Hashes of lists that are requested beside the newest one. */
  named: readonly Buffer[];
  /** Hashes of lists, requested too, whose bytes the caller has. */
  known: readonly Buffer[];
}

/** List that was requested by its hash. */
export interface NamedList {
  hash: Buffer;
  identity: Buffer;
  /** Undefined if the caller has it. */
  list: Buffer | undefined;
  /** When the next list was accepted. Undefined for the newest one. */
  supersededAt: Date | undefined;
}

/** Newest list of one of several accounts. */
export interface AccountListState extends Omit<ListState, 'list' | 'device' | 'named'> {
  userId: UserId;
  /** Undefined if the caller has it. */
  list: Buffer | undefined;
  /** Devices whose box keys are older than limits.boxKeyDays. */
  outdated: DeviceId[];
  deviceId: DeviceId | undefined;
  firstAt: Date;
  named: NamedList[];
}

export interface DeviceStore {
  /** Returns the device of a session that may act for the account, or undefined. */
  deviceOf(requester: RequestingSession): Promise<DeviceId | undefined>;
  /** @throws Refusal if the statement does not follow the one before */
  renewBoxKeys(requester: RequestingSession, statement: Statement): Promise<'renewed' | 'repeated' | 'device_missing'>;
  /** @throws Refusal if the signature is not valid */
  claim(
    requester: RequestingSession,
    deviceId: DeviceId,
    signature: Bytes,
    now: Date,
  ): Promise<'claimed' | 'repeated' | 'missing' | 'device_present' | 'session_missing'>;
  putSeed(
    requester: RequestingSession,
    passkeyId: string,
    wrapped: Uint8Array,
    now: Date,
  ): Promise<'stored' | 'passkey_missing' | 'device_missing'>;
  deleteSeed(requester: RequestingSession, passkeyId: string): Promise<'deleted' | 'device_missing'>;
}

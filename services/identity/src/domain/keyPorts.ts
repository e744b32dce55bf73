import type { Bytes, CheckedList, DeviceKind, Statement } from '@nolo/e2ee';
import type { BrandedId, UserId } from '@nolo/kit/ids';
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
export interface WrappedSeed {
  passkeyId: string;
  credentialId: Buffer;
  wrapped: Buffer;
}

export interface KeyReader {
  /** Returns the public part of each account, in the order of the queries. */
  find(queries: readonly KeyQuery[], listsPerAccount: number, now: Date): Promise<AccountKeys[]>;
  devices(requester: RequestingSession, now: Date): Promise<OwnDevice[]>;
  seeds(userId: UserId): Promise<WrappedSeed[]>;
  /** Counts devices by state, for metrics. */
  countByState(now: Date): Promise<{ state: 'active' | 'suspended' | 'removed'; count: number }[]>;
}

/** Device of the newest chain that is not removed. */
export interface KnownDevice {
  id: DeviceId;
  suspended: boolean;
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

/** List with the box keys of the devices that it adds. */
export interface DeviceListUpload {
  list: Statement;
  boxKeys: readonly Statement[];
}

export interface AddedDevice {
  id: DeviceId;
  kind: DeviceKind;
  signKey: Bytes;
  boxKeys: Statement;
  /** Time that the box keys name. */
  at: Date;
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
  /** True if the sessions of removed devices end. */
  endsSessions: boolean;
  needsProof: boolean;
}

export interface AcceptedList extends ListPosition {
  hash: Uint8Array;
}

export type DeviceListOutcome =
  | ({ outcome: 'accepted'; endedTokenHashes: Buffer[]; linked: number } & AcceptedList)
  | ({ outcome: 'repeated' } & AcceptedList)
  | { outcome: 'conflict' | 'unproven' | 'session_missing' | 'device_mismatch' | 'device_present' };

export interface DeviceListStore {
  /**
   * Adds a list, or begins a new chain with it.
   *
   * @throws Refusal if the list is not in order
   */
  add(
    requester: RequestingSession,
    upload: DeviceListUpload,
    options: { replaces: boolean },
    now: Date,
  ): Promise<DeviceListOutcome>;
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

import type { Bytes, CheckedEpoch, CheckedList, Header, Statement } from '@nolo/e2ee';
import type { ConversationType, MemberRole } from '@nolo/rules';
import type { BrandedId, ConversationId, SessionId, UserId } from '@nolo/kit/ids';

/** Ports for epochs and the vault (docs/encryption.md, sections 4, 6, and 9). */

export type DeviceId = BrandedId<'device'>;

/** Newest device list of an account, as identity checked it. */
export interface ListState {
  readonly newest: CheckedList;
  /** Bytes of the newest list. */
  readonly body: Bytes;
  readonly suspended: ReadonlySet<DeviceId>;
  /** Devices without box keys: nothing can be sealed to them. */
  readonly keyless: ReadonlySet<DeviceId>;
  /** Device of the session, or the one that commits. */
  readonly device: DeviceId | undefined;
  /** When identity received the list, if it accepts it together with an epoch. */
  readonly receivedAt: Date | undefined;
  /** List of the same chain that was asked for by its hash. */
  readonly named: { readonly list: CheckedList; readonly body: Bytes } | undefined;
}

/** Device list with its bytes. */
export interface KnownList {
  readonly checked: CheckedList;
  readonly body: Bytes;
}

/** Lists of one of several accounts. */
export interface AccountState {
  readonly newest: KnownList;
  readonly suspended: ReadonlySet<DeviceId>;
  readonly keyless: ReadonlySet<DeviceId>;
  /** Devices whose box keys are too old for a conversation with a timer. */
  readonly outdated: ReadonlySet<DeviceId>;
  /** Device of the session, if the session is this account's. */
  readonly device: DeviceId | undefined;
  readonly firstAt: Date;
  /** Lists that were asked for, and when the next one followed. */
  readonly named: readonly (KnownList & { readonly supersededAt: Date | undefined })[];
}

/** Lists to ask for: the newest one of an account, and further ones by their hashes. */
export interface AccountQuery {
  readonly userId: UserId;
  readonly named: readonly Bytes[];
  /** Further ones whose bytes are here already. */
  readonly known: readonly KnownList[];
}

export type AccountStates = ReadonlyMap<UserId, AccountState>;

export interface KeyDirectory {
  /**
   * Returns undefined if the account has no list.
   *
   * @param named hash of a list that is asked for too
   */
  stateOf(userId: UserId, sessionId: SessionId, named?: Bytes): Promise<ListState | undefined>;
  /** Returns the states of those accounts that have lists. */
  statesOf(queries: readonly AccountQuery[], sessionId: SessionId | undefined): Promise<AccountStates>;
}

/** Epoch as a client sends it. */
export interface EpochUpload {
  readonly statement: Statement;
  readonly roster: Bytes;
  readonly boxes: readonly { readonly deviceId: DeviceId; readonly box: Bytes }[];
  readonly previousSecret: Bytes | undefined;
  /** True if the epoch was accepted before, and lost: then it is judged without the conditions of the present. */
  readonly lost: boolean;
}

/** Epoch of a conversation with the lists of its members, which were asked for before anything was locked. */
export interface PreparedEpoch {
  readonly upload: EpochUpload;
  readonly header: Header;
  readonly states: AccountStates;
  /** Device of the session. */
  readonly device: DeviceId | undefined;
  /** Count of removals in the conversation before the lists were asked for. */
  readonly removals: number;
}

/** Epoch that goes with a change, and the account that commits it. */
export interface ChangeEpoch {
  readonly userId: UserId;
  readonly prepared: PreparedEpoch;
}

/** Members and settings of a conversation, which the next epoch must have. */
export interface EpochTarget {
  readonly type: ConversationType;
  /** Members in ascending order of their ids. */
  readonly members: readonly { readonly userId: UserId; readonly role: MemberRole }[];
  readonly admission: 0 | 1;
  /** Seconds, or 0. */
  readonly timer: number;
}

/** Epoch target as members see it. */
interface EpochTargetView extends EpochTarget {
  readonly leaves: readonly Buffer[];
  readonly additions: readonly Buffer[];
  readonly n: number | null;
  readonly removalPending: boolean;
}

/** Newest epoch with what decides about the next one. */
export interface EpochState {
  readonly before: CheckedEpoch | undefined;
  /** Lists that the roster of `before` names. */
  readonly lists: readonly CheckedList[];
}

interface AcceptedEpoch {
  readonly n: number;
  readonly hash: Uint8Array;
}

export type CommitOutcome =
  | ({ readonly outcome: 'accepted' | 'repeated' } & AcceptedEpoch)
  /** The header does not follow the newest one, whose number is `n`; -1 if there is none. */
  | { readonly outcome: 'stale'; readonly n: number }
  | { readonly outcome: 'missing' };

/** Epoch as stored, for one device. */
export interface StoredEpoch {
  readonly n: number;
  readonly hash: Buffer;
  readonly body: Buffer;
  readonly signature: Buffer;
  /** Null unless it was asked for. */
  readonly roster: Buffer | null;
  readonly box: Buffer | null;
  readonly answer: Buffer | null;
  readonly recoveryBox: Buffer | null;
  readonly previousSecret: Buffer | null;
  /** Null in a vault, like the next one. */
  readonly seq: number | null;
  readonly changeSeq: number | null;
  readonly at: Date;
}

/** Epoch with boxes: those of all devices in a vault, in a conversation those of the account's own. */
export interface ExportedEpoch extends Pick<StoredEpoch, 'n' | 'body' | 'signature' | 'roster' | 'previousSecret'> {
  readonly deviceIds: DeviceId[];
  /** Box of each device. */
  readonly boxes: Buffer[];
}

export interface Page<Item> {
  readonly items: Item[];
  /** True if there are further ones. */
  readonly more: boolean;
}

/** All methods return `missing` or undefined for a conversation in which the account has no part. */
export interface EpochStore {
  /** @throws Refusal or EpochRefusal if the epoch is not in order */
  commit(
    userId: UserId,
    conversationId: ConversationId,
    upload: EpochUpload,
    keys: ListState,
    now: Date,
  ): Promise<CommitOutcome>;
  /** @param withRoster true for the members of the first epoch of a conversation; vaults always have them */
  list(
    userId: UserId,
    conversationId: ConversationId,
    device: DeviceId | undefined,
    page: { readonly from: number; readonly withRoster: boolean },
  ): Promise<Page<StoredEpoch> | undefined>;
  /** Returns the ids of all vaults of an account, oldest first. */
  vaultsOf(userId: UserId): Promise<ConversationId[]>;
  /** Returns some epochs from a number on, with all their boxes. Empty after the last one. */
  exportFrom(conversationId: ConversationId, from: number): Promise<ExportedEpoch[]>;
  /** Deletes vaults and lists of an account, and what its devices have in epochs of conversations. */
  forget(userId: UserId): Promise<void>;
}

/** Epochs of conversations. Vaults have theirs in EpochStore. */
export interface ConversationEpochStore {
  /**
   * Returns what is needed to prepare an epoch: the count of removals, and those of the named lists that are here.
   * Undefined if there is no such conversation.
   */
  preview(
    conversationId: ConversationId,
    names: readonly { readonly userId: UserId; readonly hash: Bytes }[],
  ): Promise<{ removals: number; lists: ReadonlyMap<UserId, KnownList[]> } | undefined>;
  /** @throws Refusal or EpochRefusal if the epoch is not in order */
  commit(userId: UserId, conversationId: ConversationId, epoch: PreparedEpoch, now: Date): Promise<CommitOutcome>;
  target(userId: UserId, conversationId: ConversationId, now: Date): Promise<EpochTargetView | undefined>;
  /**
   * Returns which accounts epochs name: in conversations of the actor, now or before, or in those that still have
   * another member.
   */
  namedAmong(userIds: readonly UserId[], actorId: UserId | undefined): Promise<UserId[]>;
  /** Returns whether the account is a member of a conversation that has an epoch. */
  isInAny(userId: UserId): Promise<boolean>;
  /** Marks conversations whose newest epoch gives the secret to a device that lost access. Returns how many. */
  markRemovals(userId: UserId, state: AccountState | undefined): Promise<number>;
  /** Returns the conversations with epochs that an account is or was a member of, and its devices in them. */
  partsOf(userId: UserId): Promise<{ conversationIds: ConversationId[]; devices: DeviceId[] }>;
  /** Returns some epochs from a number on, with the boxes of some devices. Empty after the last one. */
  exportFrom(conversationId: ConversationId, from: number, devices: readonly DeviceId[]): Promise<ExportedEpoch[]>;
}

export interface NackStore {
  /** @throws Refusal if the request is not signed by the device or names another epoch */
  add(
    userId: UserId,
    conversationId: ConversationId,
    statement: Statement,
    keys: ListState & { readonly device: DeviceId },
    now: Date,
  ): Promise<'stored' | 'repeated' | 'missing'>;
  list(userId: UserId, conversationId: ConversationId): Promise<{ body: Buffer; signature: Buffer }[] | undefined>;
  /** Counts open requests, and conversations that accept no message until an epoch says who lost access. */
  countWaiting(): Promise<{ nacks: number; removals: number }>;
  /** @throws Refusal if the box is malformed, or the answering device did not get the secret */
  answer(
    userId: UserId,
    conversationId: ConversationId,
    answer: { readonly n: number; readonly deviceId: DeviceId; readonly box: Bytes; readonly by: DeviceId },
  ): Promise<'answered' | 'missing' | 'nack_missing'>;
}

/** Sealed record as a client sends it. */
export interface NewVaultRow {
  readonly clientMessageId: string;
  readonly own: readonly Bytes[];
  readonly sealed: Bytes;
}

export interface StoredVaultRow {
  readonly row: number;
  readonly clientMessageId: string;
  readonly own: Buffer[];
  readonly sealed: Buffer;
  readonly at: Date;
}

export interface VaultStore {
  /** @throws Refusal if the record is malformed, or its device did not get the secret */
  add(
    userId: UserId,
    vaultId: ConversationId,
    row: NewVaultRow,
    device: DeviceId,
    now: Date,
  ): Promise<
    | { readonly outcome: 'stored' | 'repeated'; readonly row: number }
    | { readonly outcome: 'stale'; readonly n: number }
    | { readonly outcome: 'missing' }
    | { readonly outcome: 'full' }
  >;
  list(userId: UserId, vaultId: ConversationId, after: number): Promise<Page<StoredVaultRow> | undefined>;
  /** Deletes rows that a snapshot covers. `refused` if it is not the device's, or not old enough. */
  delete(
    userId: UserId,
    vaultId: ConversationId,
    range: { readonly from: number; readonly to: number; readonly snapshot: number },
    device: DeviceId,
    now: Date,
  ): Promise<'deleted' | 'refused' | 'missing'>;
}

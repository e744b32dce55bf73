import type { OwnDevice } from '@nolo/api';

/** State of this device's keys, as a screen shows it. All of it may cross the boundary of a worker. */

export type KeysPhase =
  /** The device looks at its storage and at the server. */
  | { readonly name: 'loading' }
  /** Keeps nothing: a private window without storage, or an engine that lacks what keys need. */
  | { readonly name: 'unavailable'; readonly reason: 'storage' | 'engine' }
  /** The account has devices, and this one is not among them. It must be linked, or recover. */
  | {
      readonly name: 'unlinked';
      /** True if words can bring it in. */
      readonly hasRecovery: boolean;
      /** Passkeys that wrap the recovery seed. */
      readonly passkeys: readonly WrappedSeed[];
      /** True if another device could link it. */
      readonly hasOtherDevices: boolean;
    }
  | { readonly name: 'ready' }
  /** Removed by another device, or by the recovery key. */
  | { readonly name: 'removed' }
  /** The server shows what cannot be: two lists with one number, or an older one than known. Nothing is sent. */
  | { readonly name: 'blocked'; readonly reason: 'fork' | 'old' | 'version' };

export interface WrappedSeed {
  readonly passkeyId: string;
  /** Base64url. */
  readonly credentialId: string;
}

/** Device of the account. What the server says of it is marked in `OwnDevice`; the rest is signed. */
export interface KeyDevice extends OwnDevice {
  /** Adder: a device, the recovery key, or nobody because it was the first. */
  readonly addedBy: { readonly device: string } | 'recovery' | null;
  /** True if this device may remove it. */
  readonly removable: boolean;
  /** Devices that leave with it unless the user keeps them: those that it added, and so on. */
  readonly descendants: readonly string[];
}

export interface RecoveryState {
  readonly isSet: boolean;
  /** True if this device may set the first words: only the most senior device may. */
  readonly maySet: boolean;
  /** Passkeys that wrap the seed. */
  readonly passkeys: readonly WrappedSeed[];
}

/** Steps of adding a device, on both sides. */
export type LinkState =
  /** New device: shows a code, whose content is base64url, until an old device scans it. */
  | { readonly side: 'new'; readonly step: 'code'; readonly code: string; readonly expiresAt: string }
  /** New device: waits until an old device answers. */
  | { readonly side: 'new'; readonly step: 'waiting'; readonly expiresAt: string }
  /** New device: shows its digits, and takes those of the old device once that shows them. */
  | { readonly side: 'new'; readonly step: 'digits'; readonly digits: string; readonly expiresAt: string }
  /** Old device: shows what will be added, and asks the user. */
  | {
      readonly side: 'old';
      readonly step: 'confirm';
      readonly linkId: string;
      readonly deviceName: string;
      readonly place: { readonly country: string; readonly city?: string } | null;
    }
  /** Old device: takes the digits that the new one shows. */
  | { readonly side: 'old'; readonly step: 'type'; readonly linkId: string; readonly deviceName: string }
  /** Old device: shows its digits until they are typed on the new one. */
  | { readonly side: 'old'; readonly step: 'digits'; readonly digits: string; readonly linkId: string }
  /** Both: the list is signed, or the vault opens. */
  | { readonly side: 'new' | 'old'; readonly step: 'finishing'; readonly part: 'list' | 'vault' }
  | { readonly side: 'new' | 'old'; readonly step: 'done' }
  | { readonly side: 'new' | 'old'; readonly step: 'failed'; readonly reason: LinkFailure };

export type LinkFailure =
  /** The digits differ: somebody else may have answered. */
  | 'wrong_digits'
  /** Three tries within 24 hours. */
  | 'too_many'
  | 'expired'
  | 'canceled'
  /** The code, the offer, or the answer is of something else. */
  | 'refused'
  | 'offline';

/** Device that asks to be added, from a link that its session began. */
export interface LinkRequest {
  readonly linkId: string;
  readonly deviceName: string;
  readonly place: { readonly country: string; readonly city?: string } | null;
}

/** News of the account that the user should learn once, until dismissed. */
export type KeyNotice =
  | { readonly id: string; readonly kind: 'device_added'; readonly deviceName: string; readonly at: string }
  | { readonly id: string; readonly kind: 'device_removed'; readonly deviceName: string; readonly at: string }
  /** The words opened no box of the vault, so this device restarted it. */
  | { readonly id: string; readonly kind: 'vault_restarted'; readonly at: string }
  | { readonly id: string; readonly kind: 'recovery_set' | 'recovery_replaced'; readonly at: string }
  | { readonly id: string; readonly kind: 'identity_replaced'; readonly at: string }
  /** A device joined two versions of what the devices share, which the server had shown. */
  | { readonly id: string; readonly kind: 'fork_resolved'; readonly at: string };

/** Question about two versions of what the account's devices share. Nothing is sent until the user says yes. */
export interface ForkQuestion {
  readonly id: string;
  /** Goes on without what a removed device wrote, or with the version that it chose. */
  readonly kind: 'set_aside' | 'follow';
  /** Name of that device; empty if this one never knew it. */
  readonly deviceName: string;
}

export interface KeysState {
  readonly phase: KeysPhase;
  /** Id of this device; null until it has one. */
  readonly deviceId: string | null;
  readonly devices: readonly KeyDevice[];
  readonly recovery: RecoveryState;
  readonly link: LinkState | null;
  readonly requests: readonly LinkRequest[];
  readonly notices: readonly KeyNotice[];
  /** Increases with each change of what is known of people, so that screens look again. */
  readonly peopleVersion: number;
  /**
   * Vault of a device that is ready. `waiting`: another device must answer first. `incomplete`: the server withholds
   * records that others name. Absent while there is none.
   */
  readonly vault?: 'waiting' | 'open' | 'incomplete';
  /** Question about a fork. Until the user answers it, the phase is `blocked`. */
  readonly forkQuestion?: ForkQuestion;
  /** Newer list that only the vault knows. Until it is shown or set aside, the phase is `blocked`. */
  readonly newerList?: NewerList;
  /** Restart of the vault by another device, until the user accepts it or the device is removed. */
  readonly restart?: VaultRestartQuestion;
}

/** List of the account's devices that a record in the vault names, and that the server does not show. */
export interface NewerList {
  /** Names the list in the user's answer. */
  readonly id: string;
  /** Device that wrote the record. */
  readonly device: string;
  /** User-Agent of that device; empty if neither the server nor this device knows it. */
  readonly deviceName: string;
}

export interface VaultRestartQuestion {
  /** Device that restarted the vault. */
  readonly device: string;
  readonly deviceName: string;
  /** True if a no removes the device. Otherwise its records do not count. */
  readonly removable: boolean;
  /** True once the user said no, which can become a yes. */
  readonly isDeclined: boolean;
}

/** Keys of another person, as this device knows them. */
export interface PersonKeys {
  readonly userId: string;
  /**
   * State of the identity. `none`: has no keys yet. `changed`: has another identity than the one known, and the user
   * has not accepted it. `undecided`: a device of this account accepted or verified it, and another one removed that
   * device since; the user accepts or verifies it anew.
   */
  readonly identity: 'none' | 'known' | 'changed' | 'undecided';
  readonly verified: boolean;
  /** True if the person was verified before the identity changed, or on a device that was removed. */
  readonly wasVerified: boolean;
  /** The server shows what cannot be; nothing is sent to the person. */
  readonly blocked: 'fork' | 'old' | 'version' | null;
  /** Name of the device of this account that accepted or verified the identity; null for this one. */
  readonly decidedOn: string | null;
  /** Name of the device of this account that saw a newer list than the server shows, which blocks the person. */
  readonly newerOn?: string;
}

export type ScanVerdict =
  /** Both sides agree; the person is now verified. */
  | 'verified'
  /** The code is of another person or account. */
  | 'other_person'
  /** The identities differ: somebody may be reading along. */
  | 'different'
  /** One side knows a list that the other does not descend from. */
  | 'diverged'
  | 'malformed';

/** Keys of this device, and what they are used for. Methods reject with `ApiError` or `KeysError`. */
export interface Keys {
  /** Returns the state, and calls back after each change. */
  subscribe(listener: (state: KeysState) => void): () => void;
  state(): KeysState;
  /** Looks at storage and server, creates first keys, renews, and continues what was interrupted. */
  start(): Promise<void>;
  stop(): void;
  /**
   * Handles a live frame: `devices_changed`, `device_link_changed`, `epochs_changed`, `vault_changed`. Those about
   * conversations also go to `Conversations`, as the chat engine passes them.
   */
  onFrame(frame: { readonly type: string; readonly data: unknown }): void;

  /** New device: begins linking by a code to scan, or by digits. The state tells how it goes on. */
  beginLink(way: 'code' | 'digits'): Promise<void>;
  /** Old device: takes the content of a scanned code (base64url). */
  scanLinkCode(content: string): Promise<void>;
  /** Old device: answers a request by digits. */
  answerLink(linkId: string): Promise<void>;
  /** Old device: adds the device whose code was scanned. */
  confirmLink(): Promise<void>;
  /** Either side: takes the digits that the other side shows. */
  typeDigits(digits: string): Promise<void>;
  cancelLink(): Promise<void>;

  /** Creates words that count only after `setRecovery`. The seed never leaves the device. */
  createRecoveryWords(): Promise<readonly string[]>;
  /**
   * Makes the created words the account's recovery key. Where one is set, `current` are its words.
   */
  setRecovery(current?: string): Promise<void>;
  /** Returns true if these are the account's words. */
  checkRecoveryWords(words: string): Promise<boolean>;
  /** Wraps the seed with a passkey. `words` is needed unless words were just set. */
  wrapRecovery(passkeyId: string, prf: Uint8Array, words?: string): Promise<void>;
  unwrapRecovery(passkeyId: string): Promise<void>;
  /** Input for the passkey's PRF. */
  passkeyInput(): Promise<Uint8Array>;
  /**
   * Brings this device in, by words or by a passkey's PRF, and removes the devices that the user calls lost. Rejects
   * with `newer_in_vault` and a `NewerList` if the vault knows a newer list than the server shows; the user may then
   * wait, or set the list aside.
   *
   * @param setsAside `id` of the newer list that the user sets aside
   */
  recover(
    by: { readonly words: string } | { readonly passkeyId: string; readonly prf: Uint8Array },
    lost: readonly string[],
    setsAside?: string,
  ): Promise<void>;
  /** Replaces the identity: everybody sees that it changed, and sealed history is lost. */
  startOver(): Promise<void>;

  /** Removes devices. Those that they added go too, unless they are in `keep`. */
  removeDevices(devices: readonly string[], keep?: readonly string[]): Promise<void>;
  /**
   * Answers the question about the restarts of the vault by a device. A yes appends again what this device holds. A no
   * removes the device, or takes no records from it where this one may not.
   */
  answerRestart(device: string, isAccepted: boolean): Promise<void>;
  dismissNotice(id: string): Promise<void>;
  /** Says yes to the question about two versions. Until then, nothing is sent. */
  agreeToFork(id: string): Promise<void>;
  /** Sets aside the newer list of the account that only the vault knows. What the server shows counts then. */
  setListAside(id: string): Promise<void>;

  /** Fetches and checks people's keys. */
  lookUp(userIds: readonly string[]): Promise<readonly PersonKeys[]>;
  /** 60 digits to compare. Null if the person has no keys. */
  numberWith(userId: string): Promise<string | null>;
  /** Content of the code to show to the person (base64url). Null if the person has no keys. */
  verificationCode(userId: string): Promise<string | null>;
  scanVerificationCode(userId: string, content: string): Promise<ScanVerdict>;
  setVerified(userId: string, verified: boolean): Promise<void>;
  acceptIdentity(userId: string): Promise<void>;
  /** Sets aside the newer list of a person that only another device saw. */
  setAside(userId: string): Promise<void>;
}

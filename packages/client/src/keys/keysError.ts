import type { NewerList } from './types.ts';

/** Reason why the keys of this device refuse a call. Each has a sentence of its own on the screen. */
export type KeysErrorCode =
  /** Needs a device of the account, which this one is not, or not yet. */
  | 'not_ready'
  /** The server shows what cannot be. */
  | 'blocked'
  /** The device lists allow this only to another device or to the recovery key. */
  | 'not_allowed'
  /** The account has no recovery key, or no words were created here. */
  | 'no_recovery'
  | 'wrong_words'
  | 'wrong_passkey'
  /** The person has no keys, or other ones than expected. */
  | 'no_keys'
  /** Needs the vault, which this device cannot open yet. */
  | 'vault_closed'
  /** The server shows an older device list than this device knows, or keeps a header that follows a newer one. */
  | 'newer_list'
  /** A record in the vault names a newer device list than the server shows: the user may set it aside. */
  | 'newer_in_vault'
  /** Seals in the vault, which another device restarted: the user decides about that first. */
  | 'undecided'
  /** Continues a link, and none is open. */
  | 'no_link'
  /** Draft that no admin could approve, because their message cannot contain it. */
  | 'too_large'
  /** Other devices changed the keys at the same time, again and again. */
  | 'conflict';

/** Refusal by this device itself, without or before any request. */
export class KeysError extends Error {
  readonly code: KeysErrorCode;

  constructor(code: KeysErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'KeysError';
    this.code = code;
  }
}

/** Refusal with the code `newer_in_vault`. */
export class NewerListError extends KeysError {
  readonly newer: NewerList;

  constructor(newer: NewerList) {
    super('newer_in_vault', 'A device saw a newer device list than the server shows.');
    this.newer = newer;
  }
}

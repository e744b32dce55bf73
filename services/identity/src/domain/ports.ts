import type { ContactId, SessionId, UserId } from '@nolo/kit/ids';
import type { GeoPlace, PresenceStatus, PrivacyChoiceOf, PrivacySettingsOf, SupportedLanguage } from '@nolo/rules';
import type { AccountRecoveryWait } from './secondFactorPorts.ts';
import type { Preference } from './preferencePorts.ts';
import type { LocaleSettings } from './readers.ts';
import type { RequestingSession } from './securityPorts.ts';

/** Ports of the domain and the RPCs. Implemented by store/ and sms/, and wired up in app.ts. */

export type SignInMethod = 'phone' | 'provider' | 'passkey' | 'mail';
/** Ways to prove a session. An authenticator app alone cannot sign in. */
export type ProofMethod = SignInMethod | 'authenticator';

export interface Account extends LocaleSettings, PrivacySettingsOf<'identity'> {
  id: UserId;
  email: string | null;
  phoneNumber: string | null;
  username: string | null;
  firstName: string;
  lastName: string;
  profileImagePath: string;
  statusMessage: string;
  presenceStatus: PresenceStatus;
  /** Rounded to the minute. Null if not stored. */
  lastSeenAt: Date | null;
  providerIssuers: string[];
  /** True for operators of the installation. */
  operator: boolean;
  createdAt: Date;
  updatedAt: Date;
  /** Time of deletion. Null while the account is open. */
  deletesAt: Date | null;
  preferences: Preference[];
}

export type AccountChanges = Partial<
  Pick<
    Account,
    | 'firstName'
    | 'lastName'
    | 'statusMessage'
    | 'presenceStatus'
    | PrivacyChoiceOf<'identity'>
    | 'profileImagePath'
    | 'language'
    | 'deviceLanguage'
    | 'timeZone'
  >
>;

export interface AccountStore {
  find(userId: UserId): Promise<Account | undefined>;
  /** Returns undefined if the account is gone. */
  change(userId: UserId, changes: AccountChanges, now: Date): Promise<Account | undefined>;
  /** Returns all stored data of the account except secrets. Undefined if it is gone. */
  export(userId: UserId): Promise<Record<string, unknown> | undefined>;
  /** Closes the account to everyone until `AccountClosureStore` deletes it or its owner keeps it. */
  close(
    requester: RequestingSession,
    now: Date,
  ): Promise<
    { outcome: 'closed'; idTokenHint: string | undefined; tokenHashes: Buffer[] } | { outcome: 'unproven' | 'missing' }
  >;
}

/** Stores closed accounts, which are deleted after a grace period. */
export interface AccountClosureStore {
  /** Reopens the account; an open one stays open. Returns false if the session does not exist. */
  keep(requester: RequestingSession, now: Date): Promise<boolean>;
  /**
   * Deletes one due account with all its data and notifies the other services. Other people keep a contact whose number
   * they typed themselves, without the account behind it. Returns `nothing` if the account was deleted or kept
   * meanwhile, and undefined if none is due.
   */
  eraseDue(now: Date): Promise<{ codesSentTo: string[]; tokenHashes: Buffer[] } | 'nothing' | undefined>;
}

export interface ContactLinkStore {
  /** Returns the token. Creates it if missing, or replaces it if `renew` is set. */
  tokenOf(userId: UserId, renew: boolean, now: Date): Promise<string>;
  ownerOf(token: string): Promise<UserId | undefined>;
}

export interface UsernameStore {
  /** Returns `taken` for usernames that merely look like another too. Undefined removes the user's own. */
  set(
    userId: UserId,
    username: string | undefined,
    now: Date,
  ): Promise<'changed' | 'unchanged' | 'taken' | 'limit' | 'missing'>;
  /** Returns the owner of exactly this lower-case username, not of one that looks alike. */
  ownerOf(username: string): Promise<UserId | undefined>;
  /** Deletes usernames that were given up long enough ago. */
  sweep(now: Date): Promise<void>;
}

/**
 * Recipient of a code: a browser, identified by its device cookie, or by its network if it accepts no cookie. Contains
 * hashes only.
 */
export interface CodeRequester {
  hasDeviceCookie: boolean;
  hash: Buffer;
  networkHash: Buffer;
}

export interface CodeSendLimit {
  points: number;
  durationSeconds: number;
  /** Scope of the limit: sends to unknown browsers, those from one network, or those to a known browser. */
  per: 'number' | 'network' | 'known asker';
}

export interface NewVerificationCode {
  id: string;
  numberHash: Buffer;
  asker: CodeRequester;
  /** True if the requester has signed in with the number before. */
  known: boolean;
  codeHash: Buffer;
  now: Date;
  expiresAt: Date;
}

export type VerificationCodeAttempt =
  | { outcome: 'counted'; codeId: string; codeHash: Buffer; triesUsed: number }
  | { outcome: 'exhausted' }
  | { outcome: 'none' };

export interface VerificationCodeStore {
  isKnown(numberHash: Buffer, asker: CodeRequester): Promise<boolean>;
  /**
   * Counts a send against every limit and makes the code the requester's only valid one, or returns the time to wait.
   * Simultaneous sends are counted one by one.
   */
  open(
    code: NewVerificationCode,
    limits: readonly CodeSendLimit[],
  ): Promise<{ opened: true } | { opened: false; retryAfterMs: number }>;
  /** Counts an attempt before comparing, so simultaneous attempts cannot all be the first. */
  countTry(numberHash: Buffer, asker: CodeRequester, maxTries: number, now: Date): Promise<VerificationCodeAttempt>;
  /** Deletes the codes of a number and the browsers known for it. */
  forget(numberHash: Buffer): Promise<void>;
  /** Deletes data that is too old to matter. */
  sweep(now: Date): Promise<void>;
}

export interface NewSession {
  id: SessionId;
  tokenHash: Buffer;
  method: SignInMethod;
  userAgent: string;
  network: string | undefined;
  place: GeoPlace | undefined;
  /** Language of the device. Undefined if it did not report one. */
  language: SupportedLanguage | undefined;
  idToken: string | null;
  createdAt: Date;
  expiresAt: Date;
}

/** Verified code. The transaction that signs in uses it up. */
export interface VerifiedCode {
  numberHash: Buffer;
  codeId: string;
  /** Phone number, or the key of the email address, that the code was sent to. */
  sentTo: string;
}

export interface ProviderIdentity {
  issuer: string;
  subject: string;
  /** Address reported by the provider, verified or not. */
  email: string | null;
  /** Address if verified, else null. */
  verifiedEmail: string | null;
  firstName: string;
  lastName: string;
}

export interface SignInResult {
  userId: UserId;
  created: boolean;
  /** Tokens of sessions that were ended because the account had too many. */
  endedTokenHashes: Buffer[];
}

export type PhoneSignInOutcome =
  /** `factorless`: the waiting period ended, so the second factor is off. */
  | ({ outcome: 'signed_in'; factorless?: true } & SignInResult)
  /** A concurrent request used the code. */
  | { outcome: 'code_used' }
  /** The code is used up, and a second factor must follow. */
  | { outcome: 'factor_needed'; passkey: boolean; mayWait: boolean; wait: AccountRecoveryWait | undefined }
  /**
   * The number recently left an account, and the user has not yet chosen what to do about that. The code stays valid.
   */
  | { outcome: 'replaced'; replacedAt: Date }
  /** The number has no account and may not get one now. The code is used up. */
  | { outcome: 'not_admitted' };

export type MailSignInOutcome = Extract<PhoneSignInOutcome, { outcome: 'signed_in' | 'code_used' | 'factor_needed' }>;

export type IdentityLinkOutcome = 'linked' | 'taken' | 'unproven' | 'limit';

export interface SignInStore {
  /**
   * @param takeBack for a number that left an account: true to take that back, false to start a new account
   * @param brought hash of the ticket to open if a second factor must follow, and hash of an email invitation's token
   */
  byPhone(
    code: VerifiedCode,
    session: NewSession,
    takeBack: boolean | undefined,
    brought: { ticketHash: Buffer; invitationHash?: Buffer | undefined },
  ): Promise<PhoneSignInOutcome>;
  /** Returns `code_used` for addresses without an account too. */
  byMail(code: VerifiedCode, session: NewSession, ticketHash: Buffer): Promise<MailSignInOutcome>;
  byProvider(identity: ProviderIdentity, session: NewSession): Promise<SignInResult | 'not_admitted'>;
  linkPhone(code: VerifiedCode, requester: RequestingSession, now: Date): Promise<IdentityLinkOutcome | 'code_used'>;
  linkProvider(identity: ProviderIdentity, requester: RequestingSession, now: Date): Promise<IdentityLinkOutcome>;
}

export interface LiveSession {
  sessionId: SessionId;
  userId: UserId;
  expiresAt: Date;
  /** Deletion time of a closed account. */
  deletesAt?: Date;
}

export interface StoredSession extends LiveSession {
  lastUsedAt: Date;
}

export interface ListedSession {
  id: SessionId;
  userAgent: string;
  method: SignInMethod;
  createdAt: Date;
  lastUsedAt: Date;
  network: string | null;
  country: string | null;
  city: string | null;
}

export interface SessionStore {
  findByToken(tokenHash: Buffer, now: Date): Promise<StoredSession | undefined>;
  touch(sessionId: SessionId, times: { lastUsedAt: Date; expiresAt: Date }): Promise<void>;
  filterLive(sessionIds: readonly SessionId[], now: Date): Promise<SessionId[]>;
  /** Stores where the session was last opened from. */
  recordNetwork(
    userId: UserId,
    sessionId: SessionId,
    from: { network: string; place: GeoPlace | undefined },
  ): Promise<void>;
  list(userId: UserId, now: Date, limit: number): Promise<ListedSession[]>;
  /** Returns the number of valid sessions and the last use of each account that has any. */
  summarize(userIds: readonly UserId[], now: Date): Promise<{ userId: UserId; devices: number; lastUsedAt: Date }[]>;
  end(
    userId: UserId,
    sessionId: SessionId,
  ): Promise<{ tokenHash: Buffer; idTokenHint: string | undefined } | undefined>;
  /** Ends all sessions except one and returns the hashes of those that ended. */
  endOthers(userId: UserId, keep: SessionId | undefined): Promise<Buffer[]>;
  sweep(now: Date): Promise<void>;
}

/** Short-lived cache of findByToken results. Every method works even if its storage is down. */
export interface SessionCache {
  get(tokenHash: Buffer): Promise<LiveSession | undefined>;
  put(tokenHash: Buffer, session: LiveSession): Promise<void>;
  /** Removes sessions, and keeps lookups in flight from restoring them. */
  forget(tokenHashes: readonly Buffer[]): Promise<void>;
}

export interface StoredContact {
  id: ContactId;
  userId: UserId | null;
  displayName: string;
  phoneNumber: string | null;
  createdAt: Date;
  /** Key by which the list is sorted. */
  sortKey: string;
}

export type ContactTarget = { phoneNumber: string } | { userId: UserId };

export interface NewContact {
  id: ContactId;
  ownerId: UserId;
  target: ContactTarget;
  /** Undefined: use the person's own name, or else the number. */
  displayName: string | undefined;
  now: Date;
  maxContacts: number;
}

export type AddContactOutcome =
  | { outcome: 'added' | 'existing'; contact: StoredContact }
  | { outcome: 'self' | 'limit' | 'user_missing' | 'owner_missing' };

export interface ContactStore {
  add(contact: NewContact): Promise<AddContactOutcome>;
  rename(ownerId: UserId, contactId: ContactId, displayName: string): Promise<StoredContact | undefined>;
  remove(ownerId: UserId, contactId: ContactId): Promise<boolean>;
  /** Returns one row more than `limit` if there is a next page. */
  list(
    ownerId: UserId,
    filter: string,
    after: { key: string; id: string } | undefined,
    limit: number,
  ): Promise<StoredContact[]>;
}

export interface UserBlockStore {
  set(
    blockerId: UserId,
    blockedId: UserId,
    blocked: boolean,
    now: Date,
  ): Promise<'changed' | 'unchanged' | 'user_missing'>;
  list(
    blockerId: UserId,
    after: { key: string; id: string } | undefined,
    limit: number,
  ): Promise<{ userId: UserId; blockedAt: Date }[]>;
}

/** Tracks who has an open socket anywhere. */
export interface OnlineUsers {
  /** Rejects if this is unknown. */
  online(userIds: readonly UserId[]): Promise<Set<string>>;
}

/** Stores users with a pending action and its due time. */
export interface DueUserQueue {
  /** Sets `dueAt`, from which `take` returns the user, replacing an earlier time. */
  recordLastSeen(userId: UserId, dueAt: Date): Promise<void>;
  /** Sets the time unless the user already has one; in that case changes nothing and returns false. */
  scheduleIfAbsent(userId: UserId, dueAt: Date): Promise<boolean>;
  /** Returns true if the user was stored and not yet taken. */
  cancel(userId: UserId): Promise<boolean>;
  /** Returns which of these users are stored, due or not. */
  filterScheduled(userIds: readonly UserId[]): Promise<UserId[]>;
  /** Removes and returns users that are due. Each goes to a single replica. */
  take(now: Date, limit: number): Promise<UserId[]>;
  /** Returns when the next user is due. */
  next(): Promise<Date | undefined>;
}

interface IdentityFrame {
  type: 'presence' | 'contacts_changed' | 'self_changed' | 'preferences_changed';
  data: Record<string, unknown>;
}

/** Sends frames to sockets. Never fails, because clients refetch what they missed. */
export interface IdentityFrameSender {
  send(recipients: readonly UserId[], frame: IdentityFrame): Promise<void>;
}

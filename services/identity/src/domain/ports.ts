import type { ContactId, SessionId, UserId } from '@nolo/kit/ids';
import type { Audience, Place, PresenceStatus, PresenceVisibility, WrittenLanguage } from '@nolo/rules';
import type { AccountWait } from './factorPorts.ts';
import type { Preference } from './preferencePorts.ts';
import type { ReadingAccount } from './readers.ts';
import type { Asking } from './securityPorts.ts';

/** What the domain and the RPCs need of the outside; store/ and sms/ implement it, app.ts hands it in. */

export type SignInMethod = 'phone' | 'provider' | 'passkey' | 'mail';
/** By what a session was proven; an authenticator app opens no account by itself. */
export type ProofMethod = SignInMethod | 'authenticator';

export interface Account extends ReadingAccount {
  id: UserId;
  email: string | null;
  phoneNumber: string | null;
  username: string | null;
  firstName: string;
  lastName: string;
  profileImagePath: string;
  statusMessage: string;
  presenceStatus: PresenceStatus;
  presenceVisibility: PresenceVisibility;
  lastSeenVisibility: Audience;
  /** To the minute; null where it is not kept. */
  lastSeenAt: Date | null;
  pictureVisibility: Audience;
  /** Whose first messages come in. */
  messagesFrom: Audience;
  /** For whose calls it rings; whose chat was accepted counts as a contact. */
  callsFrom: Audience;
  /** Who may add one to groups without asking; whose chat was accepted counts as a contact. */
  groupsFrom: Audience;
  discoverable: boolean;
  transcribeVoiceNotes: boolean;
  providerIssuers: string[];
  /** Whether it looks after the installation. */
  operator: boolean;
  createdAt: Date;
  updatedAt: Date;
  /** When it is deleted; null while it is open. */
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
    | 'presenceVisibility'
    | 'lastSeenVisibility'
    | 'pictureVisibility'
    | 'messagesFrom'
    | 'callsFrom'
    | 'groupsFrom'
    | 'discoverable'
    | 'transcribeVoiceNotes'
    | 'profileImagePath'
    | 'language'
    | 'deviceLanguage'
    | 'timeZone'
  >
>;

export interface Accounts {
  find(userId: UserId): Promise<Account | undefined>;
  /** Undefined where the account is gone. */
  change(userId: UserId, changes: AccountChanges, now: Date): Promise<Account | undefined>;
  /** Everything kept about the account, without secrets; undefined where it is gone. */
  export(userId: UserId): Promise<Record<string, unknown> | undefined>;
  /** Closes the account for everybody, until `Closures` deletes it or its owner keeps it. */
  close(
    asking: Asking,
    now: Date,
  ): Promise<
    { outcome: 'closed'; idTokenHint: string | undefined; tokenHashes: Buffer[] } | { outcome: 'unproven' | 'missing' }
  >;
}

/** Accounts that are closed, and are deleted after days of grace. */
export interface Closures {
  /** Opens the account again; one that is open stays so. False where there is no such session. */
  keep(asking: Asking, now: Date): Promise<boolean>;
  /**
   * Deletes one account that is due with all that hangs on it and tells the other services. Other people keep a contact
   * whose number they typed themselves, without the account behind it. `nothing` where it was gone or kept by then,
   * undefined where none is due.
   */
  eraseDue(now: Date): Promise<{ codesSentTo: string[]; tokenHashes: Buffer[] } | 'nothing' | undefined>;
}

export interface ContactLinks {
  /** Makes it where there is none, or anew. */
  tokenOf(userId: UserId, renew: boolean, now: Date): Promise<string>;
  ownerOf(token: string): Promise<UserId | undefined>;
}

export interface Usernames {
  /** `taken` also where it only looks like another's; undefined takes one's own away. */
  set(
    userId: UserId,
    username: string | undefined,
    now: Date,
  ): Promise<'changed' | 'unchanged' | 'taken' | 'limit' | 'missing'>;
  /** Of exactly this one, in lower case; not of what looks like it. */
  ownerOf(username: string): Promise<UserId | undefined>;
  /** Lets go of those that were given up long enough ago. */
  sweep(now: Date): Promise<void>;
}

/** Whom a code is for: a browser by its mark, or where it keeps none, whoever is in the same network. Hashes alone. */
export interface Asker {
  isMarked: boolean;
  hash: Buffer;
  networkHash: Buffer;
}

export interface SendLimit {
  points: number;
  durationSeconds: number;
  /** What is counted of a number: sends to strangers, those of them from one network, or those to a browser that is known. */
  per: 'number' | 'network' | 'known asker';
}

export interface NewCode {
  id: string;
  numberHash: Buffer;
  asker: Asker;
  /** Whether the asker has signed in with the number before. */
  known: boolean;
  codeHash: Buffer;
  now: Date;
  expiresAt: Date;
}

export type CodeTry =
  | { outcome: 'counted'; codeId: string; codeHash: Buffer; triesUsed: number }
  | { outcome: 'exhausted' }
  | { outcome: 'none' };

export interface VerificationCodes {
  isKnown(numberHash: Buffer, asker: Asker): Promise<boolean>;
  /**
   * Counts a send against every limit and makes the code the asker's only live one, or says how long to
   * wait. Sends that arrive together are counted one after the other.
   */
  open(
    code: NewCode,
    limits: readonly SendLimit[],
  ): Promise<{ opened: true } | { opened: false; retryAfterMs: number }>;
  /** Counts a try, before anything is compared: tries that arrive together cannot all be the first. */
  countTry(numberHash: Buffer, asker: Asker, maxTries: number, now: Date): Promise<CodeTry>;
  /** Forgets the codes of a number and the browsers that it knows. */
  forget(numberHash: Buffer): Promise<void>;
  /** Forgets what is too old to matter. */
  sweep(now: Date): Promise<void>;
}

export interface NewSession {
  id: SessionId;
  tokenHash: Buffer;
  method: SignInMethod;
  userAgent: string;
  network: string | undefined;
  place: Place | undefined;
  /** Of the device; undefined where it did not say. */
  language: WrittenLanguage | undefined;
  idToken: string | null;
  createdAt: Date;
  expiresAt: Date;
}

/** A code that was compared and is right; it is used up in the transaction that signs in. */
export interface RightCode {
  numberHash: Buffer;
  codeId: string;
  /** The number that it was sent to, or what stands for the mail address. */
  sentTo: string;
}

export interface ProviderIdentity {
  issuer: string;
  subject: string;
  /** What the provider said, verified or not. */
  email: string | null;
  /** The same, only if verified. */
  verifiedEmail: string | null;
  firstName: string;
  lastName: string;
}

export interface SignedIn {
  userId: UserId;
  created: boolean;
  /** Of sessions that had to go because the account had too many. */
  endedTokenHashes: Buffer[];
}

export type PhoneSignIn =
  /** `factorless`: the waiting time was over, and the second factor is off. */
  | ({ outcome: 'signed_in'; factorless?: true } & SignedIn)
  /** Someone was quicker. */
  | { outcome: 'code_used' }
  /** The code is used up, and the second factor has to follow. */
  | { outcome: 'factor_needed'; passkey: boolean; mayWait: boolean; wait: AccountWait | undefined }
  /** The number left an account a short while ago, and nobody said what is to become of it. The code is still good. */
  | { outcome: 'replaced'; replacedAt: Date }
  /** Nobody has an account with the number, and it gets none now. The code is used up. */
  | { outcome: 'not_admitted' };

export type MailSignIn = Extract<PhoneSignIn, { outcome: 'signed_in' | 'code_used' | 'factor_needed' }>;

export type Linked = 'linked' | 'taken' | 'unproven' | 'limit';

export interface SignIns {
  /**
   * @param takeBack for a number that left an account: whether that is taken back, or a new one begun
   * @param brought a hash of the ticket that is opened where the second factor has to follow, and of the token of an
   * invitation by mail
   */
  byPhone(
    code: RightCode,
    session: NewSession,
    takeBack: boolean | undefined,
    brought: { ticketHash: Buffer; invitationHash?: Buffer | undefined },
  ): Promise<PhoneSignIn>;
  /** `code_used` as well where the address opens no account. */
  byMail(code: RightCode, session: NewSession, ticketHash: Buffer): Promise<MailSignIn>;
  byProvider(identity: ProviderIdentity, session: NewSession): Promise<SignedIn | 'not_admitted'>;
  linkPhone(code: RightCode, asking: Asking, now: Date): Promise<Linked | 'code_used'>;
  linkProvider(identity: ProviderIdentity, asking: Asking, now: Date): Promise<Linked>;
}

export interface LiveSession {
  sessionId: SessionId;
  userId: UserId;
  expiresAt: Date;
  /** When the account, which is closed, is deleted. */
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

export interface Sessions {
  findByToken(tokenHash: Buffer, now: Date): Promise<StoredSession | undefined>;
  touch(sessionId: SessionId, times: { lastUsedAt: Date; expiresAt: Date }): Promise<void>;
  filterLive(sessionIds: readonly SessionId[], now: Date): Promise<SessionId[]>;
  /** Notes where it was opened from last. */
  noteNetwork(userId: UserId, sessionId: SessionId, from: { network: string; place: Place | undefined }): Promise<void>;
  list(userId: UserId, now: Date, limit: number): Promise<ListedSession[]>;
  /** Of each account that has a valid one: how many, and when one was last used. */
  summarize(userIds: readonly UserId[], now: Date): Promise<{ userId: UserId; devices: number; lastUsedAt: Date }[]>;
  end(
    userId: UserId,
    sessionId: SessionId,
  ): Promise<{ tokenHash: Buffer; idTokenHint: string | undefined } | undefined>;
  /** Ends all but one; answers with the hashes of those that ended. */
  endOthers(userId: UserId, keep: SessionId | undefined): Promise<Buffer[]>;
  sweep(now: Date): Promise<void>;
}

/** Short-lived memory of what findByToken answered. Every method gets by without its storage. */
export interface SessionCache {
  get(tokenHash: Buffer): Promise<LiveSession | undefined>;
  put(tokenHash: Buffer, session: LiveSession): Promise<void>;
  /** Also keeps a look-up that is under way from putting the ended session back. */
  forget(tokenHashes: readonly Buffer[]): Promise<void>;
}

export interface StoredContact {
  id: ContactId;
  userId: UserId | null;
  displayName: string;
  phoneNumber: string | null;
  createdAt: Date;
  /** What the list is sorted by. */
  sortKey: string;
}

export type ContactTarget = { phoneNumber: string } | { userId: UserId };

export interface NewContact {
  id: ContactId;
  ownerId: UserId;
  target: ContactTarget;
  /** Undefined: the contact is called as the person is, or else by the number. */
  displayName: string | undefined;
  now: Date;
  maxContacts: number;
}

export type AddedContact =
  | { outcome: 'added' | 'existing'; contact: StoredContact }
  | { outcome: 'self' | 'limit' | 'user_missing' | 'owner_missing' };

export interface Contacts {
  add(contact: NewContact): Promise<AddedContact>;
  rename(ownerId: UserId, contactId: ContactId, displayName: string): Promise<StoredContact | undefined>;
  remove(ownerId: UserId, contactId: ContactId): Promise<boolean>;
  /** One more than `limit` says that there is a next page. */
  list(
    ownerId: UserId,
    filter: string,
    after: { key: string; id: string } | undefined,
    limit: number,
  ): Promise<StoredContact[]>;
}

export interface Blocks {
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

/** Who has a socket open, anywhere. */
export interface Connections {
  /** Rejects where that cannot be known. */
  online(userIds: readonly UserId[]): Promise<Set<string>>;
}

/** People about whom something is to be done in a while, by when. */
export interface DueUsers {
  /** `take` hands the person out from `dueAt` on, whatever was noted before. */
  note(userId: UserId, dueAt: Date): Promise<void>;
  /** The same, unless the person is noted already: then nothing changes, and the answer is false. */
  noteFirst(userId: UserId, dueAt: Date): Promise<boolean>;
  /** True if the person was noted and nobody has taken them out. */
  cancel(userId: UserId): Promise<boolean>;
  /** Those of these people who are noted, due or not. */
  noted(userIds: readonly UserId[]): Promise<UserId[]>;
  /** Takes out what is due; of several replicas each person goes to one. */
  take(now: Date, limit: number): Promise<UserId[]>;
  /** When the next one is due. */
  next(): Promise<Date | undefined>;
}

export interface IdentityFrame {
  type: 'presence' | 'contacts_changed' | 'self_changed' | 'preferences_changed';
  data: Record<string, unknown>;
}

/** Tells sockets; never fails, for clients fetch again what they missed. */
export interface Frames {
  send(recipients: readonly UserId[], frame: IdentityFrame): Promise<void>;
}

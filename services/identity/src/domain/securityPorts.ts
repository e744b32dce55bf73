import type { SessionId, UserId } from '@nolo/kit/ids';
import type { ProviderIdentity, VerifiedCode } from './ports.ts';

/** Ports for account security (decision 38): fresh proof, sign-in methods, and security notices. */

/** Actor of a request that requires fresh proof (decision 38): the session matters, not only the account. */
export interface RequestingSession {
  userId: UserId;
  sessionId: SessionId;
}

export interface SessionProofStore {
  /** Returns undefined if the session is gone. */
  find(
    requester: RequestingSession,
    now: Date,
  ): Promise<
    | {
        validUntil: Date | undefined;
        phoneNumbers: string[];
        hasPasskey: boolean;
        hasAuthenticator: boolean;
        email: string | undefined;
      }
    | undefined
  >;
  isProven(requester: RequestingSession, now: Date): Promise<boolean>;
  /** Returns the session's owner, or undefined if the session has ended. */
  ownerOf(sessionId: SessionId, now: Date): Promise<UserId | undefined>;
  /** Returns the session's owner if that number may prove them. */
  ownerByPhone(sessionId: SessionId, phoneNumber: string, now: Date): Promise<UserId | 'session_missing' | 'mismatch'>;
  /** Returns the session's owner if the email address with this key may prove them. */
  ownerByMail(sessionId: SessionId, key: string, now: Date): Promise<UserId | 'session_missing' | 'mismatch'>;
  byCode(
    code: VerifiedCode,
    by: 'phone' | 'mail',
    sessionId: SessionId,
    now: Date,
  ): Promise<'proven' | 'code_used' | 'session_missing'>;
  byProvider(
    identity: ProviderIdentity,
    sessionId: SessionId,
    now: Date,
  ): Promise<UserId | 'session_missing' | 'mismatch'>;
}

export interface AccountIdentity {
  id: string;
  /**
   * Null except for phone numbers; `issuer` is null except for providers. An entry that is neither number, provider,
   * nor passkey is an email address.
   */
  phoneNumber: string | null;
  issuer: string | null;
  email: string | null;
  addedAt: Date;
  /** Null if not recorded. */
  addedBy: string | null;
  /** Set only for passkeys. */
  name: string | null;
  lastUsedAt: Date | null;
  synced: boolean | null;
  credentialId: Buffer | null;
}

export interface AccountIdentityStore {
  list(userId: UserId): Promise<AccountIdentity[]>;
  unlink(
    requester: RequestingSession,
    identityId: string,
    now: Date,
  ): Promise<'unlinked' | 'missing' | 'last' | 'unproven'>;
}

export type SecurityNoticeKind =
  | 'signed_in'
  | 'phone_added'
  | 'phone_replaced'
  | 'phone_removed'
  | 'provider_added'
  | 'provider_removed'
  | 'passkey_added'
  | 'passkey_removed'
  | 'token_created'
  | 'factor_added'
  | 'factor_removed'
  | 'recovery_renewed'
  | 'lock_on'
  | 'lock_off'
  | 'account_asked'
  | 'account_refused'
  | 'account_given'
  | 'account_closed'
  | 'account_kept'
  | 'email_added'
  | 'email_replaced'
  | 'email_removed'
  | 'device_added'
  | 'identity_replaced'
  | 'recovery_set'
  | 'recovery_replaced'
  | 'taken_back'
  | 'undone';

/** Passkey as JSON, with bytes in base64url. */
interface PasskeyJson {
  credentialId: string;
  publicKey: string;
  counter: number;
  transports: string[];
  multiDevice: boolean;
  backedUp: boolean;
}

/** Change described by a notice, with what is needed to undo it. Stored as JSON. */
export interface SecurityNoticeChange {
  /** Added phone number. */
  phoneNumber?: string;
  /** Removed phone number. */
  previousPhoneNumber?: string;
  issuer?: string;
  subject?: string;
  email?: string | null;
  /** Removed verified email address. */
  previousEmail?: string;
  /** True if the account's email address was added, or removed, with that provider. */
  emailGiven?: boolean;
  emailTaken?: boolean;
  /** Created personal access token. */
  tokenId?: string;
  tokenName?: string;
  /** Added or removed passkey; a removed one includes what is needed to restore it. */
  passkeyId?: string;
  passkeyName?: string;
  passkey?: PasskeyJson;
  /** Added or removed second factor, and a batch of recovery codes. */
  factorId?: string;
  batchId?: string;
  /** Time from which a text message code signs in without the second factor. */
  opensAt?: string;
  /** Deletion time of a closed account, and whether an operator closed it. */
  deletesAt?: string;
  byOperator?: true;
  /** Time and device at which a removed item had been added. */
  addedAt?: string;
  addedBy?: string;
}

export interface ListedSecurityNotice {
  id: string;
  kind: SecurityNoticeKind;
  createdAt: Date;
  userAgent: string;
  country: string | null;
  city: string | null;
  change: SecurityNoticeChange;
  undoneAt: Date | null;
  byThisSession: boolean;
  seen: boolean;
  undoable: boolean;
}

export interface SecurityNoticeStore {
  list(
    requester: RequestingSession,
    after: { key: string; id: string } | undefined,
    limit: number,
    now: Date,
  ): Promise<ListedSecurityNotice[]>;
  markSeen(requester: RequestingSession, noticeId: string): Promise<boolean>;
  /** Ends all other sessions and undoes their changes since the notice. */
  undo(
    requester: RequestingSession,
    noticeId: string,
    now: Date,
  ): Promise<
    { outcome: 'undone'; changes: number; endedTokenHashes: Buffer[] } | { outcome: 'unproven' | 'missing' | 'settled' }
  >;
  sweep(now: Date): Promise<void>;
}

export interface OutgoingMail {
  to: string;
  subject: string;
  text: string;
}

/** Stores outgoing email. */
export interface MailQueue {
  /** Returns email that is due. Each goes to a single replica. `tries` includes this attempt. */
  take(now: Date, limit: number): Promise<(OutgoingMail & { id: string; tries: number })[]>;
  drop(id: string): Promise<void>;
  postpone(id: string, dueAt: Date): Promise<void>;
  /** Returns when the next email is due. */
  next(): Promise<Date | undefined>;
}

/** Permanent refusal of an email by the server (5xx reply, RFC 5321 section 4.2.1). */
export class IdentityMailRefusedError extends Error {
  override name = 'MailRefused';
}

export interface MailSender {
  /** @throws MailRefused, or another error if a retry may succeed. */
  send(mail: OutgoingMail): Promise<void>;
}

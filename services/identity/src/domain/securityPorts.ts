import type { SessionId, UserId } from '@nolo/kit/ids';
import type { ProviderIdentity, RightCode } from './ports.ts';

/** What protects an account (decision 38): fresh proof, the ways to sign in, and what one is told of them. */

/** Who asks for what takes fresh proof (decision 38): the session counts, not the account alone. */
export interface Asking {
  userId: UserId;
  sessionId: SessionId;
}

export interface Proofs {
  /** Undefined where the session is gone. */
  find(
    asking: Asking,
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
  isProven(asking: Asking, now: Date): Promise<boolean>;
  /** Whose session it is; undefined where it is over. */
  ownerOf(sessionId: SessionId, now: Date): Promise<UserId | undefined>;
  /** The session's owner, where that number may prove them. */
  ownerByPhone(sessionId: SessionId, phoneNumber: string, now: Date): Promise<UserId | 'session_missing' | 'mismatch'>;
  /** The same of what stands for a mail address. */
  ownerByMail(sessionId: SessionId, key: string, now: Date): Promise<UserId | 'session_missing' | 'mismatch'>;
  byCode(
    code: RightCode,
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

export interface Identity {
  id: string;
  /** Null for anything but a number, and the other way round. What is neither number nor provider nor passkey is a mail address. */
  phoneNumber: string | null;
  issuer: string | null;
  email: string | null;
  addedAt: Date;
  /** Null where it was not noted. */
  addedBy: string | null;
  /** Of a passkey alone. */
  name: string | null;
  lastUsedAt: Date | null;
  synced: boolean | null;
}

export interface Identities {
  list(userId: UserId): Promise<Identity[]>;
  unlink(asking: Asking, identityId: string, now: Date): Promise<'unlinked' | 'missing' | 'last' | 'unproven'>;
}

export type NoticeKind =
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
  | 'taken_back'
  | 'undone';

/** A passkey as JSON, its bytes in base64url. */
export interface KeptPasskey {
  credentialId: string;
  publicKey: string;
  counter: number;
  transports: string[];
  multiDevice: boolean;
  backedUp: boolean;
}

/** What was added or removed, as much as it takes to undo it; kept as JSON. */
export interface NoticeChange {
  /** The number that came. */
  phoneNumber?: string;
  /** The number that went. */
  previousPhoneNumber?: string;
  issuer?: string;
  subject?: string;
  email?: string | null;
  /** The verified mail address that went. */
  previousEmail?: string;
  /** The account's mail address came, or went, with that provider. */
  emailGiven?: boolean;
  emailTaken?: boolean;
  /** The personal access token that was made. */
  tokenId?: string;
  tokenName?: string;
  /** The passkey that came or went, and of one that went what it takes to use it again. */
  passkeyId?: string;
  passkeyName?: string;
  passkey?: KeptPasskey;
  /** The second factor that came or went, and recovery codes that were made together. */
  factorId?: string;
  batchId?: string;
  /** From when on a code by text message opens the account without it. */
  opensAt?: string;
  /** When the account, which was closed, is deleted, and whether an operator closed it. */
  deletesAt?: string;
  byOperator?: true;
  /** Of what went: when and where it was added. */
  addedAt?: string;
  addedBy?: string;
}

export interface ListedNotice {
  id: string;
  kind: NoticeKind;
  createdAt: Date;
  userAgent: string;
  country: string | null;
  city: string | null;
  change: NoticeChange;
  undoneAt: Date | null;
  byThisSession: boolean;
  seen: boolean;
  undoable: boolean;
}

export interface SecurityNotices {
  list(
    asking: Asking,
    after: { key: string; id: string } | undefined,
    limit: number,
    now: Date,
  ): Promise<ListedNotice[]>;
  markSeen(asking: Asking, noticeId: string): Promise<boolean>;
  /** Ends all other sessions and takes back what they changed since the notice. */
  undo(
    asking: Asking,
    noticeId: string,
    now: Date,
  ): Promise<
    { outcome: 'undone'; changes: number; endedTokenHashes: Buffer[] } | { outcome: 'unproven' | 'missing' | 'settled' }
  >;
  sweep(now: Date): Promise<void>;
}

export interface Mail {
  to: string;
  subject: string;
  text: string;
}

/** Mail that waits to be sent. */
export interface Mails {
  /** What is due; of several replicas each mail goes to one. `tries` counts this one. */
  take(now: Date, limit: number): Promise<(Mail & { id: string; tries: number })[]>;
  drop(id: string): Promise<void>;
  postpone(id: string, dueAt: Date): Promise<void>;
  /** When the next one is to be sent. */
  next(): Promise<Date | undefined>;
}

/** The server will not take this mail, however often it is asked (a reply of the 500s, RFC 5321 section 4.2.1). */
export class MailRefused extends Error {
  override name = 'MailRefused';
}

export interface MailSender {
  /** @throws MailRefused, or another error where it may be taken another time. */
  send(mail: Mail): Promise<void>;
}

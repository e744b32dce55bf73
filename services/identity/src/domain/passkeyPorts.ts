import type { SessionId, UserId } from '@nolo/kit/ids';
import type { NewSession, SignInResult } from './ports.ts';
import type { RequestingSession } from './securityPorts.ts';

/** Stored data of a passkey. Cannot be used to sign. */
export interface Passkey {
  id: string;
  userId: UserId;
  credentialId: Buffer;
  publicKey: Buffer;
  counter: number;
  transports: string[];
  multiDevice: boolean;
  backedUp: boolean;
}

export interface NewPasskey extends Omit<Passkey, 'userId'> {
  name: string;
}

/** Passkey whose signature was valid, with its signed state. */
export interface VerifiedPasskey {
  passkey: Passkey;
  counter: number;
  multiDevice: boolean;
  backedUp: boolean;
}

export interface PasskeyStore {
  /** Returns the data by which authenticators recognize an account's passkeys. */
  credentialsOf(userId: UserId): Promise<Pick<Passkey, 'credentialId' | 'transports'>[]>;
  find(credentialId: Buffer): Promise<Passkey | undefined>;
  /** Returns why the session may not add a passkey, checked before prompting the user. */
  refuse(requester: RequestingSession, now: Date): Promise<'unproven' | 'limit' | undefined>;
  add(requester: RequestingSession, passkey: NewPasskey, now: Date): Promise<'added' | 'unproven' | 'limit' | 'taken'>;
  /** Returns false if the account has no such passkey. */
  rename(userId: UserId, id: string, name: string): Promise<boolean>;
  /** `stale`: used or removed meanwhile. */
  signIn(used: VerifiedPasskey, session: NewSession): Promise<SignInResult | 'stale'>;
  prove(used: VerifiedPasskey, sessionId: SessionId, now: Date): Promise<'proven' | 'stale' | 'session_missing'>;
}

/** Purpose of a challenge. Responses for any other purpose are invalid. */
export type PasskeyPurpose = { is: 'add' | 'prove'; userId: UserId; sessionId: SessionId } | { is: 'signIn' };

export interface PasskeyChallengeStore {
  /** @throws AppError unavailable if it cannot be stored. */
  keep(challenge: string, purpose: PasskeyPurpose): Promise<void>;
  /** Returns the purpose once and deletes the challenge. @throws AppError unavailable */
  take(challenge: string): Promise<PasskeyPurpose | undefined>;
}

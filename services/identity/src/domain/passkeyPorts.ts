import type { SessionId, UserId } from '@nolo/kit/ids';
import type { NewSession, SignedIn } from './ports.ts';
import type { Asking } from './securityPorts.ts';

/** What is kept of a passkey: nothing with which anybody could sign. */
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

/** A passkey whose signature was right, with what it said of itself in it. */
export interface UsedPasskey {
  passkey: Passkey;
  counter: number;
  multiDevice: boolean;
  backedUp: boolean;
}

export interface Passkeys {
  /** What an account's authenticators know their passkeys by. */
  credentialsOf(userId: UserId): Promise<Pick<Passkey, 'credentialId' | 'transports'>[]>;
  find(credentialId: Buffer): Promise<Passkey | undefined>;
  /** Why the session may not add one, before anybody is asked for a finger. */
  refuse(asking: Asking, now: Date): Promise<'unproven' | 'limit' | undefined>;
  add(asking: Asking, passkey: NewPasskey, now: Date): Promise<'added' | 'unproven' | 'limit' | 'taken'>;
  /** False where the account has no such passkey. */
  rename(userId: UserId, id: string, name: string): Promise<boolean>;
  /** `stale` where it was used or removed meanwhile. */
  signIn(used: UsedPasskey, session: NewSession): Promise<SignedIn | 'stale'>;
  prove(used: UsedPasskey, sessionId: SessionId, now: Date): Promise<'proven' | 'stale' | 'session_missing'>;
}

/** What a challenge was made for; one answer to anything else is none. */
export type PasskeyPurpose = { is: 'add' | 'prove'; userId: UserId; sessionId: SessionId } | { is: 'signIn' };

export interface PasskeyChallenges {
  /** @throws AppError unavailable where it cannot be kept. */
  keep(challenge: string, purpose: PasskeyPurpose): Promise<void>;
  /** Hands it out once. @throws AppError unavailable */
  take(challenge: string): Promise<PasskeyPurpose | undefined>;
}

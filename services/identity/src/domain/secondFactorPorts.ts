import type { UserId } from '@nolo/kit/ids';
import type { NewSession, SignInResult } from './ports.ts';
import type { RequestingSession } from './securityPorts.ts';

/** Ports for second factors of accounts with phone sign-in. */

export interface AccountRecoveryWait {
  askedAt: Date;
  opensAt: Date;
  endsAt: Date;
  userAgent: string;
}

interface SecondFactorState {
  addedAt: Date | undefined;
  registrationLock: boolean;
  recoveryCodesLeft: number;
  wait: AccountRecoveryWait | undefined;
}

export interface SecondFactorStore {
  state(userId: UserId, now: Date): Promise<SecondFactorState>;
  begin(requester: RequestingSession, secret: string, now: Date): Promise<'begun' | 'unproven' | 'on' | 'no_phone'>;
  /** @param codes the recovery codes of the new factor */
  confirm(
    requester: RequestingSession,
    code: string,
    codes: readonly string[],
    now: Date,
  ): Promise<'confirmed' | 'unproven' | 'on' | 'expired' | 'wrong'>;
  remove(requester: RequestingSession, now: Date): Promise<'done' | 'unproven' | 'off'>;
  renewCodes(requester: RequestingSession, codes: readonly string[], now: Date): Promise<'done' | 'unproven' | 'off'>;
  setLock(requester: RequestingSession, on: boolean, now: Date): Promise<'done' | 'unproven' | 'off'>;
  /** Proves the requesting session with a one-time password, which is used up. */
  prove(requester: RequestingSession, code: string, now: Date): Promise<'proven' | 'off' | 'wrong' | 'session_missing'>;
  /** Re-encrypts secrets that use an older key and returns their number. */
  reseal(): Promise<number>;
  /** Deletes expired data. */
  sweep(now: Date): Promise<void>;
}

/** Result of a correct text message or email code when a second factor must follow. */
export interface SecondFactorTicket {
  userId: UserId;
  askerHash: Buffer;
  /** True if the browser has signed in with the number before. */
  known: boolean;
  triesUsed: number;
  /** True if the code was sent by email. */
  byMail: boolean;
}

type SecondFactorTicketAttempt =
  ({ outcome: 'counted' } & SecondFactorTicket) | { outcome: 'spent' } | { outcome: 'none' };

export type SecondFactorOutcome =
  ({ outcome: 'signed_in' } & SignInResult) | { outcome: 'wrong' } | { outcome: 'none' };

export interface SecondFactorTicketStore {
  /** Counts an attempt before comparing. */
  countTry(tokenHash: Buffer, now: Date): Promise<SecondFactorTicketAttempt>;
  /**
   * Compares the code, uses up the ticket, and signs in. `none`: the account, its number, or its factor has changed
   * meanwhile.
   */
  pass(tokenHash: Buffer, code: string, session: NewSession): Promise<SecondFactorOutcome>;
  /**
   * Returns the owner of a ticket that allows waiting, and the current wait, if any. Undefined for any other ticket.
   */
  waitOf(tokenHash: Buffer, now: Date): Promise<{ userId: UserId; wait: AccountRecoveryWait | undefined } | undefined>;
  startAccountWait(tokenHash: Buffer, wait: AccountRecoveryWait): Promise<AccountRecoveryWait | undefined>;
  refuse(requester: RequestingSession, now: Date): Promise<boolean>;
}

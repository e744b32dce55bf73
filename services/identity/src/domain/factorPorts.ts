import type { UserId } from '@nolo/kit/ids';
import type { NewSession, SignedIn } from './ports.ts';
import type { Asking } from './securityPorts.ts';

/** The second factor of accounts that are entered by phone, as the calls reach for it. */

export interface AccountWait {
  askedAt: Date;
  opensAt: Date;
  endsAt: Date;
  userAgent: string;
}

export interface SecondFactorState {
  addedAt: Date | undefined;
  registrationLock: boolean;
  recoveryCodesLeft: number;
  wait: AccountWait | undefined;
}

export interface SecondFactors {
  state(userId: UserId, now: Date): Promise<SecondFactorState>;
  begin(asking: Asking, secret: string, now: Date): Promise<'begun' | 'unproven' | 'on' | 'no_phone'>;
  /** @param codes the recovery codes that go with it */
  confirm(
    asking: Asking,
    code: string,
    codes: readonly string[],
    now: Date,
  ): Promise<'confirmed' | 'unproven' | 'on' | 'expired' | 'wrong'>;
  remove(asking: Asking, now: Date): Promise<'done' | 'unproven' | 'off'>;
  renewCodes(asking: Asking, codes: readonly string[], now: Date): Promise<'done' | 'unproven' | 'off'>;
  setLock(asking: Asking, on: boolean, now: Date): Promise<'done' | 'unproven' | 'off'>;
  /** Proves the session that asks by a one-time password, which is used up. */
  prove(asking: Asking, code: string, now: Date): Promise<'proven' | 'off' | 'wrong' | 'session_missing'>;
  /** Seals anew what lies under an older key; answers with how many there were. */
  reseal(): Promise<number>;
  /** Gives back the space of what is over. */
  sweep(now: Date): Promise<void>;
}

/** What a right code by text message or mail leads to where the second factor has to follow it. */
export interface FactorTicket {
  userId: UserId;
  askerHash: Buffer;
  /** The browser signed in with the number before. */
  known: boolean;
  triesUsed: number;
  /** The code came by mail. */
  byMail: boolean;
}

export type TicketTry = ({ outcome: 'counted' } & FactorTicket) | { outcome: 'spent' } | { outcome: 'none' };

export type Passed = ({ outcome: 'signed_in' } & SignedIn) | { outcome: 'wrong' } | { outcome: 'none' };

export interface FactorTickets {
  /** Counts a try, before anything is compared. */
  countTry(tokenHash: Buffer, now: Date): Promise<TicketTry>;
  /** Compares, uses the ticket up and signs in. `none` where the account, its number or its factor changed meanwhile. */
  pass(tokenHash: Buffer, code: string, session: NewSession): Promise<Passed>;
  /** Whom a ticket that may wait is for, and who waits already; undefined where it is none. */
  waitOf(tokenHash: Buffer, now: Date): Promise<{ userId: UserId; wait: AccountWait | undefined } | undefined>;
  ask(tokenHash: Buffer, wait: AccountWait): Promise<AccountWait | undefined>;
  refuse(asking: Asking, now: Date): Promise<boolean>;
}

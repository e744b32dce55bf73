import type { UserId } from '@nolo/kit/ids';
import type { Act, NewAct, Verified } from './auditChain.ts';
import type { Asking } from './securityPorts.ts';

/** What operators see and do about accounts. */

/** Who asks: an operator's session, or whoever holds the installation, at its command line. */
export type Acting = Asking | 'command line';

export interface Suspension {
  reason: string;
  since: Date;
  /** Null until somebody lifts it. */
  until: Date | null;
}

/** Nothing that the person wrote to others, and nobody whom they know. */
export interface AccountFacts {
  id: UserId;
  firstName: string;
  lastName: string;
  phoneNumber: string | null;
  email: string | null;
  username: string | null;
  createdAt: Date;
  devices: number;
  lastUsedAt: Date | null;
  operator: boolean;
  /** When it is deleted; null while it is open. */
  deletesAt: Date | null;
  suspension: Suspension | null;
}

/** By what accounts are found; each exactly. */
export type AccountQuery =
  | { by: 'id'; id: UserId }
  | { by: 'number'; phoneNumber: string }
  | { by: 'mail'; email: string }
  | { by: 'username'; username: string };

/** Why somebody may not act: `proof` where their session is not proven, `passkey` where it has to be with a passkey. */
type NoOperator = 'none' | 'proof' | 'passkey';

export type Refused = { outcome: 'refused'; why: NoOperator };
type Missing = { outcome: 'missing' };
type IsOperator = { outcome: 'is_operator' };
type Changed = { outcome: 'changed'; account: AccountFacts; endedTokenHashes: Buffer[] };

export interface Operators {
  list(): Promise<{ userId: UserId; since: Date }[]>;
  /** At the command line alone. False where nothing changes. */
  add(userId: UserId, now: Date): Promise<'added' | 'unchanged' | 'missing'>;
  remove(userId: UserId, now: Date): Promise<boolean>;

  check(asking: Asking, now: Date): Promise<Refused | { outcome: 'proven'; until: Date }>;
  find(
    acting: Acting,
    query: AccountQuery,
    now: Date,
  ): Promise<Refused | { outcome: 'found'; accounts: AccountFacts[] }>;
  suspend(acting: Acting, userId: UserId, suspension: Suspension): Promise<Refused | Missing | IsOperator | Changed>;
  lift(
    acting: Acting,
    userId: UserId,
    reason: string,
    now: Date,
  ): Promise<Refused | Missing | { outcome: 'not_suspended' } | Changed>;
  signOut(acting: Acting, userId: UserId, reason: string, now: Date): Promise<Refused | Missing | Changed>;
  /** Closes it, as its owner would; `atOnce` leaves out the days of grace. */
  erase(
    acting: Acting,
    userId: UserId,
    deed: { reason: string; atOnce: boolean; now: Date },
  ): Promise<
    Refused | Missing | IsOperator | { outcome: 'erased'; phoneNumber: string | null; endedTokenHashes: Buffer[] }
  >;

  /** Opens an account again within its days of grace, as its owner would; nobody is signed in to it by that. */
  reopen(
    acting: Acting,
    userId: UserId,
    reason: string,
    now: Date,
  ): Promise<Refused | Missing | { outcome: 'open' } | Changed>;

  /** Writes down what is about to be done in another service. */
  record(
    acting: Acting,
    act: Pick<NewAct, 'action' | 'userId' | 'reason' | 'details'>,
    now: Date,
  ): Promise<Refused | { outcome: 'recorded' }>;
  /** Latest first. */
  acts(
    acting: Acting,
    filter: { userId: UserId | undefined; before: number | undefined; limit: number },
    now: Date,
  ): Promise<Refused | { outcome: 'listed'; acts: Act[] }>;
  /** @param head a hash that was once the last; it has to be among them */
  verify(
    acting: Acting,
    now: Date,
    head?: Buffer,
  ): Promise<Refused | { outcome: 'verified'; verified: Verified; knowsHead: boolean }>;
  /** All, from the first on. */
  everyAct(): AsyncIterable<Act>;
}

import type { UserId } from '@nolo/kit/ids';
import type { AuditEntry, NewAuditEntry, AuditVerification } from './auditChain.ts';
import type { RequestingSession } from './securityPorts.ts';

/** Ports for operators' views of accounts and actions on them. */

/** Actor: an operator's session, or the command line of the installation. */
export type OperatorActor = RequestingSession | 'command line';

export interface Suspension {
  reason: string;
  since: Date;
  /** Null: until lifted. */
  until: Date | null;
}

/** Account as operators see it. Excludes anything the user wrote to others and anyone they know. */
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
  /** Time of deletion. Null while the account is open. */
  deletesAt: Date | null;
  suspension: Suspension | null;
}

/** Criterion that finds accounts, always by exact match. */
export type AccountQuery =
  | { by: 'id'; id: UserId }
  | { by: 'number'; phoneNumber: string }
  | { by: 'mail'; email: string }
  | { by: 'username'; username: string };

/** Reason for a refusal. `proof`: the session lacks proof; `passkey`: proof must use a passkey. */
type NoOperator = 'none' | 'proof' | 'passkey';

export type OperatorRefusal = { outcome: 'refused'; why: NoOperator };
type Missing = { outcome: 'missing' };
type IsOperator = { outcome: 'is_operator' };
type Changed = { outcome: 'changed'; account: AccountFacts; endedTokenHashes: Buffer[] };

export interface OperatorStore {
  list(): Promise<{ userId: UserId; since: Date }[]>;
  /** Adds an operator. Available only on the command line. */
  add(userId: UserId, now: Date): Promise<'added' | 'unchanged' | 'missing'>;
  remove(userId: UserId, now: Date): Promise<boolean>;

  check(requester: RequestingSession, now: Date): Promise<OperatorRefusal | { outcome: 'proven'; until: Date }>;
  find(
    acting: OperatorActor,
    query: AccountQuery,
    now: Date,
  ): Promise<OperatorRefusal | { outcome: 'found'; accounts: AccountFacts[] }>;
  suspend(
    acting: OperatorActor,
    userId: UserId,
    suspension: Suspension,
  ): Promise<OperatorRefusal | Missing | IsOperator | Changed>;
  lift(
    acting: OperatorActor,
    userId: UserId,
    reason: string,
    now: Date,
  ): Promise<OperatorRefusal | Missing | { outcome: 'not_suspended' } | Changed>;
  signOut(
    acting: OperatorActor,
    userId: UserId,
    reason: string,
    now: Date,
  ): Promise<OperatorRefusal | Missing | Changed>;
  /** Closes the account as its owner would. `atOnce` skips the grace period. */
  erase(
    acting: OperatorActor,
    userId: UserId,
    options: { reason: string; atOnce: boolean; now: Date },
  ): Promise<
    | OperatorRefusal
    | Missing
    | IsOperator
    | { outcome: 'erased'; phoneNumber: string | null; endedTokenHashes: Buffer[] }
  >;

  /** Reopens an account within its grace period, as its owner would. Does not sign anyone in. */
  reopen(
    acting: OperatorActor,
    userId: UserId,
    reason: string,
    now: Date,
  ): Promise<OperatorRefusal | Missing | { outcome: 'open' } | Changed>;

  /** Records an action that another service is about to perform. */
  record(
    acting: OperatorActor,
    act: Pick<NewAuditEntry, 'action' | 'userId' | 'reason' | 'details'>,
    now: Date,
  ): Promise<OperatorRefusal | { outcome: 'recorded' }>;
  /** Lists actions, latest first. */
  acts(
    acting: OperatorActor,
    filter: { userId: UserId | undefined; before: number | undefined; limit: number },
    now: Date,
  ): Promise<OperatorRefusal | { outcome: 'listed'; acts: AuditEntry[] }>;
  /** @param head hash that was once the last; it must be among the verified ones */
  verify(
    acting: OperatorActor,
    now: Date,
    head?: Buffer,
  ): Promise<OperatorRefusal | { outcome: 'verified'; verified: AuditVerification; knowsHead: boolean }>;
  /** Iterates over all actions from the first. */
  everyAct(): AsyncIterable<AuditEntry>;
}

import { socketLimits } from '@nolo/rules';
import { isFull, takeTokens, type Bucket } from '../domain/tokenBucket.ts';
import type { Connection } from './Connection.ts';

/** Under which name a refusal is counted. */
export type SpentBudget = 'socketFrames' | 'socketBytes' | 'socketCost';

/** What there was no more of, and when there is enough again. */
export interface Overspent {
  readonly budget: SpentBudget;
  readonly waitMs: number;
}

/** What sockets may send: frames each for itself, bytes and cost all of an account together. */
export interface FrameBudget {
  /** For every frame, before anything is made of it. Undefined where it may be read. */
  takeFrame(connection: Connection, bytes: number): Overspent | undefined;
  takeCost(connection: Connection, cost: number): Overspent | undefined;
  /** For what turns something off. False where even of that there was too much; then it costs as all else does. */
  takeEnding(connection: Connection): boolean;
  stop(): void;
}

interface Account {
  readonly bytes: Bucket;
  readonly cost: Bucket;
  readonly endings: Bucket;
}

const { framesPerSocket, bytesPerUser, costPerUser, endingsPerUser } = socketLimits;
const sweepMs = 30_000;

export function createFrameBudget(options: { nowMs?: () => number } = {}): FrameBudget {
  const nowMs = options.nowMs ?? (() => performance.now());
  // By account and not by socket, so that closing one and opening another makes nothing new.
  const accounts = new Map<string, Account>();

  const accountOf = (userId: string): Account => {
    let account = accounts.get(userId);
    if (!account) {
      const filledAt = nowMs();
      account = {
        bytes: { tokens: bytesPerUser.burst, filledAt },
        cost: { tokens: costPerUser.burst, filledAt },
        endings: { tokens: endingsPerUser.burst, filledAt },
      };
      accounts.set(userId, account);
    }
    return account;
  };

  const sweep = () => {
    const now = nowMs();
    for (const [userId, { bytes, cost, endings }] of accounts) {
      const full = isFull(bytes, now, bytesPerUser) && isFull(cost, now, costPerUser);
      if (full && isFull(endings, now, endingsPerUser)) accounts.delete(userId);
    }
  };
  const timer = setInterval(sweep, sweepMs);
  timer.unref();

  const overspent = (budget: SpentBudget, waitMs: number) => (waitMs === 0 ? undefined : { budget, waitMs });

  return {
    takeFrame(connection, bytes) {
      const now = nowMs();
      return (
        overspent('socketFrames', takeTokens(connection, now, framesPerSocket)) ??
        overspent('socketBytes', takeTokens(accountOf(connection.userId).bytes, now, bytesPerUser, bytes))
      );
    },
    takeCost: ({ userId }, cost) =>
      overspent('socketCost', takeTokens(accountOf(userId).cost, nowMs(), costPerUser, cost)),
    takeEnding: ({ userId }) => takeTokens(accountOf(userId).endings, nowMs(), endingsPerUser) === 0,
    stop: () => clearInterval(timer),
  };
}

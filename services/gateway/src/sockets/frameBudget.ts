import { socketLimits } from '@nolo/rules';
import { isFull, takeTokens, type TokenBucket } from '../domain/tokenBucket.ts';
import type { Connection } from './Connection.ts';

/** Limit name under which a refusal is counted. */
type FrameBudgetName = 'socketFrames' | 'socketBytes' | 'socketCost';

/** Exceeded budget and the time until it suffices again. */
export interface ExceededBudget {
  readonly budget: FrameBudgetName;
  readonly waitMs: number;
}

/** Limits what sockets may send: frames per socket, and bytes and cost per account. */
export interface FrameBudget {
  /** Charges every frame before it is parsed. Undefined if the frame may be read. */
  takeFrame(connection: Connection, bytes: number): ExceededBudget | undefined;
  takeCost(connection: Connection, cost: number): ExceededBudget | undefined;
  /**
   * Allows frames that turn something off. False if even these exceed their limit; they then cost as much as other
   * frames.
   */
  takeEnding(connection: Connection): boolean;
  stop(): void;
}

interface Account {
  readonly bytes: TokenBucket;
  readonly cost: TokenBucket;
  readonly endings: TokenBucket;
}

const { framesPerSocket, bytesPerUser, costPerUser, endingsPerUser } = socketLimits;
const sweepMs = 30_000;

export function createFrameBudget(options: { nowMs?: () => number } = {}): FrameBudget {
  const nowMs = options.nowMs ?? (() => performance.now());
  // Keyed by account rather than socket, so reconnecting does not renew the budget.
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

  const overspent = (budget: FrameBudgetName, waitMs: number) => (waitMs === 0 ? undefined : { budget, waitMs });

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

import type { Knex } from 'knex';
import type { z } from 'zod';
import { isAppError } from './errors.ts';
import type { Log } from './log.ts';

/** What there is to do, told once and used by those who ask for it and those who do it. */
export interface Queue<Payload> {
  readonly name: string;
  readonly payload: z.ZodType<Payload>;
  /** How often a job is begun before it is parked. */
  readonly attempts: number;
  /** Milliseconds before the next attempt, after so many. */
  readonly backOffMs: (attempts: number) => number;
  /** An attempt that takes longer is told to end, and counts as failed. */
  readonly timeoutMs: number;
  /** Jobs under way at once in one process. */
  readonly concurrency: number;
  /**
   * What becomes of a job whose worker died, or lost its hold, in the middle: `retry`, for what may be done twice, or
   * `park`, for what a person has to look at, because nobody knows whether it has happened.
   */
  readonly whenInterrupted: 'retry' | 'park';
}

/** From a second, twice as long each time, to an hour; spread, so that what failed together does not return together. */
function backOff(attempts: number): number {
  return Math.min(1_000 * 2 ** (attempts - 1), 3_600_000) * (0.8 + Math.random() * 0.4);
}

/** Twelve attempts take about an hour. */
export function defineQueue<Payload>(
  definition: Pick<Queue<Payload>, 'name' | 'payload'> & Partial<Queue<Payload>>,
): Queue<Payload> {
  return {
    attempts: 12,
    backOffMs: backOff,
    timeoutMs: 60_000,
    concurrency: 50,
    whenInterrupted: 'retry',
    ...definition,
  };
}

export interface Job<Payload> {
  readonly id: string;
  readonly payload: Payload;
  /** 1 the first time. */
  readonly attempt: number;
  /** Aborted when the attempt takes too long, the service ends, or another worker took the job. */
  readonly signal: AbortSignal;
  /**
   * Ends the job in the transaction that does what it is for, so that both hold or neither. Rejects, which undoes the
   * transaction, where the job is not this worker's any more. Without it the job ends after the handler.
   */
  finish(trx: Knex): Promise<void>;
}

/** Nothing that trying again could mend: the job is parked, under a code that tells why. */
export class ParkJob extends Error {
  readonly code: string;

  constructor(code: string) {
    super(`parked: ${code}`);
    this.name = 'ParkJob';
    this.code = code;
  }
}

/** Not now, through no fault of the job's: it is begun again later, and this one is not counted. */
export class HoldJob extends Error {
  readonly code: string;
  readonly afterMs: number;

  constructor(code: string, afterMs: number) {
    super(`held: ${code}`);
    this.name = 'HoldJob';
    this.code = code;
    this.afterMs = afterMs;
  }
}

/** Pause before a held job asks again. */
const unansweredMs = 5_000;

/**
 * For what another service decides before something goes out: while nobody answers, jobs wait and are not counted. One line
 * of log tells of each outage.
 *
 * @param code why they wait, for operators.
 */
export function createHold(code: string, log: Log): <T>(ask: () => Promise<T>) => Promise<T> {
  let isHolding = false;
  return async (ask) => {
    try {
      const answer = await ask();
      isHolding = false;
      return answer;
    } catch (error) {
      if (!isAppError(error) || error.kind !== 'unavailable') throw error;
      if (!isHolding) log.warn({ err: error, why: code }, 'jobs wait for an answer of another service');
      isHolding = true;
      throw new HoldJob(code, unansweredMs);
    }
  };
}

/**
 * Does the job. Rejecting tries it again later, at the earliest after the error's `retryAfterMs`; what is done may be done
 * twice, so it is idempotent by the job's id, unless the queue parks what was interrupted.
 */
export type Handler<Payload> = (job: Job<Payload>) => Promise<void>;

import type { Knex } from 'knex';
import type { z } from 'zod';
import { isAppError } from '../errors.ts';
import type { Log } from '../telemetry/log.ts';

/** Definition of a kind of job, shared by the code that requests it and the code that runs it. */
export interface JobQueue<Payload> {
  readonly name: string;
  readonly payload: z.ZodType<Payload>;
  /** Maximum attempts before the job is parked. */
  readonly attempts: number;
  /** Milliseconds before the next attempt, after the given number of attempts. */
  readonly backOffMs: (attempts: number) => number;
  /** Timeout after which an attempt is interrupted and counts as failed. */
  readonly timeoutMs: number;
  /** Maximum concurrent jobs in one process. */
  readonly concurrency: number;
  /**
   * Treatment of a job whose worker died or lost its hold midway: `retry` for jobs that may run twice, or `park` for
   * jobs that a person must check, because their effect is unknown.
   */
  readonly whenInterrupted: 'retry' | 'park';
}

/**
 * Exponential delay: one second, doubled each time, up to an hour, with jitter so that jobs that failed together do not
 * return together.
 */
function backOff(attempts: number): number {
  return Math.min(1_000 * 2 ** (attempts - 1), 3_600_000) * (0.8 + Math.random() * 0.4);
}

/** Defines a queue. The default of twelve attempts takes about an hour. */
export function defineQueue<Payload>(
  definition: Pick<JobQueue<Payload>, 'name' | 'payload'> & Partial<JobQueue<Payload>>,
): JobQueue<Payload> {
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
  /** Attempt number, from 1. */
  readonly attempt: number;
  /** Aborted when the attempt times out, the service stops, or another worker takes the job. */
  readonly signal: AbortSignal;
  /**
   * Finishes the job in the transaction that does its work, so that both commit or neither. Rejects, which rolls the
   * transaction back, if this worker no longer holds the job. Without this call, the job finishes after the handler.
   */
  finish(trx: Knex): Promise<void>;
}

/** Failure that retries cannot fix: the job is parked, with a code for the reason. */
export class ParkJobError extends Error {
  readonly code: string;

  constructor(code: string) {
    super(`parked: ${code}`);
    this.name = 'ParkJob';
    this.code = code;
  }
}

/** Postponement through no fault of the job: it is retried later, and this attempt does not count. */
export class HoldJobError extends Error {
  readonly code: string;
  readonly afterMs: number;

  constructor(code: string, afterMs: number) {
    super(`held: ${code}`);
    this.name = 'HoldJob';
    this.code = code;
    this.afterMs = afterMs;
  }
}

/** Delay before a held job tries again. */
const unansweredMs = 5_000;

/**
 * Creates a wrapper for queries that another service must answer before data is sent. While it is unavailable, jobs
 * wait and their attempts do not count. Each outage is logged once.
 *
 * @param code reason for the wait, for operators.
 */
export function createHoldWhileUnavailable(code: string, log: Log): <T>(call: () => Promise<T>) => Promise<T> {
  let isHolding = false;
  return async (call) => {
    try {
      const answer = await call();
      isHolding = false;
      return answer;
    } catch (error) {
      if (!isAppError(error) || error.kind !== 'unavailable') throw error;
      if (!isHolding) log.warn({ err: error, why: code }, 'jobs on hold until another service answers');
      isHolding = true;
      throw new HoldJobError(code, unansweredMs);
    }
  };
}

/**
 * Runs the job. A rejection retries it later, at the earliest after the error's `retryAfterMs`. A handler may run
 * twice, so it must be idempotent by the job's id, unless the queue parks interrupted jobs.
 */
export type JobHandler<Payload> = (job: Job<Payload>) => Promise<void>;

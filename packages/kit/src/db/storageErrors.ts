import { types } from 'node:util';
import { AppError } from '../errors.ts';

const retryAfterMs = 1000;

/** Node's error codes for an unreachable host. */
const network = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
]);

/**
 * PostgreSQL error codes (Appendix A of its manual): class 08 connection, 53 resources (including a full disk), 57P
 * shutdown, startup and crash. Individual codes: a failing disk, a server that became a read-only standby, a canceled
 * statement, a transaction that idled too long, a lock timeout, and the two that ask to retry the transaction.
 */
const postgres = /^(08...|53...|57P0.|58030|25006|57014|25P03|55P03|40001|40P01)$/;

/** Errors that pg, its pool and knex report as text only. */
const words =
  /connection terminated|timeout exceeded when trying to connect|timeout expired|query read timeout|client has encountered a connection error|timeout acquiring a connection|unable to acquire a connection|the database system is/i;

/**
 * Returns an error if PostgreSQL could not be reached, as opposed to having refused: the caller may then retry. Returns
 * undefined for all other errors.
 */
export function toStorageError(error: unknown): AppError<'storage_unavailable'> | undefined {
  // Node's errors are not instances of a test's `Error`, because tests have their own globals.
  if (!types.isNativeError(error)) return undefined;
  // A name with several addresses has one error per address.
  if ('errors' in error && Array.isArray(error.errors) && error.errors.some((inner) => toStorageError(inner))) {
    return unavailable(error);
  }
  const { code } = error as Error & { code?: unknown };
  const known = typeof code === 'string' && (postgres.test(code) || (network.has(code) && 'syscall' in error));
  return known || error.name === 'KnexTimeoutError' || words.test(error.message) ? unavailable(error) : undefined;
}

function unavailable(cause: unknown): AppError<'storage_unavailable'> {
  return new AppError('unavailable', 'storage_unavailable', 'The storage cannot be reached right now.', {
    retryAfterMs,
    cause,
  });
}

/**
 * Same for Redis, as ioredis reports it. A Redis whose memory or disk is full answers but accepts no writes. Errors
 * within a script are embedded in another sentence.
 */
export function toCacheError(error: unknown): AppError<'cache_unavailable'> | undefined {
  if (!(error instanceof Error)) return undefined;
  const known =
    error.name === 'MaxRetriesPerRequestError' ||
    (error.name === 'AbortError' && /command aborted/i.test(error.message)) ||
    /^(command timed out|connection is closed|stream isn't writeable)/i.test(error.message) ||
    /(?:^|: -)(LOADING|MASTERDOWN|CLUSTERDOWN|READONLY|OOM|MISCONF|NOREPLICAS|BUSY) /.test(error.message);
  if (!known) return undefined;
  return new AppError('unavailable', 'cache_unavailable', 'The cache cannot be reached right now.', {
    retryAfterMs,
    cause: error,
  });
}

import { types } from 'node:util';
import { AppError } from './errors.ts';

const retryAfterMs = 1000;

/** Node's names for "nobody answers there". */
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
 * PostgreSQL's own (Appendix A of its manual): class 08 connection, 53 resources (a full disk among
 * them), 57P shutdown, start-up and crash; single ones for a disk that fails, a server that became
 * a read-only standby, a cancelled statement, a transaction that idled too long, a lock that was
 * not given in time, and the two that ask for the transaction to be run again.
 */
const postgres = /^(08...|53...|57P0.|58030|25006|57014|25P03|55P03|40001|40P01)$/;

/** What pg, its pool and knex say in words only. */
const words =
  /connection terminated|timeout exceeded when trying to connect|timeout expired|query read timeout|client has encountered a connection error|timeout acquiring a connection|unable to acquire a connection|the database system is/i;

/**
 * Tells whether PostgreSQL could not be asked, as opposed to having answered "no": then the
 * caller may try again. Everything else answers undefined and stays what it was.
 */
export function storageError(error: unknown): AppError<'storage_unavailable'> | undefined {
  // Node's own errors are no `Error` of a test's, whose globals are others.
  if (!types.isNativeError(error)) return undefined;
  // Of a name with several addresses each one's own is told.
  if ('errors' in error && Array.isArray(error.errors) && error.errors.some((inner) => storageError(inner))) {
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
 * The same for Redis, as ioredis puts it; a Redis whose memory or disk is full answers, but takes nothing in. Inside a
 * script its word stands within another sentence.
 */
export function cacheError(error: unknown): AppError<'cache_unavailable'> | undefined {
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

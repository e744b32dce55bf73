import { pino, type Logger, type DestinationStream } from 'pino';
import { getTraceLogFields } from './tracing.ts';

export type Log = Logger;

/**
 * Fields that are redacted from every log, wherever they appear: what users wrote, how to reach them, and credentials.
 */
export const redactedFields = [
  'phone',
  'phoneNumber',
  'email',
  'token',
  'authorization',
  'cookie',
  'content',
  'password',
  'code',
  'secret',
] as const;

/**
 * Serializes an error for the log. It picks fields by name, because an error's own `code` (ECONNREFUSED, 23505,
 * conversation_not_found) is needed in logs, and the redaction of `code` below spares it. The detail and where fields
 * of database errors quote rows and are omitted.
 */
export function serializeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return typeof error === 'object' ? '[object]' : error;
  const { kind, code, reason } = error as Error & { kind?: unknown; code?: unknown; reason?: unknown };
  return {
    type: error.name,
    errorCode: code,
    kind,
    reason,
    message: error.message,
    stack: error.stack,
    cause: error.cause === undefined || depth >= 3 ? undefined : serializeError(error.cause, depth + 1),
  };
}

const paths = redactedFields.flatMap((field) => [field, `*.${field}`, `*.*.${field}`, `*.*.*.${field}`]);

/** Creates a log that writes JSON lines to standard output. Collecting them is up to the supervisor or the platform. */
export function createLog(options: { service: string; level?: string; destination?: DestinationStream }): Log {
  return pino(
    {
      level: options.level ?? 'info',
      base: { service: options.service },
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      mixin: getTraceLogFields,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: (error: unknown) => serializeError(error), error: (error: unknown) => serializeError(error) },
      redact: { paths, censor: '[redacted]' },
    },
    // A minimum length of one byte still writes every line immediately, and makes flush() wait for pending writes.
    // Otherwise flush() waits for nothing, and the rest is written at exit, which retries forever if the reader is
    // gone.
    options.destination ?? pino.destination({ fd: 1, sync: false, minLength: 1 }),
  );
}

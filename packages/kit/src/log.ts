import { pino, type Logger, type DestinationStream } from 'pino';
import { traceFields } from './tracing.ts';

export type Log = Logger;

/**
 * Fields that never reach a log, wherever someone put them: what people wrote, how they are
 * reached, and what would let someone else sign in.
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
 * An error's own `code` (ECONNREFUSED, 23505, conversation_not_found) is what one looks for in a
 * log, so errors are written by this serializer, which picks fields by name, and the redaction of
 * `code` below spares them. The detail and where fields of database errors quote rows and are left
 * out.
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

/** JSON lines on standard output; collecting them is the supervisor's or the platform's work. */
export function createLog(options: { service: string; level?: string; destination?: DestinationStream }): Log {
  return pino(
    {
      level: options.level ?? 'info',
      base: { service: options.service },
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      mixin: traceFields,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: (error: unknown) => serializeError(error), error: (error: unknown) => serializeError(error) },
      redact: { paths, censor: '[redacted]' },
    },
    // With a least length of one byte every line is still written at once, but flush() waits for what is under way. Without
    // it flush() waits for nothing, and what is left is written at the exit, where a reader that is gone is tried for ever.
    options.destination ?? pino.destination({ fd: 1, sync: false, minLength: 1 }),
  );
}

import { randomBytes } from 'node:crypto';

/** Position of work in its trace, in the W3C Trace Context format: `00-<trace id>-<span id>-<flags>`. */
export interface TraceContext {
  readonly traceId: string;
  readonly spanId: string;
  readonly sampled: boolean;
}

const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Parses a `traceparent`. Returns undefined for anything else, so that the caller begins its own trace. */
export function readTraceparent(value: string | undefined): TraceContext | undefined {
  const match = value === undefined || value.length > 128 ? null : form.exec(value);
  if (!match) return undefined;
  const [, version, traceId = '', spanId = '', flags = '', more] = match;
  // Later versions may add fields at the end. Version 0 has none, and ff is invalid.
  if (version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

export function writeTraceparent({ traceId, spanId, sampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;
}

export function newTraceContext(sampled: boolean, traceId = randomBytes(16).toString('hex')): TraceContext {
  return { traceId, spanId: randomBytes(8).toString('hex'), sampled };
}

/**
 * Returns true if a trace is in the sampled share. Decided by its id, so that every process decides alike; the last 52
 * bits of its random digits fit a number.
 */
export function isSampled(traceId: string, ratio: number): boolean {
  return Number.parseInt(traceId.slice(-13), 16) < ratio * 2 ** 52;
}

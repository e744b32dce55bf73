import { AsyncLocalStorage } from 'node:async_hooks';
import type { Logger } from 'pino';
import type { Secret } from '../config.ts';
import { isSampled, newTraceContext, readTraceparent, writeTraceparent, type TraceContext } from './traceContext.ts';
import type { Span, SpanAttributes, SpanKind, SpanSink } from './spans.ts';

/**
 * Tracing: the duration of each step of a request, across all processes. Off unless OTEL_EXPORTER_OTLP_ENDPOINT names a
 * collector. When off, OpenTelemetry is not loaded, no context is stored, and every function here returns immediately.
 *
 * Spans are created manually, in kit, where requests, calls, statements and messages pass. Only the attributes listed
 * below are allowed, so that nothing personal can get in.
 */
export interface SpanOptions {
  kind?: SpanKind;
  /** Trace parent of the work, from a message or a header. Default: the current span. */
  parent?: string | undefined;
  attributes?: SpanAttributes;
}

class UnsampledSpan implements Span {
  readonly context: TraceContext;

  constructor(context: TraceContext) {
    this.context = context;
  }

  get traceparent(): string {
    return writeTraceparent(this.context);
  }

  set(): void {}
  rename(): void {}
  fail(): void {}
  end(): void {}
}

interface Tracing {
  readonly current: AsyncLocalStorage<Span | undefined>;
  readonly sink: SpanSink;
  readonly ratio: number;
}

let tracing: Tracing | undefined;

export interface TracingConfig {
  OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
  OTEL_EXPORTER_OTLP_HEADERS?: Secret | undefined;
  OTEL_TRACES_SAMPLER_ARG: number;
  OTEL_RESOURCE_ATTRIBUTES?: string | undefined;
}

/**
 * Enables tracing for this process, if configured. The returned function sends the remaining spans, within three
 * seconds, and disables tracing.
 */
export async function startTracing(options: {
  service: string;
  config: TracingConfig;
  log: Logger;
}): Promise<() => Promise<void>> {
  const { service, config, log } = options;
  const endpoint = config.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined) return async () => undefined;
  const { createSpanSink } = await import('./traceExport.ts');
  const sink = createSpanSink({
    service,
    endpoint,
    headers: config.OTEL_EXPORTER_OTLP_HEADERS?.reveal() ?? '',
    resource: config.OTEL_RESOURCE_ATTRIBUTES ?? '',
    log,
  });
  tracing = { current: new AsyncLocalStorage(), sink, ratio: config.OTEL_TRACES_SAMPLER_ARG };
  log.info({ endpoint: new URL(endpoint).origin, ratio: config.OTEL_TRACES_SAMPLER_ARG }, 'tracing enabled');
  return async () => {
    tracing = undefined;
    await sink.close();
  };
}

/** Returns true if work that only serves tracing is worth its cost. */
export function isTracing(): boolean {
  return tracing !== undefined;
}

/** Returns the current span, if tracing is on. */
export function getCurrentSpan(): Span | undefined {
  return tracing?.current.getStore();
}

/**
 * Returns the `traceparent` of the current span, for rows and messages that are processed later. Only for sampled
 * traces: others have nothing to continue.
 */
export function getSampledTraceparent(): string | undefined {
  const span = tracing?.current.getStore();
  return span?.context.sampled === true ? span.traceparent : undefined;
}

function begin({ sink }: Tracing, name: string, parent: TraceContext, options: SpanOptions): Span {
  if (!parent.sampled) return new UnsampledSpan(parent);
  return sink.begin(name, options.kind ?? 'internal', parent, options.attributes);
}

/**
 * Begins a span within the current trace. Returns undefined without one, because Nolo's own background work (polls,
 * cleanups) is not traced. The caller must end the span.
 */
export function startSpan(name: string, options: SpanOptions = {}): Span | undefined {
  if (!tracing) return undefined;
  const under = tracing.current.getStore();
  if (options.parent === undefined) {
    // Unsampled traces create no spans: the caller's span is reused, and ending it has no effect.
    if (under?.context.sampled !== true) return under;
    return begin(tracing, name, under.context, options);
  }
  const parent = readTraceparent(options.parent);
  return parent && begin(tracing, name, parent, options);
}

/**
 * Begins a trace, or continues a client's. Decides for all services behind whether the trace is sampled: by the
 * configured share, never by the client's request, because clients could otherwise have all their requests sampled.
 */
export function startTrace(name: string, options: SpanOptions = {}): Span | undefined {
  if (!tracing) return undefined;
  const { ratio, sink } = tracing;
  const given = readTraceparent(options.parent);
  const { traceId } = given ?? newTraceContext(false);
  const sampled = isSampled(traceId, ratio);
  if (!sampled) return new UnsampledSpan(newTraceContext(false, traceId));
  const kind = options.kind ?? 'server';
  return sink.begin(name, kind, { traceId, spanId: given?.spanId ?? '', sampled }, options.attributes);
}

/** Runs `work` with the span as the current one. */
export function withCurrentSpan<T>(span: Span | undefined, work: () => T): T {
  return tracing && span ? tracing.current.run(span, work) : work();
}

/** Runs work without a trace, for timers and loops that outlive the request in which they happen to begin. */
export function withoutSpan<T>(work: () => T): T {
  return tracing ? tracing.current.run(undefined, work) : work();
}

/** Returns the name of an error for a span: a code of Nolo, the database or the network, or its class. */
export function errorTypeOf(error: unknown): string {
  const code = (error as { code?: unknown } | undefined)?.code;
  if (typeof code === 'string' && /^[A-Za-z0-9_]{1,40}$/.test(code)) return code;
  return error instanceof Error ? error.name : 'unknown';
}

/** Runs `work` in its own span, until its promise settles. */
export async function runInSpan<T>(
  name: string,
  options: SpanOptions,
  work: (span: Span | undefined) => Promise<T>,
): Promise<T> {
  const span = startSpan(name, options);
  if (!span) return work(undefined);
  try {
    return await withCurrentSpan(span, () => work(span));
  } catch (error) {
    span.fail(errorTypeOf(error));
    throw error;
  } finally {
    span.end();
  }
}

/**
 * Returns the trace id for log lines, so that log and trace can be correlated. A new object each time, because pino
 * modifies it.
 */
export function getTraceLogFields(): { traceId?: string } {
  const span = tracing?.current.getStore();
  return span ? { traceId: span.context.traceId } : {};
}

/**
 * Binds later work to the current span: the returned function runs work in the context of this call. For queues whose
 * consumer is not the waiting caller.
 */
export function bindTrace(): <T>(work: () => T) => T {
  const span = tracing?.current.getStore();
  return span ? (work) => withCurrentSpan(span, work) : (work) => work();
}

import { AsyncLocalStorage } from 'node:async_hooks';
import type { Secret } from './config.ts';
import type { Log } from './log.ts';
import { isSampled, newTraceContext, readTraceparent, writeTraceparent, type TraceContext } from './traceContext.ts';
import type { SpanSink } from './traceExport.ts';

/**
 * Traces: which part of a request took how long, across all processes. Off unless
 * OTEL_EXPORTER_OTLP_ENDPOINT names a collector; then nothing of OpenTelemetry is loaded, no
 * context is kept, and every function here returns at once.
 *
 * Spans are made by hand, in kit, where requests, calls, statements and messages pass. What may be
 * said about them is the closed list below, so that nothing personal can get in.
 */
export type SpanAttributes = Partial<
  Record<
    | 'http.request.method'
    | 'http.route'
    | 'http.response.status_code'
    | 'rpc.system'
    | 'rpc.method'
    | 'rpc.grpc.status_code'
    | 'db.system.name'
    | 'db.query.summary'
    | 'db.operation.name'
    | 'messaging.system'
    | 'messaging.destination.template'
    | 'messaging.operation.type'
    | 'nolo.frame.type'
    | 'nolo.frame.sockets'
    | 'nolo.request_id'
    | 'nolo.attempt'
    | 'error.type',
    string | number | boolean
  >
>;

export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer';

export interface SpanOptions {
  kind?: SpanKind;
  /** Where the work comes from, as a message or a header told it; what is under way here otherwise. */
  parent?: string | undefined;
  attributes?: SpanAttributes;
}

/** A piece of work under way. Of a trace that is not kept it only carries the context on. */
export interface Span {
  readonly context: TraceContext;
  /** For headers of what is asked of others. */
  readonly traceparent: string;
  set(attributes: SpanAttributes): void;
  /** For names that are known only later, such as a route. */
  rename(name: string): void;
  /** The work failed; `type` is a code of ours or a class of errors, never a message. */
  fail(type: string): void;
  /** Idempotent. */
  end(): void;
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
 * Switches traces on for this process, where the configuration says so. What it returns sends what
 * is left, within three seconds, and switches them off again.
 */
export async function startTracing(options: {
  service: string;
  config: TracingConfig;
  log: Log;
}): Promise<() => Promise<void>> {
  const { service, config, log } = options;
  const endpoint = config.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined) return async () => undefined;
  const { exportSpans } = await import('./traceExport.ts');
  const sink = exportSpans({
    service,
    endpoint,
    headers: config.OTEL_EXPORTER_OTLP_HEADERS?.reveal() ?? '',
    resource: config.OTEL_RESOURCE_ATTRIBUTES ?? '',
    log,
  });
  tracing = { current: new AsyncLocalStorage(), sink, ratio: config.OTEL_TRACES_SAMPLER_ARG };
  log.info({ endpoint: new URL(endpoint).origin, ratio: config.OTEL_TRACES_SAMPLER_ARG }, 'traces are sent');
  return async () => {
    tracing = undefined;
    await sink.close();
  };
}

/** Whether anything that is only there for traces is worth its cost. */
export function isTracing(): boolean {
  return tracing !== undefined;
}

/** What is under way here, if traces are on. */
export function currentSpan(): Span | undefined {
  return tracing?.current.getStore();
}

/**
 * The `traceparent` of what is under way here, for rows and messages that tell others later. Only of
 * traces that are kept: of the others there is nothing to continue.
 */
export function sampledTraceparent(): string | undefined {
  const span = tracing?.current.getStore();
  return span?.context.sampled === true ? span.traceparent : undefined;
}

function begin({ sink }: Tracing, name: string, parent: TraceContext, options: SpanOptions): Span {
  if (!parent.sampled) return new UnsampledSpan(parent);
  return sink.begin(name, options.kind ?? 'internal', parent, options.attributes);
}

/**
 * Begins a part of a trace that is there already; undefined where there is none, for what we do on
 * our own account (polls, clean-ups) is not traced. Whoever begins a span ends it.
 */
export function startSpan(name: string, options: SpanOptions = {}): Span | undefined {
  if (!tracing) return undefined;
  const under = tracing.current.getStore();
  if (options.parent === undefined) {
    // Of what is not kept nothing is made: the span of the caller serves as well, and ending it does nothing.
    if (under?.context.sampled !== true) return under;
    return begin(tracing, name, under.context, options);
  }
  const parent = readTraceparent(options.parent);
  return parent && begin(tracing, name, parent, options);
}

/**
 * Begins a trace, or goes on with that of a client. It is decided here, and for all services behind,
 * whether the trace is kept: by the share that is configured and never by what the client says,
 * who could otherwise have every request of theirs kept.
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

/** Runs `work` with the span as what is under way. */
export function within<T>(span: Span | undefined, work: () => T): T {
  return tracing && span ? tracing.current.run(span, work) : work();
}

/** For timers and loops that outlive the request in which they happen to begin. */
export function untraced<T>(work: () => T): T {
  return tracing ? tracing.current.run(undefined, work) : work();
}

/** What an error is called in a span: a code of ours, of the database, of the network, or its class. */
export function errorType(error: unknown): string {
  const code = (error as { code?: unknown } | undefined)?.code;
  if (typeof code === 'string' && /^[A-Za-z0-9_]{1,40}$/.test(code)) return code;
  return error instanceof Error ? error.name : 'unknown';
}

/** Runs `work` as a span of its own, from its start to the end of its promise. */
export async function inSpan<T>(
  name: string,
  options: SpanOptions,
  work: (span: Span | undefined) => Promise<T>,
): Promise<T> {
  const span = startSpan(name, options);
  if (!span) return work(undefined);
  try {
    return await within(span, () => work(span));
  } catch (error) {
    span.fail(errorType(error));
    throw error;
  } finally {
    span.end();
  }
}

/** For log lines: the trace they belong to, so that one leads to the other. A new object each time, as pino fills it. */
export function traceFields(): { traceId?: string } {
  const span = tracing?.current.getStore();
  return span ? { traceId: span.context.traceId } : {};
}

/**
 * Ties later work to what is under way now: what it returns runs a function in the context of this
 * call. For queues, in which the one who serves is not the one who waits.
 */
export function bindTrace(): <T>(work: () => T) => T {
  const span = tracing?.current.getStore();
  return span ? (work) => within(span, work) : (work) => work();
}

import type { TraceContext } from './traceContext.ts';

/** Attributes that a span may have: nothing personal (docs/telemetry.md). */
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

/** Unit of work in progress. In an unsampled trace it only propagates the context. */
export interface Span {
  readonly context: TraceContext;
  /** Value for headers of outgoing requests. */
  readonly traceparent: string;
  set(attributes: SpanAttributes): void;
  /** Renames the span, for names that are known only later, such as a route. */
  rename(name: string): void;
  /** Marks the work as failed; `type` is a Nolo error code or an error class, never a message. */
  fail(type: string): void;
  /** Idempotent. */
  end(): void;
}

/** Destination of sampled spans. Loaded only if tracing is on. */
export interface SpanSink {
  /** @param parent without a `spanId` if the trace begins here. */
  begin(name: string, kind: SpanKind, parent: TraceContext, attributes: SpanAttributes | undefined): Span;
  close(): Promise<void>;
}

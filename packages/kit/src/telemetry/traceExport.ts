import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, TraceFlags, type Span as OtelSpan } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOnSampler,
  BatchSpanProcessor,
  RandomIdGenerator,
  TracerProvider,
  type SpanExporter,
} from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import { writeTraceparent, type TraceContext } from './traceContext.ts';
import type { Span, SpanAttributes, SpanKind as Kind, SpanSink } from './spans.ts';

const kinds: Readonly<Record<Kind, SpanKind>> = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
};

/** Timeout when a process stops; spans that a silent collector has not received by then are lost. */
const closeTimeoutMs = 3000;

class SampledSpan implements Span {
  readonly context: TraceContext;
  readonly #inner: OtelSpan;
  #ended = false;

  constructor(inner: OtelSpan) {
    const { traceId, spanId } = inner.spanContext();
    this.context = { traceId, spanId, sampled: true };
    this.#inner = inner;
  }

  get traceparent(): string {
    return writeTraceparent(this.context);
  }

  set(attributes: SpanAttributes): void {
    this.#inner.setAttributes(attributes);
  }

  rename(name: string): void {
    this.#inner.updateName(name);
  }

  fail(type: string): void {
    this.#inner.setAttribute('error.type', type);
    this.#inner.setStatus({ code: SpanStatusCode.ERROR });
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#inner.end();
  }
}

/** Parses `key=value,key=value` with percent-encoded values, the list format of OTEL_* variables. */
function readPairs(list: string): Record<string, string> {
  const pairs: Record<string, string> = {};
  for (const pair of list.split(',')) {
    const at = pair.indexOf('=');
    if (at > 0) pairs[pair.slice(0, at).trim()] = decodeURIComponent(pair.slice(at + 1).trim());
  }
  return pairs;
}

/** Wraps an exporter so that an unavailable collector costs one line in the log, and the spans. */
function noticing(exporter: SpanExporter, log: Logger): SpanExporter {
  let away = false;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        // 0 is ExportResultCode.SUCCESS.
        const failed = result.code !== 0;
        if (failed && !away) log.warn({ err: result.error }, 'sending traces failed');
        if (!failed && away) log.info('sending traces recovered');
        away = failed;
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}

export function createSpanSink(options: {
  service: string;
  endpoint: string;
  headers: string;
  resource: string;
  log: Logger;
}): SpanSink {
  const exporter = new OTLPTraceExporter({
    url: `${options.endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers: readPairs(options.headers),
    timeoutMillis: 5000,
  });
  // The id of a trace that begins here already exists, because sampling was decided by it.
  let rootTraceId = '';
  const random = new RandomIdGenerator();
  const provider = new TracerProvider({
    idGenerator: { generateTraceId: () => rootTraceId, generateSpanId: () => random.generateSpanId() },
    sampler: new AlwaysOnSampler(),
    resource: resourceFromAttributes({
      'service.namespace': 'nolo',
      'service.name': options.service,
      'process.pid': process.pid,
      ...readPairs(options.resource),
    }),
    spanLimits: { attributeCountLimit: 32, attributeValueLengthLimit: 200 },
    spanProcessors: [
      // Excess spans are dropped: requests never wait for a collector, and memory is bounded.
      new BatchSpanProcessor({
        exporter: noticing(exporter, options.log),
        maxQueueSize: 4096,
        maxExportBatchSize: 512,
        scheduledDelayMillis: 2000,
        exportTimeoutMillis: 5000,
      }),
    ],
  });
  const tracer = provider.getTracer('@nolo/kit');

  return {
    begin(name, kind, parent, attributes = {}) {
      const { traceId, spanId } = parent;
      rootTraceId = traceId;
      const context =
        spanId === ''
          ? ROOT_CONTEXT
          : trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true });
      return new SampledSpan(tracer.startSpan(name, { kind: kinds[kind], attributes }, context));
    },

    async close() {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, closeTimeoutMs);
      });
      await Promise.race([provider.shutdown().catch(() => undefined), late]);
      clearTimeout(timer);
    },
  };
}

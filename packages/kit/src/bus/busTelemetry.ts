import { headers, type Msg, type MsgHdrs } from '@nats-io/transport-node';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Span, SpanKind } from '../telemetry/spans.ts';
import { getCurrentSpan, runInSpan, startSpan, type SpanOptions } from '../telemetry/tracing.ts';

export interface BusMeters {
  reconnects: Counter;
}

export function createBusMeters(registry: Registry, isConnected: () => boolean): BusMeters {
  const registers = [registry];
  new Gauge({
    name: 'nolo_bus_connected',
    help: 'State of the connection to NATS: 1 if connected, otherwise 0.',
    registers,
    collect() {
      this.set(isConnected() ? 1 : 0);
    },
  });
  return {
    reconnects: new Counter({
      name: 'nolo_bus_reconnects_total',
      help: 'Reconnections to NATS after a lost connection.',
      registers,
    }),
  };
}

/** Returns a subject with its unique segment replaced: `gateway.{replica}.deliver`. */
function subjectTemplateOf(subject: string): string {
  return subject.replace(/^gateway\.(?!all\.)[^.]+\./, 'gateway.{replica}.');
}

function about(subject: string, kind: SpanKind, operation: string, parent: string | undefined): SpanOptions {
  return {
    kind,
    parent,
    attributes: {
      'messaging.system': 'nats',
      'messaging.destination.template': subjectTemplateOf(subject),
      'messaging.operation.type': operation,
    },
  };
}

const header = 'traceparent';

/** @param parent trace of the event behind the message; the current trace by default */
export function startPublishSpan(subject: string, parent: string | undefined): Span | undefined {
  // Checked first, so that messages outside of traces allocate nothing.
  if (parent === undefined && !getCurrentSpan()) return undefined;
  return startSpan(`publish ${subjectTemplateOf(subject)}`, about(subject, 'producer', 'send', parent));
}

/** Returns headers only if there is a trace to send. */
export function createTraceHeaders(span: Span | undefined): { headers?: MsgHdrs } {
  if (!span) return {};
  const made = headers();
  made.set(header, span.traceparent);
  return { headers: made };
}

/** Handles a message within the trace that it carries, if any. */
export function runInMessageSpan<T>(
  message: Pick<Msg, 'headers'>,
  subject: string,
  work: (span: Span | undefined) => Promise<T>,
): Promise<T> {
  return runInEventSpan(message.headers?.get(header), subject, work);
}

/** Handles an event within the trace that the event names, if any. */
export function runInEventSpan<T>(
  parent: string | undefined,
  subject: string,
  work: (span: Span | undefined) => Promise<T>,
): Promise<T> {
  if (!parent) return work(undefined);
  return runInSpan(`process ${subjectTemplateOf(subject)}`, about(subject, 'consumer', 'process', parent), work);
}

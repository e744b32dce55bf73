import { headers, type Msg, type MsgHdrs } from '@nats-io/transport-node';
import { Counter, Gauge, type Registry } from 'prom-client';
import { currentSpan, inSpan, startSpan, type Span, type SpanKind, type SpanOptions } from './tracing.ts';

export interface BusMeters {
  reconnects: Counter;
}

export function createBusMeters(registry: Registry, isConnected: () => boolean): BusMeters {
  const registers = [registry];
  new Gauge({
    name: 'nolo_bus_connected',
    help: 'Whether there is a connection to NATS: 1 or 0.',
    registers,
    collect() {
      this.set(isConnected() ? 1 : 0);
    },
  });
  return {
    reconnects: new Counter({
      name: 'nolo_bus_reconnects_total',
      help: 'How often the connection to NATS was lost and came back.',
      registers,
    }),
  };
}

/** A subject without what is in it only once: `gateway.{replica}.deliver`. */
export function subjectTemplate(subject: string): string {
  return subject.replace(/^gateway\.(?!all\.)[^.]+\./, 'gateway.{replica}.');
}

function about(subject: string, kind: SpanKind, operation: string, parent: string | undefined): SpanOptions {
  return {
    kind,
    parent,
    attributes: {
      'messaging.system': 'nats',
      'messaging.destination.template': subjectTemplate(subject),
      'messaging.operation.type': operation,
    },
  };
}

const header = 'traceparent';

/** @param parent of what the message tells about; what is under way here otherwise. */
export function beginPublish(subject: string, parent: string | undefined): Span | undefined {
  // Asked first, so that nothing is made for messages outside of traces.
  if (parent === undefined && !currentSpan()) return undefined;
  return startSpan(`publish ${subjectTemplate(subject)}`, about(subject, 'producer', 'send', parent));
}

/** Headers are sent only where there is something to say. */
export function traceHeaders(span: Span | undefined): { headers?: MsgHdrs } {
  if (!span) return {};
  const made = headers();
  made.set(header, span.traceparent);
  return { headers: made };
}

/** Handles a message as a part of the trace that it came with, if it came with one. */
export function inMessageSpan<T>(
  message: Pick<Msg, 'headers'>,
  subject: string,
  work: (span: Span | undefined) => Promise<T>,
): Promise<T> {
  return inEventSpan(message.headers?.get(header), subject, work);
}

/** The same for an event that names its trace itself. */
export function inEventSpan<T>(
  parent: string | undefined,
  subject: string,
  work: (span: Span | undefined) => Promise<T>,
): Promise<T> {
  if (!parent) return work(undefined);
  return inSpan(`process ${subjectTemplate(subject)}`, about(subject, 'consumer', 'process', parent), work);
}

import { Counter, Gauge, Histogram, type Registry } from '@nolo/kit/telemetry';

/** Everything that the gateway counts, in one place. */
export interface EdgeMetrics {
  httpRequests: Counter<'route' | 'method' | 'status'>;
  httpSeconds: Histogram<'route' | 'method'>;
  sockets: Gauge;
  socketsClosed: Counter<'code'>;
  framesIn: Counter<'type'>;
  framesOut: Counter<'type'>;
  deliveries: Counter<'type'>;
}

export function createMetrics(registry: Registry): EdgeMetrics {
  const registers = [registry];
  return {
    httpRequests: new Counter({
      name: 'http_requests_total',
      help: 'Answered HTTP requests.',
      labelNames: ['route', 'method', 'status'],
      registers,
    }),
    httpSeconds: new Histogram({
      name: 'http_request_seconds',
      help: 'How long HTTP requests took.',
      labelNames: ['route', 'method'],
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    sockets: new Gauge({ name: 'sockets_open', help: 'Open sockets.', registers }),
    socketsClosed: new Counter({
      name: 'sockets_closed_total',
      help: 'Closed sockets.',
      labelNames: ['code'],
      registers,
    }),
    framesIn: new Counter({
      name: 'frames_received_total',
      help: 'Frames from clients.',
      labelNames: ['type'],
      registers,
    }),
    framesOut: new Counter({ name: 'frames_sent_total', help: 'Frames to clients.', labelNames: ['type'], registers }),
    deliveries: new Counter({
      name: 'deliveries_total',
      help: 'Deliveries that arrived over the bus, each for any number of sockets.',
      labelNames: ['type'],
      registers,
    }),
  };
}

import type { AppError } from '@nolo/kit/errors';
import { Counter, Gauge, Histogram, type Registry } from '@nolo/kit/telemetry';
import { rateLimits } from '@nolo/rules';

/** Metrics of the gateway. */
export interface GatewayMetrics {
  httpRequests: Counter<'route' | 'method' | 'status'>;
  httpSeconds: Histogram<'route' | 'method'>;
  sockets: Gauge;
  socketsClosed: Counter<'code'>;
  framesIn: Counter<'type'>;
  framesOut: Counter<'type'>;
  deliveries: Counter<'type'>;
  mediaStates: Counter<'state'>;
  /** Sockets told to resynchronize, or closed to do so. */
  resyncs: Counter<'reason'>;
  rateLimited: Counter<'limit'>;
  tokenRequests: Counter<'outcome'>;
}

/** Counts a refusal caused by a limit, in the gateway or in a service. */
export function countRateLimited({ rateLimited }: GatewayMetrics, error: AppError): void {
  if (error.kind !== 'rate_limited') return;
  const limit = error.details?.['limit'];
  // Names outside the table must not become labels.
  rateLimited.inc({ limit: typeof limit === 'string' && Object.hasOwn(rateLimits, limit) ? limit : 'other' });
}

export function createGatewayMetrics(registry: Registry): GatewayMetrics {
  const registers = [registry];
  return {
    httpRequests: new Counter({
      name: 'nolo_http_requests_total',
      help: 'Answered HTTP requests.',
      labelNames: ['route', 'method', 'status'],
      registers,
    }),
    httpSeconds: new Histogram({
      name: 'nolo_http_request_seconds',
      help: 'Duration of HTTP requests, in seconds.',
      labelNames: ['route', 'method'],
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    sockets: new Gauge({ name: 'nolo_sockets_open', help: 'Open sockets.', registers }),
    socketsClosed: new Counter({
      name: 'nolo_sockets_closed_total',
      help: 'Closed sockets by close code; unknown codes count as other.',
      labelNames: ['code'],
      registers,
    }),
    framesIn: new Counter({
      name: 'nolo_frames_received_total',
      help: 'Frames received from clients.',
      labelNames: ['type'],
      registers,
    }),
    mediaStates: new Counter({
      name: 'nolo_media_states_total',
      help: 'Media connection states reported by clients.',
      labelNames: ['state'],
      registers,
    }),
    framesOut: new Counter({
      name: 'nolo_frames_sent_total',
      help: 'Frames sent to clients.',
      labelNames: ['type'],
      registers,
    }),
    deliveries: new Counter({
      name: 'nolo_deliveries_total',
      help: 'Deliveries received over the bus, each for any number of sockets.',
      labelNames: ['type'],
      registers,
    }),
    resyncs: new Counter({
      name: 'nolo_socket_resyncs_total',
      help: 'Socket resyncs by reason: frames were lost (missed), or the socket was too slow (too_slow).',
      labelNames: ['reason'],
      registers,
    }),
    tokenRequests: new Counter({
      name: 'nolo_token_requests_total',
      help: 'Requests with a personal access token, by outcome: allowed, or the error code.',
      labelNames: ['outcome'],
      registers,
    }),
    rateLimited: new Counter({
      name: 'nolo_rate_limited_total',
      help: 'Refusals by rate limit.',
      labelNames: ['limit'],
      registers,
    }),
  };
}

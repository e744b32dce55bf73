import { newId } from '@nolo/kit/ids';
import { startTrace, withCurrentSpan } from '@nolo/kit/tracing';
import type { RequestHandler } from 'express';
import type { GatewayMetrics } from './metrics.ts';

/** Assigns each request the ID used in all logs, starts its trace, and counts its reply. */
export function createRequestTelemetry(metrics: GatewayMetrics): RequestHandler {
  return (request, response, next) => {
    const requestId = newId();
    response.setHeader('X-Request-Id', requestId);
    const startedAt = performance.now();
    const { traceparent } = request.headers;
    const span = startTrace(request.method, {
      parent: typeof traceparent === 'string' ? traceparent : undefined,
      attributes: { 'http.request.method': request.method, 'nolo.request_id': requestId },
    });
    response.once('close', () => {
      // Made-up paths must not become labels.
      const route = typeof response.locals['route'] === 'string' ? response.locals['route'] : 'other';
      const { method } = request;
      metrics.httpRequests.inc({ route, method, status: String(response.statusCode) });
      metrics.httpSeconds.observe({ route, method }, (performance.now() - startedAt) / 1000);
      if (!span) return;
      span.rename(`${method} ${route}`);
      span.set({ 'http.route': route, 'http.response.status_code': response.statusCode });
      if (response.statusCode >= 500) span.fail(String(response.statusCode));
      span.end();
    });
    withCurrentSpan(span, next);
  };
}

import { newId } from '@nolo/kit/ids';
import type { RequestHandler } from 'express';
import type { EdgeMetrics } from './metrics.ts';

/** Gives each request its id, under which all services log it, and counts its answer. */
export function countRequests(metrics: EdgeMetrics): RequestHandler {
  return (request, response, next) => {
    response.setHeader('X-Request-Id', newId());
    const startedAt = performance.now();
    response.once('close', () => {
      // Paths that people make up must not become labels.
      const route = typeof response.locals['route'] === 'string' ? response.locals['route'] : 'other';
      const { method } = request;
      metrics.httpRequests.inc({ route, method, status: String(response.statusCode) });
      metrics.httpSeconds.observe({ route, method }, (performance.now() - startedAt) / 1000);
    });
    next();
  };
}

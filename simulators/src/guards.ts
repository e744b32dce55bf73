import type { Log } from '@nolo/kit/log';
import type { RequestHandler } from 'express';
import type { SimulatorsConfig } from './config.ts';

/**
 * A page on the internet can make a browser resolve its own name to 127.0.0.1 and then read the outbox as same-origin.
 * It cannot forge the Host header, so unknown hosts are refused.
 */
export function guardHost(config: SimulatorsConfig, url: string, port: number, log: Log): RequestHandler {
  const { host } = config.SIMULATORS_LISTEN;
  const names = new Set(['localhost', '127.0.0.1', '[::1]', host.includes(':') ? `[${host}]` : host]);
  const allowed = new Set([new URL(url).host, ...[...names].map((name) => `${name}:${port}`)]);
  return (request, response, next) => {
    if (allowed.has(request.headers.host ?? '')) return next();
    log.warn({ host: request.headers.host?.slice(0, 200), allowed: [...allowed] }, 'request for an unknown host name');
    response.status(421).type('text').send('These simulators do not serve that host name.\n');
  };
}

/**
 * Lists the redirect targets in form-action: browsers apply it to the redirects that follow a form, and signing in and
 * signing out both end with one to the client.
 */
export function guardHeaders(config: SimulatorsConfig): RequestHandler {
  const targets = [...config.OIDC_REDIRECT_URIS, ...config.OIDC_POST_LOGOUT_REDIRECT_URIS].map(
    (uri) => new URL(uri).origin,
  );
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "connect-src 'self'",
    "img-src 'self'",
    `form-action ${["'self'", ...new Set(targets)].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  return (_request, response, next) => {
    response.setHeader('Content-Security-Policy', policy);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('Referrer-Policy', 'no-referrer');
    response.setHeader('Cache-Control', 'no-store');
    next();
  };
}

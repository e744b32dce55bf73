import type { ErrorBody } from '@nolo/api';
import { createInternalError, isAppError, type AppError, type ErrorKind } from '@nolo/kit/errors';
import type { Log } from '@nolo/kit/log';
import { toCacheError } from '@nolo/kit/redis';
import type { ErrorRequestHandler, Response } from 'express';
import { createGatewayError } from '../errors.ts';
import { countRateLimited, type GatewayMetrics } from './metrics.ts';
import type { SessionAuthenticator } from './sessionAuthenticator.ts';

const httpStatusOfErrorKind: Readonly<Record<ErrorKind, number>> = {
  invalid: 400,
  unauthenticated: 401,
  plan_limited: 402,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  too_large: 413,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
};

/** HTTP statuses that fit better than that of the kind. */
const statusOfCode: Readonly<Record<string, number>> = {
  content_type_unsupported: 415,
  method_not_allowed: 405,
  length_required: 411,
  address_too_long: 414,
  header_too_long: 431,
  range_unsatisfiable: 416,
  sts_not_configured: 501,
  // The request is valid, but its target is unavailable, which is not this server's fault.
  link_refused: 422,
  link_unreachable: 422,
  link_too_large: 422,
  link_without_preview: 422,
};

/** Rejection by express or its body parser. */
interface RefusedByParser extends Error {
  status: number;
  type?: string;
}

function isRefusedByParser(error: unknown): error is RefusedByParser {
  return error instanceof Error && 'status' in error && typeof error.status === 'number' && error.status < 500;
}

/** Converts anything thrown to an error that a client may see. */
export function toClientError(error: unknown): AppError {
  if (isAppError(error)) return error;
  if (isRefusedByParser(error)) {
    switch (error.type) {
      case 'entity.too.large':
        return createGatewayError('too_large', 'body_too_large', 'The request body is too large.');
      case 'entity.parse.failed':
        return createGatewayError('invalid', 'invalid_json', 'The request body is not valid JSON.');
      case 'encoding.unsupported':
      case 'charset.unsupported':
        return createGatewayError('invalid', 'content_type_unsupported', 'The request body must be JSON in UTF-8.');
      case undefined:
        return createGatewayError('invalid', 'invalid_path', 'The request URL is malformed.');
      default:
        return createGatewayError('invalid', 'body_invalid', 'The request body could not be read.');
    }
  }
  return toCacheError(error) ?? createInternalError(error);
}

export function toErrorBody({ code, message, details }: AppError): ErrorBody {
  return details === undefined ? { code, message } : { code, message, details: { ...details } };
}

export function httpStatusOfError({ code, kind }: Pick<AppError, 'code' | 'kind'>): number {
  return statusOfCode[code] ?? httpStatusOfErrorKind[kind];
}

/** Returns whole seconds, as RFC 9110 section 10.2.3 requires. Undefined if waiting would not help. */
export function getRetryAfterSeconds({ kind, retryAfterMs }: AppError): number | undefined {
  if (kind !== 'rate_limited' && kind !== 'unavailable') return undefined;
  return Math.max(1, Math.ceil((retryAfterMs ?? 1_000) / 1_000));
}

/** Logs errors of the server once, here; client errors are only counted. */
export function logError(error: AppError, thrown: unknown, log: Log): void {
  if (error.kind === 'internal') log.error({ err: thrown }, 'request failed');
  else if (error.kind === 'unavailable') log.warn({ err: thrown }, 'request could not be served');
}

function sendError(response: Response, error: AppError): void {
  const seconds = getRetryAfterSeconds(error);
  if (seconds !== undefined) response.setHeader('Retry-After', String(seconds));
  if (error.kind === 'unauthenticated') response.setHeader('WWW-Authenticate', 'Bearer');
  response.setHeader('Cache-Control', 'no-store');
  response.status(httpStatusOfError(error)).json(toErrorBody(error));
}

export function createErrorHandler(
  log: Log,
  sessions: SessionAuthenticator,
  metrics: GatewayMetrics,
): ErrorRequestHandler {
  return (thrown: unknown, request, response, _next) => {
    const error = toClientError(thrown);
    const requestId = String(response.getHeader('X-Request-Id') ?? '');
    countRateLimited(metrics, error);
    // A client that disconnects midway is not our failure.
    if (!request.aborted) logError(error, thrown, log.child({ requestId }));
    if (response.headersSent) {
      // The status is already sent; only a broken connection shows that the reply is incomplete.
      response.destroy();
      return;
    }
    if (error.code === 'session_invalid' && request.headers.authorization === undefined) {
      sessions.forget(response);
      // Cached files last a year. The app's storage stays, so that nothing unsent is lost when a session expires.
      response.setHeader('Clear-Site-Data', '"cache"');
    }
    sendError(response, error);
  };
}

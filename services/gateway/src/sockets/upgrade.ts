import { STATUS_CODES, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { AppError } from '@nolo/kit/errors';
import { newId } from '@nolo/kit/ids';
import type { GatewayContext } from '../gatewayContext.ts';
import { createGatewayError } from '../errors.ts';
import { toErrorBody, logError, getRetryAfterSeconds, httpStatusOfError, toClientError } from '../http/errorReply.ts';
import { createGuestPasses } from '../http/guestPass.ts';
import { countRateLimited } from '../http/metrics.ts';
import { checkRequestBounds } from '../http/requestBounds.ts';

/** Owner of a socket. */
export interface SocketOwner {
  readonly userId: string;
  readonly sessionId: string;
  /** Sole meeting that a guest's pass admits to. Empty for accounts. */
  readonly guestOf: string;
}

/** Refuses an upgrade with a plain HTTP response. */
export function refuseUpgrade(socket: Duplex, error: AppError): void {
  const status = httpStatusOfError(error);
  const body = JSON.stringify(toErrorBody(error));
  const seconds = getRetryAfterSeconds(error);
  // A client that never closes its side would otherwise keep the connection open forever.
  socket.once('finish', () => socket.destroy());
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
      'Connection: close',
      'Content-Type: application/json; charset=utf-8',
      'Cache-Control: no-store',
      `Content-Length: ${Buffer.byteLength(body)}`,
      ...(seconds === undefined ? [] : [`Retry-After: ${seconds}`]),
      '',
      body,
    ].join('\r\n'),
  );
}

/**
 * Decides whether to admit a socket: the session identifies the user, Origin must be one of ours (browsers send the
 * cookie with every page's socket, while only programs can send a bearer token), and a limit applies to opening
 * sockets.
 */
export function createSocketAdmission(
  context: Pick<
    GatewayContext,
    'sessions' | 'limits' | 'origins' | 'config' | 'publicUrl' | 'clock' | 'meetings' | 'addressOf'
  >,
) {
  const { sessions, limits, origins } = context;

  const passes = createGuestPasses(context);

  const owner = async (
    { headers }: IncomingMessage,
    requestId: string,
  ): Promise<SocketOwner & { via: 'cookie' | 'bearer' }> => {
    const call = { requestId };
    if (!sessions.carriesToken(headers)) {
      const guest = await passes.find(headers, call);
      if (guest) return { userId: guest.id, sessionId: guest.id, guestOf: guest.meetingId, via: 'cookie' };
    }
    return { ...(await sessions.authenticate(headers, call)), guestOf: '' };
  };

  const admit = async (request: IncomingMessage, requestId: string): Promise<SocketOwner> => {
    const path = (request.url ?? '').split('?')[0];
    if (path !== '/ws') {
      await limits.consume('requestsPerAddress', context.addressOf(request));
      throw createGatewayError('not_found', 'route_not_found', 'There is no socket at this address.');
    }
    let actor: Awaited<ReturnType<typeof owner>>;
    try {
      actor = await owner(request, requestId);
    } catch (error) {
      await limits.consume('requestsPerAddress', context.addressOf(request));
      throw error;
    }
    const { origin } = request.headers;
    if (actor.via === 'cookie' && (origin === undefined || !origins.has(origin))) {
      throw createGatewayError('forbidden', 'origin_refused', 'This request did not come from a page of this site.');
    }
    await limits.consume('socketsPerUser', actor.userId);
    return actor;
  };

  return admit;
}

/** Runs the work of an upgrade after checking the size of its address and headers. Returns undefined if it refused. */
export async function runUpgradeOrRefuse<T>(
  context: Pick<GatewayContext, 'metrics' | 'log'>,
  { request, socket }: { request: IncomingMessage; socket: Duplex },
  work: (requestId: string) => Promise<T>,
): Promise<T | undefined> {
  const requestId = newId();
  try {
    checkRequestBounds(request);
    return await work(requestId);
  } catch (thrown) {
    const error = toClientError(thrown);
    countRateLimited(context.metrics, error);
    logError(error, thrown, context.log.child({ requestId }));
    refuseUpgrade(socket, error);
    return undefined;
  }
}

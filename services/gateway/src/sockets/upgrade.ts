import { STATUS_CODES, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { AppError } from '@nolo/kit/errors';
import { newId } from '@nolo/kit/ids';
import type { Edge } from '../edge.ts';
import { failGateway } from '../errors.ts';
import { errorBody, logError, retryAfterSeconds, statusOf, toAppError } from '../http/errorReply.ts';
import { createGuestPasses } from '../http/guestPass.ts';
import { countRefusal } from '../http/metrics.ts';
import { checkRequestBounds } from '../http/requestBounds.ts';

/** Whose socket it becomes. */
export interface SocketOwner {
  readonly userId: string;
  readonly sessionId: string;
  /** Of someone without an account: the only meeting that the pass is good for. */
  readonly guestOf: string;
}

/** Answers an upgrade that is refused, in plain HTTP. */
export function refuseUpgrade(socket: Duplex, error: AppError): void {
  const status = statusOf(error);
  const body = JSON.stringify(errorBody(error));
  const seconds = retryAfterSeconds(error);
  // A client that does not hang up in its turn would keep the connection for ever.
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
 * Decides about a socket before it exists: the session tells who it is, Origin tells whether a page of ours asks (a
 * browser sends the cookie with every page's socket, but a bearer token only a program can send), and a limit tells whether
 * sockets are opened too often.
 */
export function createAdmission(edge: Edge) {
  const { sessions, limits, origins } = edge;

  const passes = createGuestPasses(edge);

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
      await limits.consume('requestsPerAddress', edge.addressOf(request));
      throw failGateway('not_found', 'route_not_found', 'There is no socket at this address.');
    }
    let actor: Awaited<ReturnType<typeof owner>>;
    try {
      actor = await owner(request, requestId);
    } catch (error) {
      await limits.consume('requestsPerAddress', edge.addressOf(request));
      throw error;
    }
    const { origin } = request.headers;
    if (actor.via === 'cookie' && (origin === undefined || !origins.has(origin))) {
      throw failGateway('forbidden', 'origin_refused', 'This request did not come from a page of this site.');
    }
    await limits.consume('socketsPerUser', actor.userId);
    return actor;
  };

  return admit;
}

/** Does the work of an upgrade, whose address and headers are not too long. Answers undefined after having refused. */
export async function orRefuse<T>(
  edge: Edge,
  { request, socket }: { request: IncomingMessage; socket: Duplex },
  work: (requestId: string) => Promise<T>,
): Promise<T | undefined> {
  const requestId = newId();
  try {
    checkRequestBounds(request);
    return await work(requestId);
  } catch (thrown) {
    const error = toAppError(thrown);
    countRefusal(edge.metrics, error);
    logError(error, thrown, edge.log.child({ requestId }));
    refuseUpgrade(socket, error);
    return undefined;
  }
}

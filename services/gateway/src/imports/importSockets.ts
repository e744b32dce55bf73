import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { socketLimits } from '@nolo/rules';
import { WebSocketServer, type RawData, type WebSocket } from 'ws';
import { takeTokens, type TokenBucket } from '../domain/tokenBucket.ts';
import { createGatewayError } from '../errors.ts';
import { toClientError } from '../http/errorReply.ts';
import type { HttpContext } from '../http/httpContext.ts';
import { createRunningImports, createImportEndedFrame, sendImportFrame, type ImportContext } from './runningImports.ts';

const { framesPerSocket } = socketLimits;

const maxFrameBytes = 4_096;
/** Maximum sockets per import. A client uses one; more appear when a connection breaks before the server notices. */
const maxSocketsPerImport = 4;

export interface ImportSockets {
  /** True if an upgrade request is for an import. */
  takes(request: IncomingMessage): boolean;
  /** @throws AppError if the socket is refused. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void>;
  /** Cancels running imports. */
  stop(): Promise<void>;
}

const pathForm = /^\/api\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

const tokenOf = ({ url = '' }: IncomingMessage) => pathForm.exec(url.split('?')[0] ?? '')?.[1];

/** Returns the action that a client requests. Ignores other frames, as companion servers do. */
function actionOf(data: RawData): string | undefined {
  try {
    const frame = JSON.parse(String(data as Buffer)) as { action?: unknown } | null;
    return typeof frame?.action === 'string' ? frame.action : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Accepts sockets at `/api/{token}` in the protocol of companion servers. The first socket starts the import, and all
 * receive its progress. The token grants access, but pages of other origins are refused anyway.
 */
export function createImportSockets(
  context: ImportContext & Pick<HttpContext, 'origins' | 'limits' | 'log' | 'addressOf'>,
): ImportSockets {
  const { origins, limits, log } = context;
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: maxFrameBytes,
    maxFragments: 4,
    perMessageDeflate: false,
    autoPong: false,
  });
  const running = createRunningImports(context);

  const open = async (socket: WebSocket, token: string) => {
    const one = await running.join(token);
    if ('action' in one) {
      sendImportFrame(socket, one);
      socket.close(1000);
      return;
    }
    if (one.sockets.size >= maxSocketsPerImport) {
      socket.close(1013);
      return;
    }
    clearTimeout(one.linger);
    one.sockets.add(socket);
    if (one.last) sendImportFrame(socket, one.last);
    const pace: TokenBucket = { tokens: framesPerSocket.burst, filledAt: performance.now() };
    const tooFast = () => {
      const waitMs = takeTokens(pace, performance.now(), framesPerSocket);
      if (waitMs > 0) socket.close(1008);
      return waitMs > 0;
    };
    socket.on('ping', (data) => {
      if (!tooFast()) socket.pong(data);
    });
    socket.on('message', (data) => {
      if (tooFast()) return;
      const action = actionOf(data);
      if (action === 'pause') one.job.pause();
      else if (action === 'resume') one.job.resume();
      else if (action === 'cancel') one.job.cancel();
    });
    socket.on('close', () => {
      one.sockets.delete(socket);
      if (one.sockets.size === 0) running.linger(token, one);
    });
  };

  return {
    takes: (request) => tokenOf(request) !== undefined,

    async upgrade(request, socket, head) {
      const token = tokenOf(request) ?? '';
      const { origin } = request.headers;
      if (origin !== undefined && !origins.has(origin)) {
        throw createGatewayError('forbidden', 'origin_refused', 'This request did not come from a page of this site.');
      }
      // The user is unknown until the token is looked up, so the lookup is limited by address.
      await limits.consume('requestsPerAddress', context.addressOf(request));
      if (socket.destroyed) return;
      server.handleUpgrade(request, socket, head, (client) => {
        client.on('error', () => client.terminate());
        open(client, token).catch((error: unknown) => {
          log.warn({ err: error }, 'starting an import failed');
          sendImportFrame(client, createImportEndedFrame(toClientError(error).message));
          client.close(1011);
        });
      });
    },

    async stop() {
      await running.stop();
      server.close();
    },
  };
}

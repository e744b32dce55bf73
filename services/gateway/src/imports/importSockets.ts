import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { socketLimits } from '@nolo/rules';
import { WebSocketServer, type RawData, type WebSocket } from 'ws';
import { takeTokens, type Bucket } from '../domain/tokenBucket.ts';
import type { Edge } from '../edge.ts';
import { failGateway } from '../errors.ts';
import { toAppError } from '../http/errorReply.ts';
import { ImportJob, type ImportFrame } from './ImportJob.ts';

const { framesPerSocket } = socketLimits;

/** Imports under way in this process at once. */
const mostJobs = 16;
/** For how long an import goes on, or its outcome is kept, after its last socket is gone: lines break. */
const lingerMs = 30_000;
const mostFrameBytes = 4_096;
/** A client has one; another comes where a line broke and the server has not noticed yet. */
const mostSockets = 4;

interface Running {
  readonly job: ImportJob;
  readonly sockets: Set<WebSocket>;
  last: ImportFrame | undefined;
  linger: NodeJS.Timeout | undefined;
  over: boolean;
}

export interface ImportSockets {
  /** Whether an upgrade is for an import. */
  takes(request: IncomingMessage): boolean;
  /** @throws AppError where there is to be no socket. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void>;
  /** Cancels what is under way. */
  stop(): Promise<void>;
}

const pathForm = /^\/api\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

const tokenOf = ({ url = '' }: IncomingMessage) => pathForm.exec(url.split('?')[0] ?? '')?.[1];

/** What a client wants of an import; anything else is passed over, as companion servers do. */
function actionOf(data: RawData): string | undefined {
  try {
    const frame = JSON.parse(String(data as Buffer)) as { action?: unknown } | null;
    return typeof frame?.action === 'string' ? frame.action : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The sockets at `/api/{token}`, in the protocol of companion servers: the first one begins the import, and all of them
 * are told how it goes. The token is the permission; a page elsewhere cannot use one all the same.
 */
export function createImportSockets(edge: Edge): ImportSockets {
  const { imports, sharedFiles, origins, clock, limits, log } = edge;
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: mostFrameBytes,
    maxFragments: 4,
    perMessageDeflate: false,
    autoPong: false,
  });
  const running = new Map<string, Running>();
  const underWay = new Set<Promise<void>>();

  const send = (socket: WebSocket, frame: ImportFrame) => {
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(frame));
  };
  const over = (message: string): ImportFrame => ({
    action: 'error',
    payload: { error: { name: 'ImportError', message, code: 'import_over' } },
  });

  const begin = async (token: string): Promise<Running | ImportFrame> => {
    if (!imports) return over('Files are not imported here.');
    const order = await imports.orders.take(token);
    if (!order) return over('This import is over, or was never begun.');
    if (running.size >= mostJobs) return over('Too many files are being imported. Try again later.');
    const one: Running = {
      job: new ImportJob({
        order,
        fetchFile: imports.fetchFile,
        files: sharedFiles,
        now: () => clock.now().getTime(),
        tell: (frame) => {
          one.last = frame;
          for (const socket of one.sockets) send(socket, frame);
        },
      }),
      sockets: new Set(),
      last: undefined,
      linger: undefined,
      over: false,
    };
    running.set(token, one);
    const work = one.job.run().finally(() => {
      underWay.delete(work);
      one.over = true;
      linger(token, one);
    });
    underWay.add(work);
    return one;
  };

  const linger = (token: string, one: Running) => {
    clearTimeout(one.linger);
    one.linger = setTimeout(() => {
      if (one.sockets.size > 0 && !one.over) return;
      one.job.cancel();
      for (const socket of one.sockets) socket.close(1000);
      running.delete(token);
    }, lingerMs).unref();
  };

  const open = async (socket: WebSocket, token: string) => {
    const one = running.get(token) ?? (await begin(token));
    if ('action' in one) {
      send(socket, one);
      socket.close(1000);
      return;
    }
    if (one.sockets.size >= mostSockets) {
      socket.close(1013);
      return;
    }
    clearTimeout(one.linger);
    one.sockets.add(socket);
    if (one.last) send(socket, one.last);
    const pace: Bucket = { tokens: framesPerSocket.burst, filledAt: performance.now() };
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
      if (one.sockets.size === 0) linger(token, one);
    });
  };

  return {
    takes: (request) => tokenOf(request) !== undefined,

    async upgrade(request, socket, head) {
      const token = tokenOf(request) ?? '';
      const { origin } = request.headers;
      if (origin !== undefined && !origins.has(origin)) {
        throw failGateway('forbidden', 'origin_refused', 'This request did not come from a page of this site.');
      }
      // Whose it is nobody knows before the token is looked up, and looking up is what is limited.
      await limits.consume('requestsPerAddress', edge.addressOf(request));
      if (socket.destroyed) return;
      server.handleUpgrade(request, socket, head, (client) => {
        client.on('error', () => client.terminate());
        open(client, token).catch((error: unknown) => {
          log.warn({ err: error }, 'an import could not begin');
          send(client, over(toAppError(error).message));
          client.close(1011);
        });
      });
    },

    async stop() {
      for (const one of running.values()) {
        clearTimeout(one.linger);
        one.job.cancel();
        for (const socket of one.sockets) socket.terminate();
      }
      await Promise.all(underWay);
      server.close();
    },
  };
}

import type { WebSocket } from 'ws';
import type { Clients } from '../clients.ts';
import type { HttpContext } from '../http/httpContext.ts';
import type { FetchFile } from './fetchFile.ts';
import { FileImport, type FileImportFrame } from './FileImport.ts';
import type { PendingFileImportStore } from './pendingFileImportStore.ts';

/** Tools for imports of files from links. */
export interface ImportTools {
  readonly fetchFile: FetchFile;
  readonly orders: PendingFileImportStore;
  readonly portAllowed: (port: number) => boolean;
}

/** Part of the gateway's context that imports use. */
export type ImportContext = Pick<HttpContext, 'clock'> &
  Pick<Clients, 'sharedFiles'> & { readonly imports: ImportTools };

/** Maximum concurrent imports in this process. */
const maxConcurrentImports = 16;
/**
 * Time that an import continues, or its outcome is retained, after its last socket closes. Allows for broken
 * connections.
 */
const lingerMs = 30_000;
/** Import in progress, or finished with its outcome retained. */
export interface RunningImport {
  readonly job: FileImport;
  readonly sockets: Set<WebSocket>;
  last: FileImportFrame | undefined;
  linger: NodeJS.Timeout | undefined;
  over: boolean;
}

export function sendImportFrame(socket: WebSocket, frame: FileImportFrame): void {
  if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(frame));
}

export const createImportEndedFrame = (message: string): FileImportFrame => ({
  action: 'error',
  payload: { error: { name: 'ImportError', message, code: 'import_over' } },
});

/** Manages the imports of this process. Each continues for a while after its last socket closes. */
export function createRunningImports({ imports, sharedFiles, clock }: ImportContext) {
  const running = new Map<string, RunningImport>();
  const underWay = new Set<Promise<void>>();

  const begin = async (token: string): Promise<RunningImport | FileImportFrame> => {
    if (!imports) return createImportEndedFrame('File imports are not available here.');
    const order = await imports.orders.take(token);
    if (!order) return createImportEndedFrame('This import has ended or was never started.');
    if (running.size >= maxConcurrentImports)
      return createImportEndedFrame('Too many files are being imported. Try again later.');
    const one: RunningImport = {
      job: new FileImport({
        order,
        fetchFile: imports.fetchFile,
        files: sharedFiles,
        now: () => clock.now().getTime(),
        broadcast: (frame) => {
          one.last = frame;
          for (const socket of one.sockets) sendImportFrame(socket, frame);
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

  const linger = (token: string, one: RunningImport) => {
    clearTimeout(one.linger);
    one.linger = setTimeout(() => {
      if (one.sockets.size > 0 && !one.over) return;
      one.job.cancel();
      for (const socket of one.sockets) socket.close(1000);
      running.delete(token);
    }, lingerMs).unref();
  };

  return {
    /** Returns the import of a token, starting it if necessary, or an error frame that explains the refusal. */
    join: async (token: string) => running.get(token) ?? (await begin(token)),
    linger,
    async stop(): Promise<void> {
      for (const one of running.values()) {
        clearTimeout(one.linger);
        one.job.cancel();
        for (const socket of one.sockets) socket.terminate();
      }
      await Promise.all(underWay);
    },
  };
}

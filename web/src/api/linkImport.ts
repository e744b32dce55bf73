import type { StoredFile, RouteReply } from '@nolo/api';
import { routes } from '@nolo/api';
import type { ImportTask, RunningUpload } from '@nolo/client/ports';
import { call } from './httpClient.ts';
import { ApiError } from './request.ts';

export type LinkMeta = RouteReply<typeof routes.getLinkMeta>;

/** Frames of an import's socket, in the protocol of companion servers. */
type ImportFrame =
  | { action: 'progress'; payload: { bytesUploaded: number; bytesTotal: number } }
  | { action: 'success'; payload: { response: { body: StoredFile } } }
  | { action: 'error'; payload: { error: { message: string; code?: string } } };

/**
 * Delays before reconnecting after a lost connection (spec section 9), in milliseconds; the import continues meanwhile.
 */
const retryDelaysMs = [0, 1_000, 3_000, 5_000];

/**
 * Milliseconds of silence after which a connection is dead: the server reports a stalled import after half a minute.
 */
const silenceMs = 60_000;

/** Errors that may pass: the server is overloaded, or has restarted and lost the import. */
const passingCodes: ReadonlySet<string> = new Set([
  'import_over',
  'pictures_busy',
  'storage_full',
  'storage_unavailable',
]);

/** Returns the server's view of what is behind an address. */
export function fetchLinkMeta(url: string, signal: AbortSignal): Promise<LinkMeta> {
  return call(routes.getLinkMeta, { body: { url }, signal });
}

function socketAddress(token: string): URL {
  const url = new URL(`/api/${token}`, location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return url;
}

const offlineError = () => new ApiError(0, {}, 'Network error. Please try again.');

function errorOf({ message, code }: { message: string; code?: string }): ApiError {
  const status = code !== undefined && passingCodes.has(code) ? 503 : 400;
  return new ApiError(status, { message, ...(code !== undefined && { code }) }, message);
}

/** Follows one import to its end, even if the connection is lost for a while. */
class FollowedImport implements RunningUpload {
  readonly done: Promise<StoredFile>;
  readonly #task: ImportTask;
  readonly #ended = new AbortController();
  #resolve: (file: StoredFile) => void = () => {};
  #reject: (reason: unknown) => void = () => {};
  #token = '';
  #socket: WebSocket | undefined;
  #failures = 0;
  #paused = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #silence: ReturnType<typeof setTimeout> | undefined;

  constructor(task: ImportTask) {
    this.#task = task;
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    void this.#begin();
  }

  pause(): void {
    this.#paused = true;
    this.#sendAction('pause');
  }

  resume(): void {
    this.#paused = false;
    this.#sendAction('resume');
  }

  cancel(): void {
    if (this.#ended.signal.aborted) return;
    this.#sendAction('cancel');
    this.#end(() => this.#reject(new DOMException('The import was cancelled.', 'AbortError')));
  }

  async #begin(): Promise<void> {
    const { link, name, size } = this.#task;
    const body = {
      url: link,
      protocol: 's3-multipart',
      size: size === 0 ? null : size,
      metadata: name === '' ? {} : { name },
    };
    try {
      ({ token: this.#token } = await call(routes.importLink, { body, signal: this.#ended.signal }));
      this.#open();
    } catch (error) {
      this.#end(() => this.#reject(error));
    }
  }

  readonly #online = (): void => {
    this.#failures = 0;
    this.#task.onStall(false);
    this.#open();
  };

  #open(): void {
    if (this.#ended.signal.aborted) return;
    const socket = new WebSocket(socketAddress(this.#token));
    this.#socket = socket;
    this.#listen();
    socket.addEventListener('open', () => {
      if (this.#paused) this.#sendAction('pause');
    });
    socket.addEventListener('message', ({ data }) => {
      if (socket !== this.#socket || typeof data !== 'string') return;
      this.#failures = 0;
      this.#listen();
      this.#take(JSON.parse(data) as ImportFrame);
    });
    socket.addEventListener('close', () => {
      if (socket === this.#socket) this.#broke();
    });
  }

  /** A dead connection may not report itself. */
  #listen(): void {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => {
      if (this.#paused) return this.#listen();
      const dead = this.#socket;
      this.#broke();
      dead?.close();
    }, silenceMs);
  }

  #broke(): void {
    clearTimeout(this.#silence);
    this.#socket = undefined;
    if (this.#ended.signal.aborted) return;
    if (!navigator.onLine) {
      this.#task.onStall(true);
      addEventListener('online', this.#online, { once: true });
      return;
    }
    const delay = retryDelaysMs[this.#failures];
    this.#failures += 1;
    if (delay === undefined) this.#end(() => this.#reject(offlineError()));
    else this.#timer = setTimeout(() => this.#open(), delay);
  }

  #take(frame: ImportFrame): void {
    if (frame.action === 'progress') {
      const { bytesUploaded, bytesTotal } = frame.payload;
      this.#task.onProgress(bytesUploaded, bytesTotal > 0 ? bytesTotal : null);
    } else if (frame.action === 'success') {
      this.#end(() => this.#resolve(frame.payload.response.body));
    } else {
      this.#end(() => this.#reject(errorOf(frame.payload.error)));
    }
  }

  #sendAction(action: 'pause' | 'resume' | 'cancel'): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify({ action }));
  }

  #end(settle: () => void): void {
    if (this.#ended.signal.aborted) return;
    const socket = this.#socket;
    this.#socket = undefined;
    clearTimeout(this.#timer);
    clearTimeout(this.#silence);
    removeEventListener('online', this.#online);
    settle();
    this.#ended.abort();
    socket?.close();
  }
}

/** Makes the server fetch an address and store it as the user's file. Canceling also stops it there. */
export function importFileFromLink(task: ImportTask): RunningUpload {
  return new FollowedImport(task);
}

import type { File as StoredFile, Reply } from '@nolo/api';
import { routes } from '@nolo/api';
import type { ImportTask, RunningUpload } from './ports.ts';
import { call } from './httpClient.ts';
import { ApiError } from './request.ts';

export type LinkMeta = Reply<typeof routes.getLinkMeta>;

/** What an import's socket tells, in the words of companion servers. */
type ImportFrame =
  | { action: 'progress'; payload: { bytesUploaded: number; bytesTotal: number } }
  | { action: 'success'; payload: { response: { body: StoredFile } } }
  | { action: 'error'; payload: { error: { message: string; code?: string } } };

/** A line that broke is tried again after so long (spec section 9); the import goes on meanwhile. */
const retryDelaysMs = [0, 1_000, 3_000, 5_000];

/** The server tells of an import that stands still after half a minute, so a line that says nothing for longer is dead. */
const silenceMs = 60_000;

/** What may be different the next time: the server has too much to do, or restarted and knows nothing of it any more. */
const passingCodes: ReadonlySet<string> = new Set([
  'import_over',
  'pictures_busy',
  'storage_full',
  'storage_unavailable',
]);

/** What is behind an address, as the server sees it. */
export function lookAtLink(url: string, signal: AbortSignal): Promise<LinkMeta> {
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

/** Follows one import to its end, also over a line that breaks and is away for a while. */
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
    this.#say('pause');
  }

  resume(): void {
    this.#paused = false;
    this.#say('resume');
  }

  cancel(): void {
    if (this.#ended.signal.aborted) return;
    this.#say('cancel');
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
      if (this.#paused) this.#say('pause');
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

  /** A line may be dead without saying so. */
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

  #say(action: 'pause' | 'resume' | 'cancel'): void {
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

/** Has the server fetch what is behind an address and keep it as a file of one's own. Cancelling gives it up there too. */
export function importLink(task: ImportTask): RunningUpload {
  return new FollowedImport(task);
}

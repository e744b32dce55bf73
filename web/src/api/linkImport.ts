import type { File as StoredFile, Reply } from '@nolo/api';
import { routes } from '@nolo/api';
import { call } from './httpClient.ts';
import { ApiError } from './request.ts';

export type LinkMeta = Reply<typeof routes.getLinkMeta>;

/** What an import's socket tells, in the words of companion servers. */
type ImportFrame =
  | { action: 'progress'; payload: { bytesUploaded: number; bytesTotal: number } }
  | { action: 'success'; payload: { response: { body: StoredFile } } }
  | { action: 'error'; payload: { error: { message: string; code?: string } } };

/** Bytes that have come; of how many is null where the other side does not say. */
export interface ImportProgress {
  readonly came: number;
  readonly total: number | null;
}

/** A line that broke is tried again after so long; the import goes on meanwhile. */
const retryDelaysMs = [0, 1_000, 3_000, 5_000];

/** What is behind an address, as the server sees it. */
export function lookAtLink(url: string, signal: AbortSignal): Promise<LinkMeta> {
  return call(routes.getLinkMeta, { body: { url }, signal });
}

function socketAddress(token: string): URL {
  const url = new URL(`/api/${token}`, location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return url;
}

/** Follows an import to its end, also over a line that breaks. */
function follow(
  token: string,
  onProgress: (progress: ImportProgress) => void,
  signal: AbortSignal,
): Promise<StoredFile> {
  return new Promise((resolve, reject) => {
    let failures = 0;
    let socket: WebSocket | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let over = false;
    const end = (settle: () => void): void => {
      over = true;
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
      settle();
      socket?.close();
    };
    function cancel(): void {
      if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ action: 'cancel' }));
      end(() => reject(signal.reason as Error));
    }
    const open = (): void => {
      const opened = new WebSocket(socketAddress(token));
      socket = opened;
      opened.addEventListener('message', ({ data }) => {
        failures = 0;
        if (over || typeof data !== 'string') return;
        const frame = JSON.parse(data) as ImportFrame;
        if (frame.action === 'progress') {
          const { bytesUploaded, bytesTotal } = frame.payload;
          onProgress({ came: bytesUploaded, total: bytesTotal > 0 ? bytesTotal : null });
        } else if (frame.action === 'success') {
          end(() => resolve(frame.payload.response.body));
        } else {
          const { message, code } = frame.payload.error;
          end(() => reject(new ApiError(400, { message, ...(code !== undefined && { code }) }, message)));
        }
      });
      opened.addEventListener('close', () => {
        if (over) return;
        const delay = retryDelaysMs[failures];
        failures += 1;
        if (delay === undefined) end(() => reject(new ApiError(0, {}, 'Network error. Please try again.')));
        else timer = setTimeout(open, delay);
      });
    };
    signal.addEventListener('abort', cancel);
    open();
  });
}

/** Has the server fetch what is behind an address and keep it as a file of one's own. Aborting gives it up there too. */
export async function importLink(
  url: string,
  { name, size }: Pick<LinkMeta, 'name' | 'size'>,
  onProgress: (progress: ImportProgress) => void,
  signal: AbortSignal,
): Promise<StoredFile> {
  const body = { url, protocol: 's3-multipart', size, metadata: { name } };
  const { token } = await call(routes.importLink, { body, signal });
  signal.throwIfAborted();
  return follow(token, onProgress, signal);
}

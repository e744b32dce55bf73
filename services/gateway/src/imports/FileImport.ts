import { isAppError } from '@nolo/kit/errors';
import type { RpcClient } from '@nolo/kit/rpc';
import type { SharedFileServiceDefinition } from '@nolo/proto/sharedFiles';
import { limits } from '@nolo/rules';
import { toStoreFileRequests } from '../http/readIncomingBytes.ts';
import { toObjectPath, toFile } from '../mapping/files.ts';
import type { FetchFile } from './fetchFile.ts';

/** Import request and the user it belongs to. */
export interface FileImportRequest {
  readonly userId: string;
  readonly url: string;
  /** File name requested by the client. Empty: taken from the address. */
  readonly name: string;
  /** Empty if the client does not specify it. */
  readonly kind: string;
}

/** Frames of an import socket, in the protocol of companion servers. */
export type FileImportFrame =
  | { action: 'progress'; payload: { progress: string; bytesUploaded: number; bytesTotal: number } }
  | {
      action: 'success';
      payload: { url: string; complete: true; bytesUploaded: number; response: { status: 200; body: unknown } };
    }
  | { action: 'error'; payload: { error: { name: string; message: string; code: string } } };

/** Total time limit of an import, and the time limit without progress. */
const importTimeoutMs = 600_000;
const stalledMs = 30_000;

export interface FileImportOptions {
  order: FileImportRequest;
  fetchFile: FetchFile;
  files: Pick<RpcClient<typeof SharedFileServiceDefinition>, 'storeFile'>;
  broadcast: (frame: FileImportFrame) => void;
  now: () => number;
}

/** Transfers one file from a third-party server into the files service. Can be paused and resumed. */
export class FileImport {
  readonly #options: FileImportOptions;
  readonly #ended = new AbortController();
  #held: PromiseWithResolvers<void> | undefined;
  #stall: NodeJS.Timeout | undefined;
  #progressSentAt = -Infinity;
  #came = 0;
  #total = 0;

  constructor(options: FileImportOptions) {
    this.#options = options;
  }

  /** Resolves when the import ends, whatever the outcome. Canceled imports report nothing. */
  async run(): Promise<void> {
    const { order, fetchFile, files, broadcast } = this.#options;
    const signal = AbortSignal.any([this.#ended.signal, AbortSignal.timeout(importTimeoutMs)]);
    try {
      this.#watch();
      const { name, type, size, remote } = await fetchFile(order.url, signal);
      this.#total = size ?? 0;
      const header = {
        actorId: order.userId,
        name: order.name === '' ? name : order.name,
        contentType: type,
        kind: order.kind,
        size: size ?? 0,
        multipart: false,
      };
      const bytes = this.#counted(remote.body);
      try {
        const row = await files.storeFile(toStoreFileRequests(header, bytes), { signal, timeoutMs: importTimeoutMs });
        const payload = { url: toObjectPath(row.id), complete: true, bytesUploaded: this.#came } as const;
        broadcast({ action: 'success', payload: { ...payload, response: { status: 200, body: toFile(row) } } });
      } finally {
        remote.close();
      }
    } catch (error) {
      if (!this.#ended.signal.aborted || this.#ended.signal.reason === 'stalled') this.#broadcastError(error);
    } finally {
      clearTimeout(this.#stall);
      this.#held?.resolve();
    }
  }

  pause(): void {
    this.#held ??= Promise.withResolvers<void>();
    clearTimeout(this.#stall);
  }

  resume(): void {
    this.#held?.resolve();
    this.#held = undefined;
    this.#watch();
  }

  cancel(): void {
    this.#ended.abort('cancelled');
    this.#held?.resolve();
  }

  async *#counted(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of body) {
      // Reading stops while paused, so the remote server waits too.
      await this.#held?.promise;
      // Ending without an error would mark the file as complete.
      if (this.#ended.signal.aborted) throw new Error('The import was stopped.');
      this.#watch();
      this.#came += chunk.length;
      this.#broadcastProgress();
      yield chunk;
    }
  }

  #watch(): void {
    clearTimeout(this.#stall);
    this.#stall = setTimeout(() => this.#ended.abort('stalled'), stalledMs).unref();
  }

  #broadcastProgress(): void {
    const { broadcast, now } = this.#options;
    if (now() - this.#progressSentAt < limits.uploadProgressMs) return;
    this.#progressSentAt = now();
    const share = this.#total === 0 ? 0 : Math.min(100, (this.#came / this.#total) * 100);
    broadcast({
      action: 'progress',
      payload: { progress: share.toFixed(2), bytesUploaded: this.#came, bytesTotal: this.#total },
    });
  }

  #broadcastError(error: unknown): void {
    const known = isAppError(error) && error.kind !== 'internal';
    const code = known ? error.code : 'import_failed';
    const message = known ? error.message : 'The file could not be imported.';
    this.#options.broadcast({ action: 'error', payload: { error: { name: 'ImportError', message, code } } });
  }
}

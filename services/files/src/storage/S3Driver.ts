import type { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListPartsCommand,
  NoSuchKey,
  NoSuchUpload,
  NotFound,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { Secret } from '@nolo/kit/config';
import { isAppError } from '@nolo/kit/errors';
import type { DirectAddress, PartsTarget, StorageDriver, StorageKey } from '../domain/ports.ts';
import type { Span } from '../domain/ranges.ts';
import type { UploadedPart } from '../domain/sharedPorts.ts';
import { storageUnavailable } from '../errors.ts';
import { inPieces, streamOf } from './pieces.ts';

export interface S3Options {
  bucket: string;
  region: string;
  /** Absent for Amazon's own. */
  endpoint: string | undefined;
  /** The same server as browsers reach it; absent where bytes come through us. */
  publicEndpoint: string | undefined;
  accessKeyId: string;
  secretAccessKey: Secret;
  pathStyle: boolean;
}

/** What comes without a length is sent in pieces of this size, so that as much is held in memory. */
const pieceBytes = 8 * 1024 * 1024;

/** Milliseconds until a server that does not answer, or stands still, is given up. */
const connectionTimeout = 5_000;
const socketTimeout = 120_000;

/** What goes wrong is thrown; the client would write it to the console besides. */
const ignore = () => undefined;
const silent = { debug: ignore, info: ignore, warn: ignore, error: ignore };

function clientFor(options: S3Options, endpoint: string | undefined): S3Client {
  return new S3Client({
    region: options.region,
    ...(endpoint === undefined ? {} : { endpoint }),
    forcePathStyle: options.pathStyle,
    credentials: { accessKeyId: options.accessKeyId, secretAccessKey: options.secretAccessKey.reveal() },
    // Servers other than Amazon's know neither the trailers nor the checksums that the client adds by itself.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 3,
    requestHandler: { connectionTimeout, socketTimeout },
    logger: silent,
  });
}

function isMissing(error: unknown): boolean {
  return error instanceof NoSuchKey || error instanceof NotFound || error instanceof NoSuchUpload;
}

/** Any S3-compatible server. What makes it a service of its own (versions, lifecycle) is the operator's. */
export class S3Driver implements StorageDriver {
  readonly #bucket: string;
  readonly #client: S3Client;
  /** Signs for the name by which browsers know the server, as the name is part of what is signed. */
  readonly #signer: S3Client | undefined;

  constructor(options: S3Options) {
    this.#bucket = options.bucket;
    this.#client = clientFor(options, options.endpoint);
    this.#signer = options.publicEndpoint === undefined ? undefined : clientFor(options, options.publicEndpoint);
  }

  /** Ends connections. */
  close(): void {
    this.#client.destroy();
    this.#signer?.destroy();
  }

  async put(key: StorageKey, bytes: AsyncIterable<Uint8Array>): Promise<number> {
    const pieces = inPieces(bytes, pieceBytes)[Symbol.asyncIterator]();
    const first = await pieces.next();
    const body = first.done === true ? new Uint8Array() : first.value;
    const second = body.length < pieceBytes ? undefined : await pieces.next();
    if (second === undefined || second.done === true) {
      await this.#send(() => this.#client.send(new PutObjectCommand({ ...this.#place(key), Body: body })));
      return body.length;
    }
    const target = { key, storageUploadId: await this.beginParts(key) };
    try {
      const parts: UploadedPart[] = [];
      const send = async (piece: Uint8Array) => parts.push(await this.#putPiece(target, parts.length + 1, piece));
      await send(body);
      await send(second.value);
      for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) await send(next.value);
      await this.completeParts(target, parts);
      return parts.reduce((sum, { size }) => sum + size, 0);
    } catch (error) {
      await this.abandonParts(target);
      throw error;
    }
  }

  async get(key: StorageKey, span?: Span): Promise<AsyncIterable<Uint8Array> | undefined> {
    // A range of nothing cannot be asked for.
    if (span && span.end < span.start) return (await this.size(key)) === undefined ? undefined : inPieces([], 1);
    const range = span && { Range: `bytes=${span.start}-${span.end}` };
    const found = await this.#find(() => this.#client.send(new GetObjectCommand({ ...this.#place(key), ...range })));
    return found && inPieces(found.Body as Readable, 256 * 1024);
  }

  async size(key: StorageKey): Promise<number | undefined> {
    const found = await this.#find(() => this.#client.send(new HeadObjectCommand(this.#place(key))));
    return found && (found.ContentLength ?? 0);
  }

  async move(from: StorageKey, to: StorageKey): Promise<void> {
    const copied = await this.#find(() =>
      this.#client.send(new CopyObjectCommand({ ...this.#place(to), CopySource: `${this.#bucket}/${from}` })),
    );
    if (copied) await this.delete(from);
  }

  async delete(key: StorageKey): Promise<void> {
    await this.#find(() => this.#client.send(new DeleteObjectCommand(this.#place(key))));
  }

  /** Nothing of a put that broke off can be seen; uploads in parts are given up by their rows. */
  async clean(): Promise<void> {
    return Promise.resolve();
  }

  async beginParts(key: StorageKey): Promise<string> {
    const { UploadId } = await this.#send(() => this.#client.send(new CreateMultipartUploadCommand(this.#place(key))));
    if (UploadId === undefined) throw storageUnavailable(new Error('The storage began an upload without naming it.'));
    return UploadId;
  }

  async putPart(
    target: PartsTarget,
    number: number,
    size: number,
    bytes: AsyncIterable<Uint8Array>,
  ): Promise<UploadedPart> {
    const stream = streamOf(bytes);
    // The client would wait for the rest for ever.
    const broken = new AbortController();
    stream.once('error', () => broken.abort());
    const part = { ...this.#upload(target), PartNumber: number, Body: stream, ContentLength: size };
    try {
      const { ETag } = await this.#send(() =>
        this.#client.send(new UploadPartCommand(part), { abortSignal: broken.signal }),
      );
      return { number, size, etag: ETag ?? '' };
    } catch (error) {
      throw stream.errored ?? error;
    } finally {
      stream.destroy();
    }
  }

  async listParts(target: PartsTarget): Promise<UploadedPart[] | undefined> {
    const parts: UploadedPart[] = [];
    let marker: string | undefined;
    do {
      const page = await this.#find(() =>
        this.#client.send(new ListPartsCommand({ ...this.#upload(target), PartNumberMarker: marker })),
      );
      if (!page) return undefined;
      for (const { PartNumber = 0, Size = 0, ETag = '' } of page.Parts ?? []) {
        parts.push({ number: PartNumber, size: Size, etag: ETag });
      }
      marker = page.IsTruncated === true ? page.NextPartNumberMarker : undefined;
    } while (marker !== undefined);
    return parts;
  }

  async completeParts(target: PartsTarget, parts: readonly UploadedPart[]): Promise<void> {
    const Parts = parts.map(({ number, etag }) => ({ PartNumber: number, ETag: etag }));
    const done = await this.#find(() =>
      this.#client.send(new CompleteMultipartUploadCommand({ ...this.#upload(target), MultipartUpload: { Parts } })),
    );
    if (!done && (await this.size(target.key)) === undefined) {
      throw storageUnavailable(new Error('The storage knows neither the upload nor what became of it.'));
    }
  }

  async abandonParts(target: PartsTarget): Promise<void> {
    await this.#find(() => this.#client.send(new AbortMultipartUploadCommand(this.#upload(target))));
  }

  async addressOf(key: StorageKey, seconds: number): Promise<DirectAddress | undefined> {
    if (!this.#signer) return undefined;
    const command = new PutObjectCommand(this.#place(key));
    return { url: await getSignedUrl(this.#signer, command, { expiresIn: seconds }), headers: {} };
  }

  async addressOfPart(target: PartsTarget, number: number, seconds: number): Promise<DirectAddress | undefined> {
    if (!this.#signer) return undefined;
    const command = new UploadPartCommand({ ...this.#upload(target), PartNumber: number });
    return { url: await getSignedUrl(this.#signer, command, { expiresIn: seconds }), headers: {} };
  }

  async #putPiece(target: PartsTarget, number: number, piece: Uint8Array): Promise<UploadedPart> {
    const { ETag } = await this.#send(() =>
      this.#client.send(new UploadPartCommand({ ...this.#upload(target), PartNumber: number, Body: piece })),
    );
    return { number, size: piece.length, etag: ETag ?? '' };
  }

  #place(key: StorageKey) {
    return { Bucket: this.#bucket, Key: key };
  }

  #upload({ key, storageUploadId }: PartsTarget) {
    return { ...this.#place(key), UploadId: storageUploadId };
  }

  async #send<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      // What the sender of the bytes broke off with goes on as it is.
      throw isAppError(error) || isMissing(error) ? error : storageUnavailable(error);
    }
  }

  async #find<T>(ask: () => Promise<T>): Promise<T | undefined> {
    try {
      return await this.#send(ask);
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }
}

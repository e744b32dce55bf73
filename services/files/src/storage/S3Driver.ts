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
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { isAppError } from '@nolo/kit/errors';
import type { DirectUploadAddress, MultipartUploadTarget, StorageDriver, StorageKey } from '../domain/ports.ts';
import type { ByteSpan } from '../domain/ranges.ts';
import type { UploadedPart } from '../domain/sharedPorts.ts';
import { storageUnavailable } from '../errors.ts';
import { keepsBrokenParts } from './brokenParts.ts';
import { copyInPieces } from './copyInPieces.ts';
import { splitIntoPieces, toStream } from './pieces.ts';
import { createS3Client, isMissingObjectError, type S3Options } from './s3Client.ts';
import { readResumably } from './steadyReading.ts';

/** Piece size for data of unknown length, which is also the memory used. */
const pieceBytes = 8 * 1024 * 1024;

/** Piece size for copying large objects: in one step, a server would stay silent for minutes, or refuse. */
const copyPieceBytes = 512 * 1024 * 1024;

/** Stores bytes on any S3-compatible server. Features beyond storage (versions, lifecycle) are up to the operator. */
export class S3Driver implements StorageDriver {
  readonly #bucket: string;
  readonly #client: S3Client;
  /** Signs with the host name that browsers use, because the name is part of the signature. */
  readonly #signer: S3Client | undefined;
  readonly #copyPieceBytes: number;
  #distrusted: Promise<boolean> | undefined;

  constructor(options: S3Options) {
    this.#copyPieceBytes = options.copyPieceBytes ?? copyPieceBytes;
    this.#bucket = options.bucket;
    this.#client = createS3Client(options, options.endpoint);
    this.#signer = options.publicEndpoint === undefined ? undefined : createS3Client(options, options.publicEndpoint);
  }

  /** Client of the server, for callers that need other requests. */
  get client(): S3Client {
    return this.#client;
  }

  /** Closes connections. */
  close(): void {
    this.#client.destroy();
    this.#signer?.destroy();
  }

  async put(key: StorageKey, bytes: AsyncIterable<Uint8Array>): Promise<number> {
    const pieces = splitIntoPieces(bytes, pieceBytes)[Symbol.asyncIterator]();
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
      // The original error matters, not that the storage still does not respond.
      await this.abandonParts(target).catch(() => undefined);
      throw error;
    }
  }

  async get(key: StorageKey, span?: ByteSpan): Promise<AsyncIterable<Uint8Array> | undefined> {
    // An empty range cannot be requested.
    if (span && span.end < span.start) return (await this.size(key)) === undefined ? undefined : splitIntoPieces([], 1);
    const read = async (wanted: ByteSpan | undefined, etag?: string) => {
      const Range = wanted && `bytes=${wanted.start}-${wanted.end}`;
      const command = new GetObjectCommand({ ...this.#place(key), Range, IfMatch: etag });
      return this.#find(() => this.#client.send(command));
    };
    const found = await read(span);
    if (!found) return undefined;
    const start = span?.start ?? 0;
    const whole = { start, end: start + (found.ContentLength ?? 0) - 1 };
    // Continues with the same bytes, or not at all.
    const goOn = async (rest: ByteSpan) => (await read(rest, found.ETag))?.Body as Readable | undefined;
    return splitIntoPieces(readResumably(found.Body as Readable, whole, goOn), 256 * 1024);
  }

  async size(key: StorageKey): Promise<number | undefined> {
    const found = await this.#find(() => this.#client.send(new HeadObjectCommand(this.#place(key))));
    return found && (found.ContentLength ?? 0);
  }

  async move(from: StorageKey, to: StorageKey): Promise<void> {
    const found = await this.#find(() => this.#client.send(new HeadObjectCommand(this.#place(from))));
    if (!found) return;
    const [size, etag] = [found.ContentLength ?? 0, found.ETag];
    const copied = await this.#find(async () => {
      if (size <= this.#copyPieceBytes || etag === undefined) {
        const CopySource = `${this.#bucket}/${from}`;
        await this.#client.send(new CopyObjectCommand({ ...this.#place(to), CopySource }));
      } else {
        await copyInPieces(this.#client, { bucket: this.#bucket, from, to, size, etag }, this.#copyPieceBytes);
      }
      return true;
    });
    if (copied) await this.delete(from);
  }

  async delete(key: StorageKey): Promise<void> {
    await this.#find(() => this.#client.send(new DeleteObjectCommand(this.#place(key))));
  }

  /** Does nothing: interrupted puts are invisible, and multipart uploads are discarded through their rows. */
  async clean(): Promise<void> {
    return Promise.resolve();
  }

  async beginParts(key: StorageKey): Promise<string> {
    const { UploadId } = await this.#send(() => this.#client.send(new CreateMultipartUploadCommand(this.#place(key))));
    if (UploadId === undefined)
      throw storageUnavailable(new Error('The storage started an upload without returning its id.'));
    return UploadId;
  }

  async putPart(
    target: MultipartUploadTarget,
    number: number,
    size: number,
    bytes: AsyncIterable<Uint8Array>,
  ): Promise<UploadedPart> {
    const broken = new AbortController();
    const over = Promise.withResolvers<void>();
    let cause: unknown;
    // An interruption aborts the request because the client would wait forever for the rest. The stream itself does not
    // see the error: the client wraps it in its own stream, whose errors nobody handles.
    const steady = async function* () {
      try {
        yield* bytes;
      } catch (error) {
        cause = error;
        broken.abort();
        await over.promise;
      }
    };
    const stream = toStream(steady());
    // If the server accepts incomplete parts, a trailing checksum marks the end of a part.
    const ended = (await this.keepsBrokenParts()) ? ({ ChecksumAlgorithm: 'CRC32' } as const) : {};
    const part = { ...this.#upload(target), PartNumber: number, Body: stream, ContentLength: size, ...ended };
    try {
      const { ETag } = await this.#send(() =>
        this.#client.send(new UploadPartCommand(part), { abortSignal: broken.signal }),
      );
      return { number, size, etag: ETag ?? '' };
    } catch (error) {
      throw cause ?? error;
    } finally {
      stream.destroy();
      over.resolve();
    }
  }

  async listParts(target: MultipartUploadTarget): Promise<UploadedPart[] | undefined> {
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

  async completeParts(target: MultipartUploadTarget, parts: readonly UploadedPart[]): Promise<void> {
    const Parts = parts.map(({ number, etag }) => ({ PartNumber: number, ETag: etag }));
    const done = await this.#find(() =>
      this.#client.send(new CompleteMultipartUploadCommand({ ...this.#upload(target), MultipartUpload: { Parts } })),
    );
    if (!done && (await this.size(target.key)) === undefined) {
      throw storageUnavailable(new Error('The storage knows neither the upload nor its outcome.'));
    }
  }

  async abandonParts(target: MultipartUploadTarget): Promise<void> {
    await this.#find(() => this.#client.send(new AbortMultipartUploadCommand(this.#upload(target))));
  }

  /** Returns true if the server accepts incomplete parts. The result is cached; a failed check is repeated. */
  async keepsBrokenParts(): Promise<boolean> {
    this.#distrusted ??= keepsBrokenParts(this.#client, this.#bucket);
    try {
      return await this.#distrusted;
    } catch (error) {
      this.#distrusted = undefined;
      throw storageUnavailable(error);
    }
  }

  async addressOf(key: StorageKey, seconds: number): Promise<DirectUploadAddress | undefined> {
    if (!this.#signer) return undefined;
    const command = new PutObjectCommand(this.#place(key));
    return { url: await getSignedUrl(this.#signer, command, { expiresIn: seconds }), headers: {} };
  }

  async addressOfPart(
    target: MultipartUploadTarget,
    number: number,
    seconds: number,
  ): Promise<DirectUploadAddress | undefined> {
    // A browser cannot send a trailing checksum, so an interrupted part would be treated as complete when the upload
    // resumes.
    if (!this.#signer || (await this.keepsBrokenParts())) return undefined;
    const command = new UploadPartCommand({ ...this.#upload(target), PartNumber: number });
    return { url: await getSignedUrl(this.#signer, command, { expiresIn: seconds }), headers: {} };
  }

  async #putPiece(target: MultipartUploadTarget, number: number, piece: Uint8Array): Promise<UploadedPart> {
    const { ETag } = await this.#send(() =>
      this.#client.send(new UploadPartCommand({ ...this.#upload(target), PartNumber: number, Body: piece })),
    );
    return { number, size: piece.length, etag: ETag ?? '' };
  }

  #place(key: StorageKey) {
    return { Bucket: this.#bucket, Key: key };
  }

  #upload({ key, storageUploadId }: MultipartUploadTarget) {
    return { ...this.#place(key), UploadId: storageUploadId };
  }

  async #send<T>(request: () => Promise<T>): Promise<T> {
    try {
      return await request();
    } catch (error) {
      // An error from the sender of the bytes is passed on unchanged.
      throw isAppError(error) || isMissingObjectError(error) ? error : storageUnavailable(error);
    }
  }

  async #find<T>(request: () => Promise<T>): Promise<T | undefined> {
    try {
      return await this.#send(request);
    } catch (error) {
      if (isMissingObjectError(error)) return undefined;
      throw error;
    }
  }
}

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
import type { DirectAddress, PartsTarget, StorageDriver, StorageKey } from '../domain/ports.ts';
import type { Span } from '../domain/ranges.ts';
import type { UploadedPart } from '../domain/sharedPorts.ts';
import { storageUnavailable } from '../errors.ts';
import { keepsBrokenParts } from './brokenParts.ts';
import { copyInPieces } from './copyInPieces.ts';
import { inPieces, streamOf } from './pieces.ts';
import { clientFor, isMissing, type S3Options } from './s3Client.ts';
import { steadily } from './steadyReading.ts';

/** What comes without a length is sent in pieces of this size, so that as much is held in memory. */
const pieceBytes = 8 * 1024 * 1024;

/** Larger objects are copied in pieces: at once, a server would say nothing for minutes, or refuse. */
const copyPieceBytes = 512 * 1024 * 1024;

/** Any S3-compatible server. What makes it a service of its own (versions, lifecycle) is the operator's. */
export class S3Driver implements StorageDriver {
  readonly #bucket: string;
  readonly #client: S3Client;
  /** Signs for the name by which browsers know the server, as the name is part of what is signed. */
  readonly #signer: S3Client | undefined;
  readonly #copyPieceBytes: number;
  #distrusted: Promise<boolean> | undefined;

  constructor(options: S3Options) {
    this.#copyPieceBytes = options.copyPieceBytes ?? copyPieceBytes;
    this.#bucket = options.bucket;
    this.#client = clientFor(options, options.endpoint);
    this.#signer = options.publicEndpoint === undefined ? undefined : clientFor(options, options.publicEndpoint);
  }

  /** What it speaks to the server with, for whoever has more to ask of it. */
  get client(): S3Client {
    return this.#client;
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
      // Why it failed is what counts, and not that the storage does not answer now either.
      await this.abandonParts(target).catch(() => undefined);
      throw error;
    }
  }

  async get(key: StorageKey, span?: Span): Promise<AsyncIterable<Uint8Array> | undefined> {
    // A range of nothing cannot be asked for.
    if (span && span.end < span.start) return (await this.size(key)) === undefined ? undefined : inPieces([], 1);
    const read = async (wanted: Span | undefined, etag?: string) => {
      const Range = wanted && `bytes=${wanted.start}-${wanted.end}`;
      const command = new GetObjectCommand({ ...this.#place(key), Range, IfMatch: etag });
      return this.#find(() => this.#client.send(command));
    };
    const found = await read(span);
    if (!found) return undefined;
    const start = span?.start ?? 0;
    const whole = { start, end: start + (found.ContentLength ?? 0) - 1 };
    // With the same bytes, or not at all.
    const goOn = async (rest: Span) => (await read(rest, found.ETag))?.Body as Readable | undefined;
    return inPieces(steadily(found.Body as Readable, whole, goOn), 256 * 1024);
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
    const broken = new AbortController();
    const over = Promise.withResolvers<void>();
    let cause: unknown;
    // What breaks off ends the request, for the client would wait for the rest for ever. Nor is the stream told of it: the
    // client puts one of its own around it, and nobody listens to that one's errors.
    const steady = async function* () {
      try {
        yield* bytes;
      } catch (error) {
        cause = error;
        broken.abort();
        await over.promise;
      }
    };
    const stream = streamOf(steady());
    // Where half a part passes for a whole one, it says at its end that it has come to it.
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

  /** Whether the server does; it is asked once. One that was away is asked again. */
  async keepsBrokenParts(): Promise<boolean> {
    this.#distrusted ??= keepsBrokenParts(this.#client, this.#bucket);
    try {
      return await this.#distrusted;
    } catch (error) {
      this.#distrusted = undefined;
      throw storageUnavailable(error);
    }
  }

  async addressOf(key: StorageKey, seconds: number): Promise<DirectAddress | undefined> {
    if (!this.#signer) return undefined;
    const command = new PutObjectCommand(this.#place(key));
    return { url: await getSignedUrl(this.#signer, command, { expiresIn: seconds }), headers: {} };
  }

  async addressOfPart(target: PartsTarget, number: number, seconds: number): Promise<DirectAddress | undefined> {
    // A browser cannot say so at the end, and what it broke off would be taken for whole when the upload goes on.
    if (!this.#signer || (await this.keepsBrokenParts())) return undefined;
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

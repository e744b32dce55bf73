import type { ConversationId, FileId, UploadId, UserId } from '@nolo/kit/ids';
import type { IncomingKey } from './incoming.ts';
import type { PictureShape, PicturePurpose } from './purposes.ts';
import type { ByteSpan } from './ranges.ts';
import type { UploadedPart } from './sharedPorts.ts';

export interface StoredPictureUpload {
  id: UploadId;
  ownerId: UserId;
  purpose: PicturePurpose;
  /** State. finished once an object was created from it; its bytes are gone then. */
  state: 'pending' | 'finished';
  /** Object created from it. */
  objectId: FileId | undefined;
  createdAt: Date;
  /** Time when its URL stops working. */
  expiresAt: Date;
}

/** Account, or the group whose picture it is. */
export type OwnerId = UserId | ConversationId;

export interface PictureObject {
  id: FileId;
  ownerId: OwnerId;
  purpose: PicturePurpose;
  contentType: string;
  /** Size in bytes. */
  size: number;
}

export interface PictureUploadStore {
  /**
   * Adds an upload unless its owner already has `maxPending` open ones at `upload.createdAt`.
   *
   * @returns undefined if it was added, otherwise when the first of them expires.
   */
  add(upload: StoredPictureUpload, maxPending: number): Promise<Date | undefined>;
  find(id: UploadId): Promise<StoredPictureUpload | undefined>;
  /** Deletes the row; the caller deletes the bytes. */
  remove(id: UploadId): Promise<void>;
  listOf(ownerId: UserId): Promise<UploadId[]>;
  /** Lists pending uploads created before `pendingBefore` and finished ones created before `finishedBefore`. */
  listStale(pendingBefore: Date, finishedBefore: Date, limit: number): Promise<UploadId[]>;
}

export interface PictureObjectStore {
  /** Records an object before its bytes are stored, so that a crash leaves no unknown bytes. */
  registerPending(object: PictureObject, at: Date): Promise<void>;
  /**
   * Commits in one transaction: the announced object becomes its owner's picture, a person's earlier one is discarded,
   * and the upload is finished. If the upload is already finished or gone, the announced object is discarded instead.
   *
   * @returns the object that the upload became, if any, and those whose bytes can be deleted.
   */
  commitPicture(uploadId: UploadId, objectId: FileId): Promise<{ objectId: FileId | undefined; givenUp: FileId[] }>;
  /** Returns an object if it is ready. */
  find(id: FileId): Promise<PictureObject | undefined>;
  /** Marks the owner's objects (all, or of one purpose) as discarded and returns them. */
  giveUp(ownerId: UserId, purpose?: PicturePurpose): Promise<FileId[]>;
  /** Marks one object of that purpose as discarded. */
  giveUpOne(id: FileId, purpose: PicturePurpose): Promise<FileId[]>;
  /** Deletes the row of a discarded object once its bytes are gone. */
  remove(id: FileId): Promise<void>;
  /** Lists discarded objects, and those announced before `createdBefore` that never became ready. */
  listLeftovers(createdBefore: Date, limit: number): Promise<FileId[]>;
}

/** Key of bytes in the storage. Built only from our own IDs, so no path comes from outside. */
export type StorageKey = `uploads/${string}` | `objects/${string}` | IncomingKey;

/** Multipart upload: the resulting object, and the storage's upload ID. */
export interface MultipartUploadTarget {
  readonly key: StorageKey;
  readonly storageUploadId: string;
}

/** URL to which a client uploads bytes directly. */
export interface DirectUploadAddress {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export const uploadKey = (id: UploadId): StorageKey => `uploads/${id}`;
export const objectKey = (id: FileId): StorageKey => `objects/${id}`;

export interface StorageDriver {
  /**
   * Stores bytes under a key, replacing existing ones atomically: if `bytes` rejects, the existing ones stay. Once it
   * returns, the bytes survive a power failure.
   *
   * @returns the number of bytes received.
   */
  put(key: StorageKey, bytes: AsyncIterable<Uint8Array>): Promise<number>;
  /** Reads all bytes or a span, in chunks of at most 256 KiB. Undefined if they do not exist. */
  get(key: StorageKey, span?: ByteSpan): Promise<AsyncIterable<Uint8Array> | undefined>;
  /** Returns the size in bytes. Undefined if they do not exist. */
  size(key: StorageKey): Promise<number | undefined>;
  /** Moves bytes to another key, replacing existing ones. Does nothing if they do not exist. */
  move(from: StorageKey, to: StorageKey): Promise<void>;
  /** Deletes bytes. Does nothing if they do not exist. */
  delete(key: StorageKey): Promise<void>;
  /** Deletes the remains of puts interrupted more than `olderThanMs` ago. */
  clean(olderThanMs: number): Promise<void>;
  /** Starts a multipart upload. @returns the storage's upload ID. */
  beginParts(key: StorageKey): Promise<string>;
  /** Stores a part, like `put`; `size` is the expected number of bytes. */
  putPart(
    target: MultipartUploadTarget,
    number: number,
    size: number,
    bytes: AsyncIterable<Uint8Array>,
  ): Promise<UploadedPart>;
  /** Lists parts by number. Undefined if the upload does not exist anymore. */
  listParts(target: MultipartUploadTarget): Promise<UploadedPart[] | undefined>;
  /** Assembles the object from these parts, which were just listed, and discards the others. Idempotent. */
  completeParts(target: MultipartUploadTarget, parts: readonly UploadedPart[]): Promise<void>;
  /** Deletes the received parts; idempotent. */
  abandonParts(target: MultipartUploadTarget): Promise<void>;
  /** Returns a URL for a direct upload, valid for `seconds`. Undefined if bytes are uploaded through this service. */
  addressOf(key: StorageKey, seconds: number): Promise<DirectUploadAddress | undefined>;
  addressOfPart(
    target: MultipartUploadTarget,
    number: number,
    seconds: number,
  ): Promise<DirectUploadAddress | undefined>;
}

export interface EncodedPicture {
  bytes: Uint8Array;
  contentType: string;
}

/** Bytes of a picture, read when it is its turn, so that waiting pictures use no memory. */
export interface PictureSource {
  readonly size: number;
  readonly read: () => Promise<Uint8Array>;
  /** Aborted if nobody waits for the picture anymore. A picture already being created is finished. */
  readonly signal?: AbortSignal | undefined;
}

export interface PictureMaker {
  /**
   * Creates the displayed picture from an upload. Accounts share the processing time by the pixels of their pictures.
   *
   * @throws AppError file_not_image, image_too_large, picture_limit; pictures_busy if a retry of the same picture may
   * succeed
   */
  make(account: UserId, source: PictureSource, shape: PictureShape): Promise<EncodedPicture>;
}

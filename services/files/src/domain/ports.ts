import type { ConversationId, FileId, UploadId, UserId } from '@nolo/kit/ids';
import type { IncomingKey } from './incoming.ts';
import type { PictureShape, Purpose } from './purposes.ts';
import type { Span } from './ranges.ts';
import type { UploadedPart } from './sharedPorts.ts';

export interface Upload {
  id: UploadId;
  ownerId: UserId;
  purpose: Purpose;
  /** finished once an object was made of it; its bytes are gone then. */
  state: 'pending' | 'finished';
  /** The object made of it. */
  objectId: FileId | undefined;
  createdAt: Date;
  /** When its address stops working. */
  expiresAt: Date;
}

/** An account, or the group whose picture it is. */
export type OwnerId = UserId | ConversationId;

export interface StoredObject {
  id: FileId;
  ownerId: OwnerId;
  purpose: Purpose;
  contentType: string;
  /** Bytes. */
  size: number;
}

export interface UploadStore {
  /**
   * Adds an upload unless its owner already has `maxPending` that are open at `upload.createdAt`.
   *
   * @returns undefined when it was added, else when the first of them expires.
   */
  add(upload: Upload, maxPending: number): Promise<Date | undefined>;
  find(id: UploadId): Promise<Upload | undefined>;
  /** Takes the row away; its bytes are the caller's. */
  remove(id: UploadId): Promise<void>;
  listOf(ownerId: UserId): Promise<UploadId[]>;
  /** Pending ones made before `pendingBefore`, finished ones before `finishedBefore`. */
  listStale(pendingBefore: Date, finishedBefore: Date, limit: number): Promise<UploadId[]>;
}

export interface ObjectStore {
  /** Notes an object whose bytes are about to be stored, so that a crash leaves no bytes unknown. */
  announce(object: StoredObject, at: Date): Promise<void>;
  /**
   * In one transaction: the announced object becomes its owner's picture, the earlier one of a person is given up,
   * and the upload is finished. Where the upload is finished already or gone, the announced object is
   * given up instead.
   *
   * @returns the object that the upload became, if any, and those whose bytes can go.
   */
  commitPicture(uploadId: UploadId, objectId: FileId): Promise<{ objectId: FileId | undefined; givenUp: FileId[] }>;
  /** Only one that is ready. */
  find(id: FileId): Promise<StoredObject | undefined>;
  /** Marks the owner's objects (all, or of one purpose) as given up and answers them. */
  giveUp(ownerId: UserId, purpose?: Purpose): Promise<FileId[]>;
  /** The same for one object of that purpose. */
  giveUpOne(id: FileId, purpose: Purpose): Promise<FileId[]>;
  /** Takes the row of a given-up object away, once its bytes are gone. */
  remove(id: FileId): Promise<void>;
  /** Given-up ones, and those announced before `announcedBefore` that never became ready. */
  listLeftovers(announcedBefore: Date, limit: number): Promise<FileId[]>;
}

/** Names bytes in the storage. Only made from ids of ours, so no path comes from outside. */
export type StorageKey = `uploads/${string}` | `objects/${string}` | IncomingKey;

/** An upload in parts: the object that they become, and what the storage calls the upload. */
export interface PartsTarget {
  readonly key: StorageKey;
  readonly storageUploadId: string;
}

/** Where a client brings bytes without us in between. */
export interface DirectAddress {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export const uploadKey = (id: UploadId): StorageKey => `uploads/${id}`;
export const objectKey = (id: FileId): StorageKey => `objects/${id}`;

export interface StorageDriver {
  /**
   * Stores bytes under a key, replacing what is there, all or nothing: when `bytes` rejects, what was
   * there stays. Once it returns, the bytes survive a power cut.
   *
   * @returns how many bytes came.
   */
  put(key: StorageKey, bytes: AsyncIterable<Uint8Array>): Promise<number>;
  /** All of it or a span, at most 256 KiB at a time; undefined where there is nothing. */
  get(key: StorageKey, span?: Span): Promise<AsyncIterable<Uint8Array> | undefined>;
  /** Bytes; undefined where there is nothing. */
  size(key: StorageKey): Promise<number | undefined>;
  /** Gives bytes another key, replacing what is there. Where there is nothing, nothing changes. */
  move(from: StorageKey, to: StorageKey): Promise<void>;
  /** Deleting what is not there changes nothing. */
  delete(key: StorageKey): Promise<void>;
  /** Takes away what puts left behind that broke off more than `olderThanMs` ago. */
  clean(olderThanMs: number): Promise<void>;
  /** @returns what the storage calls the upload. */
  beginParts(key: StorageKey): Promise<string>;
  /** As `put`, for a part; `size` is how many bytes will come. */
  putPart(target: PartsTarget, number: number, size: number, bytes: AsyncIterable<Uint8Array>): Promise<UploadedPart>;
  /** By number; undefined where there is no such upload any more. */
  listParts(target: PartsTarget): Promise<UploadedPart[] | undefined>;
  /** Makes the object of these parts, which were listed just before, and forgets the others. Again it changes nothing. */
  completeParts(target: PartsTarget, parts: readonly UploadedPart[]): Promise<void>;
  /** Takes away what has arrived; done again it changes nothing. */
  abandonParts(target: PartsTarget): Promise<void>;
  /** Where a client brings the bytes itself, until `seconds` from now; undefined where they come through us. */
  addressOf(key: StorageKey, seconds: number): Promise<DirectAddress | undefined>;
  addressOfPart(target: PartsTarget, number: number, seconds: number): Promise<DirectAddress | undefined>;
}

export interface Picture {
  bytes: Uint8Array;
  contentType: string;
}

/** The bytes of a picture, which are read when it is its turn, so that those that wait hold no memory. */
export interface PictureSource {
  readonly size: number;
  readonly read: () => Promise<Uint8Array>;
  /** Aborted where nobody waits for the picture any more. One that is being made by then is made. */
  readonly signal?: AbortSignal | undefined;
}

export interface PictureMaker {
  /**
   * Makes the picture that is shown from whatever was uploaded. Accounts share the time by the pixels of their pictures.
   *
   * @throws AppError file_not_image, image_too_large, picture_limit; pictures_busy where the same picture may be made
   *   another time
   */
  make(account: UserId, source: PictureSource, shape: PictureShape): Promise<Picture>;
}

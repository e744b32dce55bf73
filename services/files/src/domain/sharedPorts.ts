import type { FileId, UserId } from '@nolo/kit/ids';
import type { ThumbnailWidth } from '@nolo/rules';
import type { PictureSource } from './ports.ts';
import type { FileNature, UploadingFile, ReadyFile, SharedFile } from './sharedFiles.ts';

type UploadRefusal = { readonly kind: 'too_many' } | { readonly kind: 'full'; readonly used: number };

export interface SharedFileStore {
  /** Adds a file unless its owner has too many open ones or has reached the plan's quota. */
  begin(
    file: UploadingFile,
    allowed: { readonly open: number; readonly bytes: number; readonly size: number },
  ): Promise<UploadRefusal | undefined>;
  /** Returns a file unless it was discarded. */
  find(id: FileId): Promise<SharedFile | undefined>;
  findAll(ids: readonly FileId[]): Promise<SharedFile[]>;
  /** Counts received bytes and protects the upload from the sweep. Returns false if it is no longer open. */
  arrived(id: FileId, bytes: number, at: Date): Promise<boolean>;
  /**
   * Makes an open file ready, unless its owner would then exceed `allowedBytes`.
   *
   * @returns the current file; 'full' if the quota is exhausted; undefined if it was discarded.
   */
  makeReady(
    id: FileId,
    made: FileNature & { readonly size: number; readonly storedBytes: number },
    allowedBytes: number,
    checkAt: Date,
  ): Promise<ReadyFile | 'full' | undefined>;
  /** Protects files that a person is about to send from deletion until that has ended. */
  attaching(ids: readonly FileId[], at: Date): Promise<void>;
  /** Schedules a check of the files of a deleted message, in case other messages use them. */
  released(ids: readonly FileId[], at: Date): Promise<void>;
  /** Lists files that are due for a check. */
  listDue(at: Date, limit: number): Promise<FileId[]>;
  /** Keeps used files until the next reason for a check, unless one occurred since `dueAt`. */
  settle(ids: readonly FileId[], dueAt: Date): Promise<void>;
  /** Discards those files that nobody has been about to send since `dueAt`. */
  giveUpDue(ids: readonly FileId[], dueAt: Date): Promise<void>;
  giveUp(id: FileId): Promise<void>;
  giveUpOf(ownerId: UserId): Promise<void>;
  /** Discards open files that were started, or whose last part arrived, before these times. */
  giveUpStale(begunBefore: Date, touchedBefore: Date): Promise<void>;
  /** Lists discarded files that still have bytes. */
  listGivenUp(limit: number): Promise<Pick<UploadingFile, 'id' | 'storageUploadId' | 'incomingKey'>[]>;
  /** Returns those keys where parts of open uploads are assembled, with the storage's upload IDs. */
  listOpenIncoming(keys: readonly string[]): Promise<Map<string, string | null>>;
  remove(id: FileId): Promise<void>;
  /** Returns the bytes that an account stores, including received bytes of open uploads. */
  usage(ownerId: UserId): Promise<number>;
  /**
   * Returns the usage of many accounts, sorted by ID: those after a given one, or the listed ones, including those that
   * store nothing.
   */
  usageOf(page: {
    after: string | undefined;
    limit: number;
    ownerIds: readonly string[];
  }): Promise<{ userId: string; amount: number }[]>;
}

export interface UploadedPart {
  readonly number: number;
  readonly size: number;
  /** Entity tag of exactly these bytes, in quotes. */
  readonly etag: string;
}

/** Queries messages and status updates about the files they use; only chat and status know. */
export interface FileReferences {
  /** Returns true if the person may read a message or status update with the file, or the time until which they may. */
  canRead(actorId: UserId, fileId: FileId): Promise<boolean | Date>;
  /** Returns those files that any of them uses. */
  listNamed(fileIds: readonly FileId[]): Promise<FileId[]>;
}

/** Queries profiles, which only identity knows. */
export interface ProfilePictureVisibility {
  /** Returns true if the viewer may see the person's picture; false for a deleted person. */
  showsPicture(viewerId: UserId, ownerId: string): Promise<boolean>;
}

/** Returns the quota of an account in bytes, by its plan; Infinity if unlimited. */
export type ReadStorageQuota = (ownerId: UserId) => Promise<number>;

/** Thumbnail. */
export interface Thumbnail {
  readonly width: ThumbnailWidth;
  /** WebP. */
  readonly bytes: Uint8Array;
}

export interface CleanedPicture {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly width: number;
  readonly height: number;
  readonly thumbnails: readonly Thumbnail[];
  readonly thumbhash: string;
  readonly moves: boolean;
}

export interface PictureCleaner {
  /**
   * Re-encodes a picture in its own format, rotated according to its metadata and stripped of it, and creates
   * thumbnails: the uploader's if they are genuine, otherwise its own. Accounts share the processing time by the pixels
   * of their pictures.
   *
   * @throws AppError file_not_image, image_too_large, picture_limit; pictures_busy if a retry of the same picture may
   * succeed
   */
  clean(account: UserId, source: PictureSource, type: string, given: readonly Thumbnail[]): Promise<CleanedPicture>;
}

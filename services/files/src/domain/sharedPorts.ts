import type { FileId, UserId } from '@nolo/kit/ids';
import type { ThumbnailWidth } from '@nolo/rules';
import type { PictureSource } from './ports.ts';
import type { Nature, OpenFile, ReadyFile, SharedFile } from './sharedFiles.ts';

export type BeginRefusal = { readonly kind: 'too_many' } | { readonly kind: 'full'; readonly used: number };

export interface SharedFileStore {
  /** Adds one unless its owner has too many open, or keeps as much as the plan allows. */
  begin(
    file: OpenFile,
    allowed: { readonly open: number; readonly bytes: number; readonly size: number },
  ): Promise<BeginRefusal | undefined>;
  /** None that was given up. */
  find(id: FileId): Promise<SharedFile | undefined>;
  findAll(ids: readonly FileId[]): Promise<SharedFile[]>;
  /** Counts bytes that have arrived and keeps the upload from being swept. False where it is open no more. */
  arrived(id: FileId, bytes: number, at: Date): Promise<boolean>;
  /**
   * Makes an open file ready, unless its owner would then keep more than `allowedBytes`.
   *
   * @returns the file as it is now; 'full' where there is no room; undefined where it was given up.
   */
  makeReady(
    id: FileId,
    made: Nature & { readonly size: number; readonly storedBytes: number },
    allowedBytes: number,
    checkAt: Date,
  ): Promise<ReadyFile | 'full' | undefined>;
  /** Somebody is about to send them: none of them goes before that has come to an end. */
  attaching(ids: readonly FileId[], at: Date): Promise<void>;
  /** A message that named them is gone: soon it is looked at whether another one does. */
  released(ids: readonly FileId[], at: Date): Promise<void>;
  /** Those whose time to be looked at has come. */
  listDue(at: Date, limit: number): Promise<FileId[]>;
  /** What is named stays until the next reason to look, unless there was one since `dueAt`. */
  settle(ids: readonly FileId[], dueAt: Date): Promise<void>;
  /** Those of them can go that nobody has been about to send since `dueAt`. */
  giveUpDue(ids: readonly FileId[], dueAt: Date): Promise<void>;
  giveUp(id: FileId): Promise<void>;
  giveUpOf(ownerId: UserId): Promise<void>;
  /** Open ones that were begun, or in parts last added to, before these times. */
  giveUpStale(begunBefore: Date, touchedBefore: Date): Promise<void>;
  /** What is given up and still has bytes. */
  listGivenUp(limit: number): Promise<Pick<OpenFile, 'id' | 'storageUploadId' | 'incomingKey'>[]>;
  /** Those of the keys at which parts of open uploads are put together, with what the storage calls the uploads. */
  listOpenIncoming(keys: readonly string[]): Promise<Map<string, string | null>>;
  remove(id: FileId): Promise<void>;
  /** Bytes that an account keeps, what has arrived of open uploads included. */
  usage(ownerId: UserId): Promise<number>;
  /** The same of many, by their ids: of all behind one, or of these, who may keep nothing. */
  usageOf(page: {
    after: string | undefined;
    limit: number;
    ownerIds: readonly string[];
  }): Promise<{ userId: string; amount: number }[]>;
}

export interface UploadedPart {
  readonly number: number;
  readonly size: number;
  /** Of exactly these bytes, in quotes. */
  readonly etag: string;
}

/** What people have said with files: messages and status updates, of which chat and status alone know. */
export interface Messages {
  /** Whether one that the person may read names the file; of what ends, until when. */
  canRead(actorId: UserId, fileId: FileId): Promise<boolean | Date>;
  /** Those of the files that any of them names. */
  listNamed(fileIds: readonly FileId[]): Promise<FileId[]>;
}

/** People as others see them, of which identity alone knows. */
export interface Profiles {
  /** Whether the person's picture is shown to the viewer; false where there is no such person any more. */
  showsPicture(viewerId: UserId, ownerId: string): Promise<boolean>;
}

/** Bytes that the plan of an account allows it to keep; Infinity without a limit. */
export type AllowedBytes = (ownerId: UserId) => Promise<number>;

/** A smaller picture. */
export interface Thumbnail {
  readonly width: ThumbnailWidth;
  /** WebP. */
  readonly bytes: Uint8Array;
}

export interface CleanPicture {
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
   * Makes a picture anew in its own format, turned as its metadata says and without any, and smaller ones of it: those
   * that its uploader gave where they are what they claim, else its own. Accounts share the time by the pixels of their
   * pictures.
   *
   * @throws AppError file_not_image, image_too_large, picture_limit; pictures_busy where the same picture may be made
   *   another time
   */
  clean(account: UserId, source: PictureSource, type: string, given: readonly Thumbnail[]): Promise<CleanPicture>;
}

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FileId, UserId } from '@nolo/kit/ids';
import { fileKinds, type FileKind, type ThumbnailWidth } from '@nolo/rules';
import type { IncomingKey } from './incoming.ts';
import type { StorageKey } from './ports.ts';

const hour = 60 * 60_000;

/** Lifetime of a file that no message uses. */
export const unattachedLifetimeMs = 24 * hour;
/** Lifetime of a multipart upload without a new part; a single-part one is treated as unattached. */
export const openMultipartUploadLifetimeMs = 7 * 24 * hour;
/** Time until chat is queried about a file, after it was about to be sent or a message that used it was deleted. */
export const attachGraceMs = 10 * 60_000;
export const releaseGraceMs = 60_000;
/** Maximum files per message: one with its preview picture, and some margin. */
export const maxFilesPerMessage = 10;

/** Declaration by the uploader. It determines how the file is presented, never what it is. */
export interface DeclaredFile {
  readonly name: string;
  readonly contentType: string;
  readonly kind: FileKind | undefined;
}

/** Properties detected from the bytes. */
export interface FileNature {
  readonly kind: FileKind;
  readonly contentType: string;
  /** Width in pixels, as displayed. */
  readonly width: number | null;
  readonly height: number | null;
  readonly thumbnails: readonly ThumbnailWidth[];
  /** Blurred thumbnail of a picture, in Base64. */
  readonly thumbhash: string | null;
  /** True for an animated picture; its thumbnails are still. */
  readonly moves: boolean;
}

interface Begun {
  readonly id: FileId;
  readonly ownerId: UserId;
  readonly multipart: boolean;
  /** Storage's ID of a multipart upload. */
  readonly storageUploadId: string | null;
  /** Location where its parts are assembled, if its uploader may have credentials for it. */
  readonly incomingKey: IncomingKey | null;
  readonly declared: DeclaredFile;
  readonly createdAt: Date;
}

/** File whose bytes are being uploaded. */
export interface UploadingFile extends Begun {
  readonly state: 'open';
  /** Bytes received so far; repeated ones count twice. */
  readonly arrivedBytes: number;
}

/** Readable, immutable file. */
export interface ReadyFile extends Begun, FileNature {
  readonly state: 'ready';
  readonly size: number;
  /** Stored bytes, including its thumbnails. */
  readonly storedBytes: number;
}

export type SharedFile = UploadingFile | ReadyFile;

export function parseFileKind(given: string | undefined): FileKind | undefined {
  return fileKinds.find((kind) => kind === given);
}

/** Returns the key of an upload until it becomes a file. */
export const rawKey = (file: Pick<Begun, 'id' | 'multipart'>): StorageKey =>
  file.multipart ? `objects/${file.id}` : `uploads/${file.id}`;

/**
 * Returns the key where parts are assembled: the file's final location, to avoid copying, unless the uploader may have
 * credentials. With those, they could replace the object while it is there, so it is copied to the final location
 * before it is inspected.
 */
export const partsKey = ({ id, incomingKey }: Pick<Begun, 'id' | 'incomingKey'>): StorageKey =>
  incomingKey ?? `objects/${id}`;

/** Returns the name of an upload for clients. With credentials they call the storage, and need its names. */
export function toUploadName({ id, incomingKey, storageUploadId }: Begun): { key: string; uploadId: string } {
  return incomingKey === null || storageUploadId === null
    ? { key: `uploads/${id}`, uploadId: id }
    : { key: incomingKey, uploadId: storageUploadId };
}

export const pictureKey = (id: FileId): StorageKey => `objects/${id}.image`;
export const thumbnailKey = (id: FileId, width: ThumbnailWidth): StorageKey => `objects/${id}.${width}`;

/** Returns the key of a file's bytes: a processed picture is stored next to the upload, which is then deleted. */
export const bodyKey = (file: ReadyFile): StorageKey =>
  file.width === null ? `objects/${file.id}` : pictureKey(file.id);

/** Returns the thumbnail for a given width in pixels: the narrowest that is wide enough. Undefined: the file itself. */
export function selectThumbnailWidth(file: ReadyFile, width: number): ThumbnailWidth | undefined {
  return width === 0 ? undefined : file.thumbnails.find((has) => has >= width);
}

/** Permission granted by one of our URLs. */
export interface UploadGrant {
  readonly fileId: FileId;
  /** Part number. Undefined for a single-part upload. */
  readonly partNumber: number | undefined;
  readonly expiresAt: Date;
  readonly ownerId: UserId;
}

export function signUploadGrant(secret: string, { fileId, partNumber, expiresAt, ownerId }: UploadGrant): string {
  return createHmac('sha256', secret)
    .update(['file', fileId, partNumber ?? 0, expiresAt.getTime(), ownerId].join('\n'))
    .digest('base64url');
}

export const isValidUploadGrant = (secret: string, grant: UploadGrant, signature: string): boolean =>
  isSame(signUploadGrant(secret, grant), signature);

/** Time that a platform may take to fetch a file: usually minutes, with room for retries. */
export const readGrantLifetimeMs = 60 * 60_000;

/** Permission for its holder to read one file, whole or in ranges, for a limited time. */
export type ReadGrant = Pick<UploadGrant, 'fileId' | 'expiresAt'>;

export function signReadGrant(secret: string, { fileId, expiresAt }: ReadGrant): string {
  return createHmac('sha256', secret).update(['reading', fileId, expiresAt.getTime()].join('\n')).digest('base64url');
}

export const isValidReadGrant = (secret: string, reading: ReadGrant, signature: string): boolean =>
  isSame(signReadGrant(secret, reading), signature);

function isSame(right: string, signature: string): boolean {
  const expected = Buffer.from(right);
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FileId, UserId } from '@nolo/kit/ids';
import { fileKinds, type FileKind, type ThumbnailWidth } from '@nolo/rules';
import type { IncomingKey } from './incoming.ts';
import type { StorageKey } from './ports.ts';

const hour = 60 * 60_000;

/** A file that no message names after this is deleted. */
export const unattachedLifetimeMs = 24 * hour;
/** What has begun in parts is given up after so long without one; in one piece it is as good as unattached. */
export const openPartsLifetimeMs = 7 * 24 * hour;
/** After a file was about to be sent, or a message that named it went: how long until chat is asked whether it is needed. */
export const attachingMs = 10 * 60_000;
export const releasingMs = 60_000;
/** Files that one message may carry: one, and its still picture; and some room. */
export const mostFilesPerMessage = 10;

/** What the uploader says of a file: it decides how the file is meant, and never what it is. */
export interface Declared {
  readonly name: string;
  readonly contentType: string;
  readonly kind: FileKind | undefined;
}

/** What the bytes say. */
export interface Nature {
  readonly kind: FileKind;
  readonly contentType: string;
  /** Pixels, as it is shown. */
  readonly width: number | null;
  readonly height: number | null;
  readonly thumbnails: readonly ThumbnailWidth[];
  /** A blurred miniature of a picture, in Base64. */
  readonly thumbhash: string | null;
  /** A picture that moves; its smaller ones stand still. */
  readonly moves: boolean;
}

interface Begun {
  readonly id: FileId;
  readonly ownerId: UserId;
  readonly multipart: boolean;
  /** What the storage calls an upload in parts. */
  readonly storageUploadId: string | null;
  /** Where its parts are put together, if its uploader may have credentials for that place. */
  readonly incomingKey: IncomingKey | null;
  readonly declared: Declared;
  readonly createdAt: Date;
}

/** Bytes are on their way. */
export interface OpenFile extends Begun {
  readonly state: 'open';
  /** Bytes that have arrived, those that came twice counted twice. */
  readonly arrivedBytes: number;
}

/** It can be read, and never changes any more. */
export interface ReadyFile extends Begun, Nature {
  readonly state: 'ready';
  readonly size: number;
  /** With its smaller pictures. */
  readonly storedBytes: number;
}

export type SharedFile = OpenFile | ReadyFile;

export function parseKind(given: string | undefined): FileKind | undefined {
  return fileKinds.find((kind) => kind === given);
}

/** Where what was uploaded lies until it is a file. */
export const rawKey = (file: Pick<Begun, 'id' | 'multipart'>): StorageKey =>
  file.multipart ? `objects/${file.id}` : `uploads/${file.id}`;

/**
 * Where parts are put together: where files lie, so that nothing is copied, unless the uploader may have credentials. With
 * those the object could be replaced for as long as it lies there, so it is copied to where files lie before it is looked at.
 */
export const partsKey = ({ id, incomingKey }: Pick<Begun, 'id' | 'incomingKey'>): StorageKey =>
  incomingKey ?? `objects/${id}`;

/** What clients call an upload; with credentials they talk to the storage, and need its names. */
export function nameOf({ id, incomingKey, storageUploadId }: Begun): { key: string; uploadId: string } {
  return incomingKey === null || storageUploadId === null
    ? { key: `uploads/${id}`, uploadId: id }
    : { key: incomingKey, uploadId: storageUploadId };
}

export const pictureKey = (id: FileId): StorageKey => `objects/${id}.image`;
export const thumbnailKey = (id: FileId, width: ThumbnailWidth): StorageKey => `objects/${id}.${width}`;

/** Where the bytes of a file lie: what was made of a picture lies beside what was uploaded, which goes then. */
export const bodyKey = (file: ReadyFile): StorageKey =>
  file.width === null ? `objects/${file.id}` : pictureKey(file.id);

/** The picture to show in so many pixels: the narrowest that is wide enough, else the file itself. */
export function variantFor(file: ReadyFile, width: number): ThumbnailWidth | undefined {
  return width === 0 ? undefined : file.thumbnails.find((has) => has >= width);
}

/** What an address of ours lets its holder do. */
export interface Grant {
  readonly fileId: FileId;
  /** Undefined for an upload in one piece. */
  readonly partNumber: number | undefined;
  readonly expiresAt: Date;
  readonly ownerId: UserId;
}

export function signGrant(secret: string, { fileId, partNumber, expiresAt, ownerId }: Grant): string {
  return createHmac('sha256', secret)
    .update(['file', fileId, partNumber ?? 0, expiresAt.getTime(), ownerId].join('\n'))
    .digest('base64url');
}

export const isGranted = (secret: string, grant: Grant, signature: string): boolean =>
  isSame(signGrant(secret, grant), signature);

/** How long a platform may take to fetch a file: it does so within minutes, and again where that fails. */
export const readingLifetimeMs = 60 * 60_000;

/** What lets whoever holds it read one file, whole or in ranges, for a while. */
export type Reading = Pick<Grant, 'fileId' | 'expiresAt'>;

export function signReading(secret: string, { fileId, expiresAt }: Reading): string {
  return createHmac('sha256', secret).update(['reading', fileId, expiresAt.getTime()].join('\n')).digest('base64url');
}

export const isReadable = (secret: string, reading: Reading, signature: string): boolean =>
  isSame(signReading(secret, reading), signature);

function isSame(right: string, signature: string): boolean {
  const expected = Buffer.from(right);
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

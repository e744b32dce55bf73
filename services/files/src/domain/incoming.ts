import { createHmac } from 'node:crypto';
import type { FileId, UserId } from '@nolo/kit/ids';
import type { StorageKey } from './ports.ts';

/** Folder in the storage to which people may have credentials; they have none elsewhere. */
export const incomingFolder = 'incoming/';

/** Location for the uploads of one person. */
export type IncomingPrefix = `incoming/${string}/`;
export type IncomingKey = `${IncomingPrefix}${string}`;

/** Returns the prefix of a person: constant, and impossible to guess. */
export function incomingPrefixOf(secret: string, ownerId: UserId): IncomingPrefix {
  const name = createHmac('sha256', secret).update(`incoming\n${ownerId}`).digest('base64url').slice(0, 32);
  return `incoming/${name}/`;
}

export const incomingKeyOf = (prefix: IncomingPrefix, id: FileId): IncomingKey => `${prefix}${id}`;

/** Lifetime of credentials: the minimum of STS. */
export const credentialsLifetimeSeconds = 900;
/**
 * Time after which data without an open upload is deleted; it can no longer belong to an upload that is just starting.
 */
export const strayLifetimeMs = 60 * 60_000;

export interface TemporaryCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
  readonly expiresAt: Date;
  readonly bucket: string;
  readonly region: string;
}

/** Object at a location with user credentials. */
export interface StrayUpload {
  readonly key: StorageKey;
  /** ID of an unfinished multipart upload. */
  readonly storageUploadId: string | null;
}

/** Direct uploads to the storage with temporary credentials. */
export interface TemporaryAccess {
  /**
   * Returns credentials that permit only uploads below the prefix. Undefined if the storage treats interrupted uploads
   * as complete.
   *
   * @throws storage_unavailable
   */
  credentialsFor(prefix: IncomingPrefix): Promise<TemporaryCredentials | undefined>;
  /** Lists, in batches, what has been below `incomingFolder` since before that time. */
  listIncoming(before: Date): AsyncIterable<readonly StrayUpload[]>;
}

import { createHmac } from 'node:crypto';
import type { FileId, UserId } from '@nolo/kit/ids';
import type { StorageKey } from './ports.ts';

/** Beneath what stands here, and nowhere else, people may have credentials for the storage. */
export const incomingFolder = 'incoming/';

/** Where one person may put bytes. */
export type IncomingPrefix = `incoming/${string}/`;
export type IncomingKey = `${IncomingPrefix}${string}`;

/** Of one person: always the same, and nothing that others could find out. */
export function incomingPrefixOf(secret: string, ownerId: UserId): IncomingPrefix {
  const name = createHmac('sha256', secret).update(`incoming\n${ownerId}`).digest('base64url').slice(0, 32);
  return `incoming/${name}/`;
}

export const incomingKeyOf = (prefix: IncomingPrefix, id: FileId): IncomingKey => `${prefix}${id}`;

/** How long credentials work: the least that STS gives. */
export const credentialsLifetimeSeconds = 900;
/** What lies there without an open upload is deleted after this, by when it cannot be one that is just beginning. */
export const strayLifetimeMs = 60 * 60_000;

export interface TemporaryCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
  readonly expiresAt: Date;
  readonly bucket: string;
  readonly region: string;
}

/** Something that lies where people have credentials. */
export interface Stray {
  readonly key: StorageKey;
  /** Of an upload in parts that is not finished. */
  readonly storageUploadId: string | null;
}

/** People bring bytes to the storage with credentials of their own. */
export interface TemporaryAccess {
  /**
   * Credentials that upload beneath the prefix, and do nothing else; none where the storage takes what broke off for whole.
   *
   * @throws storage_unavailable
   */
  credentialsFor(prefix: IncomingPrefix): Promise<TemporaryCredentials | undefined>;
  /** What has been lying beneath `incomingFolder` since before then, some at a time. */
  listIncoming(before: Date): AsyncIterable<readonly Stray[]>;
}

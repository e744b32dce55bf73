import type { UploadTarget } from '@nolo/proto/sharedFiles';
import type { DirectUploadAddress } from '../domain/ports.ts';
import { signGrant, type OpenFile } from '../domain/sharedFiles.ts';
import { addressLifetimeMs } from '../domain/uploads.ts';
import type { RpcDependencies } from './dependencies.ts';

/** Returns the upload URL for a client: a signed one of the storage if available, otherwise the gateway's. */
export function toUploadTarget(
  { uploadSecret, clock, partAddressSeconds }: RpcDependencies,
  file: OpenFile,
  partNumber: number | undefined,
  direct: DirectUploadAddress | undefined,
): UploadTarget {
  const lifetimeMs = partNumber === undefined ? addressLifetimeMs : partAddressSeconds * 1_000;
  const expiresAt = new Date(clock.now().getTime() + lifetimeMs);
  if (direct) return { url: direct.url, headers: { ...direct.headers }, expiresAt };
  const grant = { fileId: file.id, partNumber, expiresAt, ownerId: file.ownerId };
  return { headers: {}, signature: signGrant(uploadSecret.reveal(), grant), expiresAt };
}

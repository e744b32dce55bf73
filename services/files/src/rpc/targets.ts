import type { UploadTarget } from '@nolo/proto/sharedFiles';
import type { DirectUploadAddress } from '../domain/ports.ts';
import { signUploadGrant, type UploadingFile } from '../domain/sharedFiles.ts';
import { uploadUrlLifetimeMs } from '../domain/pictureUploads.ts';
import type { RpcDependencies } from './dependencies.ts';

/** Returns the upload URL for a client: a signed one of the storage if available, otherwise the gateway's. */
export function toUploadTarget(
  { uploadSecret, clock, partAddressSeconds }: RpcDependencies,
  file: UploadingFile,
  partNumber: number | undefined,
  direct: DirectUploadAddress | undefined,
): UploadTarget {
  const lifetimeMs = partNumber === undefined ? uploadUrlLifetimeMs : partAddressSeconds * 1_000;
  const expiresAt = new Date(clock.now().getTime() + lifetimeMs);
  if (direct) return { url: direct.url, headers: { ...direct.headers }, expiresAt };
  const grant = { fileId: file.id, partNumber, expiresAt, ownerId: file.ownerId };
  return { headers: {}, signature: signUploadGrant(uploadSecret.reveal(), grant), expiresAt };
}

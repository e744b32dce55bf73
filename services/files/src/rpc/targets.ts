import type { UploadTarget } from '@nolo/proto/sharedFiles';
import type { DirectAddress } from '../domain/ports.ts';
import { signGrant, type OpenFile } from '../domain/sharedFiles.ts';
import { addressLifetimeMs } from '../domain/uploads.ts';
import type { RpcDependencies } from './dependencies.ts';

export const addressLifetimeSeconds = addressLifetimeMs / 1_000;

/** Where a client brings bytes: to the storage, where it signed an address, else to the gateway. */
export function targetOf(
  { uploadSecret, clock }: RpcDependencies,
  file: OpenFile,
  partNumber: number | undefined,
  direct: DirectAddress | undefined,
): UploadTarget {
  const expiresAt = new Date(clock.now().getTime() + addressLifetimeMs);
  if (direct) return { url: direct.url, headers: { ...direct.headers }, expiresAt };
  const grant = { fileId: file.id, partNumber, expiresAt, ownerId: file.ownerId };
  return { headers: {}, signature: signGrant(uploadSecret.reveal(), grant), expiresAt };
}

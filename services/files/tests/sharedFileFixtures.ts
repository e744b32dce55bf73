import type { BeginUploadRequest, StoreFileRequest, WriteBytesRequest } from '@nolo/proto/sharedFiles';
import { eventually } from '@nolo/testing';
import sharp from 'sharp';
import type { startFiles } from './startFiles.ts';

/** Waits until an expectation holds. */
export const until = (check: () => unknown) =>
  eventually(async () => {
    await check();
    return true;
  });

export const hour = 3_600_000;
export const photo = (width = 1200, height = 800) =>
  sharp({ create: { width, height, channels: 3, background: 'teal' } });

export const header = (actorId: string, more: Partial<BeginUploadRequest> = {}): BeginUploadRequest => ({
  actorId,
  name: 'a.bin',
  multipart: false,
  ...more,
});

function* chunks(bytes: Uint8Array): Generator<{ part: { $case: 'chunk'; value: Buffer } }> {
  for (let at = 0; at < bytes.length; at += 200_000) {
    yield { part: { $case: 'chunk', value: Buffer.from(bytes.subarray(at, at + 200_000)) } };
  }
}

function* storing(value: BeginUploadRequest, bytes: Uint8Array): Generator<StoreFileRequest> {
  yield { part: { $case: 'header', value } };
  yield* chunks(bytes);
}

export interface Target {
  signature?: string | undefined;
  expiresAt: Date | undefined;
}

export function* writing(
  fileId: string,
  partNumber: number,
  { signature = '', expiresAt }: Target,
  bytes: Uint8Array,
  size = bytes.length,
): Generator<WriteBytesRequest> {
  yield { part: { $case: 'header', value: { fileId, partNumber, signature, expiresAt, size } } };
  yield* chunks(bytes);
}

/** Returns how tests store files. The service may start later. */
export function createSharedFileFixtures(service: () => Awaited<ReturnType<typeof startFiles>>) {
  const store = (actorId: string, bytes: Uint8Array, more: Partial<BeginUploadRequest> = {}) =>
    service().shared.storeFile(storing(header(actorId, more), bytes));

  const writePart = async (actorId: string, fileId: string, partNumber: number, bytes: Uint8Array) => {
    const target = await service().shared.signPart({ name: undefined, actorId, fileId, partNumber });
    return service().shared.writeBytes(writing(fileId, partNumber, target, bytes));
  };

  return { store, writePart };
}

import { request } from 'node:http';
import type { Socket } from 'node:net';
import { loadConfig } from '@nolo/kit/config';
import { newId } from '@nolo/kit/ids';
import type { UploadTarget, WriteBytesRequest } from '@nolo/proto/sharedFiles';
import { configSchema, type FilesConfig } from '../src/config.ts';
import type { StorageDriver, StorageKey } from '../src/domain/ports.ts';
import type { S3Server } from './startS3Server.ts';

export const mebibyte = 1024 * 1024;
export const newStorageKey = (): StorageKey => `objects/${newId()}`;

export async function* toChunks(bytes: Uint8Array, size = 100_000) {
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size));
}

/** Yields the bytes, then fails like a disconnected sender. */
export async function* brokenStream(bytes: Uint8Array) {
  yield* toChunks(bytes);
  throw new Error('the line broke');
}

/** Returns the configuration of a service for this server. */
export function configFor(server: S3Server, env: Record<string, string> = {}): FilesConfig {
  return loadConfig(configSchema, {
    DATABASE_URL: 'postgres://files@127.0.0.1/nolo',
    REDIS_URL: 'redis://127.0.0.1',
    NATS_URL: 'nats://127.0.0.1',
    RPC_LISTEN: '127.0.0.1:0',
    RPC_SECRET: 'the-secret-of-the-tests-is-long',
    UPLOAD_SECRET: 'signs-the-upload-addresses-of-the-tests',
    CHAT_ADDR: '127.0.0.1:1',
    STATUS_ADDR: '127.0.0.1:1',
    IDENTITY_ADDR: '127.0.0.1:1',
    FILES_DRIVER: 's3',
    ...server.environment,
    ...env,
  });
}

export async function readAll(driver: StorageDriver, key: StorageKey, span?: { start: number; end: number }) {
  const found = await driver.get(key, span);
  if (!found) return undefined;
  const all: Uint8Array[] = [];
  for await (const chunk of found) {
    expect(chunk.length).toBeLessThanOrEqual(262_144);
    all.push(chunk);
  }
  return Buffer.concat(all);
}

/** Announces all bytes to a signed URL, sends half of them, and disconnects. */
export async function breakOffUpload(url: string, bytes: Uint8Array): Promise<void> {
  const sending = request(url, { method: 'PUT', headers: { 'content-length': bytes.length } });
  sending.on('error', () => undefined);
  const closed = new Promise((resolve) => {
    sending.once('close', resolve);
  });
  const socket = await new Promise<Socket>((resolve) => {
    sending.once('socket', resolve);
    sending.write(bytes.subarray(0, bytes.length / 2));
  });
  // Ends the connection after the written data is sent.
  socket.destroySoon();
  await closed;
}

/** Yields a part as the gateway forwards it. */
export function* toWriteBytesRequests(
  fileId: string,
  partNumber: number,
  { expiresAt, signature }: Pick<UploadTarget, 'expiresAt' | 'signature'>,
  bytes: Uint8Array,
): Generator<WriteBytesRequest> {
  const header = { fileId, partNumber, expiresAt, signature: signature ?? '', size: bytes.length };
  yield { part: { $case: 'header', value: header } };
  for (let at = 0; at < bytes.length; at += 200_000) {
    yield { part: { $case: 'chunk', value: Buffer.from(bytes.subarray(at, at + 200_000)) } };
  }
}

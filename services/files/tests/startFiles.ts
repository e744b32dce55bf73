import { readdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '@nolo/kit/config';
import { newId } from '@nolo/kit/ids';
import { createLog } from '@nolo/kit/log';
import { createClient, serveRpc } from '@nolo/kit/rpc';
import { ExportServiceDefinition } from '@nolo/proto/exports';
import {
  FilesServiceDefinition,
  type ByteRange,
  type CreateUploadReply,
  type ReadObjectHeader,
  type WriteUploadRequest,
} from '@nolo/proto/files';
import { SharedFileServiceDefinition } from '@nolo/proto/sharedFiles';
import {
  createTestEnvironment,
  createTestProofs,
  createFakeClock,
  openDatabase,
  startTestBilling,
  startTestEvents,
} from '@nolo/testing';
import { createFilesApp, type FilesTiming } from '../src/app.ts';
import { configSchema } from '../src/config.ts';
import { createFakeChat } from './createFakeChat.ts';
import { createFakeIdentity } from './createFakeIdentity.ts';
import { createFakeStatus } from './createFakeStatus.ts';

const rpcSecret = 'the-secret-of-the-tests';

/** Starts the service on real servers, with the test's own folder and clock. */
export async function startFiles(
  env: Record<string, string> = {},
  { plans = false, timing = {} }: { plans?: boolean; timing?: FilesTiming } = {},
) {
  const log = createLog({ service: 'files', level: 'silent' });
  const messages = createFakeChat();
  const updates = createFakeStatus();
  const profiles = createFakeIdentity();
  const proofs = createTestProofs();
  const listen = { host: '127.0.0.1', port: 0 };
  const environment = await createTestEnvironment(['files']);
  const events = await startTestEvents(environment, rpcSecret);
  const chat = await serveRpc({
    listen,
    secret: rpcSecret,
    log,
    services: [
      messages.service,
      messages.groups,
      messages.epochs,
      messages.messageActions,
      updates.service,
      profiles.service,
      events.service,
      ...proofs.services,
    ],
  });
  const clock = createFakeClock();
  const billing = await startTestBilling(environment, rpcSecret, () => clock.now());
  const folder = await mkdtemp(join(tmpdir(), 'nolo-files-'));
  const config = loadConfig(configSchema, {
    ...environment.variablesFor('files'),
    RPC_LISTEN: '127.0.0.1:0',
    RPC_SECRET: rpcSecret,
    FILES_DIR: folder,
    UPLOAD_SECRET: 'signs-the-upload-addresses-of-the-tests',
    CHAT_ADDR: `127.0.0.1:${chat.port}`,
    STATUS_ADDR: `127.0.0.1:${chat.port}`,
    IDENTITY_ADDR: `127.0.0.1:${chat.port}`,
    ...(plans ? { BILLING_ADDR: billing.address } : {}),
    ...env,
  });
  const db = openDatabase(environment.urls.files, 'files');
  const boot = async () => {
    const app = createFilesApp({ config, log, clock, longestPauseMs: 50, timing });
    const { rpc } = await app.start();
    const options = { secret: rpcSecret, timeoutMs: 30_000 };
    return {
      app,
      client: createClient(FilesServiceDefinition, `127.0.0.1:${rpc}`, options),
      exports: createClient(ExportServiceDefinition, `127.0.0.1:${rpc}`, options),
      shared: createClient(SharedFileServiceDefinition, `127.0.0.1:${rpc}`, options),
    };
  };
  let running = await boot();

  const files = {
    environment,
    clock,
    billing,
    db,
    messages,
    updates,
    profiles,
    proofs,
    publishEvent: events.publishEvent,
    get client() {
      return running.client;
    },
    /** Client for archives. */
    get exports() {
      return running.exports;
    },
    /** Client for shared files. */
    get shared() {
      return running.shared;
    },
    restart: async () => {
      running.client.close();
      running.shared.close();
      running.exports.close();
      await running.app.stop();
      running = await boot();
    },
    stop: async () => {
      running.client.close();
      running.shared.close();
      running.exports.close();
      await running.app.stop();
      await chat.stop();
      await billing.stop();
      await db.destroy();
      await events.stop();
      await rm(folder, { recursive: true, force: true });
      await environment.drop();
    },
    /** Lists everything in the storage, including half-written files. */
    stored: async () => {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
    },
    reserve: (actorId: string) => running.client.createUpload({ actorId, purpose: 'profile_image' }),
    write: ({ uploadId, signature }: Pick<CreateUploadReply, 'uploadId' | 'signature'>, bytes: Uint8Array) =>
      running.client.writeUpload(messagesFor(uploadId, signature, bytes)),
    /** Reserves, writes and finishes an upload. */
    upload: async (actorId: string, bytes: Uint8Array) => {
      const reserved = await files.reserve(actorId);
      await files.write(reserved, bytes);
      const { objectPath } = await running.client.finishProfileImage({ actorId, uploadId: reserved.uploadId });
      return { uploadId: reserved.uploadId, objectPath, objectId: objectPath.replace('/objects/', '') };
    },
    read: async (objectId: string, actorId: string = newId(), more: { width?: number; range?: ByteRange } = {}) => {
      let header: ReadObjectHeader | undefined;
      const chunks: Buffer[] = [];
      const request = { actorId, objectId, width: more.width ?? 0, range: more.range };
      for await (const { part } of running.client.readObject(request)) {
        if (part?.$case === 'header') header = part.value;
        if (part?.$case === 'chunk') chunks.push(part.value);
      }
      return { ...header!, bytes: Buffer.concat(chunks), largest: Math.max(...chunks.map(({ length }) => length)) };
    },
  };
  return files;
}

export function* messagesFor(uploadId: string, signature: string, bytes: Uint8Array): Generator<WriteUploadRequest> {
  yield { part: { $case: 'header', value: { uploadId, signature } } };
  const part = 64 * 1024;
  for (let at = 0; at < bytes.length; at += part) {
    yield { part: { $case: 'chunk', value: Buffer.from(bytes.subarray(at, at + part)) } };
  }
}

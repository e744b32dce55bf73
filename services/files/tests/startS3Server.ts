import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { eventually } from '@nolo/testing';
import { freePort } from '../../../scripts/ports.ts';

/** What the files service is told to use the server, less the driver's name. */
export interface S3Server {
  environment: Readonly<
    Record<'S3_ENDPOINT' | 'S3_PUBLIC_ENDPOINT' | 'S3_BUCKET' | 'S3_ACCESS_KEY_ID' | 'S3_SECRET_ACCESS_KEY', string>
  >;
  endpoint: string;
  stop(): Promise<void>;
}

/** A server that may be on this machine. */
export interface S3ServerKind {
  name: string;
  /** Where it is; undefined where nobody built it. */
  program: string | undefined;
  start: () => Promise<S3Server>;
  /** It lists uploads in parts by the beginning of their keys, and not by whole keys alone. */
  listsUploads: boolean;
  /** It takes a part whose sender hung up for a whole one. */
  keepsBrokenParts: boolean;
}

/** Where pages are that bring uploads there themselves. */
export const pageOrigin = 'https://nolo.example.org';

const [access, secret] = ['nolo-access', 'nolo-secret-key'];

interface Launch {
  program: string;
  arguments: string[];
  env: Record<string, string>;
  folder: string;
  port: number;
  /** Answers as soon as the server works. */
  health: string;
}

async function launch({ program, folder, port, health, ...how }: Launch): Promise<S3Server> {
  const env = { ...process.env, HOME: folder, ...how.env };
  const child = spawn(program, how.arguments, { stdio: 'ignore', env });
  const ended = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGKILL');
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  const endpoint = `http://127.0.0.1:${port}`;
  const credentials = { accessKeyId: access, secretAccessKey: secret };
  const client = new S3Client({ region: 'us-east-1', endpoint, forcePathStyle: true, credentials });
  try {
    await eventually(async () => (await fetch(`${endpoint}${health}`)).ok);
    await client.send(new CreateBucketCommand({ Bucket: 'nolo' }));
  } catch (error) {
    await stop();
    throw error;
  } finally {
    client.destroy();
  }
  return {
    endpoint,
    environment: {
      S3_ENDPOINT: endpoint,
      S3_PUBLIC_ENDPOINT: endpoint,
      S3_BUCKET: 'nolo',
      S3_ACCESS_KEY_ID: access,
      S3_SECRET_ACCESS_KEY: secret,
    },
    stop,
  };
}

const newFolder = () => mkdtemp(join(tmpdir(), 'nolo-s3-'));

/** Versity's S3 gateway, over a folder of its own with an empty bucket. */
async function startVersitygw(program: string): Promise<S3Server> {
  const [folder, port] = await Promise.all([newFolder(), freePort()]);
  const [root, metadata] = [join(folder, 'buckets'), join(folder, 'metadata')];
  await Promise.all([root, metadata].map(async (path) => mkdir(path)));
  const settings = ['--port', `127.0.0.1:${port}`, '--access', access, '--secret', secret, '--health', '/health'];
  const cors = ['--cors-allow-origin', pageOrigin];
  const backend = ['posix', '--sidecar', metadata, root];
  return launch({
    program,
    arguments: [...settings, ...cors, '--quiet', ...backend],
    env: {},
    folder,
    port,
    health: '/health',
  });
}

/** MinIO, over a folder of its own with an empty bucket. Its STS answers at the same address. */
export async function startMinio(program: string, allowedOrigin = pageOrigin): Promise<S3Server> {
  const [folder, port] = await Promise.all([newFolder(), freePort()]);
  return launch({
    program,
    arguments: ['server', '--quiet', '--address', `127.0.0.1:${port}`, join(folder, 'data')],
    env: {
      MINIO_ROOT_USER: access,
      MINIO_ROOT_PASSWORD: secret,
      MINIO_API_CORS_ALLOW_ORIGIN: allowedOrigin,
      MINIO_BROWSER: 'off',
      MINIO_UPDATE: 'off',
      // It hesitates to keep anything on the disk of the system, which is where tests keep things.
      MINIO_CI_CD: '1',
    },
    folder,
    port,
    health: '/minio/health/ready',
  });
}

/** The one that has STS; skipped, like all of them, where there is no Go to build it. */
export const minio = process.env['NOLO_TEST_MINIO'];
const versitygw = process.env['NOLO_TEST_VERSITYGW'];

export const s3ServerKinds: readonly S3ServerKind[] = [
  {
    name: 'versitygw',
    program: versitygw,
    start: async () => startVersitygw(versitygw ?? ''),
    listsUploads: true,
    keepsBrokenParts: true,
  },
  {
    name: 'MinIO',
    program: minio,
    start: async () => startMinio(minio ?? ''),
    listsUploads: false,
    keepsBrokenParts: false,
  },
];

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { eventually } from '@nolo/testing';
import { findFreePort } from '../../../scripts/ports.ts';

/** Configuration with which the files service uses the server, without the driver's name. */
export interface S3Server {
  environment: Readonly<
    Record<'S3_ENDPOINT' | 'S3_PUBLIC_ENDPOINT' | 'S3_BUCKET' | 'S3_ACCESS_KEY_ID' | 'S3_SECRET_ACCESS_KEY', string>
  >;
  endpoint: string;
  stop(): Promise<void>;
}

/** Kind of server that may be installed on this machine. */
export interface S3ServerKind {
  name: string;
  /** Path of its program. Undefined if it was not built. */
  program: string | undefined;
  start: () => Promise<S3Server>;
  /** True if it lists multipart uploads by key prefix, not only by complete key. */
  listsUploads: boolean;
  /** True if it accepts a part whose sender disconnected early. */
  keepsBrokenParts: boolean;
}

/** Origin of pages that upload directly. */
export const pageOrigin = 'https://nolo.example.org';

const [access, secret] = ['nolo-access', 'nolo-secret-key'];

interface Launch {
  program: string;
  arguments: string[];
  env: Record<string, string>;
  folder: string;
  port: number;
  /** Path that responds once the server works. */
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

/** Starts Versity's S3 gateway with an empty bucket in its own folder. */
async function startVersitygw(program: string): Promise<S3Server> {
  const [folder, port] = await Promise.all([newFolder(), findFreePort()]);
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

/** Starts MinIO with an empty bucket in its own folder. Its STS uses the same URL. */
export async function startMinio(program: string, allowedOrigin = pageOrigin): Promise<S3Server> {
  const [folder, port] = await Promise.all([newFolder(), findFreePort()]);
  return launch({
    program,
    arguments: ['server', '--quiet', '--address', `127.0.0.1:${port}`, join(folder, 'data')],
    env: {
      MINIO_ROOT_USER: access,
      MINIO_ROOT_PASSWORD: secret,
      MINIO_API_CORS_ALLOW_ORIGIN: allowedOrigin,
      MINIO_BROWSER: 'off',
      MINIO_UPDATE: 'off',
      // MinIO refuses to store data on the system disk by default, which is where tests store it.
      MINIO_CI_CD: '1',
    },
    folder,
    port,
    health: '/minio/health/ready',
  });
}

/** Server with STS. Skipped, like all of them, if Go is not available to build it. */
export const minioProgram = process.env['NOLO_TEST_MINIO'];
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
    program: minioProgram,
    start: async () => startMinio(minioProgram ?? ''),
    listsUploads: false,
    keepsBrokenParts: false,
  },
];

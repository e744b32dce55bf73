import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

/** Where pages are that bring uploads there themselves. */
export const pageOrigin = 'https://nolo.example.org';

/** Versity's S3 gateway, over a folder of its own with an empty bucket. */
export async function startS3Server(program: string): Promise<S3Server> {
  const folder = await mkdtemp(join(tmpdir(), 'nolo-s3-'));
  const [root, metadata] = [join(folder, 'buckets'), join(folder, 'metadata')];
  await Promise.all([root, metadata].map(async (path) => mkdir(path)));
  // Its buckets are folders.
  await mkdir(join(root, 'nolo'));
  const port = await freePort();
  const [access, secret] = ['nolo-access', 'nolo-secret-key'];
  const settings = ['--port', `127.0.0.1:${port}`, '--access', access, '--secret', secret, '--health', '/health'];
  const child = spawn(
    program,
    [...settings, '--cors-allow-origin', pageOrigin, '--quiet', 'posix', '--sidecar', metadata, root],
    { stdio: 'ignore' },
  );
  const ended = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGKILL');
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  const endpoint = `http://127.0.0.1:${port}`;
  try {
    await eventually(async () => (await fetch(`${endpoint}/health`)).ok, { timeoutMs: 20_000 });
  } catch (error) {
    await stop();
    throw error;
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

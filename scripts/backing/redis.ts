import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startProgram } from '../childProcess.ts';
import { findProgram } from '../paths.ts';
import type { Progress } from '../progress.ts';
import { findFreePort } from '../ports.ts';
import { runCommand } from '../runCommand.ts';
import { createMinimalEnvironment, type BackingProgram, type FoundProgram } from './backingProgram.ts';
import { fetchDebianProgram, findFetchedProgram, type DebianProgram } from './debianProgram.ts';
import { doesPortReply, waitUntil } from './probe.ts';

// redis-server is a link to a program of the redis-tools package.
const debian: DebianProgram = {
  title: 'Redis',
  name: 'redis-server',
  packages: ['redis-server', 'redis-tools'],
  program: 'usr/bin/redis-server',
};

/** Returns Redis (or Valkey) if it is available without a download. */
export function findRedis(): FoundProgram | undefined {
  const command = findProgram('redis-server') ?? findProgram('valkey-server');
  if (command !== undefined) return { command, env: {}, origin: 'on this machine' };
  const brought = findFetchedProgram(debian);
  return brought === undefined ? undefined : { ...brought, origin: 'brought' };
}

/** Prepares a private Redis of an instance. It stores nothing on disk: all its data is caches, leases and counters. */
export async function prepareRedis(home: string, password: string, progress: Progress): Promise<BackingProgram> {
  const onMachine = findRedis();
  const found =
    onMachine?.origin === 'on this machine'
      ? onMachine
      : { ...(await fetchDebianProgram(debian, progress)), origin: 'brought' };
  const { output } = await runCommand(found.command, ['--version'], { env: found.env });
  const version = /v=([\d.]+)/.exec(output)?.[1] ?? '';
  const folder = join(home, 'redis');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const port = await findFreePort();
  // The password is in a file because every user of the machine can read arguments.
  const file = join(folder, 'redis.conf');
  writeFileSync(
    file,
    [
      `port ${String(port)}`,
      'bind 127.0.0.1',
      `requirepass ${password}`,
      `dir "${folder}"`,
      'appendonly no',
      'save ""',
      'daemonize no',
      'loglevel notice',
      'logfile ""',
      '',
    ].join('\n'),
    { mode: 0o600 },
  );
  return {
    description: `Redis ${version}, ${found.origin}, port ${String(port)}`,
    port,
    url: `redis://:${password}@127.0.0.1:${String(port)}/0`,
    loud: /Fatal|OOM|Out Of Memory|Could not/,
    launch: async (onLine) =>
      await startProgram({
        command: found.command,
        args: [file],
        env: createMinimalEnvironment(found.env),
        cwd: folder,
        stopSignal: 'TERM',
        graceSeconds: 5,
        processFile: join(home, 'redis.process'),
        onLine,
        probe: async (abort) => {
          const hello = `AUTH ${password}\r\nPING\r\n`;
          await waitUntil(async () => await doesPortReply(port, hello, /\+OK\r\n\+PONG/), abort);
        },
      }),
  };
}

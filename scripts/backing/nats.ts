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

const debian: DebianProgram = {
  title: 'NATS',
  name: 'nats-server',
  packages: ['nats-server'],
  program: 'usr/sbin/nats-server',
};

/** Returns NATS if it is available without a download. */
export function findNats(): FoundProgram | undefined {
  const command = findProgram('nats-server');
  if (command !== undefined) return { command, env: {}, origin: 'on this machine' };
  const brought = findFetchedProgram(debian);
  return brought === undefined ? undefined : { ...brought, origin: 'brought' };
}

/** Prepares a private NATS of an instance. */
export async function prepareNats(home: string, password: string, progress: Progress): Promise<BackingProgram> {
  const onMachine = findNats();
  const found =
    onMachine?.origin === 'on this machine'
      ? onMachine
      : { ...(await fetchDebianProgram(debian, progress)), origin: 'brought' };
  const { output } = await runCommand(found.command, ['--version'], { env: found.env });
  const version = /v([\d.]+)/.exec(output)?.[1] ?? '';
  const folder = join(home, 'nats');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const port = await findFreePort();
  const file = join(folder, 'nats.conf');
  writeFileSync(
    file,
    [`listen: "127.0.0.1:${String(port)}"`, `authorization { user: "nolo", password: "${password}" }`, ''].join('\n'),
    { mode: 0o600 },
  );
  return {
    description: `NATS ${version}, ${found.origin}, port ${String(port)}`,
    port,
    url: `nats://nolo:${password}@127.0.0.1:${String(port)}`,
    loud: /\[(?:ERR|FTL)\]/,
    launch: async (onLine) =>
      await startProgram({
        command: found.command,
        args: ['-c', file],
        env: createMinimalEnvironment(found.env),
        cwd: folder,
        stopSignal: 'TERM',
        graceSeconds: 5,
        processFile: join(home, 'nats.process'),
        onLine,
        probe: async (abort) => {
          const hello = `CONNECT ${JSON.stringify({ user: 'nolo', pass: password, verbose: false, pedantic: false })}\r\nPING\r\n`;
          await waitUntil(async () => await doesPortReply(port, hello, /^INFO [^]*PONG/), abort);
        },
      }),
  };
}

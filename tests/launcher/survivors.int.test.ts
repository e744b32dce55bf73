import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { startNodeChild, startProgram, type RunningChild } from '../../scripts/childProcess.ts';
import { isAlive, identifyProcess, sendSignal, waitUntilGone, type ProcessIdentity } from '../../scripts/processes.ts';

const folder = mkdtempSync(join(tmpdir(), 'nolo-survivors-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

async function fakeLauncher(fake = ''): Promise<{ launcher: ChildProcess; children: ProcessIdentity[] }> {
  const place = mkdtempSync(join(folder, 'launcher-'));
  const launcher = spawn(process.execPath, [join(import.meta.dirname, 'fixtures/fakeLauncher.mjs'), place, fake], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: launcher.stdout }), 'line')) as [string];
  const pids = JSON.parse(line) as { service: number; program: number };
  const children = [identifyProcess(pids.service), identifyProcess(pids.program)].filter(
    (identity) => identity !== undefined,
  );
  expect(children).toHaveLength(2);
  return { launcher, children };
}

async function startSleep(name: string, program = ['/bin/sleep', '1000'], hello = ''): Promise<RunningChild> {
  const [command, ...args] = program;
  let greet: () => void = () => undefined;
  const greeted = new Promise<void>((resolve) => {
    greet = resolve;
  });
  const child = await startProgram({
    command: command!,
    args,
    env: { PATH: process.env['PATH']! },
    cwd: folder,
    stopSignal: 'TERM',
    graceSeconds: 1,
    processFile: join(folder, `${name}.process`),
    onLine: (line) => {
      if (line === hello) greet();
    },
    probe: async () => {
      if (hello !== '') await greeted;
    },
  });
  await child.ready;
  return child;
}

/** Returns the guard, which is the parent of the process that it guards. */
function guardOf(child: RunningChild): number {
  return Number(execFileSync('ps', ['-o', 'ppid=', '-p', String(child.pid)], { encoding: 'utf8' }));
}

describe('children of the launcher', () => {
  test.each(['SIGKILL', 'SIGTERM', 'SIGHUP'] as const)('end when the launcher ends by %s', async (how) => {
    const { launcher, children } = await fakeLauncher();
    launcher.kill(how);
    for (const child of children) expect(await waitUntilGone(child, 9000)).toBe(true);
  });

  test('end even if they ignore signals', async () => {
    const { launcher, children } = await fakeLauncher('deaf');
    launcher.kill('SIGKILL');
    for (const child of children) expect(await waitUntilGone(child, 9000)).toBe(true);
  });
});

describe('a guard', () => {
  test('ends its service when killed', async () => {
    const service = await startNodeChild({
      module: 'tests/launcher/fixtures/fakeService.mjs',
      env: {},
      onLine: () => undefined,
      announcesReady: true,
    });
    await service.ready;
    const identity = identifyProcess(service.pid)!;
    sendSignal(guardOf(service), 'SIGKILL');
    await service.exited;
    expect(isAlive(identity)).toBe(false);
  });

  test('stops its program on request', async () => {
    const child = await startSleep('asked');
    const identity = identifyProcess(child.pid)!;
    await child.stop();
    expect(isAlive(identity)).toBe(false);
  });

  test('kills a program that does not stop', async () => {
    const child = await startSleep(
      'stubborn',
      ['/bin/sh', '-c', 'trap "" TERM; echo up; while :; do sleep 0.1; done'],
      'up',
    );
    const identity = identifyProcess(child.pid)!;
    const began = performance.now();
    await child.stop();
    expect(performance.now() - began).toBeGreaterThan(900);
    expect(isAlive(identity)).toBe(false);
  });

  test('ends with its program', async () => {
    const child = await startSleep('killed');
    child.kill('SIGKILL');
    expect(await child.exited).toEqual({ code: null, signal: 'SIGKILL' });
  });

  test('leaves nothing behind when it is killed itself', async () => {
    const child = await startSleep('bereft');
    const identity = identifyProcess(child.pid)!;
    sendSignal(guardOf(child), 'SIGKILL');
    await child.exited;
    expect(isAlive(identity)).toBe(false);
  });

  test('ends a program that an earlier launcher lost', async () => {
    const lost = spawn('/bin/sleep', ['1000'], { detached: true, stdio: 'ignore' });
    const identity = identifyProcess(lost.pid!)!;
    writeFileSync(join(folder, 'lost.process'), JSON.stringify(identity));
    const child = await startSleep('lost');
    expect(isAlive(identity)).toBe(false);
    await child.stop();
  });
});

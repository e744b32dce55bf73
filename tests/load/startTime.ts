/**
 * Measures from `npm start` until it reports that Nolo is ready, when everything exists from an earlier start; and how
 * long stopping takes.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { deleteBackingData } from '../../scripts/backingServices.ts';
import { findInstanceOwner } from '../../scripts/instanceLock.ts';
import { projectRoot } from '../../scripts/paths.ts';
import { findFreePort } from '../../scripts/ports.ts';
import { describeConditions, median, printTable, printLine } from './support/measure.ts';

const runs = Number(process.argv[2] ?? 5);
/** Ways to stop; the last is the end of the parent process. */
const interruptions = ['SIGINT', 'SIGTERM', 'disconnect'] as const;
const timeoutMs = 180_000;

async function startOnce(home: string, port: number): Promise<{ ready: number; stopped: number; steps: string }> {
  const began = performance.now();
  const child = spawn('npm', ['start'], {
    cwd: projectRoot,
    env: { ...process.env, NOLO_HOME: home, PORT: String(port), LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const endIt = () => child.kill('SIGTERM');
  for (const event of interruptions) process.once(event, endIt);
  let output = '';
  const ready = await new Promise<number>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`Not ready after ${timeoutMs / 1000} s:\n${output}`)), timeoutMs);
    void ended.then(() => reject(new Error(`npm start exited by itself:\n${output}`)));
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (!output.includes('Nolo is ready at')) return;
      clearTimeout(timer);
      resolve(performance.now() - began);
    });
  }).catch((error: unknown) => {
    child.kill('SIGTERM');
    throw error;
  });
  const stoppedAt = performance.now();
  endIt();
  await ended;
  for (const event of interruptions) process.off(event, endIt);
  // npm may exit before the launcher has stopped everything.
  while (findInstanceOwner(home) !== undefined) await sleep(20);
  const steps = [...output.matchAll(/^✓ (\S+).*\((\d+\.\d) s\)$/gm)].map(([, name, time]) => `${name} ${time}`);
  return { ready: ready / 1000, stopped: (performance.now() - stoppedAt) / 1000, steps: steps.join(', ') };
}

const home = await mkdtemp(join(tmpdir(), 'nolo-start-'));
try {
  const port = await findFreePort();
  printLine(`\nStart time\n${describeConditions()}`);
  const first = await startOnce(home, port);
  const times: Awaited<ReturnType<typeof startOnce>>[] = [];
  for (let run = 0; run < runs; run += 1) times.push(await startOnce(home, port));
  printTable(
    ['', 'ready after s', 'stopped after s', 'steps, s'],
    [
      ['first', first.ready, first.stopped, first.steps],
      ...times.map(({ ready, stopped, steps }, run) => [`again ${run + 1}`, ready, stopped, steps]),
    ],
  );
  printLine(`Second start: median ${median(times.map(({ ready }) => ready)).toFixed(1)} s of ${runs} runs.`);
  printLine(describeConditions());
} finally {
  deleteBackingData(home);
  await rm(home, { recursive: true, force: true });
}

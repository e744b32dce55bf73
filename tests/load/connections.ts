/**
 * Measures the memory of idle authenticated connections, and 18,000 of them at one gateway, next to a bare `ws` server.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { forkBareServer, forkSocketHolder, type ClientSocketOptions } from './support/forks.ts';
import { measureOnStack, type LoadStack } from './support/loadStack.ts';
import { readCpuMs, printTable, readResidentBytes, printLine } from './support/measure.ts';
import { createLoadPeople } from './support/people.ts';

const total = Number(process.argv[2] ?? 18_000);
/** Devices per account, below its connection limits per minute and in total. */
const devices = 30;
const holderCount = 3;
const warmUp = 500;
const idleSeconds = 40;

/**
 * Opens all sockets. Each client process needs a file per socket, and so do the servers: Node raises its soft limit to
 * the hard one.
 */
async function holdAll(url: string, sockets: readonly ClientSocketOptions[]) {
  const holders = Array.from({ length: holderCount }, forkSocketHolder);
  const share = Math.ceil(sockets.length / holderCount);
  const began = performance.now();
  await Promise.all(
    holders.map((holder, index) =>
      holder.ask({ ask: 'open', url, sockets: sockets.slice(index * share, (index + 1) * share), atOnce: 30 }),
    ),
  );
  return { holders, seconds: (performance.now() - began) / 1000 };
}

async function weigh(name: string, url: string, pid: number, sockets: readonly ClientSocketOptions[]) {
  // Excludes the one-time costs of the first connections.
  const first = await holdAll(url, sockets.slice(0, warmUp));
  for (const holder of first.holders) holder.stop();
  await sleep(6000);
  const empty = readResidentBytes(pid);
  const cpuBefore = readCpuMs(pid);
  const { holders, seconds } = await holdAll(url, sockets);
  const cpuOpened = readCpuMs(pid);
  const opened = readResidentBytes(pid);
  await sleep(idleSeconds * 1000);
  const idle = readResidentBytes(pid);
  const cpuIdle = readCpuMs(pid);
  const lost = (await Promise.all(holders.map((holder) => holder.ask({ ask: 'lost' })))).reduce((a, b) => a + b, 0);
  for (const holder of holders) holder.stop();
  await sleep(3000);
  return [
    name,
    `${sockets.length - lost}`,
    empty / 1e6,
    opened / 1e6,
    idle / 1e6,
    (idle - empty) / sockets.length / 1000,
    sockets.length / seconds,
    (cpuOpened - cpuBefore) / sockets.length,
    (cpuIdle - cpuOpened) / (idleSeconds * 10),
  ];
}

async function measure(stack: LoadStack): Promise<void> {
  const people = await createLoadPeople(stack, Math.ceil(total / devices), devices);
  const restore = await stack.liftLimits(people.map(({ id }) => id));
  const sockets = people
    .flatMap(({ tokens }) => tokens)
    .slice(0, total)
    .map((token, index) => ({ token, localAddress: `127.0.0.${2 + (index % 8)}` }));
  const bare = forkBareServer();
  const rows = [
    await weigh('bare ws', `ws://127.0.0.1:${await bare.ask({ ask: 'port' })}`, bare.pid, sockets),
    await weigh('gateway', `${stack.url.replace('http', 'ws')}/ws`, stack.pid('gateway'), sockets),
  ];
  bare.stop();
  await restore();
  printTable(
    [
      '',
      'open at the end',
      'empty MB',
      'just opened MB',
      `after ${idleSeconds} s MB`,
      'KB per connection',
      'opened/s',
      'CPU ms per opening',
      'idle CPU %',
    ],
    rows,
  );
  printLine('Resident memory (VmRSS) of the server process; 1 KB is 1,000 bytes. Kernel buffers are not included.');
}

await measureOnStack('Idle connections', measure);

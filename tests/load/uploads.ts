/**
 * Measures uploads and downloads through the gateway and the files service, alternating with a server that writes and
 * reads a plain file: the cost of both, and the memory of our services for small and large files.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { limits } from '@nolo/rules';
import { forkFileServer } from './support/forks.ts';
import { measureOnStack, type LoadStack } from './support/loadStack.ts';
import { readCpuMs, median, printTable, readResidentBytes } from './support/measure.ts';
import { createLoadPeople } from './support/people.ts';

const megabytes = Number(process.argv[2] ?? 300);
const rounds = 5;
const partBytes = limits.uploadPartBytesMin;
const partCountOf = (size: number) => Math.ceil((size * 1_000_000) / partBytes);
const partBody = new Uint8Array(partBytes).fill(120);
const mebibyte = 1024 * 1024;

interface Way {
  up(parts: number): Promise<void>;
  down(parts: number): Promise<void>;
}

async function inParallel(count: number, width: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const run = async () => {
    for (let index = next++; index < count; index = next++) await work(index);
  };
  await Promise.all(Array.from({ length: width }, run));
}

async function swallow(response: Response, expected: number): Promise<void> {
  let bytes = 0;
  for await (const chunk of response.body ?? []) bytes += (chunk as Uint8Array).length;
  if (!response.ok || bytes !== expected) throw new Error(`${response.status} with ${bytes} bytes`);
}

/** Sends the same parts to separate files concurrently, and reads them back one after another. */
function toPlainServer(port: number): Way {
  const at = (index: number) => `http://127.0.0.1:${port}/${index}`;
  return {
    up: (parts) =>
      inParallel(parts, limits.uploadConcurrency, async (index) => {
        const { status } = await fetch(at(index), { method: 'PUT', body: partBody });
        if (status !== 200) throw new Error(`A part upload was answered with ${status}.`);
      }),
    async down(parts) {
      for (let index = 0; index < parts; index += 1) await swallow(await fetch(at(index)), partBytes);
    },
  };
}

function throughNolo(url: string, token: string): Way {
  let location = '';
  const call = async (method: string, path: string, body?: object): Promise<Record<string, string>> => {
    const response = await fetch(new URL(path, url), {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Record<string, string>;
  };
  return {
    async up(parts) {
      const begun = await call('POST', '/s3/multipart', { filename: 'load.bin', type: '', metadata: {} });
      const at = (rest = '') =>
        `/s3/multipart/${begun['uploadId']}${rest}?key=${encodeURIComponent(begun['key'] ?? '')}`;
      const etags: string[] = [];
      await inParallel(parts, limits.uploadConcurrency, async (index) => {
        const signed = new URL((await call('GET', at(`/${index + 1}`)))['url'] ?? '');
        const { status, headers } = await fetch(new URL(signed.pathname + signed.search, url), {
          method: 'PUT',
          body: partBody,
        });
        if (status !== 200) throw new Error(`A part upload was answered with ${status}.`);
        etags[index] = headers.get('etag') ?? '';
      });
      const named = etags.map((ETag, index) => ({ PartNumber: index + 1, ETag }));
      location = (await call('POST', at('/complete'), { parts: named }))['location'] ?? '';
    },
    async down(parts) {
      const headers = { authorization: `Bearer ${token}` };
      await swallow(await fetch(new URL(location, url), { headers }), parts * partBytes);
    },
  };
}

/** Cost of an operation: time, and CPU of some processes. */
interface Taken {
  ms: number;
  cpu: number;
}

async function taking(pids: readonly number[], work: () => Promise<void>): Promise<Taken> {
  const cpu = () => pids.reduce((sum, pid) => sum + readCpuMs(pid), 0);
  const [began, before] = [performance.now(), cpu()];
  await work();
  return { ms: performance.now() - began, cpu: cpu() - before };
}

/** Returns the peak memory of processes during the work, in MiB. */
async function peakDuring(pids: readonly number[], work: () => Promise<void>): Promise<number[]> {
  const peaks = pids.map(() => 0);
  const sampleMemory = () => {
    for (const [index, pid] of pids.entries()) peaks[index] = Math.max(peaks[index] ?? 0, readResidentBytes(pid));
  };
  const timer = setInterval(sampleMemory, 50);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  sampleMemory();
  return peaks.map((bytes) => bytes / mebibyte);
}

async function measure(stack: LoadStack): Promise<void> {
  const [person] = await createLoadPeople(stack, 1);
  if (!person) throw new Error('No users are available.');
  const restore = await stack.liftLimits([person.id]);
  const folder = await mkdtemp(join(tmpdir(), 'nolo-load-'));
  const server = forkFileServer();
  const plain = toPlainServer(await server.ask({ folder }));
  const nolo = throughNolo(stack.url, person.tokens[0] ?? '');
  const services = ['gateway', 'files'].map((name) => stack.pid(name));
  const taken = new Map<string, Taken[]>();
  const recordMeasurement = async (name: string, pids: readonly number[], work: () => Promise<void>) =>
    taken.set(name, [...(taken.get(name) ?? []), await taking(pids, work)]);
  try {
    const atRest = services.map((pid) => readResidentBytes(pid) / mebibyte);
    const small = partCountOf(megabytes / 10);
    const forSmall = await peakDuring(services, async () => {
      for (let round = 0; round < rounds; round += 1) {
        await nolo.up(small);
        await nolo.down(small);
      }
    });
    const parts = partCountOf(megabytes);
    const forLarge = await peakDuring(services, async () => {
      for (let round = 0; round < rounds; round += 1) {
        await recordMeasurement('plain up', [server.pid], () => plain.up(parts));
        await recordMeasurement('plain down', [server.pid], () => plain.down(parts));
        await recordMeasurement('nolo up', services, () => nolo.up(parts));
        await recordMeasurement('nolo down', services, () => nolo.down(parts));
      }
    });
    const size = (parts * partBytes) / 1_000_000;
    const rate = (name: string) => size / (median((taken.get(name) ?? []).map(({ ms }) => ms)) / 1_000);
    const cost = (name: string) => median((taken.get(name) ?? []).map(({ cpu }) => cpu)) / size;
    printTable(
      ['', 'MB/s', 'plain', 'share', 'CPU ms/MB', 'plain'],
      ['up', 'down'].map((way) => [
        way,
        rate(`nolo ${way}`),
        rate(`plain ${way}`),
        rate(`nolo ${way}`) / rate(`plain ${way}`),
        cost(`nolo ${way}`),
        cost(`plain ${way}`),
      ]),
    );
    printTable(
      ['MiB resident', 'at rest', `peak, ${megabytes / 10} MB`, `peak, ${megabytes} MB`],
      ['gateway', 'files'].map((name, index) => [name, atRest[index] ?? 0, forSmall[index] ?? 0, forLarge[index] ?? 0]),
    );
  } finally {
    server.stop();
    await restore();
    await rm(folder, { recursive: true, force: true });
  }
}

await measureOnStack(`Uploading and downloading ${megabytes} MB in parts of ${partBytes} bytes`, measure);

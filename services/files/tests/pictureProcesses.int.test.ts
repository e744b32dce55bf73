import { newId, parseId, type UserId } from '@nolo/kit/ids';
import { eventually } from '@nolo/testing';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import sharp from 'sharp';
import { pictureRateLimited } from '../src/errors.ts';
import { PictureProcessPool, type PictureProcessPoolOptions } from '../src/images/PictureProcessPool.ts';

const accountId = parseId<UserId>('00000000-0000-4000-8000-000000000001')!;
/** Limits that no machine reaches, for tests that do not concern them. */
const generous = {
  memoryBytes: 1_024 * 2 ** 20,
  cpuMs: 600_000,
  wallMs: 3_600_000,
  spend: () => Promise.resolve(),
  onRefused: () => undefined,
};

let processes: PictureProcessPool;
const begin = (options: Partial<PictureProcessPoolOptions> = {}) => {
  processes = new PictureProcessPool({ ...generous, atOnce: 1, ...options });
};
afterEach(() => processes.stop());

const flat = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#123456' } });
/** Reads the output of `flat(...).avif({ effort: 0 })` at that size, which takes seconds to create. */
const prepared = (name: string) => readFileSync(new URL(`./fixtures/${name}`, import.meta.url));
const sourceOf = (bytes: Uint8Array) => ({ size: bytes.length, read: () => Promise.resolve(bytes) });
const clean = (bytes: Uint8Array, type: string, account = accountId) =>
  processes.clean(account, sourceOf(bytes), type, []);

/** Returns the process that handles pictures: the only child that runs the worker. */
function workerPid(): number {
  for (const name of readdirSync('/proc')) {
    try {
      const status = readFileSync(`/proc/${name}/status`, 'utf8');
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8');
      if (status.includes(`\nPPid:\t${process.pid}\n`) && command.includes('files/src/worker/main.ts')) {
        return Number(name);
      }
    } catch {
      // The entry is not a process, or the process has just ended.
    }
  }
  throw new Error('There is no process that makes pictures.');
}

test("an image is processed in a reused process without access to the service's secrets", async () => {
  begin();
  const bytes = await flat(1_200, 800).jpeg().toBuffer();
  const made = await clean(bytes, 'image/jpeg');
  expect(made).toMatchObject({ contentType: 'image/jpeg', width: 1_200, height: 800, moves: false });
  expect(made.thumbnails.map(({ width }) => width)).toEqual([320, 960]);
  const pid = workerPid();
  const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').filter(Boolean);
  expect(environment.map((line) => line.split('=')[0])).toEqual(
    expect.not.arrayContaining(['DATABASE_URL', 'UPLOAD_SECRET', 'RPC_SECRET', 'PATH']),
  );
  await expect(processes.make(accountId, sourceOf(bytes), 'square')).resolves.toMatchObject({
    contentType: 'image/webp',
  });
  expect(workerPid()).toBe(pid);
});

test('an invalid image is rejected permanently, without affecting others', async () => {
  begin();
  const honest = await flat(100, 100).png().toBuffer();
  await expect(clean(honest.subarray(0, 60), 'image/png')).rejects.toMatchObject({ code: 'file_not_image' });
  await expect(clean(Buffer.from('<svg/>'), 'image/svg+xml')).rejects.toMatchObject({ code: 'file_not_image' });
  await expect(clean(honest, 'image/png')).resolves.toMatchObject({ width: 100 });
});

test('a small file that needs much memory is rejected, without allocating it', async () => {
  begin({ memoryBytes: 256 * 2 ** 20 });
  const bomb = prepared('flat7000x7000.avif');
  expect(bomb.length).toBeLessThan(10_000);
  await expect(clean(bomb, 'image/avif')).rejects.toMatchObject({ kind: 'too_large', code: 'image_too_large' });
  await expect(clean(await flat(50, 50).png().toBuffer(), 'image/png')).resolves.toMatchObject({ width: 50 });
});

test('six accounts sending small files with many pixels do not block anyone', async () => {
  begin({ atOnce: 2 });
  const accounts = Array.from({ length: 11 }, () => newId<UserId>());
  const frame = (red: number) =>
    sharp({ create: { width: 1_000, height: 1_000, channels: 3, background: { r: red, g: 9, b: 50 } } })
      .png()
      .toBuffer();
  const [one, other] = await Promise.all([frame(0), frame(200)]);
  const frames = Array.from({ length: 90 }, (_, index) => (index % 2 === 0 ? one : other));
  const gif = await sharp(frames, { join: { animated: true } })
    .gif({ effort: 1 })
    .toBuffer();
  const avif = prepared('flat4010x4000.avif');
  expect(gif.length + avif.length).toBeLessThan(200_000);
  const png = await flat(800, 600).png().toBuffer();

  let attacksMade = 0;
  const attacks = accounts.slice(0, 6).flatMap((account) =>
    Array.from({ length: 12 }, async (_, index) => {
      await (index % 2 === 0 ? clean(avif, 'image/avif', account) : clean(gif, 'image/gif', account));
      attacksMade += 1;
    }),
  );
  const ended = Promise.allSettled(attacks);
  await eventually(() => processes.waitingCost > 6_000);
  for (const account of accounts.slice(6, 8)) {
    await expect(clean(png, 'image/png', account)).resolves.toMatchObject({ width: 800 });
  }
  await Promise.all(accounts.slice(8).map((account) => clean(png, 'image/png', account)));
  // Fewer were processed meanwhile than one of the six accounts submitted.
  expect(attacksMade).toBeLessThan(12);
  await processes.stop();
  await ended;
});

test('cost is pixels times frames times format factor, charged to the account before decoding', async () => {
  const spent: number[] = [];
  const refused: [string, number][] = [];
  begin({
    spend: (_, cost) => {
      spent.push(cost);
      return spent.length > 4 ? Promise.reject(pictureRateLimited(1_000)) : Promise.resolve();
    },
    onRefused: (reason, cost) => void refused.push([reason, cost]),
  });
  const frames = await Promise.all(
    ['red', 'blue'].map((background) =>
      sharp({ create: { width: 500, height: 400, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  );
  const gif = await sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer();
  const jpeg = await flat(1_000, 500).jpeg().toBuffer();
  await clean(jpeg, 'image/jpeg');
  await clean(gif, 'image/gif');
  await processes.make(accountId, sourceOf(gif), 'square');
  await clean(await flat(100, 100).avif().toBuffer(), 'image/avif');
  await expect(clean(jpeg, 'image/jpeg')).rejects.toMatchObject({ kind: 'rate_limited', code: 'picture_limit' });
  expect(spent.map((cost) => cost.toFixed(2))).toEqual(['0.50', '1.20', '0.60', '0.06', '0.50']);
  const huge = await flat(8_000, 7_000).png().toBuffer();
  await expect(clean(huge, 'image/png')).rejects.toMatchObject({ kind: 'too_large', code: 'image_too_large' });
  expect(refused).toEqual([
    ['spent', 0.5],
    ['too_large', 112],
  ]);
});

test('an image that is overwritten after being measured is not decoded', async () => {
  begin();
  const small = await flat(16, 16).png().toBuffer();
  const bombs = { png: await flat(6_000, 6_000).png().toBuffer(), avif: prepared('flat4010x4000.avif') };
  /** Returns a small picture for measuring and then another one, padded to equal size where requested. */
  const swapped = (first: Uint8Array, then: Uint8Array) => {
    const reads = [first, then];
    return { size: first.length, read: () => Promise.resolve(reads.shift()!) };
  };
  const filledUp = (size: number) => Buffer.concat([small, Buffer.alloc(size - small.length)]);
  const changed = { kind: 'invalid', code: 'file_not_image', message: expect.stringContaining('changed') as string };
  for (const bomb of [bombs.png, bombs.avif]) {
    for (const first of [small, filledUp(bomb.length)]) {
      await expect(processes.make(accountId, swapped(first, bomb), 'square')).rejects.toMatchObject(changed);
    }
  }
  const cleaned = processes.clean(accountId, swapped(filledUp(bombs.png.length), bombs.png), 'image/png', []);
  await expect(cleaned).rejects.toMatchObject(changed);
  await expect(clean(filledUp(bombs.png.length), 'image/png')).resolves.toMatchObject({ width: 16 });
});

test('an image whose client has left neither waits nor is charged', async () => {
  const other = newId<UserId>();
  const spent: UserId[] = [];
  const gate = Promise.withResolvers<void>();
  begin({
    spend: async (account) => {
      spent.push(account);
      await gate.promise;
    },
  });
  const bytes = await flat(300, 300).png().toBuffer();
  const first = clean(bytes, 'image/png');
  await eventually(() => spent.length === 1);
  const gone = new AbortController();
  const left = processes.clean(other, { ...sourceOf(bytes), signal: gone.signal }, 'image/png', []);
  await eventually(() => processes.waitingCost > 0);
  gone.abort();
  expect(processes.waiting).toBe(0);
  await expect(left).rejects.toMatchObject({ kind: 'unavailable', code: 'pictures_busy' });
  gate.resolve();
  await first;
  expect(spent).toEqual([accountId]);
});

test('an image not started in time can be retried, and is not charged', async () => {
  let spent = 0;
  begin({
    beforeMs: 0,
    spend: async () => {
      spent += 1;
      await Promise.resolve();
    },
  });
  const bytes = await flat(300, 300).png().toBuffer();
  await expect(clean(bytes, 'image/png')).rejects.toMatchObject({ kind: 'unavailable', code: 'pictures_busy' });
  expect(spent).toBe(0);
});

test('a large AVIF becomes a WebP, whose encoder needs less memory', async () => {
  begin();
  await expect(clean(prepared('flat4010x4000.avif'), 'image/avif')).resolves.toMatchObject({
    contentType: 'image/webp',
    width: 4_010,
  });
});

test('a valid image can be retried if the machine gave its process no time', async () => {
  const limits = { ...generous };
  processes = new PictureProcessPool(limits);
  const bytes = await flat(300, 300).png().toBuffer();
  await clean(bytes, 'image/png');
  // The limit applies from now on, so that only the stopped process uses up the time.
  limits.wallMs = 1_000;
  process.kill(workerPid(), 'SIGSTOP');
  await expect(clean(bytes, 'image/png')).rejects.toMatchObject({ kind: 'unavailable', code: 'pictures_busy' });
});

test('an image that takes too much processor time is rejected', async () => {
  begin({ cpuMs: 50 });
  const [width, height, channels] = [3_000, 3_000, 3] as const;
  // Noise is incompressible: compressing it takes long, but creating this uncompressed file does not.
  const noise = randomBytes(width * height * channels);
  const busy = await sharp(noise, { raw: { width, height, channels } }).png({ compressionLevel: 0 }).toBuffer();
  await expect(clean(busy, 'image/png')).rejects.toMatchObject({ code: 'image_too_large' });
});

test.each([
  ['SIGKILL', 'pictures_busy'],
  ['SIGSEGV', 'file_not_image'],
] as const)('a process killed by %s answers %s, and the next image gets a new one', async (signal, code) => {
  begin();
  const bytes = await flat(300, 300).png().toBuffer();
  await clean(bytes, 'image/png');
  const pid = workerPid();
  process.kill(pid, 'SIGSTOP');
  const answer = clean(bytes, 'image/png');
  process.kill(pid, signal);
  process.kill(pid, 'SIGCONT');
  await expect(answer).rejects.toMatchObject({ code });
  await expect(clean(bytes, 'image/png')).resolves.toMatchObject({ width: 300 });
});

test('stopping the service ends its processes, and running work can be retried', async () => {
  begin();
  const bytes = await flat(300, 300).png().toBuffer();
  await clean(bytes, 'image/png');
  process.kill(workerPid(), 'SIGSTOP');
  const [answer] = await Promise.allSettled([clean(bytes, 'image/png'), processes.stop()]);
  expect(answer).toMatchObject({ status: 'rejected', reason: { code: 'pictures_busy' } });
  expect(workerPid).toThrow('no process');
  await expect(clean(bytes, 'image/png')).rejects.toMatchObject({ code: 'pictures_busy' });
});

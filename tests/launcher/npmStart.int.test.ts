import { createTestDatabase, eventually, readTestServerAddresses, createUniqueName } from '@nolo/testing';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../../scripts/ports.ts';
import { findProcessesWithEnv } from '../../scripts/processes.ts';

const folder = mkdtempSync(join(tmpdir(), 'nolo-start-'));
const launched: Launched[] = [];
const bootstrap = join(import.meta.dirname, '../../scripts/nolo.mjs');

interface Launched {
  process: ChildProcess;
  output: () => string;
  exited: Promise<number | null>;
  /** Environment mark of everything that belongs to this launch. */
  launchId: string;
}

afterEach(async () => {
  for (const one of launched.splice(0)) {
    one.process.kill('SIGTERM');
    await one.exited;
  }
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

function nolo(words: string[], env: Record<string, string>): Launched {
  const launchId = createUniqueName('launch');
  const child = spawn(process.execPath, [bootstrap, ...words], {
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      // Provided by the setup of the tests, so that no launch builds one.
      MEDIASOUP_WORKER_BIN: process.env['MEDIASOUP_WORKER_BIN'],
      ...env,
      NOLO_LAUNCH: launchId,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  const exited = new Promise<number | null>((resolve) => {
    child.once('close', (code) => {
      resolve(code);
    });
  });
  const one = { process: child, output: () => output, exited, launchId };
  launched.push(one);
  return one;
}

function newHome(): string {
  return mkdtempSync(join(folder, 'home-'));
}

/** Returns the output without empty lines at its ends. */
function getOutput(one: Launched): string {
  return one.output().trim();
}

/** Waits long: a first start creates databases and builds the web, which takes a slow machine minutes. */
async function waitForOutput(one: Launched, text: string): Promise<void> {
  const outcome = await eventually(
    () => (one.output().includes(text) ? 'said' : one.process.exitCode !== null && 'ended'),
    { timeoutMs: 200_000 },
  );
  if (outcome === 'ended') throw new Error(`It ended and had said: ${one.output()}`);
}

async function untilAlone(one: Launched): Promise<void> {
  await eventually(() => findProcessesWithEnv('NOLO_LAUNCH', one.launchId).length === 0);
}

describe('npm start', () => {
  test('rejects a busy port in one sentence, before starting anything', async () => {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const port = String((server.address() as { port: number }).port);
    const home = newHome();
    const one = nolo(['start'], { NOLO_HOME: home, PORT: port });
    expect(await one.exited).toBe(1);
    expect(getOutput(one)).toBe(
      `Port ${port} is in use by another program. Stop it, or choose another port: "PORT=8080 npm start".`,
    );
    expect(existsSync(join(home, 'secrets.json'))).toBe(false);
    server.close();
  });

  test.each([
    [{ PORT: 'eighty' }, 'PORT is "eighty", but must be a whole number from 1 to 65535.'],
    [
      { HOST: '203.0.113.7', PORT: '28111' },
      'HOST is 203.0.113.7, but this machine cannot listen there (EADDRNOTAVAIL).',
    ],
  ])('rejects in one sentence: %j', async (env, sentence) => {
    const one = nolo(['start'], { NOLO_HOME: newHome(), ...env });
    expect(await one.exited).toBe(1);
    expect(getOutput(one)).toBe(sentence);
  });

  test('rejects an unreachable database in one sentence', async () => {
    const port = await findFreePort();
    const { redisUrl, natsUrl } = readTestServerAddresses();
    const one = nolo(['start'], {
      NOLO_HOME: newHome(),
      PORT: String(await findFreePort()),
      DATABASE_URL: `postgres://nobody:x@127.0.0.1:${String(port)}/nolo`,
      REDIS_URL: redisUrl,
      NATS_URL: natsUrl,
    });
    expect(await one.exited).toBe(1);
    expect(getOutput(one)).toContain(
      `DATABASE_URL names 127.0.0.1:${String(port)}, where nothing is listening. Start that Postgres, or unset DATABASE_URL`,
    );
    await untilAlone(one);
  });
});

test('npm stop has nothing to do if nothing is running', async () => {
  const home = newHome();
  const one = nolo(['stop'], { NOLO_HOME: home });
  expect(await one.exited).toBe(0);
  expect(getOutput(one)).toBe(`Nothing is running in ${home}.`);
});

test('two instances run side by side, and each stops without a trace', async () => {
  const databases = [await createTestDatabase([]), await createTestDatabase([])];
  const instances = await Promise.all(
    databases.map(async ({ name }) => {
      const { databaseUrl, redisUrl, natsUrl } = readTestServerAddresses();
      const address = new URL(databaseUrl);
      address.pathname = name;
      const home = newHome();
      const port = String(await findFreePort());
      const one = nolo(['start'], {
        NOLO_HOME: home,
        PORT: port,
        DATABASE_URL: address.href,
        REDIS_URL: redisUrl,
        REDIS_PREFIX: name,
        NATS_URL: natsUrl,
        NATS_PREFIX: name,
      });
      return { one, home, port };
    }),
  );
  const [first, second] = instances as [(typeof instances)[0], (typeof instances)[0]];
  for (const { one, port } of instances) {
    await waitForOutput(one, `Nolo is ready at http://localhost:${port}`);
    const health = await fetch(`http://127.0.0.1:${port}/healthz`);
    expect(health.status).toBe(200);
    await waitForOutput(one, 'the code 424242');
    await waitForOutput(one, 'Calls and meetings: media-sfu ready');
  }

  // A second start in the same folder is refused, at another port too.
  const secondStart = nolo(['start'], { NOLO_HOME: first.home, PORT: String(await findFreePort()) });
  expect(await secondStart.exited).toBe(1);
  expect(getOutput(secondStart)).toMatch(/^The folder .* is in use by another npm start \(process \d+\)/);

  // A killed service comes back at the same address, and the launcher reports it.
  const gateway = findProcessesWithEnv('NOLO_LAUNCH', first.one.launchId).find(({ pid }) =>
    /^[^\0]*node\0.*services\/gateway\//.test(commandLine(pid)),
  );
  process.kill(gateway!.pid, 'SIGKILL');
  await waitForOutput(first.one, 'gateway ended (signal SIGKILL) and restarts');
  await untilHealthy(first.port);

  // A killed launcher takes everything with it and does not affect the neighboring instance.
  const launcher = findProcessesWithEnv('NOLO_LAUNCH', first.one.launchId).find(({ pid }) =>
    commandLine(pid).includes('scripts/main.ts'),
  );
  process.kill(launcher!.pid, 'SIGKILL');
  expect(await first.one.exited).toBe(137);
  await untilAlone(first.one);
  expect((await fetch(`http://127.0.0.1:${second.port}/healthz`)).status).toBe(200);

  const stop = nolo(['stop'], { NOLO_HOME: second.home });
  expect(await stop.exited).toBe(0);
  expect(getOutput(stop)).toBe(`Stopped the instance in ${second.home}.`);
  expect(await second.one.exited).toBe(0);
  await untilAlone(second.one);
  await Promise.all(databases.map(async (database) => await database.drop()));
});

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${String(pid)}/cmdline`, 'latin1');
  } catch {
    return '';
  }
}

async function untilHealthy(port: string): Promise<void> {
  await eventually(async () => (await fetch(`http://127.0.0.1:${port}/healthz`)).status === 200);
}

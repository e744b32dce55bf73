import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { AppError, createAppError } from '../errors.ts';
import { createLog } from '../telemetry/log.ts';
import {
  createClient,
  bindRpcService,
  serveRpc,
  type RpcContext,
  type RpcServer,
  type ServeRpcOptions,
} from './rpc.ts';

interface Text {
  text: string;
}

const text = {
  encode: (value: Text) => ({ finish: () => new TextEncoder().encode(JSON.stringify(value)) }),
  decode: (bytes: Uint8Array) => JSON.parse(Buffer.from(bytes).toString()) as Text,
};
const types = { requestType: text, responseType: text };

/** Service definition as ts-proto would generate it, with one method of each kind. */
const EchoService = {
  fullName: 'test.v1.Echo',
  methods: {
    echo: { name: 'Echo', requestStream: false, responseStream: false, ...types },
    join: { name: 'Join', requestStream: true, responseStream: false, ...types },
    split: { name: 'Split', requestStream: false, responseStream: true, ...types },
  },
} as const;

declare const RenamedService: {
  readonly fullName: string;
  readonly methods: { readonly describe: (typeof EchoService)['methods']['echo'] };
};

const secret = 'the-secret-of-the-test';
const lines: string[] = [];
const log = createLog({ service: 'test', destination: { write: (line) => void lines.push(line) } });
const metrics = new Registry();

let echo: (request: Text, context: RpcContext) => Promise<Text>;
let join: (requests: AsyncIterable<Text>, context: RpcContext) => Promise<Text>;
let split: (request: Text, context: RpcContext) => AsyncIterable<Text>;

const service = bindRpcService(EchoService, {
  echo: (request, context) => echo(request, context),
  join: (requests, context) => join(requests, context),
  split: (request, context) => split(request, context),
});

const serve = (port = 0, registry?: Registry, more: Partial<ServeRpcOptions> = {}): Promise<RpcServer> =>
  serveRpc({
    listen: { host: '127.0.0.1', port },
    secret,
    log,
    services: [service],
    ...(registry ? { metrics: registry } : {}),
    ...more,
  });

let server: RpcServer;
let client: ReturnType<typeof createClient<typeof EchoService>>;

beforeAll(async () => {
  server = await serve(0, metrics);
  client = createClient(EchoService, `127.0.0.1:${server.port}`, { secret });
});
afterAll(async () => {
  client.close();
  await server.stop();
});
beforeEach(() => {
  lines.length = 0;
  echo = async ({ text }) => ({ text });
});

async function failure(promise: Promise<unknown>): Promise<AppError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof AppError)) throw new Error('No AppError was thrown.', { cause: error });
  return error;
}

describe('a call', () => {
  it('returns the reply, and carries the request id along', async () => {
    echo = async ({ text }, { requestId }) => ({ text: `${text} ${requestId}` });
    expect(await client.echo({ text: 'hello' }, { requestId: 'r-1' })).toEqual({ text: 'hello r-1' });
  });

  it('gets a request id if it has none', async () => {
    echo = async (_request, { requestId }) => ({ text: requestId });
    expect((await client.echo({ text: '' })).text).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('is refused without the secret, and reported as an internal error', async () => {
    const stranger = createClient(EchoService, { host: '127.0.0.1', port: server.port }, { secret: 'another-secret' });
    expect(await failure(stranger.echo({ text: 'hello' }))).toMatchObject({ kind: 'internal', code: 'internal_error' });
    expect(lines.join()).toContain('without the shared secret');
    stranger.close();
  });

  it('carries an AppError over in full', async () => {
    echo = () => {
      throw createAppError(
        'rate_limited',
        'too_many',
        'Slow down, ünïcode.',
        { limit: 'x' },
        { retryAfterMs: 1234, reason: 'inside' },
      );
    };
    const error = await failure(client.echo({ text: '' }));
    expect(error).toMatchObject({
      kind: 'rate_limited',
      code: 'too_many',
      message: 'Slow down, ünïcode.',
      details: { limit: 'x' },
      retryAfterMs: 1234,
    });
    expect(error.reason).toBeUndefined();
  });

  it('leaks nothing of an unknown error, and logs it once', async () => {
    echo = () => Promise.reject(new Error('select * from secrets'));
    const error = await failure(client.echo({ text: '' }, { requestId: 'r-2' }));
    expect(error).toMatchObject({ kind: 'internal', code: 'internal_error' });
    expect(JSON.stringify([error.message, error.details])).not.toContain('secrets');
    const logged = lines.filter((line) => line.includes('select * from secrets'));
    expect(logged).toHaveLength(1);
    expect(JSON.parse(logged[0]!)).toMatchObject({ requestId: 'r-2', method: 'test.v1.Echo/Echo', level: 'error' });
  });

  it('reports an unreachable database as unavailable', async () => {
    echo = () => Promise.reject(Object.assign(new Error('down'), { code: '57P01' }));
    expect(await failure(client.echo({ text: '' }))).toMatchObject({
      kind: 'unavailable',
      code: 'storage_unavailable',
      retryAfterMs: 1000,
    });
  });

  it('drops oversized details instead of failing', async () => {
    echo = () => Promise.reject(createAppError('invalid', 'bad', 'Bad.', { all: 'x'.repeat(20_000) }));
    expect(await failure(client.echo({ text: '' }))).toMatchObject({ kind: 'invalid', code: 'bad' });
  });

  it('ends at its deadline, and notifies the handler', async () => {
    let abortEvent: Promise<unknown> | undefined;
    echo = async (request, { signal }) => {
      abortEvent = once(signal, 'abort');
      await abortEvent;
      return request;
    };
    expect(await failure(client.echo({ text: '' }, { timeoutMs: 100 }))).toMatchObject({
      kind: 'unavailable',
      code: 'service_timeout',
    });
    await abortEvent;
  });

  it('ends when its caller gives up', async () => {
    const abort = new AbortController();
    let abortEvent: Promise<unknown> | undefined;
    echo = async (request, { signal }) => {
      abortEvent = once(signal, 'abort');
      abort.abort();
      await abortEvent;
      return request;
    };
    expect(await failure(client.echo({ text: '' }, { signal: abort.signal }))).toMatchObject({
      kind: 'unavailable',
      code: 'cancelled',
    });
    await abortEvent;
  });

  it('ends no later than the call that made it, unless that one is already answered', async () => {
    const far = await serve();
    const onward = createClient(EchoService, `127.0.0.1:${far.port}`, { secret });
    let later: Promise<Text> | undefined;
    let answered = () => {};
    const answer = new Promise<void>((resolve) => (answered = resolve));
    echo = async ({ text }, { signal }) => {
      // The far service never answers by itself.
      if (text === 'far') await once(signal, 'abort');
      if (text === 'near') return onward.echo({ text: 'far' }, { timeoutMs: 60_000 });
      if (text === 'begin') later = answer.then(() => onward.echo({ text: 'in peace' }, { timeoutMs: 60_000 }));
      return { text };
    };
    expect(await failure(client.echo({ text: 'near' }, { timeoutMs: 200 }))).toMatchObject({ code: 'service_timeout' });
    // Work after the answer has its own timeout.
    await client.echo({ text: 'begin' }, { timeoutMs: 200 });
    // Sleeps: gRPC measures deadlines by the wall clock, and this must pass.
    await sleep(250);
    answered();
    expect(await later).toEqual({ text: 'in peace' });
    onward.close();
    await far.stop();
  });

  it('reports a method unknown to the server as unavailable', async () => {
    const newer = createClient(
      { ...EchoService, methods: { ...EchoService.methods, added: { ...EchoService.methods.echo, name: 'Added' } } },
      `127.0.0.1:${server.port}`,
      { secret },
    );
    expect(await failure(newer.added({ text: '' }))).toMatchObject({
      kind: 'unavailable',
      code: 'service_unavailable',
    });
    newer.close();
  });

  it('is refused immediately above the limit of calls in flight per caller', async () => {
    const small = await serve(0, undefined, { maxInFlight: 2 });
    const greedy = createClient(EchoService, `127.0.0.1:${small.port}`, { secret });
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    let begun = 0;
    echo = async (request) => {
      begun += 1;
      if (request.text === 'wait') await released;
      return request;
    };
    const waiting = [greedy.echo({ text: 'wait' }), greedy.echo({ text: 'wait' })];
    while (begun < 2) await new Promise(setImmediate);
    expect(await failure(greedy.echo({ text: 'now' }))).toMatchObject({ code: 'service_busy', retryAfterMs: 1000 });
    release();
    await Promise.all(waiting);
    expect(await greedy.echo({ text: 'now' })).toEqual({ text: 'now' });
    greedy.close();
    await small.stop();
  });

  it('creates its log and signal on first use, and reuses them', async () => {
    echo = async (request, context) => {
      context.log.warn('a word');
      return {
        text: String(context.log === context.log && context.signal === context.signal && !context.signal.aborted),
      };
    };
    expect(await client.echo({ text: '' }, { requestId: 'r-3' })).toEqual({ text: 'true' });
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([{ requestId: 'r-3', msg: 'a word' }]);
  });

  it('refuses a message over 4 MiB', async () => {
    expect(await failure(client.echo({ text: 'x'.repeat(5 * 1024 * 1024) }))).toMatchObject({ kind: 'too_large' });
  });

  it('is counted and timed', async () => {
    await client.echo({ text: '' });
    expect(await metrics.metrics()).toMatch(
      /nolo_rpc_server_seconds_count\{method="test.v1.Echo\/Echo",code="OK"\} \d+/,
    );
  });
});

describe('a stream of requests', () => {
  it('arrives in order and gets one reply', async () => {
    join = async (requests) => {
      const texts: string[] = [];
      for await (const { text } of requests) texts.push(text);
      return { text: texts.join('') };
    };
    const sent = Array.from({ length: 500 }, (_, index) => ({ text: `${index},` }));
    expect((await client.join(sent)).text).toBe(sent.map(({ text }) => text).join(''));
  });

  it('ends early when the service refuses, even while the source waits', async () => {
    join = async (requests) => {
      for await (const _ of requests) throw createAppError('too_large', 'upload_too_large', 'Too large.');
      return { text: '' };
    };
    const endless = async function* () {
      yield { text: 'first' };
      await new Promise(() => undefined);
    };
    expect(await failure(client.join(endless()))).toMatchObject({ kind: 'too_large', code: 'upload_too_large' });
  });

  it('notifies the handler if its source fails', async () => {
    let outcome: Promise<string> | undefined;
    let arrive = () => {};
    const arrived = new Promise<void>((resolve) => (arrive = resolve));
    join = (requests) => {
      const read = async () => {
        for await (const _ of requests) arrive();
        return { text: 'complete' };
      };
      const reading = read();
      outcome = reading.then(
        () => 'complete',
        () => 'broken',
      );
      return reading;
    };
    const breaking = async function* () {
      yield { text: 'first' };
      await arrived;
      throw new Error('the line was cut');
    };
    await expect(client.join(breaking())).rejects.toThrow('the line was cut');
    expect(await outcome).toBe('broken');
  });
});

describe('a stream of replies', () => {
  it('arrives in order', async () => {
    split = async function* ({ text }) {
      for (const letter of text) yield { text: letter };
    };
    const letters: string[] = [];
    for await (const { text } of client.split({ text: 'stream' })) letters.push(text);
    expect(letters.join('')).toBe('stream');
  });

  it('ends with the AppError the handler threw', async () => {
    split = async function* () {
      yield { text: 'first' };
      throw createAppError('not_found', 'file_not_found', 'No such file.');
    };
    const read = async () => {
      for await (const _ of client.split({ text: '' }));
    };
    expect(await failure(read())).toMatchObject({ kind: 'not_found', code: 'file_not_found' });
  });

  it('waits for a slow reader, and ends when the reader leaves', async () => {
    let made = 0;
    let ended = () => {};
    const end = new Promise<void>((resolve) => (ended = resolve));
    const large = 'x'.repeat(64 * 1024);
    split = async function* (_request, { signal }) {
      try {
        while (!signal.aborted && made < 10_000) {
          made += 1;
          yield { text: large };
        }
      } finally {
        ended();
      }
    };
    for await (const _ of client.split({ text: '' })) {
      // Everything would be done one round trip later, without backpressure.
      await client.echo({ text: '' });
      break;
    }
    await end;
    expect(made).toBeLessThan(1000);
  });
});

describe('a connection', () => {
  it('is closed once it is old, without failing a call or a long stream', async () => {
    const aging = await serve(0, undefined, { connectionAgeMs: 100 });
    let connections = 0;
    const between = createServer((socket) => {
      connections += 1;
      const onward = connect(aging.port, '127.0.0.1');
      for (const end of [socket, onward]) end.on('error', () => undefined);
      socket.pipe(onward).pipe(socket);
    });
    between.listen(0, '127.0.0.1');
    await once(between, 'listening');
    const { port } = between.address() as AddressInfo;
    const other = createClient(EchoService, `127.0.0.1:${port}`, { secret });
    let ended = false;
    split = async function* () {
      while (!ended) {
        yield { text: 'on' };
        // Sleeps: continues until connections reach their maximum age.
        await sleep(20);
      }
    };
    const stream = (async () => {
      let count = 0;
      for await (const _ of other.split({ text: '' })) count += 1;
      return count;
    })();
    while (connections < 4) await other.echo({ text: '' });
    ended = true;
    expect(await stream).toBeGreaterThan(3);
    other.close();
    await aging.stop();
    between.close();
  });
});

describe('a renamed method', () => {
  const [formerly, now] = [
    ['nolo.kit.v1.PartService', 'DescribePart'],
    ['nolo.kit.v1.AdminService', 'DescribeService'],
  ].map(([fullName = '', name = '']) => ({
    fullName,
    methods: { describe: { name, requestStream: false, responseStream: false, ...types } },
  })) as [typeof RenamedService, typeof RenamedService];
  const describeIt = async ({ text: given }: Text) => ({ text: `${given} back` });

  it.each([
    ['0.3.0', formerly],
    ['this release', now],
  ])('is found by clients of %s', async (_, calling) => {
    const renamed = await serve(0, undefined, { services: [bindRpcService(now, { describe: describeIt })] });
    const caller = createClient(calling, `127.0.0.1:${renamed.port}`, { secret });
    expect(await caller.describe({ text: 'there and' })).toEqual({ text: 'there and back' });
    caller.close();
    await renamed.stop();
  });
});

describe('a service that goes away and comes back', () => {
  it('is unavailable immediately, and is found again automatically', async () => {
    const first = await serve();
    const other = createClient(EchoService, `127.0.0.1:${first.port}`, { secret });
    await other.echo({ text: 'here' });
    await Promise.all([first.stop(), first.stop()]);
    expect(await failure(other.echo({ text: 'gone' }))).toMatchObject({
      kind: 'unavailable',
      code: 'service_unavailable',
    });

    const second = await serve(first.port);
    let reply: Text | undefined;
    for (let tries = 0; reply === undefined && tries < 200; tries += 1) {
      reply = await other.echo({ text: 'back' }).catch(() => undefined);
      // Sleeps: the client finds out that the service is back only by retrying.
      if (reply === undefined) await sleep(50);
    }
    expect(reply).toEqual({ text: 'back' });
    other.close();
    await second.stop();
  });
});

import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  client,
  EchoService,
  failure,
  lines,
  metrics,
  secret,
  serve,
  server,
  setUpEcho,
  types,
  type EchoHandlers,
  type Text,
} from '../../tests/echoService.ts';
import { createAppError } from '../errors.ts';
import { bindRpcService, createClient } from './rpc.ts';

/** Calls with one request and one reply: their errors, deadlines, and limits, and services that go away. */

declare const RenamedService: {
  readonly fullName: string;
  readonly methods: { readonly describe: (typeof EchoService)['methods']['echo'] };
};
let echo: EchoHandlers['echo'];

setUpEcho({ echo: (request, context) => echo(request, context) });
beforeEach(() => {
  echo = async ({ text }) => ({ text });
});

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

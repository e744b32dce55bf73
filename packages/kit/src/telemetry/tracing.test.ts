import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { AppError } from '../errors.ts';
import { createLog } from './log.ts';
import {
  bindTrace,
  getCurrentSpan,
  errorTypeOf,
  runInSpan,
  isTracing,
  getSampledTraceparent,
  startSpan,
  startTrace,
  startTracing,
  getTraceLogFields,
  withoutSpan,
  withCurrentSpan,
} from './tracing.ts';

const log = createLog({ service: 'test', level: 'silent' });
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const parent = `00-${traceId}-00f067aa0ba902b7-00`;

describe('tracing without a collector', () => {
  it('runs the work and nothing else', async () => {
    const stop = await startTracing({ service: 'test', config: { OTEL_TRACES_SAMPLER_ARG: 1 }, log });
    expect(isTracing()).toBe(false);
    expect(startTrace('a', { parent })).toBeUndefined();
    expect(startSpan('a', { parent: parent.replace(/0$/, '1') })).toBeUndefined();
    expect(await runInSpan('a', {}, async (span) => span ?? 'no span')).toBe('no span');
    expect(withCurrentSpan(undefined, () => bindTrace()(() => withoutSpan(() => 7)))).toBe(7);
    expect(getSampledTraceparent()).toBeUndefined();
    expect(getTraceLogFields()).toEqual({});
    await stop();
  });
});

describe('tracing with a collector', () => {
  let collector: Server;
  let received: Buffer[];
  let stop: () => Promise<void>;

  const start = async (ratio: number) => {
    const { port } = collector.address() as AddressInfo;
    const config = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}/`, OTEL_TRACES_SAMPLER_ARG: ratio };
    stop = await startTracing({ service: 'test', config, log });
  };

  beforeEach(async () => {
    received = [];
    collector = createServer((request, response) => {
      request.on('data', (piece: Buffer) => received.push(piece));
      request.on('end', () => response.writeHead(request.url === '/v1/traces' ? 200 : 404).end());
    });
    collector.listen(0, '127.0.0.1');
    await once(collector, 'listening');
  });
  afterEach(async () => {
    await stop();
    collector.close();
    collector.closeAllConnections();
  });

  it('flushes its spans when it stops, and is off afterwards', async () => {
    await start(1);
    const span = startTrace('the only span', { parent, attributes: { 'http.route': '/api/things/{id}' } });
    expect(span?.context).toMatchObject({ traceId, sampled: true });
    span?.end();
    await stop();
    expect(isTracing()).toBe(false);
    const sent = Buffer.concat(received);
    for (const piece of ['the only span', '/api/things/{id}', 'service.name', 'test'])
      expect(sent.includes(piece)).toBe(true);
    expect(sent.includes(Buffer.from(traceId, 'hex'))).toBe(true);
  });

  it('stops in time even if the collector does not answer', async () => {
    await start(1);
    collector.removeAllListeners('request');
    const firstRequest = once(collector, 'request') as Promise<[IncomingMessage]>;
    startTrace('nobody takes it')?.end();
    const stopped = stop();
    const [request] = await firstRequest;
    let givenUp = false;
    request.once('close', () => (givenUp = true));
    await stopped;
    // Must come before the exporter's own timeout.
    expect(givenUp).toBe(false);
  });

  it('nests spans across promises, and names errors by their code only', async () => {
    await start(1);
    const request = startTrace('request', { parent });
    const failing = withCurrentSpan(request, () =>
      runInSpan('outer', { kind: 'client' }, async (outer) => {
        expect(outer?.context.traceId).toBe(traceId);
        await new Promise(setImmediate);
        expect(getCurrentSpan()).toBe(outer);
        expect(getSampledTraceparent()).toBe(outer?.traceparent);
        expect(withoutSpan(getCurrentSpan)).toBeUndefined();
        throw new AppError('invalid', 'a_code_of_ours', 'a sentence with +27821234567');
      }),
    );
    await expect(failing).rejects.toThrow('a sentence');
    request?.end();
    expect(getCurrentSpan()).toBeUndefined();
    await stop();
    const sent = Buffer.concat(received);
    expect(sent.includes('a_code_of_ours')).toBe(true);
    expect(sent.includes('+27821234567')).toBe(false);
  });

  it('passes on the id of an unsampled trace, and records nothing', async () => {
    await start(0);
    const request = startTrace('request', { parent: parent.replace(/0$/, '1') });
    expect(request?.context).toMatchObject({ traceId, sampled: false });
    await withCurrentSpan(request, async () => {
      expect(startSpan('inner')).toBe(request);
      expect(getSampledTraceparent()).toBeUndefined();
      expect(getTraceLogFields()).toEqual({ traceId });
    });
    request?.end();
    await stop();
    expect(received).toEqual([]);
  });

  it('traces nothing outside a request', async () => {
    await start(1);
    expect(startSpan('a poll')).toBeUndefined();
    expect(startSpan('told nonsense', { parent: 'nonsense' })).toBeUndefined();
    await stop();
    expect(received).toEqual([]);
  });

  it('ties deferred work to the request that caused it', async () => {
    await start(1);
    const request = startTrace('request', { parent });
    const later = withCurrentSpan(request, () => bindTrace());
    expect(getCurrentSpan()).toBeUndefined();
    expect(later(getCurrentSpan)).toBe(request);
  });

  it('adds the trace id to the log', async () => {
    await start(1);
    const lines: string[] = [];
    const destination = new Writable({
      write(chunk: Buffer, _encoding, done) {
        lines.push(chunk.toString());
        done();
      },
    });
    const testLog = createLog({ service: 'test', destination });
    withCurrentSpan(startTrace('request', { parent }), () =>
      testLog.child({ requestId: 'r-1' }).info({ one: 1 }, 'inside'),
    );
    testLog.info({ two: 2 }, 'outside');
    const [inside, outside] = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(inside).toMatchObject({ traceId, requestId: 'r-1', one: 1 });
    expect(outside).toMatchObject({ two: 2 });
    expect(outside).not.toHaveProperty('traceId');
    expect(outside).not.toHaveProperty('one');
  });
});

it.each([
  [new AppError('invalid', 'message_blank', 'x'), 'message_blank'],
  [Object.assign(new Error('x'), { code: 'ECONNREFUSED' }), 'ECONNREFUSED'],
  [Object.assign(new Error('x'), { code: 'a sentence, with +27821234567' }), 'Error'],
  [new TypeError('x'), 'TypeError'],
  ['a word', 'unknown'],
])('calls %p %p', (error, type) => {
  expect(errorTypeOf(error)).toBe(type);
});

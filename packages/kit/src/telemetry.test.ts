import { checkAll, createRegistry, serveMetrics, type Check } from './telemetry.ts';

const { jest } = import.meta;

describe('serveMetrics', () => {
  let checks: () => Promise<Record<string, Check>>;
  let server: Awaited<ReturnType<typeof serveMetrics>>;
  const get = (path: string) => fetch(`http://127.0.0.1:${server.port}${path}`);

  beforeAll(async () => {
    const registry = createRegistry('test');
    server = await serveMetrics({ listen: { host: '127.0.0.1', port: 0 }, registry, ready: () => checks() });
  });
  afterAll(() => server.stop());

  it('is ready when everything is', async () => {
    checks = async () => ({ database: { ok: true } });
    const reply = await get('/readyz');
    expect(reply.status).toBe(200);
    expect(await reply.json()).toEqual({ ready: true, checks: { database: { ok: true } } });
  });

  it('says which part is not, and lives on', async () => {
    checks = async () => ({ database: { ok: true }, bus: { ok: false, detail: 'NATS does not answer' } });
    const reply = await get('/readyz');
    expect(reply.status).toBe(503);
    expect(await reply.json()).toMatchObject({ checks: { bus: { detail: 'NATS does not answer' } } });
    expect((await get('/livez')).status).toBe(200);
  });

  it('is not ready where the asking itself fails', async () => {
    checks = () => Promise.reject(new Error('boom'));
    expect((await get('/readyz')).status).toBe(503);
  });

  it('serves metrics under the service name', async () => {
    const text = await (await get('/metrics')).text();
    expect(text).toContain('process_cpu_seconds_total{service="test"}');
    expect(text).toMatch(/nolo_build_info\{version="\d+\.\d+\.\d+",service="test"\} 1/);
    expect((await get('/other')).status).toBe(404);
  });

  it('tells Prometheus which dependency is down, also where nothing can be said', async () => {
    const registry = createRegistry('other');
    let answer: () => Promise<Record<string, Check>> = async () => ({ redis: { ok: true }, nats: { ok: false } });
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    const other = await serveMetrics({ listen: { host: '127.0.0.1', port: 0 }, registry, ready: () => answer() });
    try {
      expect(await registry.metrics()).toContain('nolo_dependency_up{dependency="redis",service="other"} 1');
      expect(await registry.metrics()).toContain('nolo_dependency_up{dependency="nats",service="other"} 0');
      answer = () => Promise.reject(new Error('boom'));
      // The last answer serves for a moment, so that several who ask cost no more than one.
      expect(await registry.metrics()).toContain('nolo_dependency_up{dependency="redis",service="other"} 1');
      jest.advanceTimersByTime(5000);
      expect(await registry.metrics()).toContain('nolo_dependency_up{dependency="redis",service="other"} 0');
    } finally {
      jest.useRealTimers();
      await other.stop();
    }
  });

  it('stops once, however often it is told to', async () => {
    await Promise.all([server.stop(), server.stop()]);
    await expect(get('/livez')).rejects.toThrow();
  });
});

describe('checkAll', () => {
  it('asks each by itself: one that fails hides no other', async () => {
    const checks = await checkAll({
      one: () => ({ ok: true }),
      two: () => Promise.reject(new Error('boom')),
      three: () => {
        throw new Error('at once');
      },
    });
    expect(checks).toEqual({
      one: { ok: true },
      two: { ok: false, detail: 'boom' },
      three: { ok: false, detail: 'at once' },
    });
  });
});

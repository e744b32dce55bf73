import { checkAll, type ReadinessChecks } from './readiness.ts';
import { createRegistry, serveMetrics } from './telemetry.ts';

describe('serveMetrics', () => {
  let readinessReport: { ready: boolean; checks: ReadinessChecks };
  let server: Awaited<ReturnType<typeof serveMetrics>>;
  const get = (path: string) => fetch(`http://127.0.0.1:${server.port}${path}`);

  beforeAll(async () => {
    const readiness = { answer: () => Promise.resolve(readinessReport) };
    server = await serveMetrics({
      listen: { host: '127.0.0.1', port: 0 },
      registry: createRegistry('test'),
      readiness,
    });
  });
  afterAll(() => server.stop());

  it('reports whether it is ready, and stays up if it is not', async () => {
    readinessReport = { ready: true, checks: { database: { ok: true } } };
    const ready = await get('/readyz');
    expect([ready.status, await ready.json()]).toEqual([200, readinessReport]);
    readinessReport = { ready: false, checks: { database: { ok: false, detail: 'PostgreSQL does not answer' } } };
    const unready = await get('/readyz');
    expect([unready.status, await unready.json()]).toEqual([503, readinessReport]);
    expect((await get('/livez')).status).toBe(200);
  });

  it('serves metrics labeled with the service name', async () => {
    const text = await (await get('/metrics')).text();
    expect(text).toContain('process_cpu_seconds_total{service="test"}');
    expect(text).toMatch(/nolo_build_info\{version="\d+\.\d+\.\d+",service="test"\} 1/);
    expect((await get('/other')).status).toBe(404);
  });

  it('stops once, however often it is asked to', async () => {
    await Promise.all([server.stop(), server.stop()]);
    await expect(get('/livez')).rejects.toThrow();
  });
});

describe('checkAll', () => {
  it('runs each check on its own, so one failure hides no other', async () => {
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

import { createRegistry, serveMetrics, type Check } from './telemetry.ts';

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
    expect((await get('/other')).status).toBe(404);
  });

  it('stops once, however often it is told to', async () => {
    await Promise.all([server.stop(), server.stop()]);
    await expect(get('/livez')).rejects.toThrow();
  });
});

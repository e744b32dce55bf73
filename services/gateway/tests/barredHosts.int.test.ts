import { TestApi } from '@nolo/testing';
import { startTestGateway, type TestGateway } from './startTestGateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

test('a list that changes is told to every socket at once, and kept by caches under its version', async () => {
  const ada = await gateway.signUp();
  const socket = await ada.connectSocket();
  await socket.next('hello');
  const anybody = new TestApi(gateway.url);
  const config = async () => (await anybody.get('/api/config')).body as { barredHosts?: string };
  expect(await config()).not.toHaveProperty('barredHosts');

  gateway.barredHosts.bar(['*.evil.example']);
  gateway.bus.publish('installation.barred_hosts', {});
  await socket.next('config_changed');
  const { barredHosts: version = '' } = await config();
  const list = await anybody.get(`/api/barred-hosts?version=${encodeURIComponent(version)}`);
  expect(list.body).toEqual({ version, hosts: ['*.evil.example'] });
  expect(list.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  // Of another version it is the list of now, which no cache may keep under that name.
  const stale = await anybody.get('/api/barred-hosts?version=another');
  expect([stale.body, stale.headers.get('cache-control')]).toEqual([list.body, 'no-cache']);

  const preview = await ada.api.post('/api/link-previews', { url: 'https://login.evil.example/' });
  expect([preview.status, preview.body]).toEqual([400, expect.objectContaining({ code: 'link_barred' })]);

  gateway.barredHosts.bar([]);
  gateway.bus.publish('installation.barred_hosts', {});
  await socket.next('config_changed');
  expect(await config()).not.toHaveProperty('barredHosts');
  await socket.close();
});

test('nobody but an operator bars hosts, or sees who did', async () => {
  const { api } = await gateway.signUp();
  const body = { hosts: ['evil.example'], withSubdomains: true, reason: 'A test.' };
  expect((await api.post('/api/admin/barred-hosts', body)).status).toBe(403);
  expect((await api.post('/api/admin/barred-hosts', { ...body, hosts: [] })).status).toBe(400);
  expect((await api.get('/api/admin/barred-hosts')).status).toBe(403);
});

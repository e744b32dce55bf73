import type { Config } from '@nolo/api';
import { settingsChangedSubject } from '@nolo/installation/settings';
import { startGateway, type TestGateway } from './startGateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

const config = async () => (await gateway.anonymous.get('/api/config')).body as Config;
const changedAt = new Date(0);

test('settings apply at once, and every socket is notified', async () => {
  const ada = await gateway.signUp();
  const socket = await ada.connectSocket();
  await socket.next('hello');
  const before = await config();
  expect(before).toMatchObject({ registration: 'open', features: { calls: true, linkPreviews: true } });

  gateway.settings.set([
    { name: 'calls', value: 'off', changedAt },
    { name: 'linkPreviews', value: 'off', changedAt },
    { name: 'registration', value: 'invited', changedAt },
    { name: 'messagesKeptDays', value: '90', changedAt },
    { name: 'groupMembers', value: '20', changedAt },
    { name: 'ofALaterVersion', value: 'on', changedAt },
  ]);
  gateway.bus.publish(settingsChangedSubject, {});
  await socket.next('config_changed');
  expect(await config()).toEqual({
    ...before,
    registration: 'invited',
    messagesKeptDays: 90,
    features: { ...before.features, calls: false, linkPreviews: false },
    limits: { ...before.limits, groupMembersMax: 20 },
  });
  const preview = await ada.api.post('/api/link-previews', { url: 'https://example.org' });
  expect([preview.status, preview.body.code]).toEqual([404, 'link_previews_off']);

  gateway.settings.set([]);
  gateway.bus.publish(settingsChangedSubject, {});
  await socket.next('config_changed');
  expect(await config()).toEqual(before);
  await socket.close();
});

test('announcements are sent to every socket at once, and to later ones in the first frame', async () => {
  const ada = await gateway.signUp();
  const adas = await ada.connectSocket();
  await adas.next('hello');
  const until = new Date(Date.now() + 3_600_000);
  const texts = { en: 'On Sunday at six Nolo is away.', de: 'Am Sonntag um sechs ist Nolo nicht da.' };
  const over = { id: '01995c1e-7b1a-7c3e-9d2f-0c5a3b9d8e7e', texts, severity: 'info', until: new Date(0) };
  const announcement = { id: '01995c1e-7b1a-7c3e-9d2f-0c5a3b9d8e7f', texts, severity: 'warning', until };
  const rest = { createdAt: new Date(0), endedAt: undefined };
  gateway.announcements.setAnnouncements([
    { ...over, ...rest },
    { ...announcement, ...rest },
  ]);
  gateway.bus.publish('gateway.all.announcements', {});
  const announcements = [{ ...announcement, until: until.toISOString() }];
  expect((await adas.next('announcements')).data).toEqual({ announcements });

  const later = await (await gateway.signUp()).connectSocket();
  expect((await later.next('hello')).data).toMatchObject({ announcements });
  gateway.announcements.setAnnouncements([]);
  gateway.bus.publish('gateway.all.announcements', {});
  for (const socket of [adas, later]) expect((await socket.next('announcements')).data).toEqual({ announcements: [] });
  const last = await ada.connectSocket();
  expect((await last.next('hello')).data).not.toHaveProperty('announcements');
  await Promise.all([adas, later, last].map((socket) => socket.close()));
});

test('barred hosts are sent to every socket at once, and cached by version', async () => {
  const ada = await gateway.signUp();
  const socket = await ada.connectSocket();
  await socket.next('hello');
  expect(await config()).not.toHaveProperty('barredHosts');

  gateway.barredHosts.bar(['*.evil.example']);
  gateway.bus.publish('installation.barred_hosts', {});
  await socket.next('config_changed');
  const { barredHosts: version = '' } = await config();
  const list = await gateway.anonymous.get(`/api/barred-hosts?version=${encodeURIComponent(version)}`);
  expect(list.body).toEqual({ version, hosts: ['*.evil.example'] });
  expect(list.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  // A request for another version gets the current list, which caches must not store under that name.
  const stale = await gateway.anonymous.get('/api/barred-hosts?version=another');
  expect([stale.body, stale.headers.get('cache-control')]).toEqual([list.body, 'no-cache']);

  const preview = await ada.api.post('/api/link-previews', { url: 'https://login.evil.example/' });
  expect([preview.status, preview.body]).toEqual([400, expect.objectContaining({ code: 'link_barred' })]);

  gateway.barredHosts.bar([]);
  gateway.bus.publish('installation.barred_hosts', {});
  await socket.next('config_changed');
  expect(await config()).not.toHaveProperty('barredHosts');
  await socket.close();
});

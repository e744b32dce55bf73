import type { Config } from '@nolo/api';
import { settingsChanged } from '@nolo/kit/settings';
import { startTestGateway, type TestGateway } from './startTestGateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const config = async () => (await gateway.anonymous.get('/api/config')).body as Config;
const changedAt = new Date(0);

test('what operators set holds at once, and everybody with a socket is told where the page would say so', async () => {
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
  gateway.bus.publish(settingsChanged, {});
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
  gateway.bus.publish(settingsChanged, {});
  await socket.next('config_changed');
  expect(await config()).toEqual(before);
  await socket.close();
});

import type { AdminSetting, Config, OperatorAuditEntry } from '@nolo/api';
import { eventually, signUpByPhone, TestApi } from '@nolo/testing';
import { openSharedTestStack } from '../support/stacks/testStack.ts';

const running = openSharedTestStack();
const [url = '', other = ''] = running.urls;

test('an operator’s setting applies in other services and at every gateway within seconds, and is reset', async () => {
  const [opal, ada] = [await signUpByPhone(url), await signUpByPhone(other)];
  await running.letIn(opal.id);
  const place = '/api/admin/settings/groupMembers';
  const readMaxGroupMembers = async (at: string) =>
    ((await new TestApi(at).get('/api/config')).body as Config).limits['groupMembersMax'];
  const create = async () => (await ada.api.post('/api/group-chats/create', { name: 'Choir', maxMembers: 500 })).status;
  const settingOf = (body: unknown) => (body as AdminSetting[]).find(({ name }) => name === 'groupMembers');
  expect(await create()).toBe(201);
  expect((await ada.api.put(place, { value: '499' })).status).toBe(403);
  const socket = await ada.connectSocket();

  const set = await opal.api.put(place, { value: '499' });
  expect(set.status).toBe(200);
  expect(settingOf(set.body)).toMatchObject({ value: '499', isSet: true, configured: '500' });
  await socket.next('config_changed');
  // Waits for chat, which decides, and for both gateways, which show the limit.
  await eventually(async () => (await create()) === 400);
  for (const at of [url, other]) await eventually(async () => (await readMaxGroupMembers(at)) === 499);

  const reset = await opal.api.put(place, { value: null });
  expect(settingOf(reset.body)).toMatchObject({ value: '500', isSet: false, changedAt: null });
  await eventually(async () => (await create()) === 201);
  await socket.next('config_changed');
  const acts = (await opal.api.get('/api/admin/audit?limit=100')).body as OperatorAuditEntry[];
  const own = acts.filter(({ operatorId }) => operatorId === opal.id);
  expect(own.map(({ action }) => action)).toEqual(['setting_changed', 'setting_changed']);
  await socket.close();
});

test('an invalid setting is refused with its valid values, and one set by a variable names the variable', async () => {
  const opal = await signUpByPhone(url);
  await running.letIn(opal.id);
  const wrong = await opal.api.put('/api/admin/settings/groupMembers', { value: 'many' });
  expect([wrong.status, wrong.body.code]).toEqual([400, 'setting_invalid']);
  expect(wrong.body.message).toContain('2 to 500');
  const unknown = await opal.api.put('/api/admin/settings/everything', { value: 'on' });
  expect([unknown.status, unknown.body.code]).toEqual([404, 'setting_unknown']);
  const all = (await opal.api.get('/api/admin/settings')).body as AdminSetting[];
  expect(all.find(({ name }) => name === 'newAccountHours')).toMatchObject({
    kind: 'amount',
    variable: 'NEW_ACCOUNT_HOURS',
    value: '0',
    configured: '0',
    isSet: false,
  });
});

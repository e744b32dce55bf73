import { settingNames } from '@nolo/rules';
import { eventually, randomPhone } from '@nolo/testing';
import { aSignInWithProviderRequest } from '@nolo/testing/protos';
import { createTestCommandLine } from './testCommandLine.ts';
import {
  testCallerOf,
  demoCode,
  testDevice,
  captureRefusal,
  startIdentity,
  type TestPerson,
  type TestIdentity,
} from './startIdentity.ts';

let identity: TestIdentity;
beforeAll(async () => {
  identity = await startIdentity({ SMS_PER_DAY: '700' });
});
afterAll(() => identity.stop());

const command = (...argv: string[]) => createTestCommandLine(identity).command(...argv);
const refusedCommand = (...argv: string[]) => createTestCommandLine(identity).refusedCommand(...argv);

async function operator(): Promise<TestPerson> {
  const person = await identity.signUp('Opal', 'Osei');
  await command('operators', 'add', person.phoneNumber);
  return person;
}
const change = (opal: TestPerson, name: string, value?: string) =>
  identity.settings.changeSetting({ ...testCallerOf(opal), name, value });
const verify = async (phoneNumber: string) => {
  await identity.client.sendCode({ phoneNumber, device: testDevice });
  return identity.client.verifyCode({ phoneNumber, code: demoCode, device: testDevice });
};
const newcomer = (phoneNumber = randomPhone()) =>
  verify(phoneNumber).then(
    () => 'in',
    ({ code }: { code: string }) => code,
  );

test('a setting changed by an operator is published and audited, and can be reset', async () => {
  const opal = await operator();
  const broadcasts: unknown[] = [];
  const stop = identity.bus.subscribe('installation.settings', (data) => void broadcasts.push(data));
  await identity.bus.flush();
  const { settings } = await change(opal, 'groupMembers', ' 050 ');
  expect(settings).toEqual([{ name: 'groupMembers', value: '50', changedAt: identity.clock.now() }]);
  await eventually(() => broadcasts.length === 1);
  expect(await identity.settings.listCurrentSettings({})).toEqual({ settings });
  expect(await identity.settings.listSettings(testCallerOf(opal))).toEqual({ settings });
  // Setting the current value is neither published nor recorded.
  await change(opal, 'groupMembers', '50');
  expect((await change(opal, 'groupMembers')).settings).toEqual([]);
  const { acts } = await identity.operators.listActs({ ...testCallerOf(opal), limit: 2 });
  expect(acts.map(({ action, details }) => [action, JSON.parse(details ?? '')])).toEqual([
    ['setting_changed', { setting: 'groupMembers', value: 'as configured', before: '50' }],
    ['setting_changed', { setting: 'groupMembers', value: '50', before: 'as configured' }],
  ]);
  stop();
});

test('an invalid value is rejected with the valid ones, and non-operators are refused everything', async () => {
  const [opal, ada] = [await operator(), await identity.signUp('Ada')];
  expect(await captureRefusal(change(opal, 'groupMembers', '501'))).toMatchObject({
    kind: 'invalid',
    code: 'setting_invalid',
    message: 'groupMembers must be a whole number from 2 to 500.',
    details: { setting: 'groupMembers' },
  });
  expect(await captureRefusal(change(opal, 'somethingElse', 'on'))).toMatchObject({ code: 'setting_unknown' });
  for (const attempt of [
    change(ada, 'calls', 'off'),
    change(ada, 'calls', 'perhaps'),
    change(ada, 'somethingElse', 'on'),
    identity.settings.listSettings(testCallerOf(ada)),
  ]) {
    expect(await captureRefusal(attempt)).toMatchObject({ kind: 'forbidden', code: 'not_operator' });
  }
  expect((await identity.settings.listCurrentSettings({})).settings).toEqual([]);
});

test('the command line lists, changes and resets settings', async () => {
  const lines = await command('settings');
  expect(lines.map((line) => line.split('  ')[0])).toEqual([...settingNames]);
  expect(lines).toContain('textMessagesPerDay  as configured by SMS_PER_DAY of identity');
  expect(await command('settings', 'set', 'calls', 'off')).toEqual([
    `calls  off  since ${identity.clock.now().toISOString()}`,
  ]);
  expect(await command('settings', 'reset', 'calls')).toEqual(['calls  default of this version: on']);
  expect(await refusedCommand('settings', 'set', 'calls', 'never')).toBe('calls must be on or off.');
  expect(await refusedCommand('settings', 'set', 'calls')).toBe('calls must be on or off.');
  expect(await refusedCommand('settings', 'reset', 'call')).toContain('Unknown setting "call".');
});

test('registration is open, invited only or closed, and existing accounts can always sign in', async () => {
  const [opal, ada] = [await operator(), await identity.signUp('Ada')];
  const invited = randomPhone();
  await identity.client.addContact({ actorId: ada.id, phoneNumber: invited, displayName: 'Ben' });
  await change(opal, 'registration', 'closed');
  await eventually(async () => (await newcomer()) === 'registration_closed');
  expect(await newcomer(invited)).toBe('registration_closed');
  expect(await newcomer(ada.phoneNumber)).toBe('in');
  const byProvider = () => identity.client.signInWithProvider(aSignInWithProviderRequest({ device: testDevice }));
  expect(await captureRefusal(byProvider())).toMatchObject({ kind: 'forbidden', code: 'registration_closed' });

  await change(opal, 'registration', 'invited');
  await eventually(async () => (await newcomer()) === 'registration_invited');
  expect(await newcomer(invited)).toBe('in');
  expect(await captureRefusal(byProvider())).toMatchObject({ kind: 'forbidden', code: 'registration_invited' });

  await change(opal, 'registration');
  await eventually(async () => (await newcomer()) === 'in');
  await byProvider();
});

test('a configured text message budget overrides the variable', async () => {
  const opal = await operator();
  const send = (phoneNumber: string) =>
    identity.client.sendCode({ phoneNumber, device: testDevice }).then(
      () => 'sent',
      ({ code }: { code: string }) => code,
    );
  await change(opal, 'textMessagesPerDay', '0');
  await eventually(async () => (await send(randomPhone())) !== 'sent');
  // Browsers that signed in before have their own reserve.
  expect(await send(opal.phoneNumber)).toBe('sent');
  await change(opal, 'textMessagesPerDay');
  await eventually(async () => (await send(randomPhone())) === 'sent');
});

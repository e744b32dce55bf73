import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, randomPhone } from '@nolo/testing';
import { buildGeoIpDatabase } from './geoIpDatabase.ts';
import { requireBegunSession, demoCode, testDevice, startIdentity, type TestIdentity } from './startIdentity.ts';

let identity: TestIdentity;
beforeAll(async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'places-')), 'places.mmdb');
  const capeTown = { country: { iso_code: 'ZA' }, city: { names: { en: 'Cape Town' } } };
  const networks = { '196.25.0.0/16': capeTown, '81.2.69.0/24': { country: { iso_code: 'GB' } } };
  await writeFile(file, buildGeoIpDatabase(networks));
  identity = await startIdentity({ GEOIP_DATABASE_FILE: file });
});
afterAll(() => identity.stop());

const signIn = async (phoneNumber: string, address: string) => {
  const from = { ...testDevice, address };
  await identity.client.sendCode({ phoneNumber, device: from });
  return requireBegunSession(await identity.client.verifyCode({ phoneNumber, code: demoCode, device: from }));
};

test('sessions and notices show the city and country of a device, as does the email, and store no more', async () => {
  const phoneNumber = randomPhone();
  const first = await signIn(phoneNumber, '10.0.0.5');
  const actorId = first.self?.id ?? '';
  await identity.db('users').where({ id: actorId }).update({ email: 'zoe@example.org', language: 'de' });
  const second = await signIn(phoneNumber, '196.25.7.9');
  const sessions = async () => (await identity.client.listSessions({ actorId })).sessions;
  const placeOf = async (id: string) => {
    const { country, city, network } = (await sessions()).find((one) => one.id === id) ?? {};
    return [country, city, network];
  };
  expect(await placeOf(first.sessionId)).toEqual([undefined, undefined, '10.0.0.x']);
  expect(await placeOf(second.sessionId)).toEqual(['ZA', 'Cape Town', '196.25.7.x']);
  const { notices } = await identity.security.listNotices({ actorId, sessionId: first.sessionId, limit: 1 });
  expect(notices).toMatchObject([{ kind: 'signed_in', country: 'ZA', city: 'Cape Town' }]);
  await identity.runMails();
  expect(identity.mails.at(-1)?.text).toContain('Ort (ungefähr): Cape Town, Südafrika');

  // Opened from another place, and then from an unknown one.
  const open = (address: string) => identity.client.getSelf({ actorId, sessionId: second.sessionId, address });
  await open('81.2.69.5');
  await eventually(async () => (await placeOf(second.sessionId))[0] === 'GB');
  expect(await placeOf(second.sessionId)).toEqual(['GB', undefined, '81.2.69.x']);
  await open('192.168.1.4');
  await eventually(async () => (await placeOf(second.sessionId))[0] === undefined);
  const exported = JSON.stringify(await identity.client.exportAccount({ actorId, sessionId: first.sessionId }));
  expect(exported).toContain('192.168.1.x');
});

import { demoRateLimits, rateLimits, type RateLimit, type RateLimitName } from '@nolo/rules';
import { randomPhone } from '@nolo/testing';
import { demoCode, refusal, startTestIdentity, type TestIdentity } from './startTestIdentity.ts';

/** Each limit used up but for one. What runs here is a demo, which has figures of its own for addresses and blocks. */
const inForce: Record<RateLimitName, RateLimit> = { ...rateLimits, ...demoRateLimits };

let identity: TestIdentity;
beforeAll(async () => {
  identity = await startTestIdentity();
});
afterAll(() => identity.stop());

/** As if so much had been used just now. */
async function spendAllButOne(name: RateLimitName, key: string): Promise<void> {
  const { points, durationSeconds } = inForce[name];
  await identity.redis.set(`limit:${name}:${key}`, points - 1, 'EX', durationSeconds);
}

let addresses = 0;
const newDevice = () => ({ userAgent: 'Test browser', address: `198.51.100.${(addresses += 1)}` });

test('trying codes is limited for an address, whatever the numbers', async () => {
  const device = newDevice();
  await spendAllButOne('codeChecksPerAddress', device.address);
  const verify = (from = device) =>
    identity.client.verifyCode({ phoneNumber: randomPhone(), code: demoCode, device: from, linkToUserId: '' });
  expect(await refusal(verify())).toMatchObject({ kind: 'invalid' });
  expect(await refusal(verify())).toMatchObject({ kind: 'rate_limited' });
  expect(await refusal(verify(newDevice()))).toMatchObject({ kind: 'invalid' });
});

describe('searching', () => {
  test.each<[RateLimitName, string]>([
    ['searchesPerUserMinute', 'somebody'],
    ['searchesPerUserDay', 'somebody'],
    ['exactLookupsPerUserDay', '+27825550147'],
    ['exactLookupsPerUserDay', 'somebody@example.org'],
    ['exactLookupsPerUserDay', '@some.body'],
  ])('is limited by %s', async (name, query) => {
    const [ada, ben] = [await identity.signUp(), await identity.signUp()];
    await spendAllButOne(name, ada.id);
    const search = (actorId: string, text = query) => identity.client.searchUsers({ actorId, query: text });
    await search(ada.id);
    expect(await refusal(search(ada.id))).toMatchObject({ kind: 'rate_limited', code: 'search_limited' });
    await search(ben.id);
    // Names alone do not tell who is registered.
    if (name === 'exactLookupsPerUserDay') await search(ada.id, 'somebody');
  });

  test('adding somebody by their username counts as looking them up', async () => {
    const ada = await identity.signUp();
    await spendAllButOne('exactLookupsPerUserDay', ada.id);
    const add = () => identity.client.addContact({ actorId: ada.id, username: 'some.body' });
    expect(await refusal(add())).toMatchObject({ code: 'user_not_found' });
    expect(await refusal(add())).toMatchObject({ kind: 'rate_limited', code: 'search_limited' });
  });

  test('so does adding somebody by their number, registered or not, per account and per address', async () => {
    const [ada, ben] = [await identity.signUp(), await identity.signUp()];
    const add = (actorId: string, phoneNumber: string, address = newDevice().address) =>
      identity.client.addContact({ actorId, phoneNumber, address });
    await spendAllButOne('exactLookupsPerUserDay', ada.id);
    await add(ada.id, randomPhone());
    for (const number of [randomPhone(), ben.phoneNumber]) {
      expect(await refusal(add(ada.id, number))).toMatchObject({ kind: 'rate_limited', code: 'search_limited' });
    }
    const address = newDevice().address;
    await spendAllButOne('exactLookupsPerAddress', address);
    await add(ben.id, randomPhone(), address);
    expect(await refusal(add(ben.id, randomPhone(), address))).toMatchObject({ code: 'search_limited' });
    const search = { actorId: ben.id, query: randomPhone(), address };
    expect(await refusal(identity.client.searchUsers(search))).toMatchObject({ code: 'search_limited' });
    await add(ben.id, randomPhone());
  });
});

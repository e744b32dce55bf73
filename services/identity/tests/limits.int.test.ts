import { demoRateLimits, rateLimits, type RateLimit, type RateLimitName } from '@nolo/rules';
import { randomPhone } from '@nolo/testing';
import { captureRefusal, demoCode, shareIdentity } from './startIdentity.ts';

/**
 * Exhausts each limit except for one use. This runs in demo mode, which has its own limits for addresses and blocks.
 */
const inForce: Record<RateLimitName, RateLimit> = { ...rateLimits, ...demoRateLimits };

const identity = shareIdentity();

/** Sets the limit as if all but one use had just happened. */
async function spendAllButOne(name: RateLimitName, key: string): Promise<void> {
  const { points, durationSeconds } = inForce[name];
  await identity.redis.set(`limit:${name}:${key}`, points - 1, 'EX', durationSeconds);
}

let addresses = 0;
const newDevice = () => ({ userAgent: 'Test browser', address: `198.51.100.${(addresses += 1)}` });

test('code attempts are limited per address, whatever the numbers', async () => {
  const device = newDevice();
  await spendAllButOne('codeChecksPerAddress', device.address);
  const verify = (from = device) =>
    identity.client.verifyCode({ phoneNumber: randomPhone(), code: demoCode, device: from, linkToUserId: '' });
  expect(await captureRefusal(verify())).toMatchObject({ kind: 'invalid' });
  expect(await captureRefusal(verify())).toMatchObject({ kind: 'rate_limited' });
  expect(await captureRefusal(verify(newDevice()))).toMatchObject({ kind: 'invalid' });
});

describe('searching', () => {
  test.each<[RateLimitName, string, string]>([
    ['searchesPerUserMinute', 'somebody', 'somebody'],
    ['searchesPerUserDay', 'somebody', 'somebody'],
    ['exactLookupsPerUserDay', '+27825550147', '+27825550147'],
    ['exactLookupsPerUserDay', 'somebody@example.org', 'somebody.else@example.org'],
    ['usernameLookupsPerUserDay', '@some.body', '@some.one'],
  ])('is limited by %s', async (name, query, next) => {
    const [ada, ben] = [await identity.signUp(), await identity.signUp()];
    await spendAllButOne(name, ada.id);
    const search = (actorId: string, text = query) => identity.client.searchUsers({ actorId, query: text });
    await search(ada.id);
    const limited = { kind: 'rate_limited', code: 'search_limited' };
    expect(await captureRefusal(search(ada.id, next))).toMatchObject(limited);
    expect(await captureRefusal(search(ada.id, next))).toMatchObject(limited);
    await search(ben.id);
    // Searches by name do not reveal who is registered.
    if (next !== 'somebody') await search(ada.id, 'somebody');
  });

  const used = async (name: RateLimitName, actorId: string) =>
    Number(await identity.redis.get(`limit:${name}:${actorId}`));
  const searchAll = async (actorId: string, queries: readonly string[]) => {
    for (const query of queries) await identity.client.searchUsers({ actorId, query });
  };
  const typed = (text: string, from: number) =>
    [...text].slice(from).map((_, index) => text.slice(0, from + index + 1));

  test.each<[RateLimitName, string, number]>([
    ['usernameLookupsPerUserDay', '@anna.mueller', 3],
    ['exactLookupsPerUserDay', 'anna@example.company', 13],
  ])('counts letter-by-letter typing once: %s', async (name, text, from) => {
    const ada = await identity.signUp();
    await searchAll(ada.id, typed(text, from));
    expect(await used(name, ada.id)).toBe(1);
    const other = name === 'usernameLookupsPerUserDay' ? 'exactLookupsPerUserDay' : 'usernameLookupsPerUserDay';
    expect(await used(other, ada.id)).toBe(0);
  });

  test('counts different endings of the same beginning separately', async () => {
    const ada = await identity.signUp();
    await searchAll(ada.id, ['an@example.co', 'an@example.com', 'an@example.co', 'an@example.cow', 'an@example.cox']);
    expect(await used('exactLookupsPerUserDay', ada.id)).toBe(3);
    const endings = ['a', 'b', 'c', 'd', 'e', 'f'].map((letter) => `an@example.cox${letter}`);
    await searchAll(ada.id, ['an@example.cox']);
    const before = await used('exactLookupsPerUserDay', ada.id);
    await Promise.all(endings.map((query) => identity.client.searchUsers({ actorId: ada.id, query })));
    expect((await used('exactLookupsPerUserDay', ada.id)) - before).toBe(endings.length - 1);
  });

  test('counts every number, whatever it starts with', async () => {
    const ada = await identity.signUp();
    await searchAll(ada.id, ['+493012345', '+4930123456', '+4930123456']);
    expect(await used('exactLookupsPerUserDay', ada.id)).toBe(3);
  });

  test('finds by name when exact lookups are exhausted', async () => {
    const [ada, ben, eve] = [await identity.signUp(), await identity.signUp(), await identity.signUp()];
    const number = eve.phoneNumber;
    await identity.client.addContact({ actorId: ada.id, phoneNumber: ben.phoneNumber, displayName: number });
    await spendAllButOne('exactLookupsPerUserDay', ada.id);
    const search = async () =>
      (await identity.client.searchUsers({ actorId: ada.id, query: number })).users.map(({ id }) => id);
    expect((await search()).sort()).toEqual([ben.id, eve.id].sort());
    expect(await search()).toEqual([ben.id]);
  });

  test('adding someone by username counts as a lookup', async () => {
    const ada = await identity.signUp();
    await spendAllButOne('usernameLookupsPerUserDay', ada.id);
    const add = (username: string) => identity.client.addContact({ actorId: ada.id, username });
    expect(await captureRefusal(add('some.body'))).toMatchObject({ code: 'user_not_found' });
    expect(await captureRefusal(add('some.one'))).toMatchObject({ kind: 'rate_limited', code: 'search_limited' });
  });

  test('a shared network waits an hour at most', () => {
    expect(rateLimits.exactLookupsPerAddress).toMatchObject({ points: 600, durationSeconds: 3_600 });
  });

  test('adding someone by number, registered or not, counts as a lookup per account and address', async () => {
    const [ada, ben] = [await identity.signUp(), await identity.signUp()];
    const add = (actorId: string, phoneNumber: string, address = newDevice().address) =>
      identity.client.addContact({ actorId, phoneNumber, address });
    await spendAllButOne('exactLookupsPerUserDay', ada.id);
    await add(ada.id, randomPhone());
    for (const number of [randomPhone(), ben.phoneNumber]) {
      expect(await captureRefusal(add(ada.id, number))).toMatchObject({ kind: 'rate_limited', code: 'search_limited' });
    }
    const address = newDevice().address;
    await spendAllButOne('exactLookupsPerAddress', address);
    await add(ben.id, randomPhone(), address);
    expect(await captureRefusal(add(ben.id, randomPhone(), address))).toMatchObject({ code: 'search_limited' });
    const search = { actorId: ben.id, query: randomPhone(), address };
    expect(await captureRefusal(identity.client.searchUsers(search))).toMatchObject({ code: 'search_limited' });
    await add(ben.id, randomPhone());
  });
});

import { eventually, signInByPhone, signUpByPhone, TestApi, TestSocket, type TestUser } from '@nolo/testing';
import { must } from '../support/authorization/authorizationCast.ts';
import { openSharedTestStack } from '../support/stacks/testStack.ts';

const running = openSharedTestStack();
let here: string;
let there: string;

beforeAll(async () => {
  [here = '', there = ''] = running.urls;
});
const statusAt = async (url: string, token: string | undefined) =>
  (await new TestApi(url, token).get('/api/auth/user')).status;

/** Returns a session that both gateways have just seen and therefore cache. */
async function knownToBoth(person: TestUser): Promise<string> {
  const token = person.api.token ?? '';
  for (const url of [here, there]) expect(await statusAt(url, token)).toBe(200);
  return token;
}

/** Faster than the ten seconds for which a gateway would cache an ended session without a notification. */
async function refusedEverywhere(token: string): Promise<void> {
  expect(await statusAt(here, token)).toBe(401);
  await eventually(async () => (await statusAt(there, token)) === 401, { timeoutMs: 8_000 });
  await expect(TestSocket.open(there, token)).rejects.toThrow('answered with 401');
}

describe('a session cached by both gateways', () => {
  it('is refused by both as soon as another device ends it', async () => {
    const one = await signUpByPhone(here);
    const other = await signInByPhone(here, one.phone);
    const token = await knownToBoth(one);
    const { body } = must(await one.api.get('/api/sessions'), 'The sessions');
    const { id } = (body as { id: string; current: boolean }[]).find(({ current }) => current) ?? { id: '' };
    must(await other.api.delete(`/api/sessions/${id}`), 'The end');
    await refusedEverywhere(token);
    expect(await statusAt(there, other.api.token)).toBe(200);
  });

  it('is refused by both when all others are ended, or the account is deleted', async () => {
    const one = await signUpByPhone(here);
    const other = await signInByPhone(here, one.phone);
    const tokens = [await knownToBoth(one), await knownToBoth(other)];
    must(await other.api.delete('/api/sessions'), 'The end of the others');
    await refusedEverywhere(tokens[0]!);
    must(await other.api.delete('/api/account'), 'The deletion');
    await refusedEverywhere(tokens[1]!);
  });

  it('is refused by both when its own device signs out', async () => {
    const one = await signUpByPhone(here);
    const token = await knownToBoth(one);
    await new TestApi(here, token).get('/api/logout');
    await refusedEverywhere(token);
  });
});

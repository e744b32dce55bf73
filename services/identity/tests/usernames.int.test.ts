import { newId } from '@nolo/kit/ids';
import { eventually } from '@nolo/testing';
import { limits } from '@nolo/rules';
import { captureRefusal, shareIdentity, testCallerOf, type TestPerson } from './startIdentity.ts';

const identity = shareIdentity();

const dayMs = 86_400_000;
/** Returns a unique username: hexadecimal contains no confusable letters once the digits become letters. */
const freshName = () =>
  `n${newId()
    .slice(-12)
    .replace(/[0-9]/g, (digit) => 'ghjkpqstxy'[Number(digit)] ?? '')}`;
const setName = ({ id }: TestPerson, username?: string) => identity.client.setUsername({ actorId: id, username });
const find = async ({ id }: TestPerson, query: string) =>
  (await identity.client.searchUsers({ actorId: id, query })).users.map((user) => user.id);
const taken = { kind: 'conflict', code: 'username_taken' };

test('a username finds its owner by the full name in any case, and nobody by a part', async () => {
  const [ada, ben] = [await identity.signUp('Ada'), await identity.signUp('Ben')];
  const name = freshName();
  expect((await setName(ada, ` @${name.toUpperCase()} `)).username).toBe(name);
  expect((await identity.client.getSelf({ actorId: ada.id })).username).toBe(name);
  expect(await find(ben, `@${name}`)).toEqual([ada.id]);
  expect(await find(ben, `@${name.toUpperCase()}`)).toEqual([ada.id]);
  expect(await find(ben, `@${name.slice(0, -1)}`)).toEqual([]);
  expect(await find(ben, name)).toEqual([]);
  // A name that merely looks alike finds nobody.
  expect(await find(ben, `@${name.slice(0, 4)}_${name.slice(4)}`)).toEqual([]);
  expect(await find(ada, `@${name}`)).toEqual([]);
  const [found] = (await identity.client.searchUsers({ actorId: ben.id, query: `@${name}` })).users;
  expect(JSON.stringify(found)).not.toContain(name);
});

test('someone merely calling themselves so is not found instead', async () => {
  const [ada, eve, ben] = [await identity.signUp('Ada'), await identity.signUp(), await identity.signUp()];
  const name = freshName();
  await identity.client.updateProfile({ actorId: eve.id, firstName: `@${name}` });
  await identity.client.updatePrivacy({ actorId: eve.id, discoverable: true });
  expect(await find(ben, `@${name}`)).toEqual([]);
  await setName(ada, name);
  expect(await find(ben, `@${name}`)).toEqual([ada.id]);
});

test('a contact can be added by username', async () => {
  const [ada, ben] = [await identity.signUp('Ada'), await identity.signUp()];
  const name = freshName();
  await setName(ada, name);
  const add = (username: string) => identity.client.addContact({ actorId: ben.id, username });
  expect(await add(`@${name}`)).toMatchObject({ userId: ada.id, displayName: 'Ada', phoneNumber: undefined });
  expect(await captureRefusal(add(`${name}x`))).toMatchObject({ kind: 'not_found', code: 'user_not_found' });
  expect(await captureRefusal(add('a'))).toMatchObject({ kind: 'invalid', code: 'username_invalid' });
  await setName(ben, `${name}.b`);
  expect(await captureRefusal(add(`${name}.b`))).toMatchObject({ code: 'contact_is_self' });
});

test('a username and its lookalikes belong to one person', async () => {
  const [ada, ben] = [await identity.signUp(), await identity.signUp()];
  const name = `${freshName()}mo`;
  await setName(ada, name);
  for (const alike of [
    name,
    `${name.slice(0, -2)}rno`,
    `${name.slice(0, -1)}0`,
    `${name.slice(0, 4)}.${name.slice(4)}`,
  ]) {
    expect(await captureRefusal(setName(ben, alike))).toMatchObject(taken);
  }
  expect(await captureRefusal(setName(ben, 'support'))).toMatchObject({ kind: 'invalid', code: 'username_invalid' });
  expect(await captureRefusal(setName(ben, ''))).toMatchObject({ kind: 'invalid', code: 'username_invalid' });
  // The owner may change the notation.
  expect((await setName(ada, `${name.slice(0, 4)}.${name.slice(4)}`)).username).toContain('.');
});

test('a released username finds nobody, and is reserved for a while', async () => {
  const [ada, ben] = [await identity.signUp(), await identity.signUp()];
  const [first, second] = [freshName(), freshName()];
  await setName(ada, first);
  await setName(ada, second);
  expect(await find(ben, `@${first}`)).toEqual([]);
  expect(await captureRefusal(setName(ben, first))).toMatchObject(taken);
  // The former owner may reclaim it.
  await setName(ada, first);
  expect((await setName(ada, undefined)).username).toBeUndefined();
  identity.clock.advance(limits.usernameReservedDays * dayMs - 1);
  expect(await captureRefusal(setName(ben, first))).toMatchObject(taken);
  identity.clock.advance(1);
  expect((await setName(ben, first)).username).toBe(first);
  expect(await find(ada, `@${first}`)).toEqual([ben.id]);
});

test('changing usernames repeatedly does not reserve many of them', async () => {
  const ada = await identity.signUp();
  for (let changes = 0; changes <= limits.usernamesReservedPerUser; changes += 1) await setName(ada, freshName());
  expect(await captureRefusal(setName(ada, freshName()))).toMatchObject({ kind: 'conflict', code: 'username_limit' });
  await setName(ada, undefined);
  identity.clock.advance(limits.usernameReservedDays * dayMs);
  await setName(ada, freshName());
});

test('only one of several concurrent claims of a username succeeds', async () => {
  const people = await Promise.all([identity.signUp(), identity.signUp(), identity.signUp()]);
  const name = freshName();
  const outcomes = await Promise.allSettled(people.map((person) => setName(person, name)));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('a username is released with its account, and free after a while', async () => {
  const [ada, ben] = [await identity.signUp(), await identity.signUp()];
  const name = freshName();
  await setName(ada, name);
  await identity.client.deleteAccount(testCallerOf(ada));
  expect(await find(ben, `@${name}`)).toEqual([]);
  expect(await captureRefusal(setName(ben, name))).toMatchObject(taken);
  await identity.db('closures').where({ user_id: ada.id }).update({ deletes_at: identity.clock.now() });
  await eventually(async () => (await identity.db('users').where({ id: ada.id })).length === 0);
  expect(await captureRefusal(setName(ben, name))).toMatchObject(taken);
  expect(await identity.db('usernames').where({ username: name }).first('user_id')).toEqual({ user_id: null });
  identity.clock.advance(limits.usernameReservedDays * dayMs);
  expect((await setName(ben, name)).username).toBe(name);
});

describe('the add link', () => {
  const linkOf = async ({ id }: TestPerson, renew?: boolean) =>
    (await identity.client.getContactLink({ actorId: id, renew })).token ?? '';
  const findBy = ({ id }: TestPerson, token: string) => identity.client.findByContactLink({ actorId: id, token });

  test('stays the same until it is renewed, which invalidates the old one', async () => {
    const [ada, ben] = [await identity.signUp('Ada', 'Lovelace'), await identity.signUp('Ben')];
    const token = await linkOf(ada);
    expect(token).toMatch(/^[\w-]{22}$/);
    expect(await linkOf(ada)).toBe(token);
    expect(await findBy(ben, token)).toMatchObject({ id: ada.id, displayName: 'Ada Lovelace', isContact: false });
    const next = await linkOf(ada, true);
    expect(await captureRefusal(findBy(ben, token))).toMatchObject({ kind: 'not_found', code: 'user_not_found' });
    await identity.client.addContact({ actorId: ben.id, userId: (await findBy(ben, next)).id });
    expect(await findBy(ben, next)).toMatchObject({ isContact: true });
  });

  test('finds nobody by anything else, and nobody who was deleted', async () => {
    const [ada, ben] = [await identity.signUp('Ada'), await identity.signUp('Ben')];
    const token = await linkOf(ada);
    for (const wrong of ['', token.slice(1), `${token}A`, ada.id, token.toUpperCase()]) {
      expect(await captureRefusal(findBy(ben, wrong))).toMatchObject({ code: 'user_not_found' });
    }
    await identity.erase(ada);
    expect(await captureRefusal(findBy(ben, token))).toMatchObject({ code: 'user_not_found' });
    expect(await captureRefusal(identity.client.getContactLink({ actorId: ada.id }))).toMatchObject({
      code: 'user_not_found',
    });
  });
});

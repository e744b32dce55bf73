import { newId } from '@nolo/kit/ids';
import { randomPhone } from '@nolo/testing';
import { aSignInWithProviderRequest } from '@nolo/testing/protos';
import { foldRemainingNames } from '../src/store/foldedNames.ts';
import { createContactFixtures } from './contactFixtures.ts';
import { captureRefusal, shareIdentity, testDevice, type TestPerson } from './startIdentity.ts';

const identity = shareIdentity();
const { add, list, viewUsers } = createContactFixtures(identity);

const block = (actor: TestPerson, other: TestPerson, blocked = true) =>
  identity.client.setBlocked({ actorId: actor.id, userId: other.id, blocked });
const search = async (actor: TestPerson, query: string, limit = 0) =>
  (await identity.client.searchUsers({ actorId: actor.id, query, limit })).users;

describe('people', () => {
  test('are shown with the name in the viewer’s contacts, without number or email', async () => {
    const [ada, ben, cleo] = [
      await identity.signUp('Ada'),
      await identity.signUp('Ben', 'Okri'),
      await identity.signUp('Cleo'),
    ];
    await add(ada, { userId: ben.id, displayName: 'Dad' });
    const users = await viewUsers(ada, ben, cleo, ada);
    expect(users.find(({ id }) => id === ben.id)).toMatchObject({
      displayName: 'Dad',
      firstName: 'Ben',
      isContact: true,
    });
    expect(users.find(({ id }) => id === cleo.id)).toMatchObject({ displayName: 'Cleo', isContact: false });
    expect(users).toHaveLength(3);
    expect(JSON.stringify(users)).not.toContain(ben.phoneNumber);
  });

  test('are left out if they do not exist, and more than two hundred are rejected', async () => {
    const ada = await identity.signUp('Ada');
    const getUsers = (userIds: string[]) => identity.client.getUsers({ actorId: ada.id, userIds });
    expect((await getUsers([newId(), 'nonsense', ada.id, ada.id])).users.map(({ id }) => id)).toEqual([ada.id]);
    const many = Array.from({ length: 201 }, () => newId());
    expect(await captureRefusal(getUsers(many))).toMatchObject({ kind: 'invalid', code: 'too_many_ids' });
  });
});

describe('searching', () => {
  test('finds contacts by either name, and strangers by name only if discoverable', async () => {
    const [ada, ben, cleo] = [
      await identity.signUp('Ada'),
      await identity.signUp('Bartholomew', 'Quill'),
      await identity.signUp('Quincy', 'Vale'),
    ];
    await add(ada, { userId: ben.id, displayName: 'Barry' });
    const ids = async (query: string) => (await search(ada, query)).map(({ id }) => id);
    expect(await ids('barr')).toEqual([ben.id]);
    expect(await ids('tholo')).toEqual([ben.id]);
    expect(await ids('quincy')).toEqual([]);
    await identity.client.updatePrivacy({ actorId: cleo.id, discoverable: true });
    expect(await ids('QUINCY')).toEqual([cleo.id]);
    expect(await ids('vale')).toEqual([cleo.id]);
    // Contacts come first. Quill is a part of Barry's own name.
    expect(await ids('qui')).toEqual([ben.id, cleo.id]);
    expect(await ids('q')).toEqual([]);
    expect(await ids('%%')).toEqual([]);
    expect(await ids('u%ncy')).toEqual([]);
  });

  test('finds names however they are written', async () => {
    const [ada, ipek, gael] = [
      await identity.signUp('Ada'),
      await identity.signUp('İpek', 'Σίσυφος'),
      await identity.signUp('Gaël', 'Weiß'),
    ];
    await add(ada, { userId: ipek.id });
    await identity.client.updatePrivacy({ actorId: gael.id, discoverable: true });
    const ids = async (query: string) => (await search(ada, query)).map(({ id }) => id);
    for (const query of ['İpek', 'ipek', 'IPEK', 'ΣΊΣΥΦΟΣ', 'σισυφος']) expect(await ids(query)).toEqual([ipek.id]);
    for (const query of ['gael', 'GAËL', 'Gae\u0308l', 'weiss', 'WEIẞ']) expect(await ids(query)).toEqual([gael.id]);
    const named = await add(ada, { phoneNumber: randomPhone(), displayName: 'Zoë Straße' });
    for (const query of ['strasse', 'zoe', 'ZOË']) {
      expect((await list(ada, query)).contacts.map(({ id }) => id)).toEqual([named.id]);
    }
    expect((await list(ada, 'IPEK')).contacts).toMatchObject([{ userId: ipek.id }]);
  });

  test('finds names that are not folded yet, and folds them', async () => {
    const [ada, ben] = [await identity.signUp('Ada'), await identity.signUp('Ben')];
    const contact = await add(ada, { userId: ben.id });
    await identity.client.updatePrivacy({ actorId: ben.id, discoverable: true });
    const stranger = await identity.signUp('Stranger');
    const found = async (query: string) => [
      (await list(ada, query)).contacts.length,
      (await search(ada, query)).length,
      (await search(stranger, query)).length,
    ];
    // Writes like a service that does not know the folded columns.
    await identity.db('users').where({ id: ben.id }).update({ first_name: 'Renée', last_name: 'Öz' });
    expect(await identity.db('users').where({ id: ben.id }).first('folded_name', 'folded_last_name')).toEqual({
      folded_name: null,
      folded_last_name: null,
    });
    expect(await found('Renée')).toEqual([1, 1, 1]);
    expect(await found('ben')).toEqual([0, 1, 0]);
    await foldRemainingNames(identity.db);
    expect(await found('renee')).toEqual([1, 1, 1]);
    expect(await found('oz')).toEqual([1, 1, 1]);
    await identity.db('contacts').where({ id: contact.id }).update({ display_name: 'Çağla', named: true });
    expect(await found('ÇAĞLA')).toEqual([1, 1, 0]);
    await foldRemainingNames(identity.db);
    expect(await found('cagla')).toEqual([1, 1, 0]);
    expect(await identity.db('users').whereNull('folded_name')).toEqual([]);
  });

  test('finds anyone by full number or email address, and shows neither', async () => {
    const [ada, ben] = [await identity.signUp('Ada'), await identity.signUp('Ben')];
    const mail = await identity.client.signInWithProvider(
      aSignInWithProviderRequest({ email: 'Mo@Example.org', emailVerified: true, givenName: 'Mo', device: testDevice }),
    );
    const spaced = `${ben.phoneNumber.slice(0, 3)} ${ben.phoneNumber.slice(3)}`;
    const byNumber = await search(ada, spaced);
    expect(byNumber.map(({ id }) => id)).toEqual([ben.id]);
    expect(JSON.stringify(byNumber)).not.toContain(ben.phoneNumber);
    expect(await search(ada, ben.phoneNumber.slice(0, -1))).toEqual([]);
    const byMail = await search(ada, 'mo@example.ORG');
    expect(byMail.map(({ id }) => id)).toEqual([mail.self?.id]);
    expect(JSON.stringify(byMail).toLowerCase()).not.toContain('example.org');
    expect(await search(ada, 'mo@example')).toEqual([]);
    expect(await search(ada, ada.phoneNumber)).toEqual([]);
  });

  test('finds someone who blocked the searcher by number and in contacts, but not as a stranger', async () => {
    const [ada, ben] = [await identity.signUp('Adelheid'), await identity.signUp('Benedikt')];
    await identity.client.updatePrivacy({ actorId: ben.id, discoverable: true, presenceVisibility: 'nobody' });
    const before = await search(ada, ben.phoneNumber);
    const stranger = await identity.signUp('Stranger');
    const added = await add(stranger, { phoneNumber: ben.phoneNumber });
    await block(ben, ada);
    // Adding and finding by number agree; a difference would reveal the block.
    expect(await search(ada, ben.phoneNumber)).toEqual(before);
    expect(await search(ada, 'benedikt')).toEqual([]);
    const { id, userId } = await add(ada, { phoneNumber: ben.phoneNumber });
    expect({ ...(await add(ada, { phoneNumber: ben.phoneNumber })), id: '', createdAt: undefined }).toEqual({
      ...added,
      id: '',
      createdAt: undefined,
    });
    expect(id).not.toBe('');
    expect(userId).toBe(ben.id);
    for (const query of ['benedikt', ben.phoneNumber]) expect(await search(ada, query)).toMatchObject([{ id: ben.id }]);
    expect(await search(ben, ada.phoneNumber)).toHaveLength(1);
    expect((await search(ben, ada.phoneNumber))[0]).toMatchObject({ isBlocked: true });
  });

  test('shows the picture to everyone, to the person’s own contacts, or to nobody', async () => {
    const [ada, ben, cleo] = [
      await identity.signUp('Ada'),
      await identity.signUp('Ben'),
      await identity.signUp('Cleo'),
    ];
    const objectPath = `/objects/${newId()}`;
    await identity.client.setProfileImage({ actorId: ben.id, objectPath });
    // Ada added Ben, which was not Ben's choice. Cleo is in Ben's list.
    await add(ada, { userId: ben.id });
    await add(ben, { userId: cleo.id });
    const shownTo = async (viewer: TestPerson) => {
      const [user] = await viewUsers(viewer, ben);
      const [found] = await search(viewer, ben.phoneNumber);
      if (viewer !== ben) expect(found?.profileImageUrl).toBe(user?.profileImageUrl);
      return user?.profileImageUrl === objectPath;
    };
    const table: unknown[] = [];
    for (const pictureVisibility of ['everyone', 'contacts', 'nobody']) {
      await identity.client.updatePrivacy({ actorId: ben.id, pictureVisibility });
      table.push([pictureVisibility, await shownTo(ada), await shownTo(cleo), await shownTo(ben)]);
      expect((await list(ada)).contacts[0]?.profileImageUrl).toBe(
        pictureVisibility === 'everyone' ? objectPath : undefined,
      );
    }
    expect(table).toEqual([
      ['everyone', true, true, true],
      ['contacts', false, true, true],
      ['nobody', false, false, true],
    ]);
  });

  test('is limited to sixty a minute, and counts full numbers separately', async () => {
    const [ada, ben] = [await identity.signUp('Ada'), await identity.signUp('Ben')];
    for (let count = 0; count < 60; count += 1) await search(ada, 'someone');
    expect(await captureRefusal(search(ada, 'someone'))).toMatchObject({
      kind: 'rate_limited',
      code: 'search_limited',
    });
    await search(ben, 'someone');
    const keys = await identity.redis.keys('*exactLookupsPerUserDay*');
    expect(keys.some((key) => key.includes(ben.id))).toBe(false);
    await search(ben, randomPhone());
    const after = await identity.redis.keys('*exactLookupsPerUserDay*');
    expect(after.some((key) => key.includes(ben.id))).toBe(true);
  });
});

describe('blocking', () => {
  test('requires an existing other person, and repeating it changes nothing', async () => {
    const [ada, ben] = [await identity.signUp('Ada'), await identity.signUp('Ben')];
    expect(await captureRefusal(block(ada, ada))).toMatchObject({ kind: 'invalid', code: 'block_is_self' });
    const nobody = { ...ben, id: newId() };
    expect(await captureRefusal(block(ada, nobody))).toMatchObject({ kind: 'not_found', code: 'user_not_found' });
    await Promise.all([block(ada, ben), block(ada, ben), block(ben, ada)]);
    expect((await viewUsers(ada, ben))[0]).toMatchObject({ isBlocked: true });
    await block(ada, ben, false);
    await block(ada, ben, false);
    expect((await viewUsers(ada, ben))[0]).toMatchObject({ isBlocked: false });
    expect((await viewUsers(ben, ada))[0]).toMatchObject({ isBlocked: true });
  });

  test('is listed latest first, in pages, to the blocking person only', async () => {
    const ada = await identity.signUp('Ada');
    const others: TestPerson[] = [];
    for (let count = 0; count < 5; count += 1) {
      const other = await identity.signUp(`Person ${count}`);
      await block(ada, other);
      others.unshift(other);
      identity.clock.advance(count === 2 ? 0 : 10);
    }
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await identity.client.listBlocked({ actorId: ada.id, cursor, limit: 2 });
      seen.push(...page.users.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(seen.toSorted()).toEqual(others.map(({ id }) => id).toSorted());
    expect(seen[0]).toBe(others[0]!.id);
    const theirs = await identity.client.listBlocked({ actorId: others[0]!.id });
    expect(theirs.users).toEqual([]);
    const bad = identity.client.listBlocked({ actorId: ada.id, cursor: 'nonsense' });
    expect(await captureRefusal(bad)).toMatchObject({ code: 'cursor_invalid' });
  });
});

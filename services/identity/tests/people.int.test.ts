import { newId } from '@nolo/kit/ids';
import { eventually, randomPhone } from '@nolo/testing';
import { aSignInWithProviderRequest } from '@nolo/testing/protos';
import { foldRemainingNames } from '../src/store/foldedNames.ts';
import { captureRefusal, shareIdentity, testCallerOf, testDevice, type TestPerson } from './startIdentity.ts';

const identity = shareIdentity();

const add = (owner: TestPerson, target: { phoneNumber?: string; userId?: string; displayName?: string }) =>
  identity.client.addContact({ actorId: owner.id, phoneNumber: '', userId: '', ...target });
const linkTo = ({ id, sessionId }: TestPerson) => ({ linkToUserId: id, linkSessionId: sessionId });
const sent = async (phoneNumber: string) => {
  await identity.client.sendCode({ phoneNumber, device: testDevice });
  return { phoneNumber, code: '424242', device: testDevice, linkToUserId: '' };
};
const block = (actor: TestPerson, other: TestPerson, blocked = true) =>
  identity.client.setBlocked({ actorId: actor.id, userId: other.id, blocked });
const list = (owner: TestPerson, query = '', cursor = '', limit = 0) =>
  identity.client.listContacts({ actorId: owner.id, query, cursor, limit });
const search = async (actor: TestPerson, query: string, limit = 0) =>
  (await identity.client.searchUsers({ actorId: actor.id, query, limit })).users;
const viewUsers = async (actor: TestPerson, ...people: TestPerson[]) =>
  (await identity.client.getUsers({ actorId: actor.id, userIds: people.map(({ id }) => id) })).users;

describe('adding a contact', () => {
  test('uses an unregistered number as its name', async () => {
    const ada = await identity.signUp('Ada');
    const number = randomPhone();
    expect(await add(ada, { phoneNumber: number })).toMatchObject({ userId: undefined, displayName: number });
  });

  test("has one name everywhere: the given one, else the person's own, else the number", async () => {
    const [ada, ben] = [await identity.signUp('Ada'), await identity.signUp('Ben', 'Okri')];
    const called = async (name: string, query = name) => {
      expect((await list(ada, query.toLowerCase())).contacts).toMatchObject([{ userId: ben.id, displayName: name }]);
      expect(await viewUsers(ada, ben)).toMatchObject([{ displayName: name, isContact: true }]);
    };
    // A number that the client fills in as the name does not count as a name.
    const contact = await add(ada, { phoneNumber: ben.phoneNumber, displayName: ben.phoneNumber });
    expect(contact).toMatchObject({ displayName: 'Ben Okri', phoneNumber: ben.phoneNumber, isBlocked: false });
    await called('Ben Okri', 'okri');
    await identity.client.updateProfile({ actorId: ben.id, firstName: 'Benedict' });
    await called('Benedict Okri');
    await identity.client.updateContact({ actorId: ada.id, contactId: contact.id, displayName: 'Benji' });
    await called('Benji');
  });

  test('follows the name of an account', async () => {
    const [ada, ben] = [await identity.signUp('Ada'), await identity.signUp('Ben', 'Okri')];
    await add(ada, { userId: ben.id });
    await identity.client.updateProfile({ actorId: ben.id, lastName: 'Ojo' });
    expect((await list(ada)).contacts).toMatchObject([{ displayName: 'Ben Ojo' }]);
  });

  test('uses the name of an account, and no number', async () => {
    const [ada, ben] = [await identity.signUp('Ada'), await identity.signUp('Ben', 'Okri')];
    expect(await add(ada, { userId: ben.id })).toMatchObject({
      userId: ben.id,
      displayName: 'Ben Okri',
      phoneNumber: undefined,
    });
  });

  test('needs a valid number or an existing account, of someone else', async () => {
    const ada = await identity.signUp('Ada');
    expect(await captureRefusal(add(ada, { phoneNumber: '  ' }))).toMatchObject({
      kind: 'invalid',
      code: 'phone_number_required',
      message: 'Phone number is required.',
    });
    expect(await captureRefusal(add(ada, { phoneNumber: '12' }))).toMatchObject({ code: 'phone_number_invalid' });
    expect(await captureRefusal(add(ada, { userId: newId() }))).toMatchObject({
      kind: 'not_found',
      code: 'user_not_found',
    });
    for (const self of [{ phoneNumber: ada.phoneNumber }, { userId: ada.id }]) {
      expect(await captureRefusal(add(ada, self))).toMatchObject({
        kind: 'invalid',
        code: 'contact_is_self',
        message: 'You cannot add yourself as a contact.',
      });
    }
    for (const displayName of ['x'.repeat(101)]) {
      const named = add(ada, { phoneNumber: randomPhone(), displayName });
      expect(await captureRefusal(named)).toMatchObject({ kind: 'invalid', code: 'display_name_invalid' });
    }
  });

  test('returns an existing contact, renamed if a name was given', async () => {
    const [ada, ben] = [await identity.signUp('Ada'), await identity.signUp('Ben')];
    const first = await add(ada, { userId: ben.id });
    const second = await add(ada, { phoneNumber: ben.phoneNumber });
    expect(second).toMatchObject({ id: first.id, displayName: 'Ben', phoneNumber: ben.phoneNumber });
    const third = await add(ada, { userId: ben.id, displayName: ' Ben\u202eji\n' });
    expect(third).toMatchObject({ id: first.id, displayName: 'Benji' });
    const together = await Promise.all(Array.from({ length: 8 }, () => add(ada, { phoneNumber: '+27825550100' })));
    expect(new Set(together.map(({ id }) => id)).size).toBe(1);
    expect((await list(ada)).contacts).toHaveLength(2);
  });

  test('is limited to five thousand', async () => {
    const ada = await identity.signUp('Ada');
    await identity.db.raw(
      `insert into contacts (id, owner_id, phone_number, display_name, created_at)
       select gen_random_uuid(), ?, '+1' || n, 'Number ' || n, now() from generate_series(1, 5000) n`,
      [ada.id],
    );
    expect(await captureRefusal(add(ada, { phoneNumber: randomPhone() }))).toMatchObject({
      kind: 'conflict',
      code: 'contact_limit',
    });
  });

  test('links a number without an account once it signs up', async () => {
    const [ada, cleo] = [await identity.signUp('Ada'), await identity.signUp('Cleo')];
    const gateway = await identity.gateway('replica-a');
    await gateway.leases.add(ada.id);
    const number = randomPhone();
    expect(await add(ada, { phoneNumber: number, displayName: 'Dee' })).toMatchObject({
      userId: undefined,
      displayName: 'Dee',
    });
    gateway.clear();
    const dee = await identity.signIn(number);
    const [contact] = (await list(ada)).contacts;
    expect(contact).toMatchObject({ userId: dee.self?.id, displayName: 'Dee', phoneNumber: number });
    await eventually(() => gateway.framesFor(ada.id, 'contacts_changed').length > 0);
    expect((await list(cleo)).contacts).toEqual([]);
  });

  test('links a number that signs up at the same moment', async () => {
    const ada = await identity.signUp('Ada');
    for (let round = 0; round < 5; round += 1) {
      const number = randomPhone();
      await identity.client.sendCode({ phoneNumber: number, device: testDevice });
      await Promise.all([
        add(ada, { phoneNumber: number }),
        identity.client.verifyCode({ phoneNumber: number, code: '424242', device: testDevice, linkToUserId: '' }),
      ]);
    }
    expect((await list(ada)).contacts.every((contact) => contact.userId !== undefined)).toBe(true);
  });

  test('merges a contact by account and one by number once the account gets that number', async () => {
    const [ada, ben] = [await identity.signUp('Ada'), await identity.signUp('Ben')];
    const number = randomPhone();
    await add(ada, { userId: ben.id });
    await add(ada, { phoneNumber: number, displayName: 'Work' });
    await add(ben, { phoneNumber: number, displayName: 'Me' });
    await identity.client.sendCode({ phoneNumber: number, device: testDevice });
    await identity.client.verifyCode({ phoneNumber: number, code: '424242', device: testDevice, ...linkTo(ben) });
    const { contacts } = await list(ada);
    expect(contacts).toHaveLength(1);
    expect(contacts[0]).toMatchObject({ userId: ben.id, displayName: 'Ben', phoneNumber: number });
    expect((await list(ben)).contacts).toEqual([]);
  });
});

test('a contact added again by number follows the number to its new owner', async () => {
  const [ada, ben] = [await identity.signUp('Ada'), await identity.signUp('Ben')];
  const first = await add(ada, { phoneNumber: ben.phoneNumber });
  const next = randomPhone();
  await identity.client.sendCode({ phoneNumber: next, device: testDevice });
  await identity.client.verifyCode({ phoneNumber: next, code: '424242', device: testDevice, ...linkTo(ben) });
  // The number's new owner is someone else. The entry stays Ben's until Ada asks for the number again.
  const heir = await identity.client.verifyCode({ ...(await sent(ben.phoneNumber)), takeBack: false });
  expect((await list(ada)).contacts).toMatchObject([{ id: first.id, userId: ben.id }]);
  const retry = await add(ada, { phoneNumber: ben.phoneNumber });
  expect(retry).toMatchObject({ id: first.id, userId: heir.self?.id });
});

test('adding someone who is deleting their account is rejected or leaves only the number', async () => {
  for (let round = 0; round < 5; round += 1) {
    const [ada, ben] = [await identity.signUp('Ada'), await identity.signUp('Ben')];
    const [, byNumber, byId] = await Promise.allSettled([
      identity.client.deleteAccount(testCallerOf(ben)),
      add(ada, { phoneNumber: ben.phoneNumber }),
      add(ada, { userId: ben.id }),
    ]);
    expect(byNumber.status).toBe('fulfilled');
    if (byId.status === 'rejected') expect(byId.reason).toMatchObject({ code: 'user_not_found' });
    const { contacts } = await list(ada);
    expect(contacts).toMatchObject([{ userId: undefined, phoneNumber: ben.phoneNumber }]);
  }
});

describe('the contact list', () => {
  test('is listed by name in pages, each contact once', async () => {
    const ada = await identity.signUp('Ada');
    const names = ['bob', 'Alice', 'alice', 'Zoë', 'émile', 'Bob', 'charlie'];
    for (const displayName of names) await add(ada, { phoneNumber: randomPhone(), displayName });
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await list(ada, '', cursor, 2);
      expect(page.contacts.length).toBeLessThanOrEqual(2);
      seen.push(...page.contacts.map((contact) => contact.displayName));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(seen.toSorted()).toEqual(names.toSorted());
    const inOrder = ['alice', 'alice', 'bob', 'bob', 'charlie', 'émile', 'zoë'];
    expect(seen.map((name) => name.toLowerCase())).toEqual(inOrder);
    expect(await captureRefusal(list(ada, '', 'nonsense'))).toMatchObject({ kind: 'invalid', code: 'cursor_invalid' });
  });

  test('can be filtered by part of the name or number, taken literally', async () => {
    const ada = await identity.signUp('Ada');
    await add(ada, { phoneNumber: '+27825550111', displayName: '100% Pure_Juice' });
    await add(ada, { phoneNumber: '+27825550222', displayName: 'Bob' });
    const found = async (query: string) => (await list(ada, query)).contacts.map((contact) => contact.displayName);
    expect(await found('pure_j')).toEqual(['100% Pure_Juice']);
    expect(await found('%')).toEqual(['100% Pure_Juice']);
    expect(await found('_')).toEqual(['100% Pure_Juice']);
    expect(await found('82 555-02')).toEqual(['Bob']);
    expect(await found('\\')).toEqual([]);
    expect(await found('\u0000')).toHaveLength(2);
  });

  test('can be changed by its owner only', async () => {
    const [ada, ben] = [await identity.signUp('Ada'), await identity.signUp('Ben')];
    const { id } = await add(ada, { userId: ben.id });
    const rename = (actor: TestPerson, displayName: string, contactId = id) =>
      identity.client.updateContact({ actorId: actor.id, contactId, displayName });
    expect(await captureRefusal(rename(ben, 'Mine'))).toMatchObject({ kind: 'not_found', code: 'contact_not_found' });
    expect(await captureRefusal(rename(ada, 'Ben', 'nonsense'))).toMatchObject({ code: 'contact_not_found' });
    expect(await captureRefusal(rename(ada, ' \u200b '))).toMatchObject({ code: 'display_name_invalid' });
    expect(await rename(ada, 'Benjamin')).toMatchObject({ id, displayName: 'Benjamin' });

    const remove = (actor: TestPerson) => identity.client.removeContact({ actorId: actor.id, contactId: id });
    expect(await captureRefusal(remove(ben))).toMatchObject({ code: 'contact_not_found' });
    await remove(ada);
    expect(await captureRefusal(remove(ada))).toMatchObject({ kind: 'not_found', code: 'contact_not_found' });
    expect((await list(ada)).contacts).toEqual([]);
  });
});

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

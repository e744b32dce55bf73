import { newId } from '@nolo/kit/ids';
import { eventually, randomPhone } from '@nolo/testing';
import { createContactFixtures } from './contactFixtures.ts';
import { captureRefusal, shareIdentity, testCallerOf, testDevice, type TestPerson } from './startIdentity.ts';

const identity = shareIdentity();
const { add, list, viewUsers } = createContactFixtures(identity);

const linkTo = ({ id, sessionId }: TestPerson) => ({ linkToUserId: id, linkSessionId: sessionId });
const sent = async (phoneNumber: string) => {
  await identity.client.sendCode({ phoneNumber, device: testDevice });
  return { phoneNumber, code: '424242', device: testDevice, linkToUserId: '' };
};

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

import { eventually } from '@nolo/testing';
import { startTestIdentity, type Person, type TestGateway, type TestIdentity } from './startTestIdentity.ts';

let identity: TestIdentity;
let gateway: TestGateway;
beforeAll(async () => {
  identity = await startTestIdentity();
  gateway = await identity.gateway('replica-a');
});
afterAll(() => identity.stop());

const see = async (viewer: Person, subject: Person) => {
  const { users } = await identity.client.getUsers({ actorId: viewer.id, userIds: [subject.id] });
  const { presenceStatus, statusMessage } = users[0]!;
  return { presenceStatus, statusMessage };
};
const add = (owner: Person, other: Person) =>
  identity.client.addContact({ actorId: owner.id, userId: other.id, phoneNumber: '' });
const connect = async (person: Person, at = gateway) => {
  await at.leases.add(person.id);
  await identity.client.reportConnection({ userId: person.id, connected: true });
};
const disconnect = async (person: Person, at = gateway) => {
  await at.leases.remove(person.id);
  await identity.client.reportConnection({ userId: person.id, connected: false });
};
const told = (viewer: Person, subject: Person) =>
  gateway
    .framesFor(viewer.id, 'presence')
    .filter((data) => data.userId === subject.id)
    .map((data) => data.presenceStatus);
const settle = () => identity.bus.flush();

/** Ada watches Ben: she has him as a contact, and is connected to hear of it. */
async function watcherAndWatched(): Promise<[Person, Person]> {
  const [ada, ben] = [await identity.signUp('Ada'), await identity.signUp('Ben')];
  await add(ada, ben);
  await connect(ada);
  return [ada, ben];
}

const online = { presenceStatus: 'online', statusMessage: 'At sea' };
const hidden = { presenceStatus: 'offline', statusMessage: '' };

describe('presence', () => {
  test('is what a connected person chose, and offline without a connection', async () => {
    const [ada, ben] = await watcherAndWatched();
    await identity.client.updateProfile({ actorId: ben.id, statusMessage: 'At sea' });
    expect(await see(ada, ben)).toEqual({ presenceStatus: 'offline', statusMessage: 'At sea' });
    await connect(ben);
    expect(await see(ada, ben)).toEqual(online);
    await identity.client.updateProfile({ actorId: ben.id, presenceStatus: 'busy' });
    expect(await see(ada, ben)).toMatchObject({ presenceStatus: 'busy' });
    const { contacts } = await identity.client.listContacts({ actorId: ada.id });
    expect(contacts[0]).toMatchObject({ presenceStatus: 'busy', statusMessage: 'At sea' });
    identity.clock.advance(2_000);
    await eventually(() => told(ada, ben).includes('busy'));
  });

  test('is shown to everyone, to the person’s own contacts, or to nobody', async () => {
    const [ada, ben] = await watcherAndWatched();
    const cleo = await identity.signUp('Cleo');
    await identity.client.updateProfile({ actorId: ben.id, statusMessage: 'At sea' });
    await connect(ben);
    const show = (presenceVisibility: string) => identity.client.updatePrivacy({ actorId: ben.id, presenceVisibility });
    expect(await see(cleo, ben)).toEqual(online);
    await show('contacts');
    // Ada added Ben, which was not Ben's choice.
    expect(await see(ada, ben)).toEqual(hidden);
    await add(ben, ada);
    expect(await see(ada, ben)).toEqual(online);
    expect(await see(cleo, ben)).toEqual(hidden);
    await show('nobody');
    expect(await see(ada, ben)).toEqual(hidden);
    expect(await see(ben, ben)).toEqual(online);
  });

  test('taken away is announced as offline, and given back as it is', async () => {
    const [ada, ben] = await watcherAndWatched();
    await connect(ben);
    await eventually(() => told(ada, ben).at(-1) === 'online');
    await identity.client.updatePrivacy({ actorId: ben.id, presenceVisibility: 'nobody' });
    await eventually(() => told(ada, ben).at(-1) === 'offline');
    await identity.client.updateProfile({ actorId: ben.id, presenceStatus: 'away' });
    await identity.client.updatePrivacy({ actorId: ben.id, presenceVisibility: 'everyone' });
    await eventually(() => told(ada, ben).at(-1) === 'away');
    expect(told(ada, ben)).toEqual(['online', 'offline', 'away']);
  });

  test('is hidden from a blocked person, who is told no more than that someone went offline', async () => {
    const [ada, ben] = await watcherAndWatched();
    await identity.client.updateProfile({ actorId: ben.id, statusMessage: 'At sea' });
    await connect(ben);
    await eventually(() => told(ada, ben).at(-1) === 'online');
    const block = (blocked: boolean) => identity.client.setBlocked({ actorId: ben.id, userId: ada.id, blocked });
    await block(true);
    await eventually(() => told(ada, ben).at(-1) === 'offline');
    expect(await see(ada, ben)).toEqual(hidden);
    gateway.clear();
    await identity.client.updateProfile({ actorId: ben.id, presenceStatus: 'busy' });
    await identity.client.updatePrivacy({ actorId: ben.id, presenceVisibility: 'contacts' });
    await identity.client.updatePrivacy({ actorId: ben.id, presenceVisibility: 'everyone' });
    await settle();
    expect(told(ada, ben)).toEqual([]);
    await block(false);
    await eventually(() => told(ada, ben).at(-1) === 'busy');
  });

  test('says nothing of a block by someone of whom there was nothing to see', async () => {
    const [ada, ben] = await watcherAndWatched();
    for (const blocked of [true, false]) {
      await identity.client.setBlocked({ actorId: ben.id, userId: ada.id, blocked });
    }
    await connect(ben);
    await eventually(() => told(ada, ben).length > 0);
    expect(told(ada, ben)).toEqual(['online']);
  });

  test('does not flicker when a page is reloaded', async () => {
    const [ada, ben] = await watcherAndWatched();
    await connect(ben);
    await eventually(() => told(ada, ben).at(-1) === 'online');
    gateway.clear();
    await disconnect(ben);
    identity.clock.advance(2900);
    await connect(ben);
    identity.clock.advance(5000);
    // A second person's departure passes the same queue, so the first one's would have come out by then.
    const cleo = await identity.signUp('Cleo');
    await add(ada, cleo);
    await connect(cleo);
    await disconnect(cleo);
    identity.clock.advance(3000);
    await eventually(() => told(ada, cleo).at(-1) === 'offline');
    expect(told(ada, ben)).toEqual([]);
  });

  test('ends three seconds after the last socket, unless there is another gateway', async () => {
    const [ada, ben] = await watcherAndWatched();
    const second = await identity.gateway('replica-b');
    await connect(ben);
    await connect(ben, second);
    await disconnect(ben);
    identity.clock.advance(3000);
    await disconnect(ben, second);
    await settle();
    expect(told(ada, ben)).not.toContain('offline');
    identity.clock.advance(3000);
    await eventually(() => told(ada, ben).at(-1) === 'offline');
  });

  test('ends with a gateway that died, except for those who are connected elsewhere', async () => {
    const [ada, ben] = await watcherAndWatched();
    const cleo = await identity.signUp('Cleo');
    await add(ada, cleo);
    const dying = await identity.gateway('replica-c');
    await connect(ben, dying);
    await connect(cleo, dying);
    await connect(cleo);
    // What a gateway renews every ten seconds runs out after thirty.
    identity.clock.advance(25_000);
    await gateway.leases.refresh();
    identity.clock.advance(6000);
    await eventually(() => told(ada, ben).at(-1) === 'offline');
    expect(told(ada, cleo)).not.toContain('offline');
    expect(await see(ada, cleo)).toMatchObject({ presenceStatus: 'online' });
  });
});

test('changes that come fast are told together, and what changes nothing is not told', async () => {
  const [ada, ben] = await watcherAndWatched();
  await connect(ben);
  await eventually(() => told(ada, ben).at(-1) === 'online');
  gateway.clear();
  const words = () =>
    gateway
      .framesFor(ada.id, 'presence')
      .filter(({ userId }) => userId === ben.id)
      .map(({ statusMessage }) => statusMessage);
  const say = (statusMessage: string) => identity.client.updateProfile({ actorId: ben.id, statusMessage });
  for (const one of ['one', 'two', 'two', 'three', 'three', 'three']) await say(one);
  await settle();
  expect(words()).toEqual(['one']);
  expect(gateway.framesFor(ben.id, 'self_changed')).toHaveLength(3);
  identity.clock.advance(2_000);
  await eventually(() => words().length > 1);
  expect(words()).toEqual(['one', 'three']);
});

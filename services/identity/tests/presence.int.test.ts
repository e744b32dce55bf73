import { limits } from '@nolo/rules';
import { eventually } from '@nolo/testing';
import {
  testCallerOf,
  startIdentity,
  type TestPerson,
  type FakeGatewayReplica,
  type TestIdentity,
} from './startIdentity.ts';

let identity: TestIdentity;
let gateway: FakeGatewayReplica;
beforeAll(async () => {
  identity = await startIdentity();
  gateway = await identity.gateway('replica-a');
});
afterAll(() => identity.stop());

const see = async (viewer: TestPerson, subject: TestPerson) => {
  const { users } = await identity.client.getUsers({ actorId: viewer.id, userIds: [subject.id] });
  const { presenceStatus, statusMessage } = users[0]!;
  return { presenceStatus, statusMessage };
};
const add = (owner: TestPerson, other: TestPerson) =>
  identity.client.addContact({ actorId: owner.id, userId: other.id, phoneNumber: '' });
const connect = async (person: TestPerson, at = gateway) => {
  await at.leases.add(person.id);
  await identity.client.reportConnection({ userId: person.id, connected: true });
};
const disconnect = async (person: TestPerson, at = gateway) => {
  await at.leases.remove(person.id);
  await identity.client.reportConnection({ userId: person.id, connected: false });
};
const listReceivedStatuses = (viewer: TestPerson, subject: TestPerson) =>
  gateway
    .framesFor(viewer.id, 'presence')
    .filter((data) => data.userId === subject.id)
    .map((data) => data.presenceStatus);
const settle = () => identity.bus.flush();

/** Creates Ada, who has Ben as a contact and is connected to receive his presence. */
async function watcherAndWatched(): Promise<[TestPerson, TestPerson]> {
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
    await eventually(() => listReceivedStatuses(ada, ben).includes('busy'));
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

  test('is announced as offline when hidden, and as it is when shown again', async () => {
    const [ada, ben] = await watcherAndWatched();
    await connect(ben);
    await eventually(() => listReceivedStatuses(ada, ben).at(-1) === 'online');
    await identity.client.updatePrivacy({ actorId: ben.id, presenceVisibility: 'nobody' });
    await eventually(() => listReceivedStatuses(ada, ben).at(-1) === 'offline');
    await identity.client.updateProfile({ actorId: ben.id, presenceStatus: 'away' });
    await identity.client.updatePrivacy({ actorId: ben.id, presenceVisibility: 'everyone' });
    await eventually(() => listReceivedStatuses(ada, ben).at(-1) === 'away');
    expect(listReceivedStatuses(ada, ben)).toEqual(['online', 'offline', 'away']);
  });

  test('is hidden from a blocked person, who only sees that someone went offline', async () => {
    const [ada, ben] = await watcherAndWatched();
    await identity.client.updateProfile({ actorId: ben.id, statusMessage: 'At sea' });
    await connect(ben);
    await eventually(() => listReceivedStatuses(ada, ben).at(-1) === 'online');
    const block = (blocked: boolean) => identity.client.setBlocked({ actorId: ben.id, userId: ada.id, blocked });
    await block(true);
    await eventually(() => listReceivedStatuses(ada, ben).at(-1) === 'offline');
    expect(await see(ada, ben)).toEqual(hidden);
    gateway.clear();
    await identity.client.updateProfile({ actorId: ben.id, presenceStatus: 'busy' });
    await identity.client.updatePrivacy({ actorId: ben.id, presenceVisibility: 'contacts' });
    await identity.client.updatePrivacy({ actorId: ben.id, presenceVisibility: 'everyone' });
    await settle();
    expect(listReceivedStatuses(ada, ben)).toEqual([]);
    await block(false);
    await eventually(() => listReceivedStatuses(ada, ben).at(-1) === 'busy');
  });

  test('reveals no block by someone who was not visible anyway', async () => {
    const [ada, ben] = await watcherAndWatched();
    for (const blocked of [true, false]) {
      await identity.client.setBlocked({ actorId: ben.id, userId: ada.id, blocked });
    }
    await connect(ben);
    await eventually(() => listReceivedStatuses(ada, ben).length > 0);
    expect(listReceivedStatuses(ada, ben)).toEqual(['online']);
  });

  test('does not flicker when a page is reloaded', async () => {
    const [ada, ben] = await watcherAndWatched();
    await connect(ben);
    await eventually(() => listReceivedStatuses(ada, ben).at(-1) === 'online');
    gateway.clear();
    await disconnect(ben);
    identity.clock.advance(2900);
    await connect(ben);
    identity.clock.advance(5000);
    // A second person's departure passes the same queue, so the first departure would have been announced by then.
    const cleo = await identity.signUp('Cleo');
    await add(ada, cleo);
    await connect(cleo);
    await disconnect(cleo);
    identity.clock.advance(3000);
    await eventually(() => listReceivedStatuses(ada, cleo).at(-1) === 'offline');
    expect(listReceivedStatuses(ada, ben)).toEqual([]);
  });

  test('stays visible to viewers during a page reload, because no event would restore it', async () => {
    const [ada, ben] = await watcherAndWatched();
    await connect(ben);
    await disconnect(ben);
    expect(await see(ada, ben)).toMatchObject({ presenceStatus: 'online' });
    const { contacts } = await identity.client.listContacts({ actorId: ada.id });
    expect(contacts[0]).toMatchObject({ presenceStatus: 'online' });
    identity.clock.advance(3000);
    await eventually(() => listReceivedStatuses(ada, ben).at(-1) === 'offline');
    expect(await see(ada, ben)).toMatchObject({ presenceStatus: 'offline' });
  });

  test('ends three seconds after the last socket, unless another gateway has one', async () => {
    const [ada, ben] = await watcherAndWatched();
    const second = await identity.gateway('replica-b');
    await connect(ben);
    await connect(ben, second);
    await disconnect(ben);
    identity.clock.advance(3000);
    await disconnect(ben, second);
    await settle();
    expect(listReceivedStatuses(ada, ben)).not.toContain('offline');
    identity.clock.advance(3000);
    await eventually(() => listReceivedStatuses(ada, ben).at(-1) === 'offline');
  });

  test('ends with a dead gateway, except for people connected elsewhere', async () => {
    const [ada, ben] = await watcherAndWatched();
    const cleo = await identity.signUp('Cleo');
    await add(ada, cleo);
    const dying = await identity.gateway('replica-c');
    await connect(ben, dying);
    await connect(cleo, dying);
    await connect(cleo);
    // Gateways renew leases every ten seconds, and leases expire after thirty.
    identity.clock.advance(25_000);
    await gateway.leases.refresh();
    identity.clock.advance(6000);
    await eventually(() => listReceivedStatuses(ada, ben).at(-1) === 'offline');
    expect(listReceivedStatuses(ada, cleo)).not.toContain('offline');
    expect(await see(ada, cleo)).toMatchObject({ presenceStatus: 'online' });
  });
});

describe('last seen', () => {
  const lastSeen = async (viewer: TestPerson, subject: TestPerson) => {
    const { users } = await identity.client.getUsers({ actorId: viewer.id, userIds: [subject.id] });
    return users[0]?.lastSeenAt?.getTime();
  };
  const show = (person: TestPerson, lastSeenVisibility: string) =>
    identity.client.updatePrivacy({ actorId: person.id, lastSeenVisibility });
  const kept = async (person: TestPerson) => (await identity.db('last_seen').where({ user_id: person.id })).length;
  /** Connects, disconnects, and waits until the watcher is notified. */
  const connectAndLeave = async (person: TestPerson, watcher: TestPerson) => {
    await connect(person);
    return await leave(person, watcher);
  };
  const leave = async (person: TestPerson, watcher: TestPerson) => {
    await disconnect(person);
    gateway.clear();
    identity.clock.advance(3000);
    await eventually(() => listReceivedStatuses(watcher, person).at(-1) === 'offline');
    return Math.floor(identity.clock.now().getTime() / 60_000) * 60_000;
  };

  test('is shown to the minute to contacts who share theirs, live and on request', async () => {
    const [ada, ben] = await watcherAndWatched();
    await connectAndLeave(ben, ada);
    // Ben does not have Ada as a contact.
    expect(await lastSeen(ada, ben)).toBeUndefined();
    await add(ben, ada);
    const minute = await connectAndLeave(ben, ada);
    expect(await lastSeen(ada, ben)).toBe(minute);
    const [frame] = gateway.framesFor(ada.id, 'presence').filter(({ userId }) => userId === ben.id);
    expect(frame).toMatchObject({ lastSeenAt: new Date(minute).toISOString() });
    const { contacts } = await identity.client.listContacts({ actorId: ada.id });
    expect(contacts[0]?.lastSeenAt?.getTime()).toBe(minute);
    await connect(ben);
    expect(await lastSeen(ada, ben)).toBeUndefined();
    const retry = await leave(ben, ada);
    // Users who hide their own cannot see others'.
    await show(ada, 'nobody');
    expect(await lastSeen(ada, ben)).toBeUndefined();
    await show(ada, 'contacts');
    expect(await lastSeen(ada, ben)).toBe(retry);
  });

  test('is not stored if nobody may see it, and is deleted with the account and over time', async () => {
    const [ada, ben] = await watcherAndWatched();
    await add(ben, ada);
    await connectAndLeave(ben, ada);
    const { json } = await identity.client.exportAccount(testCallerOf(ben));
    expect(JSON.parse(json)).toMatchObject({ profile: { lastSeenAt: expect.any(String) } });
    await show(ben, 'nobody');
    expect(await kept(ben)).toBe(0);
    await connectAndLeave(ben, ada);
    expect(await kept(ben)).toBe(0);
    await show(ben, 'everyone');
    await connectAndLeave(ben, ada);
    expect(await kept(ben)).toBe(1);
    await identity.erase(ben);
    expect(await kept(ben)).toBe(0);
    // Ada's connection ends when the clock jumps, which stores a new time.
    const eve = await identity.signUp('Eve');
    const aged = new Date(identity.clock.now().getTime() - limits.lastSeenKeptDays * 86_400_000);
    await identity.db('last_seen').insert({ user_id: eve.id, seen_at: aged });
    identity.clock.advance(600_000);
    await eventually(async () => (await kept(eve)) === 0);
  });

  test('is hidden in both directions of a block', async () => {
    const [ada, ben] = await watcherAndWatched();
    await add(ben, ada);
    await connectAndLeave(ben, ada);
    await identity.client.setBlocked({ actorId: ben.id, userId: ada.id, blocked: true });
    expect(await lastSeen(ada, ben)).toBeUndefined();
    await identity.client.setBlocked({ actorId: ben.id, userId: ada.id, blocked: false });
    expect(await lastSeen(ada, ben)).toBeDefined();
    await identity.client.setBlocked({ actorId: ada.id, userId: ben.id, blocked: true });
    expect(await lastSeen(ada, ben)).toBeUndefined();
  });
});

test('rapid changes are announced together, and unchanged values are not announced', async () => {
  const [ada, ben] = await watcherAndWatched();
  await connect(ben);
  await eventually(() => listReceivedStatuses(ada, ben).at(-1) === 'online');
  gateway.clear();
  const words = () =>
    gateway
      .framesFor(ada.id, 'presence')
      .filter(({ userId }) => userId === ben.id)
      .map(({ statusMessage }) => statusMessage);
  const setStatusMessage = (statusMessage: string) => identity.client.updateProfile({ actorId: ben.id, statusMessage });
  for (const one of ['one', 'two', 'two', 'three', 'three', 'three']) await setStatusMessage(one);
  await settle();
  expect(words()).toEqual(['one']);
  expect(gateway.framesFor(ben.id, 'self_changed')).toHaveLength(3);
  identity.clock.advance(2_000);
  await eventually(() => words().length > 1);
  expect(words()).toEqual(['one', 'three']);
});

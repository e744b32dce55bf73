import type { TestIdentity, TestPerson } from './startIdentity.ts';

/** Returns how tests add contacts and look at people. */
export function createContactFixtures(identity: TestIdentity) {
  const add = (owner: TestPerson, target: { phoneNumber?: string; userId?: string; displayName?: string }) =>
    identity.client.addContact({ actorId: owner.id, phoneNumber: '', userId: '', ...target });
  const list = (owner: TestPerson, query = '', cursor = '', limit = 0) =>
    identity.client.listContacts({ actorId: owner.id, query, cursor, limit });
  const viewUsers = async (actor: TestPerson, ...people: TestPerson[]) =>
    (await identity.client.getUsers({ actorId: actor.id, userIds: people.map(({ id }) => id) })).users;

  return { add, list, viewUsers };
}

import { eventually, followEvents, randomPhone } from '@nolo/testing';
import { shareIdentity } from './startIdentity.ts';

const identity = shareIdentity();

interface Change {
  ownerId: string;
  added: string[];
  removed: string[];
}

test('every contact change is logged: added, signed up, removed, deleted', async () => {
  const publishedEvents: Change[] = [];
  const subject = 'event.identity.contacts_changed';
  const end = await followEvents(identity.db, [subject], ({ data }) => publishedEvents.push(data as Change));
  const [ada, ben] = [await identity.signUp('Ada'), await identity.signUp('Ben')];
  const add = (phoneNumber: string) => identity.client.addContact({ actorId: ada.id, phoneNumber, userId: '' });
  const next = async (change: Omit<Change, 'ownerId'>) => {
    await eventually(() => publishedEvents.length > 0);
    expect(publishedEvents.splice(0)).toEqual([{ ownerId: ada.id, ...change }]);
  };

  const contact = await add(ben.phoneNumber);
  await next({ added: [ben.id], removed: [] });
  await add(ben.phoneNumber);
  await identity.client.updateContact({ actorId: ada.id, contactId: contact.id, displayName: 'Benji' });
  // An unregistered number causes no event.
  const number = randomPhone();
  await add(number);
  const newcomer = await identity.signIn(number);
  await next({ added: [newcomer.self!.id], removed: [] });
  await identity.client.removeContact({ actorId: ada.id, contactId: contact.id });
  await next({ added: [], removed: [ben.id] });
  await add(ben.phoneNumber);
  await next({ added: [ben.id], removed: [] });
  await identity.erase(ben);
  await next({ added: [], removed: [ben.id] });
  await identity.erase(ada);
  await next({ added: [], removed: [newcomer.self!.id] });
  end();
});

test('each change of whose first messages are accepted is logged, and nothing else', async () => {
  const publishedEvents: unknown[] = [];
  const end = await followEvents(identity.db, ['event.identity.privacy_changed'], ({ data }) =>
    publishedEvents.push(data),
  );
  const ada = await identity.signUp('Ada');
  const update = (changes: object) => identity.client.updatePrivacy({ actorId: ada.id, ...changes });
  await update({ discoverable: true });
  for (const messagesFrom of ['everyone', 'nobody', 'nobody', 'contacts']) await update({ messagesFrom });
  await eventually(() => publishedEvents.length === 2);
  expect(publishedEvents).toEqual([
    { userId: ada.id, messagesFrom: 'nobody' },
    { userId: ada.id, messagesFrom: 'contacts' },
  ]);
  end();
});

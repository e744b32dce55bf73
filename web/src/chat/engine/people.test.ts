import { collectPeopleOfMessages, withPeople, type KnownPerson } from './people.ts';

const person = (id: string, displayName = id): KnownPerson => ({
  id,
  firstName: displayName,
  displayName,
  profileImageUrl: null,
});

test('what is told again changes nothing, so that nobody looks again', () => {
  const known = withPeople({}, [person('ada'), person('ben')]);
  expect(withPeople(known, [person('ada')])).toBe(known);
  const renamed = withPeople(known, [person('ada', 'Ada A.')]);
  expect(renamed['ada']?.displayName).toBe('Ada A.');
  expect(renamed['ben']).toBe(known['ben']);
});

test('messages name their senders where they say who it was', () => {
  expect(collectPeopleOfMessages([{ sender: person('ada') }, { sender: null }, {}, { sender: person('ada') }])).toEqual(
    [person('ada')],
  );
});

import { collectPeopleOfMessages, withPeople, type KnownPerson } from './people.ts';

const person = (id: string, displayName = id): KnownPerson => ({
  id,
  firstName: displayName,
  displayName,
  profileImageUrl: null,
});

test('unchanged people change nothing when received again, so that nothing is redrawn', () => {
  const known = withPeople({}, [person('ada'), person('ben')]);
  expect(withPeople(known, [person('ada')])).toBe(known);
  const renamed = withPeople(known, [person('ada', 'Ada A.')]);
  expect(renamed['ada']?.displayName).toBe('Ada A.');
  expect(renamed['ben']).toBe(known['ben']);
});

test('people are taken from the messages that include their sender', () => {
  expect(collectPeopleOfMessages([{ sender: person('ada') }, { sender: null }, {}, { sender: person('ada') }])).toEqual(
    [person('ada')],
  );
});

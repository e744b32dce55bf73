import { findNextHost } from './findNextHost.ts';

const person = (role: 'host' | 'co_host' | 'participant' | 'guest', name: string) => ({ role, name });

test('another host keeps hosting, whoever else stays', () => {
  const ada = person('host', 'Ada');
  expect(findNextHost([person('co_host', 'Carol'), person('participant', 'Ben'), ada])).toBe(ada);
});

test('a co-host hosts next, else whoever with an account came first, and never a guest', () => {
  const [guest, ben, carol] = [person('guest', 'Guest'), person('participant', 'Ben'), person('co_host', 'Carol')];
  expect(findNextHost([guest, ben, carol])).toBe(carol);
  expect(findNextHost([guest, ben, person('participant', 'Dora')])).toBe(ben);
  expect(findNextHost([guest])).toBeUndefined();
});

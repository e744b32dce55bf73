import { nextHost } from './nextHost.ts';

const person = (role: 'host' | 'co_host' | 'participant' | 'guest', name: string) => ({ role, name });

test('another host keeps hosting, whoever else stays', () => {
  const ada = person('host', 'Ada');
  expect(nextHost([person('co_host', 'Carol'), person('participant', 'Ben'), ada])).toBe(ada);
});

test('a co-host hosts next, else whoever with an account came first, and never a guest', () => {
  const [guest, ben, carol] = [person('guest', 'Guest'), person('participant', 'Ben'), person('co_host', 'Carol')];
  expect(nextHost([guest, ben, carol])).toBe(carol);
  expect(nextHost([guest, ben, person('participant', 'Dora')])).toBe(ben);
  expect(nextHost([guest])).toBeUndefined();
});

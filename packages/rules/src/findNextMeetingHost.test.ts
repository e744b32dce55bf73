import { findNextMeetingHost } from './findNextMeetingHost.ts';

const person = (role: 'host' | 'co_host' | 'participant' | 'guest', name: string) => ({ role, name });

test('a remaining host stays host, no matter who else is there', () => {
  const ada = person('host', 'Ada');
  expect(findNextMeetingHost([person('co_host', 'Carol'), person('participant', 'Ben'), ada])).toBe(ada);
});

test('a co-host becomes host, or else the first participant with an account, and never a guest', () => {
  const [guest, ben, carol] = [person('guest', 'Guest'), person('participant', 'Ben'), person('co_host', 'Carol')];
  expect(findNextMeetingHost([guest, ben, carol])).toBe(carol);
  expect(findNextMeetingHost([guest, ben, person('participant', 'Dora')])).toBe(ben);
  expect(findNextMeetingHost([guest])).toBeUndefined();
});

import type { UserId } from '@nolo/kit/ids';
import type { ParticipantRole } from '@nolo/rules';
import { countFreeSlots, countPeople } from './roomCapacity.ts';

const one = (name: string, role: ParticipantRole = 'participant') => ({ userId: name as UserId, role });

it('counts people, whatever their number of devices', () => {
  expect(countPeople([one('ann'), one('ben'), one('ann')])).toBe(2);
});

it.each([
  ['nobody is inside, and one place is reserved for the host', [], false, 2],
  ['the host joins', [], true, 3],
  ['one of two devices is one person', [one('ann'), one('ann')], false, 1],
  ['the host is inside', [one('eva', 'host')], false, 2],
  ['a co-host is not the host', [one('eva', 'co_host')], false, 1],
  ['the last place is reserved for the host', [one('ann'), one('ben')], false, 0],
  ['the host takes the last place', [one('ann'), one('ben')], true, 1],
  ['the maximum was lowered since', [one('ann'), one('ben'), one('cem'), one('dan')], false, 0],
] as const)('counts free places: %s', (_, inside, asHost, free) => {
  expect(countFreeSlots(inside, { maxPeople: 3, hasHostSlot: true }, asHost)).toBe(free);
});

it('reserves no capacity in a call, which has no host', () => {
  expect(countFreeSlots([one('ann')], { maxPeople: 2, hasHostSlot: false })).toBe(1);
});

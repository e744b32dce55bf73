import type { ConversationId, UserId } from '@nolo/kit/ids';
import { meetingAllowances } from '@nolo/rules';
import { findPlanHolder, raiseLimitsByPlan, applyPlan } from './hostPlan.ts';

const at = (minutes: number) => new Date(Date.UTC(2026, 10, 23, 12, minutes));
const { free, plus, business } = meetingAllowances;
const begunFree = {
  requestedParticipants: 50,
  maxParticipants: 4,
  planMinutes: 40,
  startedAt: at(0),
  endsAt: at(40),
};

test('a meeting starts with what its host requested, within the plan', () => {
  expect(applyPlan({ requestedParticipants: 50 }, free)).toEqual({ maxParticipants: 4, planMinutes: 40 });
  expect(applyPlan({ requestedParticipants: 3 }, business)).toEqual({ maxParticipants: 3, planMinutes: null });
});

test("a higher plan extends a live meeting's capacity and time", () => {
  expect(raiseLimitsByPlan(begunFree, plus)).toEqual({ maxParticipants: 20, planMinutes: null, endsAt: null });
  expect(raiseLimitsByPlan(begunFree, { participants: 4, minutes: 60 })).toMatchObject({ endsAt: at(60) });
});

test('a lower plan takes nothing from a live meeting', () => {
  const begun = { ...begunFree, maxParticipants: 20, planMinutes: null, endsAt: null };
  expect(raiseLimitsByPlan(begun, free)).toBeUndefined();
  expect(raiseLimitsByPlan(begunFree, free)).toBeUndefined();
});

test("a group's room has the plan of the person who started it", () => {
  const [hostId, startedBy] = ['host' as UserId, 'starter' as UserId];
  expect(findPlanHolder({ groupId: null, hostId, startedBy })).toBe(hostId);
  expect(findPlanHolder({ groupId: 'g' as ConversationId, hostId, startedBy })).toBe(startedBy);
  expect(findPlanHolder({ groupId: 'g' as ConversationId, hostId, startedBy: null })).toBe(hostId);
});

import { createGroupCallChangedEvent } from './groupCall.ts';
import type { Meeting } from './meeting.ts';

const at = (seconds: number) => new Date(Date.UTC(2026, 10, 20, 12, 0, seconds));
const room = (more: Partial<Meeting> = {}) =>
  ({ id: 'm', groupId: 'g', status: 'completed', startedAt: at(0), startedBy: 'ada', ...more }) as Meeting;
const live = (more: Partial<Meeting> = {}) => room({ status: 'live', ...more });

test('announces the start and the end under one id, and gives the next call another', () => {
  const begun = createGroupCallChangedEvent(room(), live(), at(0))?.payload;
  expect(begun).toMatchObject({ groupId: 'g', startedBy: 'ada', durationSeconds: null });
  const over = createGroupCallChangedEvent(live(), room(), at(61))?.payload;
  expect(over).toEqual({ ...begun, changedAt: at(61).toISOString(), durationSeconds: 61 });
  expect(createGroupCallChangedEvent(room(), live({ startedAt: at(90) }), at(90))?.payload.callId).not.toBe(
    begun?.callId,
  );
});

test('announces nothing for a meeting of its own, an unchanged state, or a call without a known starter', () => {
  expect(createGroupCallChangedEvent(room({ groupId: null }), live({ groupId: null }), at(0))).toBeUndefined();
  expect(createGroupCallChangedEvent(room(), room({ closed: true }), at(9))).toBeUndefined();
  expect(createGroupCallChangedEvent(live(), live(), at(9))).toBeUndefined();
  expect(createGroupCallChangedEvent(live({ startedBy: null }), room({ startedBy: null }), at(9))).toBeUndefined();
});

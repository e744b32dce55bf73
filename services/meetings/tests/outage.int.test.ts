import { eventually } from '@nolo/testing';
import { gatewayId, participantIdOf, startMeetings, type TestMeetings } from './startMeetings.ts';

let nolo: TestMeetings;
beforeAll(async () => {
  nolo = await startMeetings();
});
afterAll(() => nolo.stop());

test('an outage of every replica spares renewed participants, and the others expire a lease later', async () => {
  const [host, ben] = [await nolo.person(), await nolo.person()];
  const meeting = await nolo.meeting(host);
  const gone = participantIdOf(await nolo.enter(host, meeting.roomCode));
  const there = participantIdOf(await nolo.enter(ben, meeting.roomCode));
  await nolo.app.stop();
  // Expires both leases.
  await nolo.redis.zadd('participants', 0, gone, 0, there);

  const began = performance.now();
  const { rooms } = await nolo.startReplica();
  const renew = () => rooms.renewParticipants({ gatewayId, participantIds: [there], lostParticipantIds: [] });
  const renewing = setInterval(() => void renew().catch(() => undefined), 1_000);
  try {
    await eventually(() => nolo.framesTo(ben, 'meeting_participant_left')[0]);
  } finally {
    clearInterval(renewing);
  }
  expect(performance.now() - began).toBeGreaterThan(7_000);
  expect(nolo.framesTo(ben, 'meeting_participant_left').map(({ data }) => data)).toEqual([
    { roomCode: meeting.roomCode, participantId: gone, reason: 'lost', version: expect.any(Number) },
  ]);
  expect(await renew()).toEqual({ unknownParticipantIds: [] });
});

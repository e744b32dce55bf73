import type { Meeting } from '@nolo/proto/meetings';
import { eventually } from '@nolo/testing';
import { anUpdateMeetingRequest, defaultMeetingSettings } from '@nolo/testing/protos';
import { gatewayId, participantIdOf, meetingsErrorKindAndCode, startMeetings } from './startMeetings.ts';
import type { TestMeetings } from './startMeetings.ts';

let nolo: TestMeetings;
let [host, ben, carol] = ['', '', ''];

beforeAll(async () => {
  nolo = await startMeetings();
});
afterAll(() => nolo.stop());
beforeEach(async () => {
  [host, ben, carol] = [await nolo.person(), await nolo.person(), await nolo.person()];
  nolo.frames.length = 0;
});

const soon = (check: () => Promise<void> | void) =>
  eventually(async () => {
    await check();
    return true;
  });
const record = (actorId: string, participantId: string, enabled = true) =>
  nolo.rooms.setRecording({ actorId, participantId, enabled });
const come = async (who: string, { roomCode }: Meeting) => participantIdOf(await nolo.enter(who, roomCode));
const moderate = (actorId: string, { roomCode }: Meeting, action: string, participantId: string) =>
  nolo.rooms.moderate({ actorId, roomCode, participantId, userId: '', action });
const seen = async (who: string, { roomCode }: Meeting) => {
  const { isRecording, recorderId } = await nolo.meetings.getMeeting({ actorId: who, roomCode, address: '' });
  return { isRecording, recorderId };
};
/** Returns the latest meeting state sent to a person inside. */
const getLastMeetingState = (who: string) => nolo.framesTo(who, 'meeting_changed').at(-1)?.data['meeting'];
const nobody = { isRecording: false, recorderId: undefined };
const update = (actorId: string, { roomCode }: Meeting, more: object) =>
  nolo.meetings.updateMeeting(anUpdateMeetingRequest({ actorId, roomCode, ...more }));

test('a host records, everyone inside is notified, and later joiners see it', async () => {
  const meeting = await nolo.meeting(host);
  const hosts = await come(host, meeting);
  await come(ben, meeting);
  await record(host, hosts);
  await soon(() => expect(getLastMeetingState(ben)).toMatchObject({ isRecording: true, recorderId: hosts }));
  // Repeating it does not start a second recording.
  await record(host, hosts);
  const late = await nolo.enter(carol, meeting.roomCode);
  expect(late.meeting).toMatchObject({ isRecording: true, recorderId: hosts });
  // The pre-join page shows the recording, but not who records.
  const stranger = await nolo.person();
  const { meeting: preJoinView } = await nolo.meetings.checkAccess({
    actorId: stranger,
    roomCode: meeting.roomCode,
    address: '',
  });
  expect(preJoinView).toMatchObject({ isRecording: true, recorderId: undefined });
  await record(host, hosts, false);
  await soon(() => expect(getLastMeetingState(ben)).toMatchObject({ isRecording: false, recorderId: null }));
  expect(await seen(host, meeting)).toEqual(nobody);
});

test('only hosts and co-hosts can record, and only for themselves', async () => {
  const meeting = await nolo.meeting(host);
  const [hosts, bens] = [await come(host, meeting), await come(ben, meeting)];
  expect(await meetingsErrorKindAndCode(record(ben, bens))).toBe('forbidden not_host');
  expect(await meetingsErrorKindAndCode(record(ben, hosts))).toBe('not_found participant_unknown');
  expect(await meetingsErrorKindAndCode(record(host, bens))).toBe('not_found participant_unknown');
  await moderate(host, meeting, 'make_co_host', bens);
  await record(ben, bens);
  expect(await seen(host, meeting)).toEqual({ isRecording: true, recorderId: bens });
  // A meeting allows one recording at a time.
  expect(await meetingsErrorKindAndCode(record(host, hosts))).toBe('forbidden recording_refused');
  // A person's stop request leaves another's recording running, but a host may end it.
  await record(host, hosts, false);
  expect((await seen(host, meeting)).isRecording).toBe(true);
  expect((await update(host, meeting, { isRecording: false })).isRecording).toBe(false);
  expect(await seen(host, meeting)).toEqual(nobody);
});

test('an admitted guest cannot record', async () => {
  const meeting = await nolo.meeting(host, { requireAuth: false });
  await come(host, meeting);
  const { roomCode } = meeting;
  const { guest } = await nolo.meetings.createGuest({
    roomCode,
    name: 'Gus',
    address: '',
  });
  const guestId = guest?.id ?? '';
  const waiting = participantIdOf(await nolo.enter(guestId, roomCode, { guestMeetingId: meeting.id }));
  expect(await meetingsErrorKindAndCode(record(guestId, waiting))).toBe('not_found participant_unknown');
  await moderate(host, meeting, 'admit', waiting);
  const inside = participantIdOf(
    await nolo.enter(guestId, roomCode, { guestMeetingId: meeting.id, participantId: waiting }),
  );
  expect(await meetingsErrorKindAndCode(record(guestId, inside))).toBe('forbidden not_host');
});

test('the recording setting decides, and disabling it ends a recording', async () => {
  const meeting = await nolo.meeting(host, { allowRecording: false });
  const hosts = await come(host, meeting);
  expect(await meetingsErrorKindAndCode(record(host, hosts))).toBe('forbidden recording_refused');
  // The flag cannot be set without actually recording.
  expect(await meetingsErrorKindAndCode(update(host, meeting, { isRecording: true }))).toBe(
    'forbidden recording_refused',
  );
  await update(host, meeting, { settings: defaultMeetingSettings });
  await record(host, hosts);
  await update(host, meeting, { settings: { ...defaultMeetingSettings, allowRecording: false } });
  expect(await seen(host, meeting)).toEqual(nobody);
});

test('a recording ends when the recorder leaves, is lost, is removed, or stops being a host', async () => {
  const meeting = await nolo.meeting(host);
  await come(carol, meeting);
  const leaving = await come(host, meeting);
  await record(host, leaving);
  await nolo.rooms.leave({ actorId: host, participantId: leaving });
  await soon(async () => expect(await seen(host, meeting)).toEqual(nobody));

  const lost = await come(host, meeting);
  await record(host, lost);
  await nolo.rooms.renewParticipants({ gatewayId, participantIds: [], lostParticipantIds: [lost] });
  // A brief absence does not end it.
  expect((await seen(host, meeting)).isRecording).toBe(true);
  await nolo.redis.zadd('participants', 1, lost);
  await soon(async () => expect(await seen(host, meeting)).toEqual(nobody));
  await soon(() => expect(getLastMeetingState(carol)).toMatchObject({ isRecording: false, recorderId: null }));

  await come(host, meeting);
  const co = await come(ben, meeting);
  await moderate(host, meeting, 'make_co_host', co);
  await record(ben, co);
  await moderate(host, meeting, 'make_participant', co);
  expect(await seen(host, meeting)).toEqual(nobody);
  await moderate(host, meeting, 'make_co_host', co);
  await record(ben, co);
  await moderate(host, meeting, 'remove', co);
  await soon(async () => expect(await seen(host, meeting)).toEqual(nobody));
});

test('a recorder that Redis lost does not block anyone', async () => {
  const meeting = await nolo.meeting(host);
  const before = await come(host, meeting);
  await record(host, before);
  await nolo.redis.del(`place:${before}`);
  const bens = await come(ben, meeting);
  const secondParticipantId = await come(host, meeting);
  await record(host, secondParticipantId);
  expect(await seen(host, meeting)).toEqual({ isRecording: true, recorderId: secondParticipantId });
  // A late message from the previous recorder ends nothing.
  expect(await meetingsErrorKindAndCode(record(host, before, false))).toBe('not_found participant_unknown');
  expect(await meetingsErrorKindAndCode(record(ben, bens))).toBe('forbidden not_host');
});

test('an ended meeting cannot be recorded', async () => {
  const meeting = await nolo.meeting(host);
  const inside = await come(host, meeting);
  await nolo.meetings.endMeeting({ actorId: host, roomCode: meeting.roomCode, address: '' });
  expect(await meetingsErrorKindAndCode(record(host, inside))).toBe('not_found participant_unknown');
});

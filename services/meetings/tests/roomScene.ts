import type { Meeting } from '@nolo/proto/meetings';
import { aSetStateRequest } from '@nolo/testing/protos';
import type { FakeNode } from './fakeServices.ts';
import { testCapabilities, gatewayId, participantIdOf, startMeetings, type TestMeetings } from './startMeetings.ts';

/** Service under test. Importing this file starts it with a media node, and creates three people before each test. */
export let nolo: TestMeetings;
export let node: FakeNode;
export let [host, ben, carol] = ['', '', ''];

beforeAll(async () => {
  nolo = await startMeetings();
  node = await nolo.startNode();
});
afterAll(() => nolo.stop());
beforeEach(async () => {
  [host, ben, carol] = [await nolo.person(), await nolo.person(), await nolo.person()];
  nolo.frames.length = 0;
  nolo.chat.joined.length = 0;
  node.requests.length = 0;
});

export const withMedia = { rtpCapabilitiesJson: testCapabilities };
export const renew = (participantIds: string[], lostParticipantIds: string[] = []) =>
  nolo.rooms.renewParticipants({ gatewayId, participantIds, lostParticipantIds });
export const moderate = (actorId: string, { roomCode }: Meeting, action: string, participantId = '') =>
  nolo.rooms.moderate({ actorId, roomCode, participantId, userId: '', action });
export const setState = (actorId: string, participantId: string, more: object) =>
  nolo.rooms.setState(aSetStateRequest({ actorId, participantId, ...more }));
export const requestsOf = (method: string) =>
  node.requests.filter((one) => one.method === method).map(({ request }) => request);
export const inside = async (meeting: Meeting, who = host) => {
  const reply = await nolo.enter(who, meeting.roomCode);
  await nolo.rooms.leave({ actorId: who, participantId: participantIdOf(reply) });
  return reply.participants;
};

import { randomUUID } from 'node:crypto';
import type { Meeting } from '@nolo/proto/meetings';
import type { EnterRequest } from '@nolo/proto/rooms';
import type { FakeNode } from './fakeServices.ts';
import { participantIdOf, meetingsErrorKindAndCode, startMeetings, type TestMeetings } from './startMeetings.ts';

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
  node.requests.length = 0;
});

export const inside = async (who: string, { roomCode }: Meeting, more: Partial<EnterRequest> = {}) =>
  participantIdOf(await nolo.enter(who, roomCode, more));
export const refusedTo = (who: string, { roomCode }: Meeting) => meetingsErrorKindAndCode(nolo.enter(who, roomCode));
export const moderate = (actorId: string, { roomCode }: Meeting, action: string, about: object) =>
  nolo.rooms.moderate({ actorId, roomCode, action, userId: '', ...about });
export const leave = (actorId: string, participantId: string) => nolo.rooms.leave({ actorId, participantId });

/** Creates a guest with a pass. */
export async function guestOf({ id, roomCode }: Meeting, address = randomUUID()) {
  const pass = { roomCode, name: 'Gwen', address, actorId: '', visitorId: '', inviteToken: '' };
  const { guest } = await nolo.meetings.createGuest(pass);
  const guestId = guest?.id ?? '';
  await nolo.leases.add(guestId);
  return { guestId, enterAsGuest: () => nolo.enter(guestId, roomCode, { guestMeetingId: id, address }) };
}

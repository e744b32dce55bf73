import type { TestUser } from '@nolo/testing';
import { aCall } from '@nolo/testing/protos';
import { startTestGateway, type TestGateway } from './startTestGateway.ts';

let gateway: TestGateway;
let user: TestUser;
let other: TestUser;
let conversationId: string;

beforeAll(async () => {
  gateway = await startTestGateway();
  user = await gateway.signUp();
  other = await gateway.signUp();
  conversationId = (await user.api.post('/api/conversations', { otherUserId: other.id })).body.id as string;
}, 30_000);
beforeEach(() => {
  const { answers, asked } = gateway.meetings;
  Object.assign(answers, { call: aCall(), error: undefined });
  asked.length = 0;
});
afterAll(() => gateway.stop());

const last = (name: string) => gateway.meetings.last(name);

it('meetings are told of contacts and blocks, whichever way they go', async () => {
  await other.api.post('/api/contacts', { userId: user.id });
  await user.api.post('/api/calls/initiate', { conversationId, callType: 'video' });
  expect(last('initiateCall')).toMatchObject({
    type: 'video',
    isContact: true,
    isBlocked: false,
    deviceId: '',
  });
  await other.api.put(`/api/blocks/${user.id}`);
  await user.api.post('/api/calls/initiate', { conversationId, callType: 'video' });
  expect(last('initiateCall')).toMatchObject({ isBlocked: true });
  await user.api.post('/api/calls/call-1-2/invite', { userId: other.id });
  expect(last('inviteToCall')).toEqual({
    actorId: user.id,
    callId: 'call-1-2',
    userId: other.id,
    isBlocked: true,
    callsFrom: 'contacts',
    isContact: true,
    isAccepted: true,
  });
  await other.api.delete(`/api/blocks/${user.id}`);
});

import { randomUUID } from 'node:crypto';
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
  Object.assign(answers, { call: aCall(), nextCursor: undefined, error: undefined });
  asked.length = 0;
});
afterAll(() => gateway.stop());

const last = (name: string) => gateway.meetings.last(name);

describe('a call', () => {
  const deviceId = randomUUID();

  it('goes to the other person of the conversation, with how the two see each other', async () => {
    gateway.meetings.answers.call = aCall({
      participants: [
        { userId: user.id, deviceId, state: 'calling' },
        { userId: other.id, state: 'ringing' },
      ],
    });
    const reply = await user.api.post('/api/calls/initiate', { conversationId, callType: 'voice', deviceId });
    expect(reply.status).toBe(201);
    expect(last('initiateCall')).toEqual({
      actorId: user.id,
      conversationId,
      calleeId: other.id,
      type: 'audio',
      deviceId,
      isContact: false,
      isBlocked: false,
      callsFrom: 'contacts',
      isAccepted: true,
    });
    expect(reply.body).toMatchObject({
      id: 'call-1-2',
      callId: 'call-1-2',
      endReason: null,
      participants: [
        { userId: user.id, state: 'calling', deviceId },
        { userId: other.id, state: 'ringing', deviceId: null, user: { id: other.id } },
      ],
    });
  });

  it('tells the service of contacts and blocks, whichever way they go', async () => {
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

  it('is not made in a conversation of others, nor to nobody', async () => {
    const stranger = await gateway.signUp();
    expect(await stranger.api.post('/api/calls/initiate', { conversationId, callType: 'audio' })).toMatchObject({
      status: 404,
      body: { code: 'conversation_not_found' },
    });
    expect(await user.api.post('/api/calls/call-1-2/invite', { userId: randomUUID() })).toMatchObject({
      status: 404,
      body: { code: 'user_not_found' },
    });
    expect(last('initiateCall')).toBeUndefined();
    expect(last('inviteToCall')).toBeUndefined();
  });

  it.each<[string, string, unknown, string, object]>([
    ['GET', '', undefined, 'getCall', { deviceId: undefined }],
    ['POST', '/answer', { deviceId }, 'answerCall', { deviceId }],
    ['POST', '/decline', undefined, 'declineCall', { deviceId: undefined }],
    ['POST', '/end', undefined, 'endCall', { deviceId: undefined }],
    [
      'PATCH',
      '',
      { type: 'video', deviceId },
      'updateCall',
      { deviceId, type: 'video', mode: undefined, status: undefined },
    ],
  ])('takes %s %s to the service', async (method, path, body, name, request) => {
    const reply = await user.api.request(method, `/api/calls/call-1-2${path}`, { body });
    expect(reply).toMatchObject({ status: 200, body: { id: 'call-1-2' } });
    expect(last(name)).toMatchObject({ actorId: user.id, callId: 'call-1-2', ...request });
  });

  it('is listed in pages, and has ICE servers', async () => {
    gateway.meetings.answers.nextCursor = 'further';
    const page = await user.api.get('/api/calls?limit=2&cursor=from');
    expect(page.headers.get('nolo-next-cursor')).toBe('further');
    expect(last('listCalls')).toEqual({ actorId: user.id, cursor: 'from', limit: 2 });
    expect((await user.api.get('/api/calls/ice-servers')).body).toEqual([
      { urls: ['turn:turn.example'], username: 'u', credential: 'c' },
    ]);
    expect(last('getCall')).toBeUndefined();
  });
});

import { createAppError } from '@nolo/kit/errors';
import { eventually, TestSocket, type TestUser } from '@nolo/testing';
import { aCall, aMeeting } from '@nolo/testing/protos';
import { cookiesOf, startGateway, type TestGateway } from './startGateway.ts';

let gateway: TestGateway;
let user: TestUser;

beforeAll(async () => {
  gateway = await startGateway();
  user = await gateway.signUp();
});
beforeEach(() => {
  const { answers, asked: requests } = gateway.meetings;
  Object.assign(answers, { meeting: aMeeting(), call: aCall(), error: undefined });
  requests.length = 0;
});
afterAll(() => gateway.stop());

const last = (name: string) => gateway.meetings.last(name);

describe('a meeting', () => {
  it('is rejected if the two capacities differ', async () => {
    const body = { name: 'x', maxParticipants: 10, settings: { maxParticipants: 11 } };
    expect(await user.api.post('/api/meetings/create', body)).toMatchObject({
      status: 400,
      body: { code: 'invalid_input' },
    });
    expect(last('createMeeting')).toBeUndefined();
  });

  it('gets a new code with an expiry', async () => {
    const expiresAt = '2026-03-09T08:30:00.000Z';
    await user.api.post('/api/meetings/abc234/code', { expiresAt });
    expect(last('rotateRoomCode')).toMatchObject({ roomCode: 'ABC234', expiresAt: new Date(expiresAt) });
  });

  it('reports the media capabilities, and passes on that no node is available', async () => {
    expect((await gateway.anonymous.get('/api/media/capabilities')).body).toEqual({
      rtpCapabilities: { codecs: true },
    });
    gateway.meetings.answers.error = createAppError('unavailable', 'media_unavailable', 'Not yet.', undefined, {
      retryAfterMs: 2_000,
    });
    const refused = await gateway.anonymous.get('/api/media/capabilities');
    expect(refused).toMatchObject({ status: 503, body: { code: 'media_unavailable', message: 'Not yet.' } });
    expect(refused.headers.get('retry-after')).toBe('2');
  });

  it('leaves the gateway ready for everything else while meetings is unreachable', async () => {
    gateway.meetings.answers.error = createAppError('unavailable', 'storage_unavailable', 'Away.');
    const health = await gateway.anonymous.get('/healthz');
    expect(health).toMatchObject({ status: 200, body: { status: 'degraded', missing: [] } });
    expect(health.body.parts.meetings).toEqual({ ok: false, detail: 'storage_unavailable' });
    // The gateway must stay ready, or a cluster would route nothing here although chat works.
    await eventually(async () => {
      const ready = await fetch(`${gateway.metricsUrl}/readyz`);
      expect(ready.status).toBe(200);
      const { checks } = (await ready.json()) as { checks: Record<string, { ok: boolean }> };
      return checks['meetings']?.ok === false;
    });
  });
});

it('a call request includes how the callee treats the caller', async () => {
  const other = await gateway.signUp();
  const { id: conversationId } = (await user.api.post('/api/conversations', { otherUserId: other.id })).body;
  const initiate = () => user.api.post('/api/calls/initiate', { conversationId, callType: 'video' });
  await other.api.post('/api/contacts', { userId: user.id });
  await initiate();
  expect(last('initiateCall')).toMatchObject({ type: 'video', isContact: true, isBlocked: false, deviceId: '' });
  await other.api.put(`/api/blocks/${user.id}`);
  await initiate();
  expect(last('initiateCall')).toMatchObject({ isBlocked: true });
  await user.api.post('/api/calls/call-1-2/invite', { userId: other.id });
  const invitation = { actorId: user.id, callId: 'call-1-2', userId: other.id };
  const thought = { isBlocked: true, callsFrom: 'contacts', isContact: true, isAccepted: true };
  expect(last('inviteToCall')).toEqual({ ...invitation, ...thought });
});

it('a call or invitation from a stranger includes why chat refuses more messages', async () => {
  const other = await gateway.signUp();
  const { id: conversationId } = (await user.api.post('/api/conversations', { otherUserId: other.id })).body;
  const refused = { isContact: false, isAccepted: false, requestRefusal: 'request_limit' };
  gateway.chat.standing.refusal = 'request_limit';
  await user.api.post('/api/calls/initiate', { conversationId, callType: 'audio' });
  expect(last('initiateCall')).toMatchObject(refused);
  await user.api.post('/api/calls/call-1-2/invite', { userId: other.id });
  expect(last('inviteToCall')).toMatchObject(refused);
});

it('a meeting can be downloaded as a calendar file', async () => {
  const { headers, body } = await user.api.get<string>('/api/meetings/ABC234/calendar');
  expect(body).toContain(`LOCATION:${gateway.origin}/meeting/ABC234\r\n`);
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-type': 'text/calendar; charset=utf-8',
    'content-disposition': 'attachment; filename="meeting-ABC234.ics"',
  });
});

describe('a guest', () => {
  const createGuestPass = async () => {
    const reply = await gateway.anonymous.post('/api/meetings/abc234/guest', { name: ' Gus ' });
    expect(reply).toMatchObject({ status: 201, body: { name: 'Gus', roomCode: 'ABC234' } });
    return { cookie: cookiesOf(reply.headers), reply };
  };
  const open = (cookie: string, origin: string | undefined = gateway.origin) =>
    TestSocket.open(gateway.url, undefined, { headers: { cookie }, ...(origin === '' ? {} : { origin }) });

  it('is recognized by a signed cookie, whatever name they give, and never by a forged one', async () => {
    const createGuestWithCookie = async (cookie = '') => {
      const headers: Record<string, string> = cookie === '' ? {} : { cookie };
      const reply = await gateway.anonymous.post('/api/meetings/abc234/guest', { name: 'Gus' }, { headers });
      const line = reply.headers.getSetCookie().find((one) => one.startsWith('nolo_session_visitor=')) ?? '';
      return {
        line,
        value: line.split(';')[0] ?? '',
        visitorId: String((last('createGuest') as { visitorId?: string }).visitorId),
      };
    };
    const first = await createGuestWithCookie();
    for (const attribute of ['Path=/api/meetings', 'HttpOnly', 'SameSite=Lax']) expect(first.line).toContain(attribute);
    expect(await createGuestWithCookie(first.value)).toMatchObject({ visitorId: first.visitorId, value: first.value });
    const other = await createGuestWithCookie();
    expect(other.visitorId).not.toBe(first.visitorId);
    // Tries a valid proof with someone else's ID, an invented ID, and nonsense.
    const proof = first.value.split('.')[1] ?? '';
    for (const forged of [`${other.visitorId}.${proof}`, other.visitorId, 'x.y', `${first.visitorId}.`]) {
      const { visitorId } = await createGuestWithCookie(`nolo_session_visitor=${forged}`);
      expect([first.visitorId, other.visitorId]).not.toContain(visitorId);
    }
    expect(last('createGuest')).toMatchObject({ actorId: undefined });
    await user.api.post('/api/meetings/abc234/guest', { name: 'Gus' });
    expect(last('createGuest')).toMatchObject({ actorId: user.id });
  });

  it('gets a pass that works only for the socket', async () => {
    const { cookie, reply } = await createGuestPass();
    const [line = ''] = reply.headers.getSetCookie();
    expect(line).toMatch(/^nolo_session_guest=[^;]+;/);
    for (const attribute of ['Path=/ws', 'HttpOnly', 'SameSite=Lax', 'Max-Age=3']) expect(line).toContain(attribute);
    expect(JSON.stringify(reply.body)).not.toContain(/_guest=([^;]+)/.exec(cookie)?.[1]);
    await expect(open('nolo_session_guest=nonsense')).rejects.toThrow('401');
    await expect(open(cookie, 'https://evil.example')).rejects.toThrow('403');
    await expect(open(cookie, '')).rejects.toThrow('403');
  });

  it('can join only the meeting of the pass', async () => {
    const { cookie, reply } = await createGuestPass();
    const socket = await open(cookie);
    const hello = await socket.next('hello');
    expect(hello.data['userId']).toBe(reply.body.guestId);
    expect(await socket.request('join_meeting', { roomCode: 'XYZ789' })).toMatchObject({ type: 'ack' });
    expect(last('enter')).toMatchObject({
      actorId: reply.body.guestId,
      roomCode: 'XYZ789',
      guestMeetingId: gateway.meetings.answers.meeting.id,
      name: '',
    });
    await socket.close();
  });

  it('joins as their account if they have one', async () => {
    const { cookie } = await createGuestPass();
    const signedIn = await gateway.anonymous.post('/api/verification/verify', {
      type: 'sms',
      phoneNumber: user.phone,
      code: '424242',
    });
    const socket = await open(`${cookie}; ${cookiesOf(signedIn.headers)}`);
    expect((await socket.next('hello')).data['userId']).toBe(user.id);
    await socket.request('join_meeting', { roomCode: 'ABC234' });
    expect(last('enter')).toMatchObject({ actorId: user.id, guestMeetingId: '' });
    await socket.close();
  });

  it('causes no presence reports, because nobody follows them', async () => {
    const { cookie, reply } = await createGuestPass();
    const socket = await open(cookie);
    await socket.next('hello');
    await socket.close();
    const bystander = await user.connectSocket();
    await bystander.next('hello');
    expect(gateway.identity.connectionReports.map(({ userId }) => userId)).not.toContain(reply.body.guestId);
    await user.disconnect();
  });
});

import { randomUUID } from 'node:crypto';
import { fail } from '@nolo/kit/errors';
import { TestSocket, type TestUser } from '@nolo/testing';
import { aMeeting } from '@nolo/testing/protos';
import { cookiesOf, startTestGateway, type TestGateway } from './startTestGateway.ts';

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
  Object.assign(answers, { meeting: aMeeting(), error: undefined });
  asked.length = 0;
});
afterAll(() => gateway.stop());

const last = (name: string) => gateway.meetings.last(name);

describe('a meeting', () => {
  it('is refused where the two numbers of people differ', async () => {
    const body = { name: 'x', maxParticipants: 10, settings: { maxParticipants: 11 } };
    expect(await user.api.post('/api/meetings/create', body)).toMatchObject({
      status: 400,
      body: { code: 'invalid_input' },
    });
    expect(last('createMeeting')).toBeUndefined();
  });

  it('gets another code for a time, which is one to come, and no host does what there is not', async () => {
    const expiresAt = '2026-03-09T08:30:00.000Z';
    await user.api.post('/api/meetings/abc234/code', { expiresAt });
    expect(last('rotateRoomCode')).toMatchObject({ roomCode: 'ABC234', expiresAt: new Date(expiresAt) });
    expect((await user.api.post('/api/meetings/abc234/code', { expiresAt: 'soon' })).status).toBe(400);
    expect((await user.api.post('/api/meetings/ABC234/moderation', { action: 'shout' })).status).toBe(400);
  });

  it('tells what the media nodes take, and passes on that there is none', async () => {
    expect((await gateway.anonymous.get('/api/media/capabilities')).body).toEqual({
      rtpCapabilities: { codecs: true },
    });
    gateway.meetings.answers.error = fail('unavailable', 'media_unavailable', 'Not yet.', undefined, {
      retryAfterMs: 2_000,
    });
    const refused = await gateway.anonymous.get('/api/media/capabilities');
    expect(refused).toMatchObject({ status: 503, body: { code: 'media_unavailable', message: 'Not yet.' } });
    expect(refused.headers.get('retry-after')).toBe('2');
  });

  it('that cannot be reached leaves the gateway ready for everything else', async () => {
    gateway.meetings.answers.error = fail('unavailable', 'storage_unavailable', 'Away.');
    const health = await gateway.anonymous.get('/healthz');
    expect(health).toMatchObject({ status: 200, body: { status: 'degraded', missing: [] } });
    expect(health.body.parts.meetings).toEqual({ ok: false, detail: 'storage_unavailable' });
    // Or a cluster would send nobody here, for a chat that works.
    const ready = await fetch(`${gateway.metricsUrl}/readyz`);
    expect(ready.status).toBe(200);
    expect(await ready.json()).toMatchObject({ ready: true, checks: { meetings: { ok: false } } });
  });
});

/** Content lines as RFC 5545 has them, unfolded. */
function linesOf(calendar: string): string[] {
  expect(calendar.endsWith('\r\n')).toBe(true);
  const folded = calendar.split('\r\n').slice(0, -1);
  for (const line of folded) {
    expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    expect(line).not.toContain('\n');
  }
  return folded
    .join('\r\n')
    .replaceAll(/\r\n[ \t]/g, '')
    .split('\r\n');
}

describe('the calendar file', () => {
  const fetched = async () => {
    const reply = await user.api.get<string>('/api/meetings/ABC234/calendar');
    expect(reply.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
    expect(reply.headers.get('content-disposition')).toBe('attachment; filename="meeting-ABC234.ics"');
    return linesOf(reply.body);
  };
  /** Every BEGIN has its END, in order. */
  const expectNested = (lines: string[]) => {
    const open: string[] = [];
    for (const line of lines) {
      if (line.startsWith('BEGIN:')) open.push(line.slice(6));
      if (line.startsWith('END:')) expect(open.pop()).toBe(line.slice(4));
    }
    expect(open).toEqual([]);
  };

  it('has the meeting once, in UTC', async () => {
    const meeting = aMeeting({
      name: 'A, b; c\nd',
      description: 'ünïcödé '.repeat(20).trim(),
      scheduledAt: new Date('2026-03-02T08:30:00.000Z'),
      durationMinutes: 45,
    });
    gateway.meetings.answers.meeting = meeting;
    const lines = await fetched();
    expectNested(lines);
    expect(lines).toEqual(
      expect.arrayContaining([
        'BEGIN:VCALENDAR',
        'VERSION:2.0',
        'PRODID:-//Nolo//Meetings//EN',
        `UID:${meeting.id}@localhost`,
        'SUMMARY:A\\, b\\; c\\nd',
        'DTSTART:20260302T083000Z',
        'DURATION:PT45M',
        'STATUS:CONFIRMED',
        `LOCATION:${gateway.origin}/meeting/ABC234`,
      ]),
    );
    expect(lines.filter((line) => line.startsWith('RRULE') || line.includes('TZID'))).toEqual([]);
    gateway.meetings.answers.meeting = { ...meeting, status: 'cancelled' };
    expect(await fetched()).toContain('STATUS:CANCELLED');
  });

  it('keeps the local hour of what recurs over daylight saving', async () => {
    gateway.meetings.answers.meeting = aMeeting({
      scheduledAt: new Date('2026-03-02T08:30:00.000Z'),
      recurrence: 'weekdays',
      timeZone: 'Europe/Berlin',
    });
    const lines = await fetched();
    expectNested(lines);
    expect(lines).toContain('DTSTART;TZID=Europe/Berlin:20260302T093000');
    expect(lines).toContain('RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR');
    const spring = lines.indexOf('DTSTART:20260329T020000');
    expect(lines.slice(spring - 1, spring + 4)).toEqual([
      'BEGIN:DAYLIGHT',
      'DTSTART:20260329T020000',
      'TZOFFSETFROM:+0100',
      'TZOFFSETTO:+0200',
      'END:DAYLIGHT',
    ]);
    expect(lines.indexOf('BEGIN:VTIMEZONE')).toBeLessThan(lines.indexOf('BEGIN:VEVENT'));
  });

  it('knows zones without daylight saving, and those west of Greenwich', async () => {
    const recurring = { scheduledAt: new Date('2026-03-02T08:30:00.000Z'), recurrence: 'daily' };
    gateway.meetings.answers.meeting = aMeeting({ ...recurring, timeZone: 'Asia/Kathmandu' });
    const still = await fetched();
    expect(still).toContain('DTSTART;TZID=Asia/Kathmandu:20260302T141500');
    expect(still.filter((line) => line.startsWith('TZOFFSETTO'))).toEqual(['TZOFFSETTO:+0545']);
    gateway.meetings.answers.meeting = aMeeting({ ...recurring, timeZone: 'America/New_York' });
    const west = await fetched();
    expect(west).toContain('DTSTART;TZID=America/New_York:20260302T033000');
    expect(west).toContain('TZOFFSETTO:-0400');
    gateway.meetings.answers.meeting = aMeeting({ ...recurring, timeZone: 'UTC' });
    expect(await fetched()).toContain('DTSTART;TZID=UTC:20260302T083000');
  });
});

describe('a guest', () => {
  const knock = async () => {
    const reply = await gateway.anonymous.post('/api/meetings/abc234/guest', { name: ' Gus ' });
    expect(reply).toMatchObject({ status: 201, body: { name: 'Gus', roomCode: 'ABC234' } });
    return { cookie: cookiesOf(reply.headers), reply };
  };
  const open = (cookie: string, origin: string | undefined = gateway.origin) =>
    TestSocket.open(gateway.url, undefined, { headers: { cookie }, ...(origin === '' ? {} : { origin }) });

  it('is known again by a signed mark, whatever name they give, and by none that was not given out', async () => {
    const marked = async (cookie = '') => {
      const headers: Record<string, string> = cookie === '' ? {} : { cookie };
      const reply = await gateway.anonymous.post('/api/meetings/abc234/guest', { name: 'Gus' }, { headers });
      const line = reply.headers.getSetCookie().find((one) => one.startsWith('nolo_session_visitor=')) ?? '';
      return {
        line,
        value: line.split(';')[0] ?? '',
        visitorId: String((last('createGuest') as { visitorId?: string }).visitorId),
      };
    };
    const first = await marked();
    for (const part of ['Path=/api/meetings', 'HttpOnly', 'SameSite=Lax']) expect(first.line).toContain(part);
    expect(await marked(first.value)).toMatchObject({ visitorId: first.visitorId, value: first.value });
    const other = await marked();
    expect(other.visitorId).not.toBe(first.visitorId);
    // Somebody else's id under one's own proof, an id of one's own making, and nonsense.
    const proof = first.value.split('.')[1] ?? '';
    for (const forged of [`${other.visitorId}.${proof}`, other.visitorId, 'x.y', `${first.visitorId}.`]) {
      const { visitorId } = await marked(`nolo_session_visitor=${forged}`);
      expect([first.visitorId, other.visitorId]).not.toContain(visitorId);
    }
    expect(last('createGuest')).toMatchObject({ actorId: undefined });
    await user.api.post('/api/meetings/abc234/guest', { name: 'Gus' });
    expect(last('createGuest')).toMatchObject({ actorId: user.id });
  });

  it('gets a pass that is for the socket alone', async () => {
    const { cookie, reply } = await knock();
    const [line = ''] = reply.headers.getSetCookie();
    expect(line).toMatch(/^nolo_session_guest=[^;]+;/);
    for (const part of ['Path=/ws', 'HttpOnly', 'SameSite=Lax', 'Max-Age=3']) expect(line).toContain(part);
    expect(JSON.stringify(reply.body)).not.toContain(/_guest=([^;]+)/.exec(cookie)?.[1]);
    // Whatever a browser would not even send: over HTTP the pass is worth nothing.
    expect((await gateway.anonymous.get('/api/auth/user', { headers: { cookie } })).status).toBe(401);
    await expect(open('nolo_session_guest=nonsense')).rejects.toThrow('401');
    await expect(open(cookie, 'https://evil.example')).rejects.toThrow('403');
    await expect(open(cookie, '')).rejects.toThrow('403');
  });

  it('may do nothing but meet, in the one meeting of the pass', async () => {
    const { cookie, reply } = await knock();
    const socket = await open(cookie);
    const hello = await socket.next('hello');
    expect(hello.data['userId']).toBe(reply.body.guestId);
    for (const [type, data] of Object.entries({
      join_conversation: { conversationId },
      typing_start: { conversationId },
      webrtc_signal: { callId: 'call-1', targetUserId: user.id, deviceId: randomUUID(), signalData: {} },
      call_end: { callId: 'call-1' },
    })) {
      expect(await socket.request(type, data)).toMatchObject({ type: 'error', data: { code: 'guest_refused' } });
    }
    expect(await socket.request('join_meeting', { roomCode: 'XYZ789' })).toMatchObject({ type: 'ack' });
    expect(last('enter')).toMatchObject({
      actorId: reply.body.guestId,
      roomCode: 'XYZ789',
      guestMeetingId: gateway.meetings.answers.meeting.id,
      name: '',
    });
    await socket.close();
  });

  it('who has an account is that account', async () => {
    const { cookie } = await knock();
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

  it('whose presence nobody asked about is reported to nobody', async () => {
    const { cookie, reply } = await knock();
    const socket = await open(cookie);
    await socket.next('hello');
    await socket.close();
    const bystander = await user.connectSocket();
    await bystander.next('hello');
    expect(gateway.identity.connectionReports.map(({ userId }) => userId)).not.toContain(reply.body.guestId);
    await user.disconnect();
  });
});

import { randomUUID } from 'node:crypto';
import { TestApi, TestSocket, type Json, type TestUser } from '@nolo/testing';
import { requireSuccess } from '../clients/requireSuccess.ts';

type People = Record<'owner' | 'coHost' | 'member', TestUser> & { removed?: TestUser };

/** Two users who may call each other, and a third. */
interface Callers {
  conversationId: string;
  bystander: TestUser;
}

/** Capabilities of a client with only an audio codec; enough to get transports. */
export const testRtpCapabilities = {
  codecs: [{ kind: 'audio', mimeType: 'audio/opus', preferredPayloadType: 100, clockRate: 48_000, channels: 2 }],
  headerExtensions: [],
};

/** Describes a voice as a browser would. */
export function createVoiceParameters(): Record<string, unknown> {
  return {
    // Must be unique per transport.
    mid: randomUUID().slice(0, 8),
    codecs: [{ mimeType: 'audio/opus', payloadType: 111, clockRate: 48_000, channels: 2, parameters: {} }],
    headerExtensions: [],
    encodings: [{ ssrc: 1 + Math.floor(Math.random() * 1_000_000) }],
    rtcp: { cname: 'one' },
  };
}

/** Fingerprint that no certificate has. */
export const testDtlsParameters = {
  role: 'client',
  fingerprints: [{ algorithm: 'sha-256', value: Array.from({ length: 32 }, () => 'AB').join(':') }],
};

/**
 * Joins and returns everything that the room sends. Joining several meetings in a row is rate limited, as for any user.
 */
export function enterMeetingBySocket(socket: TestSocket, roomCode: string, data: Json = {}): Promise<Json> {
  return socket.insist('join_meeting', { roomCode, ...data });
}

const tabs = new WeakMap<TestUser, Promise<TestSocket>>();

/** Returns a socket of a user that stays open, so that joining and leaving meetings does not show as presence. */
function tabOf(person: TestUser): Promise<TestSocket> {
  const tab = tabs.get(person) ?? person.connectSocket();
  tabs.set(person, tab);
  return tab;
}

/**
 * Creates a meeting of the owner with the co-host promoted, which the member has attended, and from which a user may
 * have been removed. Nobody is inside.
 */
export async function hostMeeting({ owner, coHost, member, removed }: People, body: Json = {}): Promise<string> {
  const { roomCode } = requireSuccess(
    await owner.api.post('/api/meetings/create', {
      name: 'A meeting',
      // A recurring meeting is upcoming again after everyone has left.
      scheduledAt: new Date(Date.now() + 86_400_000).toISOString(),
      recurrence: 'daily',
      timeZone: 'UTC',
      settings: { allowRecording: true },
      ...body,
    }),
    'A meeting',
  ).body as { roomCode: string };
  const sockets = await Promise.all([tabOf(coHost), tabOf(member)]);
  const ids: string[] = [];
  for (const socket of sockets) ids.push((await enterMeetingBySocket(socket, roomCode)).participant.id as string);
  requireSuccess(
    await owner.api.post(`/api/meetings/${roomCode}/moderation`, { action: 'make_co_host', participantId: ids[0] }),
    'The co-host',
  );
  for (const [index, socket] of sockets.entries()) {
    const { type, data } = await socket.request('leave_meeting', { roomCode, participantId: ids[index] });
    if (type !== 'ack') throw new Error(`Leaving was answered with ${JSON.stringify(data)}`);
  }
  if (removed) {
    await enterMeetingBySocket(await tabOf(removed), roomCode);
    requireSuccess(
      await owner.api.post(`/api/meetings/${roomCode}/moderation`, { action: 'remove', userId: removed.id }),
      'The removal',
    );
  }
  return roomCode;
}

/** Ends all ongoing and ringing calls of these users. */
export async function endAllCalls(...people: TestUser[]): Promise<void> {
  for (const { api } of people) {
    const calls = requireSuccess(await api.get('/api/calls?limit=20'), 'The calls').body as {
      id: string;
      status: string;
    }[];
    for (const { id, status } of calls) if (status !== 'ended') await api.post(`/api/calls/${id}/end`);
  }
}

/** Starts a call that rings at `callee`, after ending any other call of the two. */
export async function ringCall(
  { conversationId, bystander }: Callers,
  caller: TestUser,
  callee: TestUser,
): Promise<{ callId: string; callerDevice: string }> {
  await endAllCalls(caller, callee, bystander);
  const callerDevice = randomUUID();
  const body = { conversationId, callType: 'audio', deviceId: callerDevice };
  const call = requireSuccess(await caller.api.post('/api/calls/initiate', body), 'The call').body as { id: string };
  return { callId: call.id, callerDevice };
}

/** Starts a call that is answered. */
export async function startAnsweredCall(
  cast: Callers,
  caller: TestUser,
  callee: TestUser,
): Promise<{ callId: string; callerDevice: string; calleeDevice: string }> {
  const ringing = await ringCall(cast, caller, callee);
  const calleeDevice = randomUUID();
  requireSuccess(
    await callee.api.post(`/api/calls/${ringing.callId}/answer`, { deviceId: calleeDevice }),
    'The answer',
  );
  return { ...ringing, calleeDevice };
}

/** Creates a guest. Returns the pass as a browser would send it. */
export async function createGuestPass(baseUrl: string, roomCode: string): Promise<{ cookie: string; guestId: string }> {
  const reply = requireSuccess(
    await new TestApi(baseUrl).post(`/api/meetings/${roomCode}/guest`, { name: 'Gus the guest' }),
    'The pass',
  );
  const [line = ''] = reply.headers.getSetCookie();
  return { cookie: line.split(';')[0] ?? '', guestId: reply.body.guestId as string };
}

export async function openGuestTestSocket(baseUrl: string, cookie: string): Promise<TestSocket> {
  const socket = await TestSocket.open(baseUrl, undefined, { headers: { cookie }, origin: new URL(baseUrl).origin });
  await socket.next('hello');
  return socket;
}

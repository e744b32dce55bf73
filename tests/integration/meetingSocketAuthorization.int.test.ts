import type { TestSocket, Json } from '@nolo/testing';
import {
  createAuthorizationCast,
  must,
  type AuthorizationCast,
  type CastRole,
} from '../support/authorization/authorizationCast.ts';
import {
  testDtlsParameters,
  enterMeetingBySocket,
  hostMeeting,
  createGuestPass,
  openGuestTestSocket,
  testRtpCapabilities,
} from '../support/authorization/meetingCast.ts';
import { openMeetingRoom, type LiveMeetingRoom } from '../support/authorization/meetingEventTable.ts';
import { openSharedTestStack } from '../support/stacks/testStack.ts';

type Signed = Exclude<CastRole, 'anonymous' | 'revoked' | 'deleted'> | 'guest';

const running = openSharedTestStack();
let cast: AuthorizationCast;
let guestCookie: string;
let room: LiveMeetingRoom;

beforeAll(async () => {
  cast = await createAuthorizationCast(running.urls[0]!);
  guestCookie = (await createGuestPass(cast.baseUrl, cast.guestRoomCode)).cookie;
  await running.forgetLimits('socketsPerUser', 'roomCodeMissesPerUser');
  room = await openMeetingRoom(cast, guestCookie);
});

const opened: TestSocket[] = [];

async function open(role: Signed): Promise<TestSocket> {
  const socket = await (role === 'guest' ? openGuestTestSocket(cast.baseUrl, guestCookie) : cast[role].connectSocket());
  opened.push(socket);
  if (role !== 'guest') await socket.next('hello');
  return socket;
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map((socket) => socket.close()));
});

describe('someone inside a meeting', () => {
  // Runs before the shared stack's own hook, which cuts all sockets.
  afterAll(() => room.close());

  const people = ['guest', 'member', 'coHost'] as const;

  /**
   * Expects that ids cannot be guessed. `own` is a room and a participant there; the other ids are those of the owner's
   * transport and producer.
   */
  async function expectNothingToGuess(socket: TestSocket, own: { roomCode: string; participantId: string }) {
    const { roomCode, transportId, producerId } = room;
    const answers = [
      await socket.request('media_connect_transport', { ...own, transportId, dtlsParameters: testDtlsParameters }),
      await socket.request('media_restart_ice', { ...own, transportId }),
    ];
    expect(answers.map(({ data }) => data['code'])).toEqual(['media_not_found', 'media_not_found']);
    await socket.request('media_close_producer', { ...own, producerId });
    // A newcomer still hears the owner.
    const newcomer = await open('neighbour');
    const { media, participant } = await enterMeetingBySocket(newcomer, roomCode, {
      rtpCapabilities: testRtpCapabilities,
    });
    expect((media.consumers as Json[]).map((consumer) => consumer.producerId as string)).toContain(producerId);
    await newcomer.request('leave_meeting', { roomCode, participantId: participant.id });
  }

  it.each(people)('cannot use what belongs to another: the %s', async (role) => {
    const { roomCode, sockets, participantIds } = room;
    await expectNothingToGuess(sockets[role], { roomCode, participantId: participantIds[role] });
  });

  it('cannot guess ids of another meeting, as a stranger in their own', async () => {
    const own = must(await cast.stranger.api.post('/api/meetings/create', { name: 'Elsewhere' }), 'A meeting');
    const roomCode = own.body.roomCode as string;
    const socket = await open('stranger');
    const { participant } = await enterMeetingBySocket(socket, roomCode, { rtpCapabilities: testRtpCapabilities });
    const participantId = participant.id as string;
    await expectNothingToGuess(socket, { roomCode, participantId });
    // Naming the room that they are not in does not help either.
    const elsewhere = await socket.request('media_restart_ice', {
      roomCode: room.roomCode,
      participantId,
      transportId: room.transportId,
    });
    expect(elsewhere.data['code']).toBe('media_not_found');
    await socket.request('leave_meeting', { roomCode, participantId });
  });

  it.each([
    ['guest', 401],
    ['member', 403],
  ] as const)('is not a host because they are inside: the %s', async (role, status) => {
    const { roomCode, participantId } = room;
    const api = role === 'guest' ? cast.apiOf('anonymous') : cast.member.api;
    for (const action of ['mute', 'remove', 'make_co_host', 'stop_video']) {
      const reply = await api.post(`/api/meetings/${roomCode}/moderation`, { action, participantId });
      expect({ action, status: reply.status }).toEqual({ action, status });
    }
  });

  it('decides nothing about the host, or about who is one, as a co-host', async () => {
    const { roomCode, participantId, participantIds } = room;
    const decide = async (action: string, id: string) =>
      (await cast.coHost.api.post(`/api/meetings/${roomCode}/moderation`, { action, participantId: id })).body?.code;
    for (const action of ['mute', 'remove', 'make_participant']) {
      expect(await decide(action, participantId)).toBe('action_refused');
    }
    expect(await decide('make_co_host', participantIds.member)).toBe('not_host');
    expect(await decide('mute', participantIds.member)).toBeUndefined();
    await room.expectOwnerInside();
  });

  it('cannot be moderated through a meeting that they are not in', async () => {
    const other = cast.roomCode;
    const reply = await cast.owner.api.post(`/api/meetings/${other}/moderation`, {
      action: 'remove',
      participantId: room.participantIds.member,
    });
    expect(reply).toMatchObject({ status: 404, body: { code: 'participant_unknown' } });
  });

  it('is admitted to no other meeting with their pass, whether it accepts guests or not', async () => {
    const guest = await open('guest');
    const elsewhere = await hostMeeting(cast, { settings: { requireAuth: false } });
    for (const roomCode of [cast.roomCode, elsewhere, 'ZZZZZZ']) {
      const answer = await guest.request('join_meeting', { roomCode });
      expect({ roomCode, code: answer.data['code'] }).toEqual({ roomCode, code: 'meeting_not_found' });
    }
  });

  it('is notified of what happens there, and nobody else is', async () => {
    const { roomCode, participantId, sockets } = room;
    const outside = await Promise.all((['stranger', 'blocked', 'member', 'owner'] as const).map(open));
    await sockets.owner.request('meeting_reaction', { roomCode, participantId, reaction: '🎉' });
    for (const role of ['guest', 'member', 'coHost'] as const) {
      await sockets[role].next('meeting_reaction', (data) => data['participantId'] === participantId);
    }
    for (const socket of outside) {
      await socket.request('ping');
      // Participants' other tabs are outside too.
      expect(socket.frames.filter(({ type }) => type.startsWith('meeting_') || type.startsWith('media_'))).toEqual([]);
    }
  });

  it('is sent nothing from inside while waiting, and can do nothing there', async () => {
    const { roomCode, sockets, participantId } = room;
    const { cookie } = await createGuestPass(cast.baseUrl, roomCode);
    const waiting = await openGuestTestSocket(cast.baseUrl, cookie);
    opened.push(waiting);
    const entryReply = await enterMeetingBySocket(waiting, roomCode, { rtpCapabilities: testRtpCapabilities });
    expect(entryReply).toMatchObject({ state: 'waiting', participants: [], media: null });
    await sockets.owner.next('meeting_lobby', ({ waiting: people }) => (people as Json[]).length === 1);
    const own = { roomCode, participantId: entryReply.participant.id as string };
    for (const [type, data] of [
      ['media_join', { rtpCapabilities: testRtpCapabilities }],
      ['meeting_audio_toggle', { enabled: true }],
      ['meeting_reaction', { reaction: '🎉' }],
    ] as const) {
      expect((await waiting.request(type, { ...own, ...data })).data['code']).toBe('participant_unknown');
    }
    await sockets.owner.request('meeting_reaction', { roomCode, participantId, reaction: '👏' });
    await sockets.member.next('meeting_reaction', ({ reaction }) => reaction === '👏');
    await waiting.request('ping');
    expect(waiting.frames.map(({ type }) => type).filter((type) => !['hello', 'ack', 'error'].includes(type))).toEqual(
      [],
    );
  });

  it('is out at once when removed, and stays out', async () => {
    const { roomCode, participantIds, sockets } = room;
    const own = { roomCode, participantId: participantIds.member };
    must(
      await cast.owner.api.post(`/api/meetings/${roomCode}/moderation`, {
        action: 'remove',
        participantId: own.participantId,
      }),
      'The removal',
    );
    await sockets.member.next('meeting_asked', ({ what }) => what === 'removed');
    expect(
      (await sockets.member.request('media_join', { ...own, rtpCapabilities: testRtpCapabilities })).data['code'],
    ).toBe('participant_unknown');
    const elsewhere = await open('member');
    expect((await elsewhere.request('join_meeting', { roomCode })).data['code']).toBe('removed');
  });
});

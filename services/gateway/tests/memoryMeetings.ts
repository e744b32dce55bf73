import { randomUUID } from 'node:crypto';
import { fail } from '@nolo/kit/errors';
import { rpcService } from '@nolo/kit/rpc';
import { BrandServiceService } from '@nolo/proto/brand';
import { CallServiceService } from '@nolo/proto/calls';
import { MeetingServiceService, type Guest } from '@nolo/proto/meetings';
import type { MediaSession, Quality } from '@nolo/proto/roomMedia';
import { RoomServiceService, type EnterReply, type Participant, type ReserveRequest } from '@nolo/proto/rooms';
import { aCall, aMeeting, aParticipant } from '@nolo/testing/protos';

const json = (value: unknown) => JSON.stringify(value);
const structure = (name: string) => json({ [name]: true });
const transport = (id: string) =>
  json({ id, iceParameters: {}, iceCandidates: [{ port: 4 }], dtlsParameters: { role: 'auto' } });

export const aSession: MediaSession = {
  nodeId: 'node-1',
  routerRtpCapabilitiesJson: structure('codecs'),
  sendTransportJson: transport('sending'),
  receiveTransportJson: transport('receiving'),
  consumersJson: '[]',
  iceServersJson: json([{ urls: ['turn:turn.example'], username: 'u', credential: 'c' }]),
  connected: false,
};

const quality: Quality = {
  sendLoss: 0.01,
  receiveLoss: 0,
  jitterMs: 3,
  roundTripMs: 40,
  sendBitrate: 1_000,
  receiveBitrate: 2_000,
  degradedConsumers: 1,
};

/** meetings as far as the gateway can tell: it keeps what it was asked, and answers with what a test has laid out. */
export function memoryMeetings() {
  const asked: { name: string; request: unknown }[] = [];
  const guests = new Map<string, Guest>();
  /** Participants that gateways may vouch for. */
  const known = new Set<string>();
  /** Accounts whose calls go through the SFU. */
  const relaying = new Set<string>();
  /** What the next answers hold; a test changes what it is about. */
  const answers = {
    meeting: aMeeting(),
    call: aCall(),
    nextCursor: undefined as string | undefined,
    access: 'enter',
    /** Makes of an entry what the room answers. */
    enter: (participant: Participant): EnterReply => ({
      state: 'joined',
      roomId: 'room-1',
      participant,
      participants: [],
      meeting: answers.meeting,
      media: undefined,
      guarded: false,
    }),
    error: undefined as Error | undefined,
  };

  /** A handler that keeps the request, and fails while a test wants it to. */
  const answering =
    <Request, Reply>(name: string, answer: (request: Request) => Reply) =>
    async (request: Request): Promise<Reply> => {
      asked.push({ name, request });
      if (answers.error) throw answers.error;
      return answer(request);
    };
  const meeting = (name: string) => answering(name, () => answers.meeting);
  const call = (name: string) => answering(name, () => answers.call);
  const nothing = (name: string) => answering(name, () => ({}));

  const noBrand = async ({ actorId }: { actorId: string }) => ({ ownerId: actorId, shown: false });
  const brandService = rpcService(BrandServiceService, {
    getBrand: noBrand,
    checkBrand: async () => ({}),
    setBrand: async ({ actorId, name, color }) => ({ brand: { name, color }, ownerId: actorId, shown: true }),
    removeBrand: noBrand,
  });
  const meetingService = rpcService(MeetingServiceService, {
    createMeeting: meeting('createMeeting'),
    updateMeeting: meeting('updateMeeting'),
    cancelMeeting: meeting('cancelMeeting'),
    endMeeting: meeting('endMeeting'),
    getMeeting: meeting('getMeeting'),
    rotateRoomCode: meeting('rotateRoomCode'),
    expireRoomCode: meeting('expireRoomCode'),
    openGroupRoom: meeting('openGroupRoom'),
    listMeetings: answering('listMeetings', () => ({ meetings: [answers.meeting], nextCursor: answers.nextCursor })),
    checkAccess: answering('checkAccess', () => ({
      access: answers.access,
      meeting: answers.meeting,
      guarded: false,
    })),
    createInvite: answering('createInvite', () => ({ token: 'invite-token' })),
    revokeInvite: nothing('revokeInvite'),
    createGuest: answering('createGuest', ({ name, roomCode }: { name: string; roomCode: string }) => {
      const token = randomUUID();
      const expiresAt = new Date(Date.now() + 3_600_000);
      const guest = { id: randomUUID(), meetingId: answers.meeting.id, roomCode, name, expiresAt };
      guests.set(token, guest);
      return { guest, token };
    }),
    getMediaCapabilities: answering('getMediaCapabilities', () => ({ rtpCapabilitiesJson: structure('codecs') })),
    async authenticateGuest({ token }) {
      const guest = guests.get(token);
      if (!guest) throw fail('unauthenticated', 'guest_unknown', 'This pass is no longer good.');
      return guest;
    },
  });

  const roomService = rpcService(RoomServiceService, {
    enter: answering('enter', ({ actorId, participantId }: { actorId: string; participantId?: string | undefined }) => {
      const participant = aParticipant({
        userId: actorId,
        ...(participantId === undefined ? {} : { id: participantId }),
      });
      known.add(participant.id);
      return answers.enter(participant);
    }),
    reserve: answering('reserve', ({ attemptId }: ReserveRequest) =>
      attemptId === undefined ? { media: undefined, goodForMs: 0 } : { media: aSession, goodForMs: 60_000 },
    ),
    joinMedia: answering('joinMedia', () => aSession),
    leave: nothing('leave'),
    renewParticipants: answering('renewParticipants', ({ participantIds }: { participantIds: string[] }) => ({
      unknownParticipantIds: participantIds.filter((id) => !known.has(id)),
    })),
    setState: answering('setState', ({ participantId: id }: { participantId: string }) => aParticipant({ id })),
    react: nothing('react'),
    setRecording: nothing('setRecording'),
    listLobby: answering('listLobby', () => ({ waiting: [aParticipant({ role: 'guest' })] })),
    listRemoved: answering('listRemoved', () => ({
      removed: [{ userId: '01990000-0000-7000-8000-000000000009', removedAt: new Date(0) }],
      nextCursor: 'next',
    })),
    moderate: nothing('moderate'),
    connectTransport: nothing('connectTransport'),
    restartIce: answering('restartIce', () => ({ iceParametersJson: structure('usernameFragment') })),
    produce: answering('produce', () => ({ producerId: 'producer-1' })),
    closeProducer: nothing('closeProducer'),
    setView: nothing('setView'),
    resumeConsumers: nothing('resumeConsumers'),
    getQuality: answering('getQuality', () => quality),
  });

  const callService = rpcService(CallServiceService, {
    initiateCall: call('initiateCall'),
    getCall: call('getCall'),
    answerCall: call('answerCall'),
    declineCall: call('declineCall'),
    endCall: call('endCall'),
    updateCall: call('updateCall'),
    inviteToCall: call('inviteToCall'),
    listCalls: answering('listCalls', () => ({ calls: [answers.call], nextCursor: answers.nextCursor })),
    signal: nothing('signal'),
    getCallPreferences: answering('getCallPreferences', ({ actorId }) => ({ relayCalls: relaying.has(actorId) })),
    updateCallPreferences: answering('updateCallPreferences', ({ actorId, relayCalls }) => {
      if (relayCalls === true) relaying.add(actorId);
      if (relayCalls === false) relaying.delete(actorId);
      return { relayCalls: relaying.has(actorId) };
    }),
    getIceServers: answering('getIceServers', () => ({ iceServersJson: aSession.iceServersJson ?? '' })),
  });

  return {
    services: [meetingService, roomService, callService, brandService],
    answers,
    known,
    asked,
    /** What was last asked of a method. */
    last: (name: string) => asked.findLast((one) => one.name === name)?.request,
  };
}

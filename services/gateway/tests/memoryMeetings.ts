import { randomUUID } from 'node:crypto';
import { createAppError } from '@nolo/kit/errors';
import { CallServiceDefinition } from '@nolo/proto/calls';
import { MeetingServiceDefinition, type Guest } from '@nolo/proto/meetings';
import type { MediaSession } from '@nolo/proto/roomMedia';
import { RoomServiceDefinition, type EnterReply, type Participant, type ReserveRequest } from '@nolo/proto/rooms';
import { aCall, aMeeting, aParticipant } from '@nolo/testing/protos';
import { fakeService } from './fakeService.ts';

const json = (value: unknown) => JSON.stringify(value);
const structure = (name: string) => json({ [name]: true });
const transport = (id: string) =>
  json({ id, iceParameters: {}, iceCandidates: [{ port: 4 }], dtlsParameters: { role: 'auto' } });

const aMediaSession: MediaSession = {
  nodeId: 'node-1',
  routerRtpCapabilitiesJson: structure('codecs'),
  sendTransportJson: transport('sending'),
  receiveTransportJson: transport('receiving'),
  consumersJson: '[]',
  iceServersJson: json([{ urls: ['turn:turn.example'], username: 'u', credential: 'c' }]),
  connected: false,
};

/** Fakes meetings for the gateway: records requests and returns what the test prepared. */
export function memoryMeetings() {
  const requests: { name: string; request: unknown }[] = [];
  const guests = new Map<string, Guest>();
  /** Participants that gateways may renew. */
  const known = new Set<string>();
  /** Next replies; a test changes those it needs. */
  const answers = {
    meeting: aMeeting(),
    call: aCall(),
    /** Builds the room's reply to an entry. */
    enter: (participant: Participant): EnterReply | Promise<EnterReply> => ({
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

  /** Creates a handler that records the request, and fails while a test wants it to. */
  const answering =
    <Request, Reply>(name: string, answer: (request: Request) => Reply | Promise<Reply>) =>
    async (request: Request): Promise<Reply> => {
      requests.push({ name, request });
      if (answers.error) throw answers.error;
      return answer(request);
    };
  const meeting = (name: string) => answering(name, () => answers.meeting);
  const call = (name: string) => answering(name, () => answers.call);
  const nothing = (name: string) => answering(name, () => ({}));

  const meetingService = fakeService(MeetingServiceDefinition, {
    getMeeting: meeting('getMeeting'),
    rotateRoomCode: meeting('rotateRoomCode'),
    listMeetings: answering('listMeetings', () => ({ meetings: [answers.meeting], nextCursor: undefined })),
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
      if (!guest) throw createAppError('unauthenticated', 'guest_unknown', 'This guest pass is no longer valid.');
      return guest;
    },
  });

  const roomService = fakeService(RoomServiceDefinition, {
    enter: answering(
      'enter',
      async ({ actorId, participantId }: { actorId: string; participantId?: string | undefined }) => {
        const participant = aParticipant({
          userId: actorId,
          ...(participantId === undefined ? {} : { id: participantId }),
        });
        known.add(participant.id);
        return answers.enter(participant);
      },
    ),
    reserve: answering('reserve', ({ attemptId }: ReserveRequest) =>
      attemptId === undefined ? { media: undefined, goodForMs: 0 } : { media: aMediaSession, goodForMs: 60_000 },
    ),
    joinMedia: answering('joinMedia', () => aMediaSession),
    leave: nothing('leave'),
    renewParticipants: answering('renewParticipants', ({ participantIds }: { participantIds: string[] }) => ({
      unknownParticipantIds: participantIds.filter((id) => !known.has(id)),
    })),
    setState: answering('setState', ({ participantId: id }: { participantId: string }) => aParticipant({ id })),
    setRecording: nothing('setRecording'),
    closeProducer: nothing('closeProducer'),
  });

  const callService = fakeService(CallServiceDefinition, {
    initiateCall: call('initiateCall'),
    endCall: call('endCall'),
    inviteToCall: call('inviteToCall'),
    signal: nothing('signal'),
    getCallPreferences: answering('getCallPreferences', () => ({ relayCalls: false })),
  });

  return {
    services: [meetingService, roomService, callService],
    answers,
    known,
    asked: requests,
    /** Returns the last request to a method. */
    last: (name: string) => requests.findLast((one) => one.name === name)?.request,
  };
}

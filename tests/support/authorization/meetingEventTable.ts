import type { ClientEventName } from '@nolo/api';
import type { Json, TestSocket } from '@nolo/testing';
import { must, type AuthorizationCast, type CastRole } from './authorizationCast.ts';
import {
  testDtlsParameters,
  enterMeetingBySocket,
  openGuestTestSocket,
  testRtpCapabilities,
  startAnsweredCall,
  createVoiceParameters,
} from './meetingCast.ts';

export type MeetingEvent = Extract<
  ClientEventName,
  | 'join_meeting'
  | 'leave_meeting'
  | `meeting_${string}`
  | `media_${string}`
  | 'sfu_connection_update'
  | 'webrtc_signal'
  | 'call_end'
>;

type Signed = Exclude<CastRole, 'anonymous' | 'revoked' | 'deleted'> | 'guest';

/** Live meeting of the owner with everyone inside who may be: co-host, member and a guest. */
export interface LiveMeetingRoom {
  roomCode: string;
  /** Owner's participant id, which the others target. */
  participantId: string;
  /** Owner's media transport and producer. */
  transportId: string;
  producerId: string;
  sockets: Record<'owner' | 'coHost' | 'member' | 'guest', TestSocket>;
  participantIds: Record<'owner' | 'coHost' | 'member' | 'guest', string>;
  expectOwnerInside(): Promise<void>;
  close(): Promise<void>;
}

interface Aim {
  cast: AuthorizationCast;
  room: LiveMeetingRoom;
  prepared: Json;
  role: Signed;
}

interface MeetingExpectation {
  prepare?: (cast: AuthorizationCast, room: LiveMeetingRoom) => Promise<Json>;
  /** Builds data that targets the owner's resources. */
  data: (aim: Aim) => Record<string, unknown>;
  /** `ack`, or the error code. */
  answers: Record<Signed, string>;
}

const all = (answer: string): Record<Signed, string> => ({
  guest: answer,
  stranger: answer,
  neighbour: answer,
  removed: answer,
  blocked: answer,
  coHost: answer,
  member: answer,
  owner: answer,
});
/** A participant belongs to its owner: not even a host acts for another. */
const ownerOnly = { ...all('participant_unknown'), owner: 'ack' };
const inCall = { ...all('call_not_found'), guest: 'guest_refused', member: 'ack', owner: 'ack' };

const asOwner =
  (more: (aim: Aim) => Record<string, unknown> = () => ({})) =>
  (aim: Aim) => ({ roomCode: aim.room.roomCode, participantId: aim.room.participantId, ...more(aim) });

const answeredCall = async (cast: AuthorizationCast) => await startAnsweredCall(cast, cast.member, cast.owner);

export const meetingEventExpectations: Record<MeetingEvent, MeetingExpectation> = {
  // Joining with the owner's participant id creates a new participant, as with an unknown id.
  join_meeting: { data: asOwner(), answers: all('ack') },
  // Leaving without being inside succeeds as a no-op, reveals nothing and removes nobody.
  leave_meeting: { data: asOwner(), answers: all('ack') },
  meeting_audio_toggle: { data: asOwner(() => ({ enabled: false })), answers: ownerOnly },
  meeting_video_toggle: { data: asOwner(() => ({ enabled: true })), answers: ownerOnly },
  meeting_screenshare_toggle: { data: asOwner(() => ({ enabled: true })), answers: ownerOnly },
  meeting_hand_toggle: { data: asOwner(() => ({ raised: true })), answers: ownerOnly },
  meeting_reaction: { data: asOwner(() => ({ reaction: '🎉' })), answers: ownerOnly },
  // Guests are never hosts.
  meeting_recording_toggle: {
    data: asOwner(() => ({ enabled: true })),
    answers: { ...ownerOnly, guest: 'guest_refused' },
  },
  sfu_connection_update: { data: asOwner(() => ({ state: 'connected' })), answers: ownerOnly },
  // Answers as join_meeting does, but guests wait, and nothing is reserved for them.
  media_reserve: {
    data: asOwner(() => ({ dtlsParameters: testDtlsParameters })),
    answers: { ...all('ack'), guest: 'guest_refused' },
  },
  media_join: { data: asOwner(() => ({ rtpCapabilities: testRtpCapabilities })), answers: ownerOnly },
  media_connect_transport: {
    data: asOwner(({ room }) => ({ transportId: room.transportId, dtlsParameters: testDtlsParameters })),
    answers: ownerOnly,
  },
  media_restart_ice: { data: asOwner(({ room }) => ({ transportId: room.transportId })), answers: ownerOnly },
  media_produce: {
    data: asOwner(() => ({
      kind: 'audio',
      source: 'screen_audio',
      rtpParameters: createVoiceParameters(),
      paused: false,
    })),
    answers: ownerOnly,
  },
  media_close_producer: { data: asOwner(({ room }) => ({ producerId: room.producerId })), answers: ownerOnly },
  media_resume_consumers: { data: asOwner(() => ({ consumerIds: [] })), answers: ownerOnly },
  media_view: { data: asOwner(() => ({ tiles: [] })), answers: ownerOnly },
  webrtc_signal: {
    prepare: answeredCall,
    data: ({ cast, prepared, role }) => ({
      callId: prepared.callId as string,
      targetUserId: role === 'member' ? cast.owner.id : cast.member.id,
      deviceId: (role === 'member' ? prepared.callerDevice : prepared.calleeDevice) as string,
      signalData: { candidate: 'x' },
    }),
    answers: inCall,
  },
  call_end: { prepare: answeredCall, data: ({ prepared }) => ({ callId: prepared.callId as string }), answers: inCall },
};

/** Lets everyone join, the guest through the lobby. */
export async function openMeetingRoom(cast: AuthorizationCast, guestCookie: string): Promise<LiveMeetingRoom> {
  const { owner, coHost, member, guestRoomCode: roomCode } = cast;
  const open = async (person: typeof owner) => {
    const socket = await person.connectSocket();
    await socket.next('hello');
    return socket;
  };
  const sockets = {
    owner: await open(owner),
    coHost: await open(coHost),
    member: await open(member),
    guest: await openGuestTestSocket(cast.baseUrl, guestCookie),
  };
  const inside = await enterMeetingBySocket(sockets.owner, roomCode, { rtpCapabilities: testRtpCapabilities });
  const participantId = inside.participant.id as string;
  const produced = await sockets.owner.request('media_produce', {
    roomCode,
    participantId,
    kind: 'audio',
    source: 'microphone',
    rtpParameters: createVoiceParameters(),
    paused: false,
  });
  if (produced.type !== 'ack') throw new Error(`Producing was answered with ${JSON.stringify(produced.data)}`);
  const participantIds = {
    owner: participantId,
    coHost: (await enterMeetingBySocket(sockets.coHost, roomCode, { rtpCapabilities: testRtpCapabilities })).participant
      .id as string,
    member: (await enterMeetingBySocket(sockets.member, roomCode, { rtpCapabilities: testRtpCapabilities })).participant
      .id as string,
    guest: await letIn(cast, sockets.guest, roomCode),
  };
  return {
    roomCode,
    participantId,
    transportId: inside.media.sendTransport.id as string,
    producerId: produced.data['producerId'] as string,
    sockets,
    participantIds,
    async expectOwnerInside() {
      const answer = await sockets.owner.request('meeting_hand_toggle', { roomCode, participantId, raised: false });
      if (answer.type !== 'ack') throw new Error(`The owner is not inside: ${JSON.stringify(answer.data)}`);
    },
    async close() {
      for (const [name, socket] of Object.entries(sockets)) {
        const id = participantIds[name as keyof typeof participantIds];
        await socket.request('leave_meeting', { roomCode, participantId: id });
        await socket.close();
      }
    },
  };
}

/** Lets the guest join. A host admits them once; later attempts need no approval. */
async function letIn({ owner }: AuthorizationCast, socket: TestSocket, roomCode: string): Promise<string> {
  const entryReply = await enterMeetingBySocket(socket, roomCode, { rtpCapabilities: testRtpCapabilities });
  const participantId = entryReply.participant.id as string;
  if (entryReply.state === 'joined') return participantId;
  must(
    await owner.api.post(`/api/meetings/${roomCode}/moderation`, { action: 'admit', participantId }),
    'Admitting the guest',
  );
  await socket.next('meeting_admitted');
  const { state, participant } = await enterMeetingBySocket(socket, roomCode, {
    participantId,
    rtpCapabilities: testRtpCapabilities,
  });
  if (state !== 'joined') throw new Error('The guest was admitted but is not inside.');
  return participant.id as string;
}

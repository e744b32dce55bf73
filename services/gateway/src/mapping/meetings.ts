import type {
  Brand,
  Call,
  GroupRing,
  JoinMeetingResult,
  MediaQuality,
  MediaSession,
  Meeting,
  Participant,
  RemovedPerson,
  User,
} from '@nolo/api';
import type { Brand as BrandRow } from '@nolo/proto/brand';
import type { Call as CallRow } from '@nolo/proto/calls';
import type { GroupRing as GroupRingRow, Meeting as MeetingRow } from '@nolo/proto/meetings';
import type { MediaSession as MediaSessionRow, PeerStats } from '@nolo/proto/roomMedia';
import type { EnterReply, Participant as ParticipantRow, RemovedPerson as RemovedRow } from '@nolo/proto/rooms';
import {
  callEndReasons,
  callStatuses,
  callTypes,
  meetingRecurrences,
  meetingStatuses,
  participantRoles,
} from '@nolo/rules';
import { toIsoTime, emptyToNull } from './people.ts';

function isoOrNull(time: Date | undefined): string | null {
  return time ? time.toISOString() : null;
}

/** Returns the value if it is known, else the fallback. A newer service may send unknown values. */
function known<T extends string>(values: readonly T[], value: string, fallback: T): T {
  return values.find((one) => one === value) ?? fallback;
}

/** Maps a brand. Logos have their own public route because people without an account see them too. */
export function toBrand({ name, color, logoPath }: BrandRow): Brand {
  const id = logoPath?.split('/').at(-1);
  return { name, color, logoUrl: id === undefined ? null : `/api/brand/logos/${id}` };
}

export function toMeeting(row: MeetingRow, people: ReadonlyMap<string, User> = new Map()): Meeting {
  const recurrence = known(meetingRecurrences, row.recurrence, 'none');
  const scheduledAt = isoOrNull(row.scheduledAt);
  return {
    id: row.id,
    roomCode: row.roomCode,
    codeExpiresAt: isoOrNull(row.codeExpiresAt),
    conversationId: emptyToNull(row.conversationId),
    name: row.name,
    description: row.description,
    hostId: row.hostId,
    isHost: row.isHost,
    maxParticipants: row.maxParticipants,
    isRecording: row.isRecording,
    recorderId: emptyToNull(row.recorderId),
    scheduledAt,
    scheduledFor: scheduledAt,
    duration: row.durationMinutes ?? null,
    timeZone: emptyToNull(row.timeZone),
    recurrence,
    type: recurrence === 'none' ? 'one-time' : 'recurring',
    status: known(meetingStatuses, row.status, 'created'),
    closed: row.closed,
    settings: {
      allowRecording: row.settings?.allowRecording ?? false,
      requireAuth: row.settings?.requireAuth ?? true,
      waitingRoom: row.settings?.waitingRoom ?? false,
      allowScreenShare: row.settings?.allowScreenShare ?? true,
      muteOnEntry: row.settings?.muteOnEntry ?? false,
      maxParticipants: row.maxParticipants,
    },
    locked: row.locked,
    startedAt: isoOrNull(row.startedAt),
    endedAt: isoOrNull(row.endedAt),
    endsAt: isoOrNull(row.endsAt),
    participants: row.participantIds.flatMap((id) => people.get(id) ?? []),
    participantCount: row.participantCount,
    hasInvite: row.hasInvite,
    brand: row.brand ? toBrand(row.brand) : null,
    createdAt: toIsoTime(row.createdAt),
    updatedAt: toIsoTime(row.updatedAt),
    version: row.version ?? 0,
  };
}

export function toParticipant(row: ParticipantRow): Participant {
  return {
    id: row.id,
    userId: row.userId,
    name: row.name,
    profileImageUrl: emptyToNull(row.profileImageUrl),
    role: known(participantRoles, row.role, 'participant'),
    isMuted: row.isMuted,
    hasVideo: row.hasVideo,
    isSharing: row.isSharing,
    isHandRaised: row.handRaisedAt !== undefined,
    handRaisedAt: isoOrNull(row.handRaisedAt),
    isReconnecting: row.isReconnecting,
    joinedAt: toIsoTime(row.joinedAt),
    version: row.version ?? 0,
  };
}

export function toRemovedPerson(row: RemovedRow, people: ReadonlyMap<string, User>): RemovedPerson {
  return { userId: row.userId, user: people.get(row.userId) ?? null, removedAt: isoOrNull(row.removedAt) };
}

/** Passes mediasoup's structures through unchanged: the SFU creates them and mediasoup-client reads them. */
export function toMediaSession(row: MediaSessionRow): MediaSession {
  return {
    nodeId: row.nodeId,
    routerRtpCapabilities: JSON.parse(row.routerRtpCapabilitiesJson) as MediaSession['routerRtpCapabilities'],
    sendTransport: JSON.parse(row.sendTransportJson) as MediaSession['sendTransport'],
    receiveTransport: JSON.parse(row.receiveTransportJson) as MediaSession['receiveTransport'],
    consumers: JSON.parse(row.consumersJson) as MediaSession['consumers'],
    iceServers: parseIceServers(row.iceServersJson),
    connected: row.connected,
  };
}

export function parseIceServers(json: string | undefined): MediaSession['iceServers'] {
  return json ? (JSON.parse(json) as MediaSession['iceServers']) : [];
}

export function toJoinedMeeting(reply: EnterReply, participant: ParticipantRow): JoinMeetingResult {
  return {
    state: reply.state === 'joined' ? 'joined' : 'waiting',
    guarded: reply.guarded,
    participant: toParticipant(participant),
    participants: reply.participants.map(toParticipant),
    version: reply.version,
    meeting: reply.meeting ? toMeeting(reply.meeting) : null,
    media: reply.media ? toMediaSession(reply.media) : null,
  };
}

export function toMediaQuality(row: PeerStats): MediaQuality {
  return { ...row, availableBitrate: row.availableBitrate ?? 0 };
}

const callStates = ['calling', 'ringing', 'joined', 'declined', 'missed', 'busy', 'left'] as const;

export function toCall(row: CallRow, people: ReadonlyMap<string, User> = new Map()): Call {
  return {
    id: row.id,
    callId: row.id,
    conversationId: row.conversationId,
    type: known(callTypes, row.type, 'audio'),
    status: known(callStatuses, row.status, 'ended'),
    mode: row.mode === 'direct' ? 'direct' : 'room',
    callerId: row.callerId,
    participants: row.participants.map(({ userId, deviceId, state, audioEnabled, videoEnabled }) => ({
      userId,
      name: people.get(userId)?.displayName ?? null,
      user: people.get(userId) ?? null,
      deviceId: emptyToNull(deviceId),
      state: known(callStates, state, 'left'),
      audioEnabled: audioEnabled ?? null,
      videoEnabled: videoEnabled ?? null,
    })),
    endReason: callEndReasons.find((reason) => reason === row.endReason) ?? null,
    createdAt: toIsoTime(row.createdAt),
    startedAt: isoOrNull(row.startedAt),
    endedAt: isoOrNull(row.endedAt),
    version: row.version ?? 0,
  };
}

export function toGroupRing(row: GroupRingRow): GroupRing {
  return {
    callId: row.callId ?? '',
    groupId: row.conversationId ?? '',
    roomCode: row.roomCode ?? '',
    callerId: row.callerId ?? '',
    type: known(callTypes, row.type ?? '', 'audio'),
    since: toIsoTime(row.since),
  };
}

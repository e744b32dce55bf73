import type { Meeting, User } from '@nolo/api';

/** Creates a meeting of `me` that nobody has joined yet. */
export function testMeeting(overrides: Partial<Meeting> = {}): Meeting {
  return {
    id: 'm1',
    roomCode: 'ABC234',
    codeExpiresAt: null,
    conversationId: null,
    brand: null,
    name: 'Planning',
    description: '',
    hostId: 'me',
    isHost: true,
    maxParticipants: 50,
    isRecording: false,
    recorderId: null,
    scheduledAt: null,
    scheduledFor: null,
    duration: null,
    timeZone: null,
    recurrence: 'none',
    type: 'one-time',
    status: overrides.scheduledAt ? 'scheduled' : 'created',
    closed: false,
    settings: {
      allowRecording: false,
      requireAuth: true,
      waitingRoom: false,
      allowScreenShare: true,
      muteOnEntry: false,
      maxParticipants: 50,
    },
    locked: false,
    startedAt: null,
    endedAt: null,
    endsAt: null,
    participants: [],
    participantCount: 0,
    hasInvite: false,
    createdAt: '2026-05-04T08:00:00.000Z',
    updatedAt: '2026-05-04T08:00:00.000Z',
    version: 1,
    ...overrides,
  };
}

export function testUser(displayName: string): User {
  return {
    id: displayName.toLowerCase(),
    firstName: displayName,
    lastName: '',
    displayName,
    profileImageUrl: null,
    statusMessage: '',
    presenceStatus: 'online',
    isOnline: true,
    isContact: true,
    isBlocked: false,
  };
}

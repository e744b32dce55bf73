import { randomUUID } from 'node:crypto';
import { Order, Subscription } from '@nolo/proto/billing';
import { AuditRecord, NotificationRecord } from '@nolo/proto/billingAdmin';
import { Call, InitiateCallRequest } from '@nolo/proto/calls';
import { EditMessageRequest, SendMessageRequest } from '@nolo/proto/messages';
import { Conversation, Member, Message, type GroupSettings } from '@nolo/proto/conversation';
import { CreateGroupRequest } from '@nolo/proto/groups';
import { SignInWithProviderRequest } from '@nolo/proto/identity';
import { CreateMeetingRequest, Meeting, UpdateMeetingRequest } from '@nolo/proto/meetings';
import { Contact, User } from '@nolo/proto/people';
import { Self } from '@nolo/proto/profile';
import { Participant, SetStateRequest } from '@nolo/proto/rooms';
import { Team } from '@nolo/proto/team';
import { defaultPrivacySettings, pickPrivacyChoices } from '@nolo/rules';

/**
 * Creates a builder for a proto message that several tests need: a test names the fields it is about, and the others
 * have usual or default values.
 */
function builder<T extends object>(
  kind: { decode(bytes: Uint8Array): T },
  createDefaults: () => Partial<T> = () => ({}),
) {
  // Decoding nothing yields the defaults, so the fields of a message need not be listed a second time.
  return (given: Partial<T> = {}): T => ({ ...kind.decode(new Uint8Array()), ...createDefaults(), ...given });
}

/** Time of everything here that has one. */
const at = new Date('2026-03-02T08:30:00.000Z');

// People.

/** User with the default settings, as they see themselves. */
export const aSelf = builder(Self, () => ({
  id: randomUUID(),
  presenceStatus: 'online',
  ...pickPrivacyChoices('identity', defaultPrivacySettings),
  createdAt: at,
  updatedAt: at,
}));

export const aUser = builder(User, () => ({ id: randomUUID(), presenceStatus: 'offline' }));

export const aContact = builder(Contact, () => ({ id: randomUUID(), presenceStatus: 'offline', createdAt: at }));

/** Request of a new user without an email address at the provider. */
export const aSignInWithProviderRequest = builder(SignInWithProviderRequest, () => ({
  issuer: 'https://id.example',
  subject: randomUUID(),
}));

// Conversations.

export const aMessage = builder(Message, () => ({
  id: randomUUID(),
  conversationId: randomUUID(),
  senderId: randomUUID(),
  seq: 1,
  changeSeq: 3,
  content: 'hello',
  encryption: 'none',
  messageType: 'text',
  createdAt: at,
}));

export const aMember = builder(Member, () => ({ userId: randomUUID(), role: 'member', joinedAt: at }));

/** Conversation of two users without messages. */
export const aConversation = builder(Conversation, () => ({
  id: randomUUID(),
  type: 'direct',
  memberCount: 2,
  myRole: 'member',
  createdAt: at,
  updatedAt: at,
}));

export function aGroup(
  memberIds: readonly string[],
  given: Partial<Conversation> = {},
  chosen: Partial<GroupSettings> = {},
): Conversation {
  const id = given.id ?? randomUUID();
  const settings = {
    allowScreenShare: true,
    allowFileSharing: true,
    allowRecording: false,
    moderationEnabled: false,
    ...chosen,
  };
  const traits = { isPublic: false, maxMembers: 100, roomCode: '222223', settings, hasInvite: false };
  return aConversation({
    id,
    type: 'group',
    members: memberIds.map((userId) => aMember({ userId, changeSeq: 1 })),
    memberCount: memberIds.length,
    changeSeq: 3,
    myRole: 'owner',
    meta: {
      id,
      name: 'Walkers',
      description: '',
      isReplaced: false,
      group: { ...traits, codeExpiresAt: undefined, inviteExpiresAt: undefined, callSince: undefined },
    },
    ...given,
  });
}

export const aSendMessageRequest = builder(SendMessageRequest, () => ({
  content: 'hello',
  clientMessageId: randomUUID(),
}));

export const anEditMessageRequest = builder(EditMessageRequest);

export const aCreateGroupRequest = builder(CreateGroupRequest, () => ({ name: 'Walkers' }));

// Meetings and calls.

/** Settings of a meeting created without choosing any. */
export const defaultMeetingSettings = {
  allowRecording: true,
  requireAuth: true,
  waitingRoom: false,
  allowScreenShare: true,
  muteOnEntry: false,
};

export const aMeeting = builder(Meeting, () => ({
  id: randomUUID(),
  roomCode: 'ABC234',
  name: 'Weekly',
  hostId: randomUUID(),
  isHost: true,
  maxParticipants: 50,
  recurrence: 'none',
  status: 'created',
  // Different values, so that code that mixes them up is noticed.
  settings: {
    allowRecording: true,
    requireAuth: false,
    waitingRoom: true,
    allowScreenShare: false,
    muteOnEntry: true,
  },
  createdAt: at,
  updatedAt: at,
}));

export const aCreateMeetingRequest = builder(CreateMeetingRequest, () => ({ name: 'Weekly' }));

export const anUpdateMeetingRequest = builder(UpdateMeetingRequest);

export const aParticipant = builder(Participant, () => ({
  id: randomUUID(),
  userId: randomUUID(),
  name: 'Ann',
  role: 'participant',
  joinedAt: at,
}));

export const aSetStateRequest = builder(SetStateRequest);

export const aCall = builder(Call, () => ({
  id: 'call-1-2',
  conversationId: randomUUID(),
  type: 'audio',
  status: 'ringing',
  mode: 'direct',
  callerId: randomUUID(),
  createdAt: at,
}));

/**
 * Call between two users who are not contacts and have not blocked each other; the callee accepts calls from everyone.
 */
export const anInitiateCallRequest = builder(InitiateCallRequest, () => ({
  callsFrom: 'everyone',
  conversationId: randomUUID(),
  type: 'audio',
}));

// Billing.

export const aSubscription = builder(Subscription, () => ({
  plan: 'plus',
  state: 'active',
  source: 'own',
  periodEndsAt: at,
}));

export const anOrder = builder(Order, () => ({
  id: randomUUID(),
  userId: randomUUID(),
  item: 'plus',
  seats: 1,
  state: 'created',
  gateway: 'payfast',
  amountMinor: 12_900,
  currency: 'ZAR',
  shownCurrency: 'ZAR',
  createdAt: at,
}));

export const aTeam = builder(Team, () => ({ ownerId: randomUUID(), seats: 3, periodEndsAt: at }));

export const aPaymentNotification = builder(NotificationRecord, () => ({
  id: randomUUID(),
  gateway: 'paypal',
  state: 'done',
  body: '{}',
  receivedAt: at,
  attempts: 1,
}));

export const anAuditRecord = builder(AuditRecord, () => ({
  id: randomUUID(),
  operatorId: randomUUID(),
  action: 'GrantPlan',
  at,
  allowed: true,
}));

import { randomUUID } from 'node:crypto';
import type { RouteName } from '@nolo/api';
import { randomPhone } from '@nolo/testing';
import { must, sendMessage, tinyPng, type CanaryKind, type AuthorizationCast } from './authorizationCast.ts';
import { all, insiders, nothing, ownerOnly, type RouteAttempt, type RouteExpectation } from './routeExpectation.ts';
import { adminExpectations } from './adminAuthorizationTable.ts';
import { billingExpectations } from './billingAuthorizationTable.ts';
import { fileExpectations } from './fileAuthorizationTable.ts';
import { groupExpectations } from './groupAuthorizationTable.ts';
import { socialExpectations } from './socialAuthorizationTable.ts';
import { pushExpectations } from './pushAuthorizationTable.ts';
import { keyExpectations } from './keyAuthorizationTable.ts';
import { webhookExpectations } from './webhookAuthorizationTable.ts';
import { statusExpectations } from './statusAuthorizationTable.ts';
import { meetingExpectations } from './meetingAuthorizationTable.ts';

const seesOwner: readonly CanaryKind[] = ['name', 'status', 'picture'];
const seesConversation: readonly CanaryKind[] = [...seesOwner, 'message'];
/** Visible to everyone who knows a person's id. */
const nameAndPicture: readonly CanaryKind[] = ['name', 'picture'];
const inConversation = ({ conversationId }: AuthorizationCast) => ({ id: conversationId });
const ownMessage = async ({ owner, conversationId }: AuthorizationCast): Promise<string> =>
  (await sendMessage(owner, conversationId, 'soon changed')).id as string;

/** Creates a group of the two that no other test reads. */
const ownPlace = async ({ owner, member }: AuthorizationCast): Promise<RouteAttempt> => {
  const group = { name: 'Soon out of sight', memberIds: [member.id] };
  return { id: must(await owner.api.post('/api/groups', group), 'A group').body.id as string };
};

/** Returns a notice, which exists because the owner signed in on other devices. */
const firstNotice = async (owner: AuthorizationCast['owner']): Promise<string> => {
  const [notice] = must(await owner.api.get('/api/account/notices'), 'The notices').body as { id: string }[];
  return notice?.id ?? '';
};

const nobodysPasskey = (response: object) => ({
  id: 'AA',
  rawId: 'AA',
  type: 'public-key',
  response: { clientDataJSON: '', ...response },
});

/** Answer of each route to each role. A missing route fails the test that reads this. */
export const routeExpectations: Record<RouteName, RouteExpectation> = {
  login: {
    attempt: nothing,
    expected: all(302),
    withProof: { query: { link: '1' }, headers: { 'sec-fetch-site': 'same-origin' } },
  },
  loginCallback: { attempt: () => ({ query: { state: 'x', code: 'y' } }), expected: all(302) },
  logout: { attempt: nothing, expected: all(302), byNewcomer: true },
  sendCode: {
    attempt: () => ({ body: { type: 'sms', phoneNumber: randomPhone() } }),
    expected: all(200),
  },
  verifyCode: {
    // The demo code is invalid, because no code was requested.
    attempt: () => ({ body: { type: 'sms', phoneNumber: randomPhone(), code: '424242' } }),
    expected: all(400),
    withProof: { body: { type: 'sms', phoneNumber: randomPhone(), code: '424242', link: true } },
  },
  sendMailCode: {
    attempt: () => ({ body: { email: `${randomPhone().slice(1)}@example.org` } }),
    expected: all(200),
    withProof: { body: { email: 'owner@example.org', link: true } },
  },
  verifyMailCode: {
    // The demo code is invalid, because no code was requested.
    attempt: () => ({ body: { email: `${randomPhone().slice(1)}@example.org`, code: '424242' } }),
    expected: all(400),
    withProof: { body: { email: 'owner@example.org', code: '424242', link: true } },
  },
  listSessions: { attempt: nothing, expected: all(200) },
  endSession: {
    attempt: async ({ owner, canaries }) => {
      const sessions = (await owner.api.get('/api/sessions')).body as {
        id: string;
        userAgent: string;
        current: boolean;
      }[];
      const others = sessions.filter((session) => !session.current);
      return { id: (others.find(({ userAgent }) => userAgent !== canaries.device) ?? others[0])?.id ?? '' };
    },
    expected: ownerOnly(204),
  },
  endOtherSessions: { attempt: nothing, expected: all(200), byNewcomer: true },

  getProof: { attempt: nothing, expected: all(200) },
  listIdentities: { attempt: nothing, expected: all(200) },
  // The owner has no other way to sign in, and others have no access to this one.
  unlinkIdentity: {
    attempt: async ({ owner }) => {
      const [identity] = must(await owner.api.get('/api/account/identities'), 'The identities').body as {
        id: string;
      }[];
      return { id: identity?.id ?? '' };
    },
    expected: ownerOnly(409),
  },
  // Tests have no authenticator: identity's own tests cover a correct answer.
  beginPasskey: { attempt: nothing, expected: all(200), byNewcomer: true },
  addPasskey: {
    attempt: () => ({ body: { name: 'Laptop', response: nobodysPasskey({ attestationObject: '' }) } }),
    expected: all(400),
    byNewcomer: true,
  },
  renamePasskey: { attempt: () => ({ id: randomUUID(), body: { name: 'Laptop' } }), expected: all(404) },
  beginPasskeySignIn: { attempt: () => ({ body: {} }), expected: all(200) },
  signInWithPasskey: {
    attempt: () => ({ body: { response: nobodysPasskey({ authenticatorData: '', signature: '' }) } }),
    expected: all(400),
  },
  getSecondFactor: { attempt: nothing, expected: all(200) },
  beginSecondFactor: { attempt: nothing, expected: all(200), byNewcomer: true },
  // Tests have no authenticator and no pending wait: identity's own tests have both.
  confirmSecondFactor: { attempt: () => ({ body: { code: '000' } }), expected: all(409), byNewcomer: true },
  removeSecondFactor: { attempt: nothing, expected: all(409), byNewcomer: true },
  renewRecoveryCodes: { attempt: nothing, expected: all(409), byNewcomer: true },
  setRegistrationLock: { attempt: () => ({ body: { on: false } }), expected: all(409), byNewcomer: true },
  proveBySecondFactor: { attempt: () => ({ body: { code: '000000' } }), expected: all(409), byNewcomer: true },
  refuseAccountWait: { attempt: nothing, expected: all(404) },
  passSecondFactor: { attempt: () => ({ body: { ticket: 'AA', code: '000000' } }), expected: all(400) },
  askForAccount: { attempt: () => ({ body: { ticket: 'AA' } }), expected: all(400) },
  listSecurityNotices: { attempt: nothing, expected: all(200) },
  markNoticesSeen: {
    attempt: async ({ owner }) => ({ id: await firstNotice(owner) }),
    expected: ownerOnly(204),
  },
  // Would sign out the owner's other devices, which the rest of the table needs: identity's own tests cover it.
  undoNotice: { attempt: () => ({ id: randomUUID() }), expected: all(404) },

  // The newcomer has a fresh proof, and creates a token of their own.
  createAccessToken: {
    attempt: () => ({ body: { name: 'Export', scopes: ['profile:read'], expiresInDays: 1 } }),
    expected: all(201),
    byNewcomer: true,
  },
  listAccessTokens: { attempt: nothing, expected: all(200) },
  revokeAccessToken: {
    attempt: async ({ owner }) => {
      const body = { name: 'Soon gone', scopes: ['profile:read'], expiresInDays: 1 };
      const made = must(await owner.api.post('/api/account/tokens', body), 'The token').body as {
        token: { id: string };
      };
      return { id: made.token.id };
    },
    expected: ownerOnly(204),
  },

  getSelf: { attempt: nothing, expected: all(200) },
  // Users find their contacts by name.
  searchUsers: {
    attempt: ({ canaries }) => ({ query: { q: canaries.name } }),
    expected: all(200),
    shows: { member: seesOwner },
  },
  searchUsersDebounced: {
    attempt: ({ canaries }) => ({ query: { q: canaries.name } }),
    expected: all(200),
    shows: { member: seesOwner },
  },
  getUser: {
    attempt: ({ owner }) => ({ id: owner.id }),
    expected: all(200),
    shows: {
      stranger: nameAndPicture,
      neighbour: nameAndPicture,
      blocked: nameAndPicture,
      removed: nameAndPicture,
      coHost: nameAndPicture,
      member: seesOwner,
    },
  },
  updateProfile: { attempt: () => ({ body: { presenceStatus: 'online' } }), expected: all(200) },
  getContactLink: { attempt: () => ({ body: {} }), expected: all(200) },
  findByContactLink: {
    attempt: async ({ owner }) => {
      const { url } = must(await owner.api.post('/api/contact-link', {}), 'The link').body as { url: string };
      return { body: { token: url.split('#add=')[1] } };
    },
    expected: all(200),
    shows: {
      stranger: seesOwner,
      neighbour: seesOwner,
      removed: seesOwner,
      blocked: nameAndPicture,
      coHost: seesOwner,
      member: seesOwner,
    },
  },
  updatePreferences: {
    attempt: () => ({ body: { theme: { value: 'dark', changedAt: new Date().toISOString() } } }),
    expected: all(200),
    byNewcomer: true,
  },
  setUsername: { attempt: () => ({ body: { username: null } }), expected: all(200) },
  updatePrivacy: { attempt: () => ({ body: {} }), expected: all(200) },
  // Each user has their own, and nobody else sees its content (services/files/tests/exports.int.test.ts).
  startExport: { attempt: () => ({ body: {} }), expected: all(201), byNewcomer: true },
  getExport: { attempt: nothing, expected: all(200) },
  readExport: { attempt: nothing, expected: all(404) },
  cancelExport: { attempt: nothing, expected: all(204) },
  deleteAccount: { attempt: nothing, expected: all(204), byNewcomer: true },
  // Has no effect on an open account.
  keepAccount: { attempt: nothing, expected: all(200) },

  // The member has the owner as a contact.
  listContacts: { attempt: nothing, expected: all(200), shows: { member: seesOwner } },
  addContact: { attempt: () => ({ body: { phoneNumber: randomPhone() } }), expected: all(201) },
  updateContact: {
    attempt: async ({ owner, canaries }) => {
      const [contact] = (await owner.api.get(`/api/contacts?q=${encodeURIComponent(canaries.contact)}`)).body;
      return { id: contact.id as string, body: { displayName: canaries.contact } };
    },
    expected: ownerOnly(200),
  },
  removeContact: {
    attempt: async ({ owner }) => {
      const added = must(await owner.api.post('/api/contacts', { phoneNumber: randomPhone() }), 'A contact');
      return { id: added.body.id as string };
    },
    expected: ownerOnly(204),
  },
  listBlocked: { attempt: nothing, expected: all(200) },
  blockUser: { attempt: ({ bystander }) => ({ id: bystander.id }), expected: all(204) },
  unblockUser: { attempt: ({ bystander }) => ({ id: bystander.id }), expected: all(204) },

  listConversations: {
    attempt: nothing,
    expected: all(200),
    // The meeting's conversation has its name.
    shows: {
      neighbour: nameAndPicture,
      blocked: nameAndPicture,
      coHost: [...nameAndPicture, 'meeting'],
      member: [...seesConversation, 'meeting', 'group'],
    },
  },
  startConversation: { attempt: ({ bystander }) => ({ body: { otherUserId: bystander.id } }), expected: all(200) },
  getConversation: { attempt: inConversation, expected: insiders(200), shows: { member: seesConversation } },
  listMessages: { attempt: inConversation, expected: insiders(200), shows: { member: ['message'] } },
  listChanges: {
    attempt: (cast) => ({ ...inConversation(cast), query: { since: '0' } }),
    expected: insiders(200),
    shows: { member: ['message'] },
  },
  sendMessage: {
    attempt: ({ conversationId }) => ({ body: { conversationId, content: 'let me in' } }),
    expected: insiders(201),
  },
  // Refused in every role before any request is sent: no page is reachable by everyone from a test.
  createLinkPreview: { attempt: () => ({ body: { url: 'http://127.0.0.1/' } }), expected: all(422) },
  editMessage: {
    attempt: async (cast) => ({ id: await ownMessage(cast), body: { content: 'changed' } }),
    expected: { ...ownerOnly(200), member: 403 },
  },
  deleteMessage: {
    attempt: async (cast) => ({ id: await ownMessage(cast) }),
    expected: { ...ownerOnly(200), member: 403 },
  },
  updateConversation: {
    attempt: (cast) => ({ ...inConversation(cast), body: { disappearingSeconds: null } }),
    expected: insiders(200),
    shows: { member: seesConversation },
  },
  updateConversationSettings: {
    attempt: (cast) => ({ ...inConversation(cast), body: { markedUnread: false } }),
    expected: insiders(200),
  },
  hideMessage: { attempt: async (cast) => ({ id: await ownMessage(cast) }), expected: insiders(200) },
  hideMessages: { attempt: ownPlace, expected: insiders(200) },
  hideConversation: { attempt: ownPlace, expected: insiders(200) },
  listPinned: { attempt: inConversation, expected: insiders(200) },
  setReaction: {
    attempt: async (cast) => ({ id: await ownMessage(cast), body: { emoji: '👍' } }),
    expected: insiders(200),
  },
  removeReaction: { attempt: async (cast) => ({ id: await ownMessage(cast) }), expected: insiders(200) },
  pinMessage: {
    attempt: async (cast) => {
      // The number of pinned messages is limited.
      const { body } = await cast.owner.api.get(`/api/conversations/${cast.conversationId}/pinned`);
      for (const { id } of body as { id: string }[]) await cast.owner.api.delete(`/api/messages/${id}/pin`);
      return { id: await ownMessage(cast) };
    },
    expected: insiders(200),
  },
  unpinMessage: { attempt: async (cast) => ({ id: await ownMessage(cast) }), expected: insiders(200) },
  starMessage: { attempt: async (cast) => ({ id: await ownMessage(cast) }), expected: insiders(204) },
  unstarMessage: { attempt: async (cast) => ({ id: await ownMessage(cast) }), expected: insiders(204) },
  listStarred: { attempt: nothing, expected: all(200) },
  moveCursor: {
    attempt: (cast) => ({ ...inConversation(cast), body: { deliveredSeq: 1 } }),
    expected: insiders(200),
  },
  // The answer omits conversations of others.
  moveCursors: {
    attempt: ({ conversationId }) => ({ body: { cursors: [{ conversationId, deliveredSeq: 1 }] } }),
    expected: all(200),
  },

  createUpload: { attempt: nothing, expected: all(200) },
  writeUpload: {
    // The owner's upload, with an invalid signature.
    attempt: ({ uploads }) => ({
      id: uploads.empty.split('/').at(-1) ?? '',
      query: { signature: 'A'.repeat(43) },
      body: tinyPng,
      headers: { 'content-type': 'application/octet-stream' },
    }),
    expected: all(404),
  },
  setProfileImage: {
    attempt: ({ uploads }) => ({ body: { profileImageURL: uploads.full } }),
    expected: ownerOnly(200),
  },
  removeProfileImage: { attempt: nothing, expected: all(204), byNewcomer: true },
  /** Available to users who switched it on, which none of them has. */
  getTranscription: { attempt: nothing, expected: all(200) },
  transcribeVoice: {
    attempt: () => {
      const body = new FormData();
      body.set('audio', new Blob(['no sound']), 'voice.webm');
      return { body };
    },
    expected: all(403),
  },
  // Anyone can be reported if their id is known, but not by themselves. Reporters get no data.
  createReport: {
    attempt: ({ owner }) => ({
      body: { kind: 'person', targetId: owner.id, reportedId: owner.id, category: 'spam' },
    }),
    expected: { stranger: 201, neighbour: 201, removed: 201, blocked: 201, coHost: 201, member: 201, owner: 400 },
  },

  readObject: {
    attempt: async ({ owner }) => {
      const { profileImageUrl } = (await owner.api.get('/api/auth/user')).body as { profileImageUrl: string };
      return { id: profileImageUrl.split('/').at(-1) ?? '' };
    },
    expected: all(200),
  },

  readSignedObject: {
    // The owner's picture, with an invalid signature.
    attempt: async ({ owner }) => {
      const { profileImageUrl } = (await owner.api.get('/api/auth/user')).body as { profileImageUrl: string };
      return {
        id: profileImageUrl.split('/').at(-1) ?? '',
        query: { expires: '99999999999999', signature: 'A'.repeat(43) },
      };
    },
    expected: all(404),
  },

  ...fileExpectations,
  ...groupExpectations,
  ...meetingExpectations,
  ...statusExpectations,
  ...socialExpectations,
  ...adminExpectations,
  ...billingExpectations,
  ...keyExpectations,
  ...webhookExpectations,
  ...pushExpectations,

  getConfig: { attempt: nothing, expected: all(200) },
  getBarredHosts: { attempt: nothing, expected: all(200) },
  getOpenApi: { attempt: nothing, expected: all(200) },
  getHealth: { attempt: nothing, expected: all(200) },
};

import { randomUUID } from 'node:crypto';
import { fail } from '@nolo/kit/errors';
import { newId } from '@nolo/kit/ids';
import { IdentityServiceService, type Device } from '@nolo/proto/identity';
import type { Self } from '@nolo/proto/profile';
import type { Contact, User } from '@nolo/proto/people';
import { fakeService } from './fakeService.ts';

interface Account {
  self: Self;
  contacts: Contact[];
  blocked: Set<string>;
}

interface LiveSession {
  id: string;
  token: string;
  userId: string;
  method: string;
  idToken: string;
}

/** identity as far as the gateway can tell, without a database: what is under test here is the gateway alone. */
export function memoryIdentity() {
  const accounts = new Map<string, Account>();
  const sessions = new Map<string, LiveSession>();
  const byPhone = new Map<string, string>();
  const byProvider = new Map<string, string>();
  const connectionReports: { userId: string; connected: boolean }[] = [];
  /** Who asked for codes. */
  const devices: (Device | undefined)[] = [];
  /** While set, looking anyone up fails with `error`, and ending a session with `ending`. */
  const outage: { error?: Error | undefined; ending?: Error | undefined } = {};
  const now = () => new Date();

  const account = (id: string): Account => {
    const found = accounts.get(id);
    if (!found) throw fail('not_found', 'user_not_found', 'This person was not found.');
    return found;
  };
  const createAccount = (given: Partial<Self>): Self => {
    const self: Self = {
      id: newId(),
      firstName: '',
      lastName: '',
      statusMessage: '',
      presenceStatus: 'online',
      presenceVisibility: 'everyone',
      discoverable: true,
      pictureVisibility: 'everyone',
      messagesFrom: 'everyone',
      callsFrom: 'contacts',
      groupsFrom: 'contacts',
      lastSeenVisibility: 'contacts',
      transcribeVoiceNotes: false,
      providerIssuers: [],
      preferences: [],
      createdAt: now(),
      updatedAt: now(),
      ...given,
    };
    accounts.set(self.id, { self, contacts: [], blocked: new Set() });
    return self;
  };
  const beginSession = (userId: string, method: string, idToken = '') => {
    const session = { id: randomUUID(), token: randomUUID().replaceAll('-', ''), userId, method, idToken };
    sessions.set(session.id, session);
    return {
      token: session.token,
      sessionId: session.id,
      expiresAt: new Date(Date.now() + 86_400_000),
      self: account(userId).self,
      created: false,
    };
  };
  const linked = (self: Self) => ({ expiresAt: undefined, self, created: false });
  const proofs: string[] = [];
  const proven = (sessionId: string, owner: string | undefined) => {
    const userId = sessions.get(sessionId)?.userId;
    if (userId === undefined || owner !== userId) throw fail('forbidden', 'proof_mismatch', 'Not yours.');
    proofs.push(sessionId);
    return linked(account(userId).self);
  };
  const asUser = (viewerId: string, self: Self): User => ({
    id: self.id,
    firstName: self.firstName,
    lastName: self.lastName,
    displayName: '',
    profileImageUrl: self.profileImageUrl,
    statusMessage: self.statusMessage,
    presenceStatus: self.presenceStatus,
    isContact: accounts.get(viewerId)?.contacts.some((contact) => contact.userId === self.id) ?? false,
    isBlocked: accounts.get(viewerId)?.blocked.has(self.id) ?? false,
    callsFrom: self.callsFrom,
    groupsFrom: self.groupsFrom,
    knowsViewer: accounts.get(self.id)?.contacts.some((contact) => contact.userId === viewerId) ?? false,
  });

  const service = fakeService(IdentityServiceService, {
    async sendCode({ phoneNumber, device }) {
      devices.push(device);
      if (!/^\+\d{6,15}$/.test(phoneNumber.replaceAll(' ', ''))) {
        throw fail('invalid', 'phone_number_invalid', 'Please enter a valid phone number');
      }
      return { validSeconds: 600, phoneNumber: phoneNumber.replaceAll(' ', '') };
    },
    async verifyCode({ phoneNumber, code, linkToUserId, proveSessionId }) {
      if (code !== '424242') throw fail('invalid', 'code_wrong', 'The code is wrong.');
      if (proveSessionId !== undefined) return proven(proveSessionId, byPhone.get(phoneNumber));
      const owner = byPhone.get(phoneNumber);
      if (linkToUserId) {
        if (owner !== undefined && owner !== linkToUserId) throw fail('conflict', 'phone_taken', 'Taken.');
        byPhone.set(phoneNumber, linkToUserId);
        const { self } = account(linkToUserId);
        self.phoneNumber = phoneNumber;
        return linked(self);
      }
      const userId = owner ?? createAccount({ phoneNumber }).id;
      byPhone.set(phoneNumber, userId);
      return beginSession(userId, 'phone');
    },
    async signInWithProvider(request) {
      const { issuer, subject, email, givenName, familyName, idToken, linkToUserId, proveSessionId } = request;
      const key = `${issuer} ${subject}`;
      const owner = byProvider.get(key);
      if (proveSessionId !== undefined) return proven(proveSessionId, owner);
      if (linkToUserId) {
        if (owner !== undefined && owner !== linkToUserId) throw fail('conflict', 'provider_taken', 'Taken.');
        byProvider.set(key, linkToUserId);
        const { self } = account(linkToUserId);
        self.providerIssuers = [issuer];
        return linked(self);
      }
      const userId =
        owner ?? createAccount({ email, firstName: givenName, lastName: familyName, providerIssuers: [issuer] }).id;
      byProvider.set(key, userId);
      return beginSession(userId, 'provider', idToken);
    },
    async authenticateSession({ token }) {
      if (outage.error) throw outage.error;
      const found = [...sessions.values()].find((session) => session.token === token);
      if (!found) throw fail('unauthenticated', 'session_invalid', 'This session has ended.');
      return { sessionId: found.id, userId: found.userId, expiresAt: new Date(Date.now() + 3_600_000) };
    },
    async endSession({ actorId, sessionId }) {
      if (outage.ending) throw outage.ending;
      const found = sessions.get(sessionId);
      if (found?.userId !== actorId) throw fail('not_found', 'session_not_found', 'This session has ended.');
      sessions.delete(sessionId);
      return { idTokenHint: found.idToken };
    },
    async listSessions({ actorId }) {
      return {
        sessions: [...sessions.values()]
          .filter(({ userId }) => userId === actorId)
          .map(({ id, method }) => ({ id, method, userAgent: 'test', createdAt: now(), lastUsedAt: now() })),
      };
    },
    getSelf: async ({ actorId }) => account(actorId).self,
    async updateProfile({ actorId, firstName, lastName, statusMessage, presenceStatus, ...reading }) {
      const { self } = account(actorId);
      if (firstName !== undefined) self.firstName = firstName;
      if (lastName !== undefined) self.lastName = lastName;
      if (statusMessage !== undefined) self.statusMessage = statusMessage;
      if (presenceStatus !== undefined) self.presenceStatus = presenceStatus;
      if (reading.language !== undefined) Object.assign(self, reading);
      return self;
    },
    async setProfileImage({ actorId, objectPath }) {
      const { self } = account(actorId);
      self.profileImageUrl = objectPath;
      return self;
    },
    async getUsers({ actorId, userIds }) {
      if (outage.error) throw outage.error;
      return {
        users: userIds.flatMap((id) => {
          const found = accounts.get(id);
          return found ? [asUser(actorId, found.self)] : [];
        }),
      };
    },
    async addContact({ actorId, phoneNumber, userId, displayName }) {
      const contact: Contact = {
        id: newId(),
        userId: userId || byPhone.get(phoneNumber ?? ''),
        displayName: displayName || phoneNumber || 'someone',
        phoneNumber,
        presenceStatus: 'offline',
        statusMessage: '',
        isBlocked: false,
        createdAt: now(),
      };
      account(actorId).contacts.push(contact);
      return contact;
    },
    async setBlocked({ actorId, userId, blocked }) {
      account(userId);
      if (blocked) account(actorId).blocked.add(userId);
      else account(actorId).blocked.delete(userId);
      return {};
    },
    async reportConnection(report) {
      connectionReports.push(report);
      return {};
    },
  });

  return { service, sessions, accounts, connectionReports, devices, outage, proofs };
}

import { randomUUID } from 'node:crypto';
import { createAppError } from '@nolo/kit/errors';
import { newId } from '@nolo/kit/ids';
import { IdentityServiceDefinition, type Device } from '@nolo/proto/identity';
import type { Self } from '@nolo/proto/profile';
import type { Contact } from '@nolo/proto/people';
import { aContact, aSelf, aUser } from '@nolo/testing/protos';
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

/** Fakes identity for the gateway, without a database. Only the gateway is under test. */
export function memoryIdentity() {
  const accounts = new Map<string, Account>();
  const sessions = new Map<string, LiveSession>();
  const byPhone = new Map<string, string>();
  const byProvider = new Map<string, string>();
  const connectionReports: { userId: string; connected: boolean }[] = [];
  /** Devices that requested codes. */
  const devices: (Device | undefined)[] = [];
  /** Simulated outages: while set, user lookups fail with `error`, and ending a session fails with `ending`. */
  const outage: { error?: Error | undefined; ending?: Error | undefined } = {};

  const account = (id: string): Account => {
    const found = accounts.get(id);
    if (!found) throw createAppError('not_found', 'user_not_found', 'User not found.');
    return found;
  };
  const createAccount = (given: Partial<Self>): Self => {
    // The ID encodes when the account was created.
    const self = aSelf({ id: newId(), ...given });
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
    if (userId === undefined || owner !== userId) throw createAppError('forbidden', 'proof_mismatch', 'Not yours.');
    proofs.push(sessionId);
    return linked(account(userId).self);
  };
  const asUser = (viewerId: string, { id, firstName, lastName, presenceStatus, callsFrom, groupsFrom }: Self) => {
    const [viewer, other] = [accounts.get(viewerId), accounts.get(id)];
    const isContact = viewer?.contacts.some(({ userId }) => userId === id) ?? false;
    const isBlocked = viewer?.blocked.has(id) ?? false;
    const knowsViewer = other?.contacts.some(({ userId }) => userId === viewerId) ?? false;
    const shown = { id, firstName, lastName, presenceStatus, callsFrom, groupsFrom };
    return aUser({ ...shown, isContact, isBlocked, knowsViewer });
  };

  const service = fakeService(IdentityServiceDefinition, {
    async sendCode({ phoneNumber, device }) {
      devices.push(device);
      return { validSeconds: 600, phoneNumber };
    },
    async verifyCode({ phoneNumber, linkToUserId }) {
      const owner = byPhone.get(phoneNumber);
      if (linkToUserId) {
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
        if (owner !== undefined && owner !== linkToUserId) throw createAppError('conflict', 'provider_taken', 'Taken.');
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
      if (!found) throw createAppError('unauthenticated', 'session_invalid', 'This session has ended.');
      return { sessionId: found.id, userId: found.userId, expiresAt: new Date(Date.now() + 3_600_000) };
    },
    async endSession({ actorId, sessionId }) {
      if (outage.ending) throw outage.ending;
      const found = sessions.get(sessionId);
      if (found?.userId !== actorId) throw createAppError('not_found', 'session_not_found', 'This session has ended.');
      sessions.delete(sessionId);
      return { idTokenHint: found.idToken };
    },
    getSelf: async ({ actorId }) => account(actorId).self,
    async updateProfile({ actorId, ...profileChanges }) {
      const given = Object.entries(profileChanges).filter(([, value]) => value !== undefined);
      return Object.assign(account(actorId).self, Object.fromEntries(given));
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
      const contact = aContact({ userId, phoneNumber, displayName: displayName ?? '' });
      account(actorId).contacts.push(contact);
      return contact;
    },
    async setBlocked({ actorId, userId, blocked }) {
      if (blocked) account(actorId).blocked.add(userId);
      return {};
    },
    async reportConnection(report) {
      connectionReports.push(report);
      return {};
    },
  });

  return { service, sessions, accounts, connectionReports, devices, outage, proofs };
}

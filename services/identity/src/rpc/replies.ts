import type { SignInReply } from '@nolo/proto/identity';
import type { Self } from '@nolo/proto/profile';
import type { Contact, User } from '@nolo/proto/people';
import type { Identity as IdentityReply } from '@nolo/proto/security';
import { pickPrivacyChoices } from '@nolo/rules';
import type { Account, StoredContact } from '../domain/ports.ts';
import type { PersonView } from '../domain/personViews.ts';
import { hiddenPresence } from '../domain/presence.ts';
import { toReaderLocale } from '../domain/readers.ts';
import type { AccountIdentity } from '../domain/securityPorts.ts';

export function toSelf(account: Account): Self {
  return {
    id: account.id,
    email: account.email ?? undefined,
    phoneNumber: account.phoneNumber ?? undefined,
    username: account.username ?? undefined,
    firstName: account.firstName,
    lastName: account.lastName,
    profileImageUrl: account.profileImagePath || undefined,
    statusMessage: account.statusMessage,
    presenceStatus: account.presenceStatus,
    ...pickPrivacyChoices('identity', account),
    language: account.language ?? undefined,
    deviceLanguage: account.deviceLanguage ?? undefined,
    timeZone: account.timeZone ?? undefined,
    writtenLanguage: toReaderLocale(account).language,
    providerIssuers: account.providerIssuers,
    operator: account.operator,
    createdAt: account.createdAt,
    updatedAt: account.updatedAt,
    deletesAt: account.deletesAt ?? undefined,
    preferences: account.preferences,
  };
}

export function toUser(person: PersonView): User {
  return {
    id: person.id,
    firstName: person.firstName,
    lastName: person.lastName,
    displayName: person.displayName,
    profileImageUrl: person.profileImagePath || undefined,
    statusMessage: person.statusMessage,
    presenceStatus: person.presenceStatus,
    isContact: person.isContact,
    isBlocked: person.isBlocked,
    callsFrom: person.callsFrom,
    groupsFrom: person.groupsFrom,
    lastSeenAt: person.lastSeenAt,
    knowsViewer: person.knowsViewer,
  };
}

/** @param person the account behind the contact, as its owner may see it */
export function toContact(contact: StoredContact, person: PersonView | undefined): Contact {
  const { presenceStatus, statusMessage, lastSeenAt } = person ?? hiddenPresence;
  return {
    id: contact.id,
    userId: contact.userId ?? undefined,
    displayName: contact.displayName,
    phoneNumber: contact.phoneNumber ?? undefined,
    profileImageUrl: person?.profileImagePath || undefined,
    presenceStatus,
    statusMessage,
    isBlocked: person?.isBlocked ?? false,
    createdAt: contact.createdAt,
    lastSeenAt,
  };
}

export function toIdentity(one: AccountIdentity): IdentityReply {
  return {
    id: one.id,
    phoneNumber: one.phoneNumber ?? undefined,
    issuer: one.issuer ?? undefined,
    email: one.email ?? undefined,
    addedAt: one.addedAt,
    addedBy: one.addedBy ?? undefined,
    name: one.name ?? undefined,
    lastUsedAt: one.lastUsedAt ?? undefined,
    synced: one.synced ?? undefined,
    credentialId: one.credentialId ?? undefined,
  };
}

/** Builds the reply for a linked sign-in method, which starts no session. */
export function toLinkedSignInReply(account: Account): SignInReply {
  return { expiresAt: undefined, self: toSelf(account), created: false };
}

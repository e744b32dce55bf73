import { sessionMethod, type Contact, type Self, type Session, type User } from '@nolo/api';
import type { Self as SelfRow } from '@nolo/proto/profile';
import type { Session as SessionRow } from '@nolo/proto/sessions';
import type { Contact as ContactRow, User as UserRow } from '@nolo/proto/people';
import {
  formatFullName,
  languageChoices,
  listPrivacyChoices,
  pickPrivacyChoices,
  presenceStatuses,
  privacyChoices,
  privacyOptionsOf,
  supportedLanguages,
  type PresenceStatus,
  type PrivacyChoiceOf,
  type PrivacySettingsOf,
} from '@nolo/rules';
import { toPreferences } from './preferences.ts';

/** Formats a time. Times that the contract promises are always present; the epoch marks a missing one. */
export function toIsoTime(time: Date | undefined): string {
  return (time ?? new Date(0)).toISOString();
}

/** Values absent between services are null in the API (docs/adr/0022). Empty strings also count as absent. */
export function emptyToNull(text: string | undefined): string | null {
  return text || null;
}

function presence(value: string): PresenceStatus {
  return presenceStatuses.find((known) => known === value) ?? 'offline';
}

/** Maps the choices of identity. An absent one has its default; an unknown option counts as the strictest. */
function toPrivacyChoices(row: SelfRow) {
  const choices = listPrivacyChoices('identity').map((name) => {
    const value = row[name] ?? privacyChoices[name].default;
    const options = privacyOptionsOf(name);
    return [name, options ? (options.find((known) => known === value) ?? options.at(-1)) : value] as const;
  });
  return Object.fromEntries(choices) as PrivacySettingsOf<'identity'>;
}

export function toUser(row: UserRow): User {
  const presenceStatus = presence(row.presenceStatus);
  return {
    id: row.id,
    firstName: row.firstName,
    lastName: row.lastName,
    displayName: row.displayName === '' ? formatFullName(row.firstName, row.lastName) : row.displayName,
    profileImageUrl: emptyToNull(row.profileImageUrl),
    statusMessage: row.statusMessage,
    presenceStatus,
    isOnline: presenceStatus !== 'offline',
    isContact: row.isContact,
    isBlocked: row.isBlocked,
    ...(row.lastSeenAt && { lastSeenAt: toIsoTime(row.lastSeenAt) }),
  };
}

/** Maps the user's own account, which combines data of three services and the current session. */
export function toSelf(
  row: SelfRow,
  kept: Pick<Self, PrivacyChoiceOf<'chat' | 'meetings'> | 'keepArchived'>,
  sessionId: string,
): Self {
  return {
    id: row.id,
    email: emptyToNull(row.email),
    phoneNumber: emptyToNull(row.phoneNumber),
    username: emptyToNull(row.username),
    firstName: row.firstName,
    lastName: row.lastName,
    displayName: formatFullName(row.firstName, row.lastName),
    profileImageUrl: emptyToNull(row.profileImageUrl),
    statusMessage: row.statusMessage,
    presenceStatus: presence(row.presenceStatus),
    ...toPrivacyChoices(row),
    ...pickPrivacyChoices('chat', kept),
    ...pickPrivacyChoices('meetings', kept),
    keepArchived: kept.keepArchived,
    language: languageChoices.find((known) => known === row.language) ?? null,
    deviceLanguage: supportedLanguages.find((known) => known === row.deviceLanguage) ?? null,
    timeZone: emptyToNull(row.timeZone),
    ...(row.operator && { operator: true as const }),
    providerIssuers: row.providerIssuers,
    profileComplete: row.firstName !== '',
    sessionId,
    createdAt: toIsoTime(row.createdAt),
    updatedAt: toIsoTime(row.updatedAt),
    preferences: toPreferences(row.preferences),
    ...(row.deletesAt && { deletesAt: toIsoTime(row.deletesAt) }),
  };
}

/** Location of a device. */
export const toPlace = ({ country, city }: { country?: string | undefined; city?: string | undefined }) =>
  country === undefined ? null : { country, ...(city !== undefined && { city }) };

export function toSession(row: SessionRow, currentId: string): Session {
  return {
    id: row.id,
    userAgent: row.userAgent,
    method: sessionMethod.safeParse(row.method).data ?? 'phone',
    createdAt: toIsoTime(row.createdAt),
    lastUsedAt: toIsoTime(row.lastUsedAt),
    network: emptyToNull(row.network),
    place: toPlace(row),
    current: row.id === currentId,
  };
}

/**
 * Maps a contact. `publicUrl` is the target of an invitation: a person who signs up with its number becomes the contact
 * (decision 6).
 */
export function toContact(row: ContactRow, publicUrl: string): Contact {
  return {
    id: row.id,
    userId: emptyToNull(row.userId),
    displayName: row.displayName,
    phoneNumber: emptyToNull(row.phoneNumber),
    profileImageUrl: emptyToNull(row.profileImageUrl),
    presenceStatus: presence(row.presenceStatus),
    statusMessage: row.statusMessage,
    isBlocked: row.isBlocked,
    invitationUrl: row.userId === undefined ? `${publicUrl}/` : null,
    createdAt: toIsoTime(row.createdAt),
    ...(row.lastSeenAt && { lastSeenAt: toIsoTime(row.lastSeenAt) }),
  };
}

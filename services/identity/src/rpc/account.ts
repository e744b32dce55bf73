import { parseActorId, isId, parseId, type SessionId, type UserId } from '@nolo/kit/ids';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { IdentityServiceDefinition } from '@nolo/proto/identity';
import type { Self, UpdatePrivacyRequest } from '@nolo/proto/profile';
import {
  isTimeZone,
  type LanguageChoice,
  languageChoices,
  limits,
  listPrivacyChoices,
  type NameRule,
  cleanNameWithin,
  type PresenceStatus,
  presenceStatuses,
  type PrivacySettingsOf,
  privacyOptionsOf,
} from '@nolo/rules';
import type { Account, AccountChanges } from '../domain/ports.ts';
import { truncateNetwork } from '../domain/sessions.ts';
import { createIdentityError } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { proofRequired, readRequestingSession, sessionInvalid } from './proofErrors.ts';
import { toSelf } from './replies.ts';
import { readDeviceLanguage, userNotFound } from './requests.ts';

/** Stores changes to the actor's own account and notifies the actor's other devices. */
async function changeAccount(
  { accounts, clock, frames }: Dependencies,
  actor: UserId,
  changes: AccountChanges,
): Promise<Self> {
  const account = await accounts.change(actor, changes, clock.now());
  if (!account) throw userNotFound();
  await frames.send([actor], { type: 'self_changed', data: {} });
  return toSelf(account);
}

export function getSelf({
  accounts,
  placeOf,
  sessions,
}: Dependencies): RpcHandler<typeof IdentityServiceDefinition.methods.getSelf> {
  return async (request, context) => {
    const actor = parseActorId(request.actorId);
    const network = truncateNetwork(request.address ?? '');
    const sessionId = parseId<SessionId>(request.sessionId);
    if (network !== undefined && sessionId) {
      // Runs asynchronously, so the account response does not wait for it.
      const place = placeOf(request.address ?? '');
      sessions.recordNetwork(actor, sessionId, { network, place }).catch((error: unknown) => {
        context.log.warn({ err: error }, 'where a session was opened from was not noted');
      });
    }
    const account = await accounts.find(actor);
    if (!account) throw userNotFound();
    return toSelf(account);
  };
}

const firstNameRule: NameRule = { min: 1, max: limits.nameLength };
const lastNameRule: NameRule = { min: 0, max: limits.nameLength };
const statusRule: NameRule = { min: 0, max: limits.statusMessageLength };

function readText(field: string, label: string, value: string | undefined, rule: NameRule): string | undefined {
  if (value === undefined) return undefined;
  const text = cleanNameWithin(value, rule);
  if (text !== undefined) return text;
  const range = rule.min === 0 ? `at most ${rule.max}` : `${rule.min} to ${rule.max}`;
  throw createIdentityError('invalid', 'profile_invalid', `${label} must have ${range} characters.`, {
    field,
  });
}

function readStatus(value: string | undefined): PresenceStatus | undefined {
  const status = presenceStatuses.find((known) => known === value);
  if (value === undefined || status) return status;
  throw createIdentityError('invalid', 'profile_invalid', 'Unknown presence status.', { field: 'presenceStatus' });
}

function readLanguage(value: string | undefined): LanguageChoice | undefined {
  const choice = languageChoices.find((known) => known === value);
  if (value === undefined || choice) return choice;
  throw createIdentityError('invalid', 'profile_invalid', 'Unknown language.', { field: 'language' });
}

function readTimeZone(value: string | undefined): string | undefined {
  if (value === undefined || (value.length <= 64 && isTimeZone(value))) return value;
  throw createIdentityError('invalid', 'profile_invalid', 'Unknown time zone.', { field: 'timeZone' });
}

/** Returns the changes that differ from the current values. */
function pick(requestedChanges: AccountChanges, before: Account): AccountChanges {
  const differs = ([field, value]: [string, unknown]) =>
    value !== undefined && value !== before[field as keyof Account];
  return Object.fromEntries(Object.entries(requestedChanges).filter(differs));
}

export function updateProfile(
  dependencies: Dependencies,
): RpcHandler<typeof IdentityServiceDefinition.methods.updateProfile> {
  return async (request, context) => {
    const actor = parseActorId(request.actorId);
    const requestedChanges = {
      firstName: readText('firstName', 'The first name', request.firstName, firstNameRule),
      lastName: readText('lastName', 'The last name', request.lastName, lastNameRule),
      statusMessage: readText('statusMessage', 'The status message', request.statusMessage, statusRule),
      presenceStatus: readStatus(request.presenceStatus),
      language: readLanguage(request.language),
      // Clients report it with any change, but it is stored only together with the language preference.
      deviceLanguage: request.language === undefined ? undefined : readDeviceLanguage(request.deviceLanguage),
      timeZone: readTimeZone(request.timeZone),
    };
    const before = await dependencies.accounts.find(actor);
    if (!before) throw userNotFound();
    // Unchanged accounts cause no notifications.
    const changes = pick(requestedChanges, before);
    if (Object.keys(changes).length === 0) return toSelf(before);
    const self = await changeAccount(dependencies, actor, changes);
    if (changes.statusMessage !== undefined || changes.presenceStatus !== undefined) {
      // The change is already stored. Watchers who cannot be notified see it the next time they look.
      await dependencies.presenceBroadcaster.changed(actor).catch((error: unknown) => {
        context.log.warn({ err: error }, 'broadcasting a presence change failed');
      });
    }
    return self;
  };
}

/** Accepts our own objects only. An external address would tell its owner who views the profile. */
function isObjectPath(path: string): boolean {
  return path.startsWith('/objects/') && isId(path.slice('/objects/'.length));
}

export function setProfileImage(
  dependencies: Dependencies,
): RpcHandler<typeof IdentityServiceDefinition.methods.setProfileImage> {
  return async (request) => {
    const actor = parseActorId(request.actorId);
    const { objectPath } = request;
    if (objectPath && !isObjectPath(objectPath)) {
      throw createIdentityError('invalid', 'profile_invalid', 'This picture does not exist.', {
        field: 'profileImageUrl',
      });
    }
    return changeAccount(dependencies, actor, { profileImagePath: objectPath ?? '' });
  };
}

function readPrivacyChoices(request: UpdatePrivacyRequest): Partial<PrivacySettingsOf<'identity'>> {
  const choices = listPrivacyChoices('identity').map((field) => {
    const value = request[field];
    const options = privacyOptionsOf(field);
    if (value !== undefined && options && !options.some((option) => option === value)) {
      throw createIdentityError('invalid', 'profile_invalid', 'Unknown visibility.', { field });
    }
    return [field, value];
  });
  return Object.fromEntries(choices);
}

export function updatePrivacy(
  dependencies: Dependencies,
): RpcHandler<typeof IdentityServiceDefinition.methods.updatePrivacy> {
  return async (request, context) => {
    const actor = parseActorId(request.actorId);
    const changes = readPrivacyChoices(request);
    const self = await changeAccount(dependencies, actor, changes);
    const { presenceVisibility, lastSeenVisibility } = changes;
    // Data that nobody may see is not stored.
    if (lastSeenVisibility === 'nobody') await dependencies.lastSeen.forget(actor);
    if (presenceVisibility !== undefined || lastSeenVisibility !== undefined) {
      // People who may no longer see it still have the old presence on screen.
      await dependencies.presenceBroadcaster.presence(actor, { includeHidden: true }).catch((error: unknown) => {
        context.log.warn({ err: error }, 'broadcasting a visibility change failed');
      });
    }
    return self;
  };
}

export function exportAccount({
  accounts,
  clock,
  proofs,
}: Dependencies): RpcHandler<typeof IdentityServiceDefinition.methods.exportAccount> {
  return async (request) => {
    const requester = readRequestingSession(request);
    if (!(await proofs.isProven(requester, clock.now()))) throw proofRequired();
    const data = await accounts.export(requester.userId);
    if (!data) throw userNotFound();
    return { json: JSON.stringify({ exportedAt: clock.now(), ...data }) };
  };
}

export function deleteAccount({
  accounts,
  clock,
  sessionCache,
}: Dependencies): RpcHandler<typeof IdentityServiceDefinition.methods.deleteAccount> {
  return async (request) => {
    const closed = await accounts.close(readRequestingSession(request), clock.now());
    if (closed.outcome !== 'closed') throw closed.outcome === 'missing' ? userNotFound() : proofRequired();
    if (closed.tokenHashes.length > 0) await sessionCache.forget(closed.tokenHashes);
    return { idTokenHint: closed.idTokenHint };
  };
}

export function keepAccount({
  accounts,
  clock,
  closures,
}: Dependencies): RpcHandler<typeof IdentityServiceDefinition.methods.keepAccount> {
  return async ({ actorId = '', sessionId = '' }) => {
    const requester = readRequestingSession({ actorId, sessionId });
    if (!(await closures.keep(requester, clock.now()))) throw sessionInvalid();
    const account = await accounts.find(requester.userId);
    if (!account) throw userNotFound();
    return toSelf(account);
  };
}

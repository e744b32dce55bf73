import type { RpcContext } from '@nolo/kit/rpc';
import type { Self, UpdateProfileRequest } from '@nolo/proto/identity';
import { limits, presenceStatuses, type PresenceStatus } from '@nolo/rules';
import { cleanText, type TextRule } from '../domain/names.ts';
import { failIdentity } from '../errors.ts';
import type { Account, AccountChanges } from '../domain/ports.ts';
import { changeAccount } from './changeAccount.ts';
import { toSelf } from './replies.ts';
import type { RpcDeps } from './deps.ts';
import { readUserId, userNotFound } from './requests.ts';

const firstNameRule: TextRule = { min: 1, max: limits.nameLength };
const lastNameRule: TextRule = { min: 0, max: limits.nameLength };
const statusRule: TextRule = { min: 0, max: limits.statusMessageLength };

function readText(field: string, label: string, value: string | undefined, rule: TextRule): string | undefined {
  if (value === undefined) return undefined;
  const text = cleanText(value, rule);
  if (text !== undefined) return text;
  const range = rule.min === 0 ? `at most ${rule.max}` : `${rule.min} to ${rule.max}`;
  throw failIdentity(
    'invalid',
    'profile_invalid',
    `${label} must have ${range} characters, without control characters.`,
    {
      field,
    },
  );
}

function readStatus(value: string | undefined): PresenceStatus | undefined {
  const status = presenceStatuses.find((known) => known === value);
  if (value === undefined || status) return status;
  throw failIdentity('invalid', 'profile_invalid', 'This presence does not exist.', { field: 'presenceStatus' });
}

/** Those of the changes that make a difference. */
function pick(asked: AccountChanges, before: Account): AccountChanges {
  const differs = ([field, value]: [string, unknown]) =>
    value !== undefined && value !== before[field as keyof Account];
  return Object.fromEntries(Object.entries(asked).filter(differs));
}

export function updateProfile(deps: Pick<RpcDeps, 'accounts' | 'announcements' | 'clock' | 'frames'>) {
  return async (request: UpdateProfileRequest, context: RpcContext): Promise<Self> => {
    const actor = readUserId(request.actorId);
    const asked = {
      firstName: readText('firstName', 'The first name', request.firstName, firstNameRule),
      lastName: readText('lastName', 'The last name', request.lastName, lastNameRule),
      statusMessage: readText('statusMessage', 'The status message', request.statusMessage, statusRule),
      presenceStatus: readStatus(request.presenceStatus),
    };
    const before = await deps.accounts.find(actor);
    if (!before) throw userNotFound();
    // Where nothing changes, nobody is told anything.
    const changes = pick(asked, before);
    if (Object.keys(changes).length === 0) return toSelf(before);
    const self = await changeAccount(deps, actor, changes);
    if (changes.statusMessage !== undefined || changes.presenceStatus !== undefined) {
      // Stored is stored: watchers who cannot be told now see it when they next look.
      await deps.announcements.changed(actor).catch((error: unknown) => {
        context.log.warn({ err: error }, 'a change of presence was not announced');
      });
    }
    return self;
  };
}

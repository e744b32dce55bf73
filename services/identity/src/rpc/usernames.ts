import { parseActorId } from '@nolo/kit/ids';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { IdentityServiceDefinition } from '@nolo/proto/identity';
import { limits, normalizeUsername } from '@nolo/rules';
import { createIdentityError } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { toSelf } from './replies.ts';
import { userNotFound } from './requests.ts';

/** @throws AppError username_invalid */
export function readUsernameOrThrow(typed: string): string {
  const username = normalizeUsername(typed);
  if (username !== undefined) return username;
  const { usernameLengthMin: min, usernameLengthMax: max } = limits;
  const message = `A username must have ${min} to ${max} letters, digits, dots and underscores, and start with a letter.`;
  throw createIdentityError('invalid', 'username_invalid', message, { field: 'username', min, max });
}

/** Sets the username. Reporting that a name is taken reveals no more than a search would. */
export function setUsername({
  accounts,
  clock,
  frames,
  usernames,
}: Dependencies): RpcHandler<typeof IdentityServiceDefinition.methods.setUsername> {
  return async (request) => {
    const actor = parseActorId(request.actorId ?? '');
    const username = request.username === undefined ? undefined : readUsernameOrThrow(request.username);
    switch (await usernames.set(actor, username, clock.now())) {
      case 'missing':
        throw userNotFound();
      case 'taken':
        throw createIdentityError('conflict', 'username_taken', 'This username or a similar one is taken.');
      case 'limit': {
        const days = limits.usernameReservedDays;
        const message = `You have changed your username too often. Old usernames stay reserved for ${days} days.`;
        throw createIdentityError('conflict', 'username_limit', message, { days });
      }
      case 'changed':
        await frames.send([actor], { type: 'self_changed', data: {} });
        break;
      case 'unchanged':
    }
    const account = await accounts.find(actor);
    if (!account) throw userNotFound();
    return toSelf(account);
  };
}

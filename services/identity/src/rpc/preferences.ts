import { parseActorId } from '@nolo/kit/ids';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { IdentityServiceDefinition } from '@nolo/proto/identity';
import type { Preference as PreferenceMessage } from '@nolo/proto/profile';
import { cutText, isValidPreference, preferenceNames } from '@nolo/rules';
import type { Preference } from '../domain/preferencePorts.ts';
import { createIdentityError } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { userNotFound } from './requests.ts';

function invalid(name: string) {
  return createIdentityError(
    'invalid',
    'preference_invalid',
    'This preference does not exist or cannot have that value.',
    {
      field: cutText(name, 40),
    },
  );
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * @param now upper bound for the time of choice, because a device whose clock is ahead would block later choices for a
 * while
 */
function readPreference({ name = '', json = '', changedAt }: PreferenceMessage, now: Date): Preference {
  if (!isValidPreference(name, parsed(json))) throw invalid(name);
  const at = changedAt?.getTime() ?? now.getTime();
  return { name, json, changedAt: new Date(Math.min(Math.max(at, 0), now.getTime())) };
}

export function updatePreferences({
  accounts,
  clock,
  frames,
  preferences,
}: Dependencies): RpcHandler<typeof IdentityServiceDefinition.methods.updatePreferences> {
  return async (request) => {
    const actor = parseActorId(request.actorId ?? '');
    const now = clock.now();
    const chosen = request.preferences.slice(0, preferenceNames.length + 1).map((one) => readPreference(one, now));
    const twice = chosen.find(({ name }, at) => chosen.findIndex((one) => one.name === name) !== at);
    if (twice) throw invalid(twice.name);
    const changed = await preferences.set(actor, chosen);
    const known = await preferences.list(actor);
    if (known.length === 0 && !(await accounts.find(actor))) throw userNotFound();
    if (changed.length > 0) {
      const data = Object.fromEntries(
        changed.map(({ name, json, changedAt }) => [name, { value: parsed(json), changedAt: changedAt.toISOString() }]),
      );
      await frames.send([actor], { type: 'preferences_changed', data: { preferences: data } });
    }
    return { preferences: known };
  };
}

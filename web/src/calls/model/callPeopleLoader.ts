import type { Call } from '@nolo/api';
import type { CallDependencies } from './callPorts.ts';

/** Loads people whom frames do not name: callers, and participants added by others. */
export function createCallPeopleLoader(
  { selfId, api }: Pick<CallDependencies, 'selfId' | 'api'>,
  onKnown: (call: Call) => void,
): (call: Call) => Promise<void> {
  /** A deleted account stays without a name, and is not queried with every frame. */
  const requestedIds = new Set<string>();
  return async (call) => {
    const unknown = call.participants
      .filter(({ user, userId }) => user === null && userId !== selfId)
      .map(({ userId }) => `${call.id} ${userId}`)
      .filter((person) => !requestedIds.has(person));
    if (unknown.length === 0) return;
    for (const person of unknown) requestedIds.add(person);
    const known = await api.get(call.id).catch(() => null);
    if (known) onKnown(known);
    else for (const person of unknown) requestedIds.delete(person);
  };
}

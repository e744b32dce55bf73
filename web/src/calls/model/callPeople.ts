import type { Call } from '@nolo/api';
import type { CallDependencies } from './callPorts.ts';

/** Frames name nobody: who calls, or was added by somebody else, is asked for. */
export function createCallPeople(
  { selfId, api }: Pick<CallDependencies, 'selfId' | 'api'>,
  onKnown: (call: Call) => void,
): (call: Call) => Promise<void> {
  /** Whose account has gone stays without a name, and is not asked for with every frame. */
  const asked = new Set<string>();
  return async (call) => {
    const unknown = call.participants
      .filter(({ user, userId }) => user === null && userId !== selfId)
      .map(({ userId }) => `${call.id} ${userId}`)
      .filter((person) => !asked.has(person));
    if (unknown.length === 0) return;
    for (const person of unknown) asked.add(person);
    const known = await api.get(call.id).catch(() => null);
    if (known) onKnown(known);
    else for (const person of unknown) asked.delete(person);
  };
}

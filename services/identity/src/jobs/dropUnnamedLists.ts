import type { Clock } from '@nolo/kit/clock';
import type { KeptListStore, NamedAccounts } from '../domain/keyPorts.ts';

/** Time after which chat is asked again about an account. */
const checkedForMs = 86_400_000;
const accountsAtOnce = 200;

/** Deletes the signed lists of deleted accounts that no conversation of somebody else names. */
export function dropUnnamedLists(deps: {
  keptLists: KeptListStore;
  namedAccounts: Pick<NamedAccounts, 'amongAll'>;
  clock: Clock;
}): () => Promise<void> {
  return async () => {
    const now = deps.clock.now();
    for (;;) {
      const due = await deps.keptLists.due(new Date(now.getTime() - checkedForMs), accountsAtOnce);
      if (due.length === 0) return;
      const named = await deps.namedAccounts.amongAll(due);
      await deps.keptLists.keep(
        due.filter((id) => named.has(id)),
        now,
      );
      await deps.keptLists.drop(due.filter((id) => !named.has(id)));
      if (due.length < accountsAtOnce) return;
    }
  };
}

import type { Log } from '@nolo/kit/log';
import type { Clock } from '@nolo/kit/clock';
import type { AccountClosureStore, SessionCache } from '../domain/ports.ts';

/** Deletes accounts whose grace period ended, one at a time. */
export function eraseClosedAccounts(deps: {
  closures: AccountClosureStore;
  sessionCache: SessionCache;
  verification: { forget(sentTo: string): Promise<void> };
  clock: Clock;
  log: Pick<Log, 'info'>;
}): () => Promise<void> {
  return async () => {
    let deleted = 0;
    for (;;) {
      const erased = await deps.closures.eraseDue(deps.clock.now());
      if (erased === undefined) break;
      if (erased === 'nothing') continue;
      await deps.sessionCache.forget(erased.tokenHashes);
      for (const sentTo of erased.codesSentTo) await deps.verification.forget(sentTo);
      deleted += 1;
    }
    if (deleted > 0) deps.log.info({ deleted }, 'accounts deleted after their grace period');
  };
}

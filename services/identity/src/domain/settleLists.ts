import type { Clock } from '@nolo/kit/clock';
import { isAppError, type ErrorKind } from '@nolo/kit/errors';
import type { UserId } from '@nolo/kit/ids';
import type { AcceptedOutcome, DeviceListStore, PendingList, VaultEpochs } from './keyPorts.ts';

/**
 * A list and the epoch of the vault that follows from it are accepted together, or not at all (docs/encryption.md,
 * section 3), but two services keep them. So the list waits, which blocks all others of the account. Whoever meets it
 * has the epoch begun and then accepts the list, or drops it if the epoch is refused. Each try has the same outcome,
 * because all that decides was stored with the list.
 */
export interface ListSettler {
  /**
   * Settles a list that waits. Undefined if somebody else did meanwhile.
   *
   * @throws AppError the refusal of its epoch; the error of `pending` if the outcome is not known yet
   */
  settle(pending: PendingList): Promise<AcceptedOutcome | undefined>;
  /** Settles the list of an account that waits, if any. Returns false if its outcome is not known yet. */
  settleOf(userId: UserId): Promise<boolean>;
}

const definiteKinds: ReadonlySet<ErrorKind> = new Set(['invalid', 'forbidden', 'not_found', 'conflict', 'too_large']);

/** Returns true if the same request would be refused again. Anything else may have taken effect, or yet do so. */
const isDefinite = (error: unknown): boolean => isAppError(error) && definiteKinds.has(error.kind);

export function createListSettler({
  deviceLists,
  vaultEpochs,
  clock,
  pendingError,
  onUnclear,
}: {
  deviceLists: Pick<DeviceListStore, 'pendingOf' | 'accept' | 'drop'>;
  vaultEpochs: VaultEpochs;
  clock: Clock;
  pendingError: () => Error;
  onUnclear: (error: unknown) => void;
}): ListSettler {
  const begin = async (pending: PendingList): Promise<void> => {
    try {
      await vaultEpochs.commit(pending);
    } catch (error) {
      if (isDefinite(error)) {
        await deviceLists.drop(pending);
        throw error;
      }
      onUnclear(error);
      throw pendingError();
    }
  };

  const settle = async (pending: PendingList): Promise<AcceptedOutcome | undefined> => {
    await begin(pending);
    return deviceLists.accept(pending, clock.now());
  };

  return {
    settle,
    async settleOf(userId) {
      const pending = await deviceLists.pendingOf(userId);
      if (!pending) return true;
      try {
        await settle(pending);
        return true;
      } catch (error) {
        if (isDefinite(error)) return true;
        return false;
      }
    },
  };
}

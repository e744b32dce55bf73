import type { Clock } from '@nolo/kit/clock';
import type { EpochStore, KeyDirectory, NackStore, VaultStore } from '../domain/epochPorts.ts';

/** Dependencies of the handlers of epochs and vaults. */
export interface EpochDependencies {
  readonly clock: Clock;
  readonly directory: KeyDirectory;
  readonly epochs: EpochStore;
  readonly nacks: NackStore;
  readonly vaults: VaultStore;
  /** Counts commits by outcome. */
  readonly onCommit: (outcome: string) => void;
  /** Counts requests for secrets, and answers. */
  readonly onNack: (event: 'sent' | 'answered') => void;
  /** Counts new rows of vaults. */
  readonly onVaultRow: () => void;
}

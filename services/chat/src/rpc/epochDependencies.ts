import type { Clock } from '@nolo/kit/clock';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { ChatServiceDefinition } from '@nolo/proto/chat';
import type { ConversationEpochStore, EpochStore, KeyDirectory, NackStore, VaultStore } from '../domain/epochPorts.ts';

/** Dependencies of the handlers of epochs and vaults. */
export interface EpochDependencies {
  readonly clock: Clock;
  readonly directory: KeyDirectory;
  readonly epochs: EpochStore;
  readonly conversationEpochs: ConversationEpochStore;
  readonly nacks: NackStore;
  readonly vaults: VaultStore;
  /** Sends the first message of an epoch. */
  readonly send: RpcHandler<typeof ChatServiceDefinition.methods.sendMessage>;
  /** Counts commits by outcome and by kind: vault, conversation, or change (with a change of members or settings). */
  readonly onCommit: (outcome: string, kind: 'vault' | 'conversation' | 'change') => void;
  /** Counts requests for secrets, and answers. */
  readonly onNack: (event: 'sent' | 'answered') => void;
  /** Counts new rows of vaults. */
  readonly onVaultRow: () => void;
}

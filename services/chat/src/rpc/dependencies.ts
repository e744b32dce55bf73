import type { Clock } from '@nolo/kit/clock';
import type { ProofGuard } from '@nolo/kit/proof';
import type { Limiter } from '@nolo/kit/rateLimit';
import type { RateLimitName } from '@nolo/rules';
import type { GroupCallStore, GroupStore, UnapprovedMessageStore } from '../domain/groupPorts.ts';
import type { InvitationStore } from '../domain/invitation.ts';
import type { AlertStore } from '../domain/alerts.ts';
import type { CheckAttachableFiles } from '../domain/checkFiles.ts';
import type {
  SendFrame,
  ConversationStore,
  FileUsageStore,
  MeetingMemberStore,
  MemberStore,
  MessageStore,
  PreferenceStore,
} from '../domain/ports.ts';
import type {
  HidingStore,
  MessageAnnotationStore,
  ConversationSettingsStore,
  DisappearingTimerStore,
} from '../domain/annotationPorts.ts';
import type { ReceiptCursorQueue } from '../domain/receiptCursorQueue.ts';
import type { SealingStore } from '../domain/seals.ts';
import type { SendQueue } from '../domain/sendQueue.ts';
import type { EpochDependencies } from './epochDependencies.ts';

/** Dependencies of the handlers; each takes the subset that it needs. */
export interface Dependencies {
  readonly clock: Clock;
  readonly alerts: AlertStore;
  readonly conversations: ConversationStore;
  readonly meetingMembers: MeetingMemberStore;
  readonly messages: MessageStore;
  readonly sealing: SealingStore;
  readonly members: MemberStore;
  readonly files: FileUsageStore;
  readonly attachable: CheckAttachableFiles;
  readonly preferences: PreferenceStore;
  readonly annotations: MessageAnnotationStore;
  readonly hiding: HidingStore;
  readonly settings: ConversationSettingsStore;
  readonly timers: DisappearingTimerStore;
  /** Current maximum size of a group, as set by operators. */
  readonly getMaxGroupMembers: () => number;
  /** Admits recently proven operators. */
  readonly admitOperator: ProofGuard;
  readonly groups: GroupStore;
  readonly groupCalls: GroupCallStore;
  readonly unapprovedMessages: UnapprovedMessageStore;
  readonly invitations: InvitationStore;
  readonly limiter: Limiter<RateLimitName>;
  readonly sendQueue: SendQueue;
  readonly cursorQueue: ReceiptCursorQueue;
  readonly sendFrame: SendFrame;
  /** Counts new messages. */
  readonly onStored: (messageType: string) => void;
  /** Counts refused messages of strangers. */
  readonly onRefusedStranger: (reason: 'request_limit' | 'messages_not_allowed') => void;
  /** Counts messages and edits that were refused because of their seal. */
  readonly onSealRefused: (code: string, reason: string) => void;
  /** Prepares epochs that go with changes of groups and timers, and counts them. */
  readonly epochs: Pick<EpochDependencies, 'directory' | 'conversationEpochs' | 'onCommit'>;
  /** Called after every commit that wrote to the outbox, so that frames are sent now instead of at the next poll. */
  readonly wake: () => void;
}

import type { Clock } from '@nolo/kit/clock';
import type { ProofGuard } from '@nolo/kit/proof';
import type { Limiter } from '@nolo/kit/rateLimit';
import type { RateLimitName } from '@nolo/rules';
import type { GroupCallStore, GroupStore, HeldStore } from '../domain/groupPorts.ts';
import type { InvitationStore } from '../domain/invitation.ts';
import type { AlertStore } from '../domain/alerts.ts';
import type { AttachableFiles } from '../domain/checkFiles.ts';
import type {
  Announce,
  ConversationStore,
  FileStore,
  MeetingMemberStore,
  MemberStore,
  MessageStore,
  PreferenceStore,
} from '../domain/ports.ts';
import type { HidingStore, MarkStore, SettingsStore, TimerStore } from '../domain/markPorts.ts';
import type { CursorQueue } from '../domain/cursorQueue.ts';
import type { SendQueue } from '../domain/sendQueue.ts';

/** What handlers stand on; each takes the part that it needs. */
export interface Dependencies {
  readonly clock: Clock;
  readonly alerts: AlertStore;
  readonly conversations: ConversationStore;
  readonly meetingMembers: MeetingMemberStore;
  readonly messages: MessageStore;
  readonly members: MemberStore;
  readonly files: FileStore;
  readonly attachable: AttachableFiles;
  readonly preferences: PreferenceStore;
  readonly marks: MarkStore;
  readonly hiding: HidingStore;
  readonly settings: SettingsStore;
  readonly timers: TimerStore;
  /** How many people a group holds at most, as operators have it now. */
  readonly mostMembers: () => number;
  /** Lets operators in who were proven a short while ago. */
  readonly admitOperator: ProofGuard;
  readonly groups: GroupStore;
  readonly groupCalls: GroupCallStore;
  readonly held: HeldStore;
  readonly invitations: InvitationStore;
  readonly limiter: Limiter<RateLimitName>;
  readonly sendQueue: SendQueue;
  readonly cursorQueue: CursorQueue;
  readonly announce: Announce;
  /** Counts new messages. */
  readonly onStored: (messageType: string) => void;
  /** Counts what strangers tried. */
  readonly onRefusedStranger: (reason: 'request_limit' | 'messages_not_allowed') => void;
  /** Called after every commit that wrote to the outbox, so that frames leave now and not at the next poll. */
  readonly wake: () => void;
}

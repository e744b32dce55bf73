import { createDeliveryService, createOutboxDispatch } from '@nolo/kit/delivery';
import { createLimiter } from '@nolo/kit/rateLimit';
import { createServiceAdminHandlers } from '@nolo/installation/serviceAdmin';
import { createOperatorGuard } from '@nolo/kit/proof';
import { bindRpcService } from '@nolo/kit/rpc';
import type { PeriodicTaskHandle } from '@nolo/kit/repeat';
import { createService, type ServiceApp, type ServiceContext, type ServiceOptions } from '@nolo/kit/service';
import { followOperatorSettings, type FollowedSettings } from '@nolo/installation/settings';
import { bindTrace } from '@nolo/kit/tracing';
import { AlertServiceDefinition } from '@nolo/proto/alerts';
import { ChatServiceDefinition } from '@nolo/proto/chat';
import { EpochServiceDefinition } from '@nolo/proto/epochs';
import { EventLogServiceDefinition } from '@nolo/proto/events';
import { GroupServiceDefinition } from '@nolo/proto/groups';
import { KeyServiceDefinition } from '@nolo/proto/keys';
import { MessageActionServiceDefinition } from '@nolo/proto/messageActions';
import { SettingServiceDefinition } from '@nolo/proto/settings';
import { SharedFileServiceDefinition } from '@nolo/proto/sharedFiles';
import { OperatorServiceDefinition } from '@nolo/proto/operators';
import { AdminServiceDefinition } from '@nolo/proto/admin';
import {
  demoRateLimits,
  limits,
  rateLimits,
  parseSettings,
  type RateLimit,
  type RateLimitName,
  type SettingValues,
} from '@nolo/rules';
import { createAttachableFilesCheck } from './attachableFiles.ts';
import type { ChatConfig } from './config.ts';
import { createReceiptCursorQueue } from './domain/receiptCursorQueue.ts';
import type { BlockStore, SendFrame } from './domain/ports.ts';
import { createSendQueue } from './domain/sendQueue.ts';
import { blockChangedSubject, onBlockChanged } from './events/onBlockChanged.ts';
import { groupCallChangedSubject, onGroupCallChanged } from './events/onGroupCallChanged.ts';
import { devicesChangedSubject, onDevicesChanged } from './events/onDevicesChanged.ts';
import { createContactEventHandlers } from './events/onContactEvents.ts';
import { onMeetingMembershipChanged, meetingMembershipChangedSubject } from './events/onMeetingMembershipChanged.ts';
import { onUserDeleted, userDeletedSubject } from './events/onUserDeleted.ts';
import { endAgedInvitations } from './jobs/endAgedInvitations.ts';
import { eraseAgedMessages } from './jobs/eraseAgedMessages.ts';
import { removeInactiveMeetingChats } from './jobs/removeInactiveMeetingChats.ts';
import { sweepExpiredMessages } from './jobs/sweepExpiredMessages.ts';
import { createKeyDirectory } from './keyDirectory.ts';
import { createChatMetrics, type ChatMetrics } from './metrics.ts';
import {
  getConversation,
  getOrCreateDirect,
  getPreferences,
  hasAccepted,
  listCallees,
  joinMeetingConversation,
  listChanges,
  listConversations,
  updatePreferences,
} from './rpc/conversations.ts';
import { countUnread, listAlerts } from './rpc/alerts.ts';
import type { Dependencies } from './rpc/dependencies.ts';
import type { EpochDependencies } from './rpc/epochDependencies.ts';
import { canReadFile, listNamedFiles } from './rpc/files.ts';
import { createEpochHandlers } from './rpc/epochHandlers.ts';
import { createGroupHandlers } from './rpc/groupHandlers.ts';
import { createMessageActionHandlers } from './rpc/messageActionHandlers.ts';
import {
  addSystemMessage,
  exportMessages,
  getMessage,
  listMessages,
  sendMessage,
  sendMessages,
} from './rpc/messages.ts';
import { deleteMessage, editMessage } from './rpc/messageChanges.ts';
import { moveCursor, moveCursors, setTyping } from './rpc/receipts.ts';
import { createAlertStore } from './store/alerts.ts';
import { createBlockStore } from './store/blocks.ts';
import { createConversationStore } from './store/conversations.ts';
import { createConversationEpochStore } from './store/conversationEpochs.ts';
import { createEpochStore } from './store/epochs.ts';
import { createFileUsageStore } from './store/fileUsages.ts';
import { createGroupCallStore } from './store/groupCalls.ts';
import { createGroupStore } from './store/groups.ts';
import { createUnapprovedMessageStore } from './store/unapprovedMessages.ts';
import { createInvitationStore } from './store/invitations.ts';
import { createIdentityReplicaStore } from './store/identityReplica.ts';
import { createHidingStore } from './store/hiding.ts';
import { createMessageAnnotationStore } from './store/annotations.ts';
import { createMeetingMemberStore } from './store/meetingMembers.ts';
import { createMemberStore } from './store/members.ts';
import { createMessageStore } from './store/messages.ts';
import { createNackStore } from './store/nacks.ts';
import { createPreferenceStore } from './store/preferences.ts';
import { createRetentionStore } from './store/retention.ts';
import { createSealingStore } from './store/sealing.ts';
import { createConversationSettingsStore } from './store/conversationSettings.ts';
import { createDisappearingTimerStore } from './store/disappearingTimers.ts';
import { createVaultStore } from './store/vaults.ts';
import { createDeliveryResolver } from './store/deliveryResolver.ts';

/** Follows the settings that operators change at run time. */
function followSettings(service: ServiceContext<ChatConfig>): FollowedSettings<SettingValues> {
  const identity = service.client(SettingServiceDefinition, service.config.IDENTITY_ADDR);
  return followOperatorSettings(service, { list: () => identity.listCurrentSettings({}), read: parseSettings });
}

interface RetentionOptions {
  installation: FollowedSettings<SettingValues>;
  wake: () => void;
  onErased: (count: number) => void;
}

/** Enforces the retention periods. */
function enforceRetention(
  service: ServiceContext<ChatConfig>,
  { installation, wake, onErased }: RetentionOptions,
): void {
  const { config, clock, db } = service;
  const retention = createRetentionStore(db);
  service.repeat(removeInactiveMeetingChats({ retention, days: config.MEETING_CHATS_KEPT_DAYS, clock }));
  const { MESSAGES_KEPT_DAYS: configured } = config;
  const days = () => {
    const kept = installation.current().messagesKeptDays ?? configured;
    // Erasure is irreversible, and an operator may have extended the retention meanwhile.
    if (kept !== undefined && !installation.isKnown()) throw new Error('The operator settings are unknown.');
    return kept || undefined;
  };
  service.repeat(eraseAgedMessages({ retention, days, clock, wake, onErased }));
}

/** Creates what epochs and vaults depend on. */
function createEpochDependencies(
  { client, clock, config, db }: ServiceContext<ChatConfig>,
  { epochCommits, nacks, vaultRows }: ChatMetrics,
  wake: () => void,
): Omit<EpochDependencies, 'send'> {
  return {
    clock,
    directory: createKeyDirectory(client(KeyServiceDefinition, config.IDENTITY_ADDR)),
    epochs: createEpochStore(db, wake),
    conversationEpochs: createConversationEpochStore(db, wake),
    nacks: createNackStore(db, wake),
    vaults: createVaultStore(db, wake),
    onCommit: (outcome, kind) => epochCommits.inc({ outcome, kind }),
    onNack: (event) => nacks.inc({ event }),
    onVaultRow: () => vaultRows.inc(),
  };
}

/** Follows the events of identity. */
function followIdentity(
  service: ServiceContext<ChatConfig>,
  dependencies: Dependencies,
  { blocks, epochs, conversationEpochs, directory }: Omit<EpochDependencies, 'send'> & { blocks: BlockStore },
): void {
  const { members, sendFrame, wake } = dependencies;
  const identity = service.client(EventLogServiceDefinition, service.config.IDENTITY_ADDR);
  service.consume('identity', identity, {
    [blockChangedSubject]: onBlockChanged({ blocks }),
    [devicesChangedSubject]: onDevicesChanged({ members, epochs: conversationEpochs, directory, sendFrame }),
    [userDeletedSubject]: onUserDeleted({ ...dependencies, blocks, epochs }),
  });
  service.consume(
    'identity',
    identity,
    createContactEventHandlers({ known: createIdentityReplicaStore(service.db), wake }),
    'identity.known',
  );
}

export function createChatApp(options: ServiceOptions<ChatConfig>): ServiceApp {
  return createService('chat', options, (service) => {
    const { config, log, clock, metrics, db, scrapeDb, redis, bus } = service;
    const delivery = createDeliveryService({ redis, bus, log });
    const { wake: wakeRelay, eventHandlers } = service.relayOutbox(
      createOutboxDispatch({ bus, delivery, resolve: createDeliveryResolver(db) }),
    );
    const tasks: { disappearing?: PeriodicTaskHandle } = {};
    /** Called after a commit that wrote to the outbox, possibly a disappearing message. */
    const wake = () => {
      wakeRelay();
      tasks.disappearing?.endQuietPeriod();
    };
    const files = service.client(SharedFileServiceDefinition, config.FILES_ADDR);
    const admitOperator = createOperatorGuard(service.client(OperatorServiceDefinition, config.IDENTITY_ADDR));

    const messages = createMessageStore(db);
    const members = createMemberStore(db);
    const preferences = createPreferenceStore(db);
    const blocks = createBlockStore(db);
    const sendFrame: SendFrame = (frame) => delivery.deliverLoosely(frame);
    const sendQueue = createSendQueue(messages.append, () => clock.now(), bindTrace);
    const annotations = createMessageAnnotationStore(db);
    const timers = createDisappearingTimerStore(db);
    const counters = createChatMetrics(metrics, {
      waiting: sendQueue.waiting,
      waitingForKeys: () => createNackStore(scrapeDb, () => undefined).countWaiting(),
      overdueSeconds: async () => {
        const now = clock.now();
        return (
          (now.getTime() - ((await createDisappearingTimerStore(scrapeDb).overdueSince(now)) ?? now).getTime()) / 1_000
        );
      },
    });
    const groups = createGroupStore(db);
    const groupCalls = createGroupCallStore(db);
    const unapprovedMessages = createUnapprovedMessageStore(db);
    const meetingMembers = createMeetingMemberStore(db);
    const installation = followSettings(service);
    const epochDependencies = createEpochDependencies(service, counters, wake);
    const dependencies: Dependencies = {
      clock,
      epochs: epochDependencies,
      alerts: createAlertStore(db),
      groups,
      groupCalls,
      unapprovedMessages,
      invitations: createInvitationStore(db),
      limiter: createLimiter({ redis, table: limitsOf(config) }),
      conversations: createConversationStore(db),
      meetingMembers,
      messages,
      sealing: createSealingStore(db),
      members,
      files: createFileUsageStore(db),
      attachable: createAttachableFilesCheck(files),
      preferences,
      annotations,
      hiding: createHidingStore(db),
      settings: createConversationSettingsStore(db),
      timers,
      admitOperator,
      getMaxGroupMembers: () => Math.min(limits.groupMembersMax, installation.current().groupMembers ?? Infinity),
      sendQueue,
      cursorQueue: createReceiptCursorQueue(members.moveCursors, () => clock.now()),
      onStored: (type) => counters.messages.inc({ type }),
      onSealRefused: (code, reason) => counters.sealsRefused.inc({ code, reason }),
      onRefusedStranger: (reason) => counters.refusedStrangers.inc({ reason }),
      sendFrame,
      wake,
    };

    followIdentity(service, dependencies, { ...epochDependencies, blocks });
    const { onStored } = dependencies;
    service.consume('meetings', service.client(EventLogServiceDefinition, config.MEETINGS_ADDR), {
      [groupCallChangedSubject]: onGroupCallChanged({ messages, groupCalls, sendQueue, onStored, clock, wake }),
      [meetingMembershipChangedSubject]: onMeetingMembershipChanged({ meetingMembers, clock, wake }),
    });

    const onErased = (lateSeconds: number) => counters.expiryLateness.observe(lateSeconds);
    tasks.disappearing = service.repeat(sweepExpiredMessages({ timers, clock, wake, onErased }));
    service.repeat(endAgedInvitations(dependencies));
    enforceRetention(service, { installation, wake, onErased: (count) => counters.aged.inc(count) });

    return {
      services: [
        bindRpcService(AdminServiceDefinition, createServiceAdminHandlers(service, admitOperator)),
        bindRpcService(ChatServiceDefinition, {
          getOrCreateDirect: getOrCreateDirect(dependencies),
          listConversations: listConversations(dependencies),
          getConversation: getConversation(dependencies),
          hasAccepted: hasAccepted(dependencies),
          listCallees: listCallees(dependencies),
          listMessages: listMessages(dependencies),
          getMessage: getMessage(dependencies),
          listChanges: listChanges(dependencies),
          sendMessage: sendMessage(dependencies),
          sendMessages: sendMessages(dependencies),
          editMessage: editMessage(dependencies),
          deleteMessage: deleteMessage(dependencies),
          moveCursor: moveCursor(dependencies),
          moveCursors: moveCursors(dependencies),
          setTyping: setTyping(dependencies),
          getPreferences: getPreferences(dependencies),
          updatePreferences: updatePreferences(dependencies),
          joinMeetingConversation: joinMeetingConversation(dependencies),
          addSystemMessage: addSystemMessage(dependencies),
          canReadFile: canReadFile(dependencies),
          listNamedFiles: listNamedFiles(dependencies),
          exportMessages: exportMessages(dependencies),
        }),
        bindRpcService(
          EpochServiceDefinition,
          createEpochHandlers({ ...epochDependencies, send: sendMessage(dependencies) }),
        ),
        bindRpcService(GroupServiceDefinition, createGroupHandlers(dependencies)),
        bindRpcService(MessageActionServiceDefinition, createMessageActionHandlers(dependencies)),
        bindRpcService(AlertServiceDefinition, {
          listAlerts: listAlerts(dependencies),
          countUnread: countUnread(dependencies),
        }),
        bindRpcService(EventLogServiceDefinition, eventHandlers),
      ],
    };
  });
}

/** Returns the rate limits. Demo mode relaxes the per-address ones because everyone is on one machine. */
function limitsOf({ NOLO_MODE }: ChatConfig): Record<RateLimitName, RateLimit> {
  return NOLO_MODE === 'demo' ? { ...rateLimits, ...demoRateLimits } : rateLimits;
}

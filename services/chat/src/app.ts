import { createDelivery, createDispatch } from '@nolo/kit/delivery';
import { createLimiter } from '@nolo/kit/rateLimit';
import { createPart } from '@nolo/kit/part';
import { operatorGuard } from '@nolo/kit/proof';
import { rpcService } from '@nolo/kit/rpc';
import type { Repeating } from '@nolo/kit/repeat';
import { createService, type App, type Ground, type ServiceOptions } from '@nolo/kit/service';
import { createSettings, type Settings } from '@nolo/kit/settings';
import { bindTrace } from '@nolo/kit/tracing';
import { AlertServiceService } from '@nolo/proto/alerts';
import { ChatServiceService } from '@nolo/proto/chat';
import { EventLogServiceService } from '@nolo/proto/events';
import { GroupServiceService } from '@nolo/proto/groups';
import { MarkServiceService } from '@nolo/proto/marks';
import { SettingServiceService } from '@nolo/proto/settings';
import { SharedFileServiceService } from '@nolo/proto/sharedFiles';
import { OperatorServiceService } from '@nolo/proto/operators';
import { PartServiceService } from '@nolo/proto/part';
import {
  demoRateLimits,
  limits,
  rateLimits,
  readSettings,
  type RateLimit,
  type RateLimitName,
  type SettingValues,
} from '@nolo/rules';
import { createAttachableFiles } from './attachableFiles.ts';
import type { ChatConfig } from './config.ts';
import { createCursorQueue } from './domain/cursorQueue.ts';
import type { Announce } from './domain/ports.ts';
import { createSendQueue } from './domain/sendQueue.ts';
import { blockChanged, onBlockChanged } from './events/onBlockChanged.ts';
import { groupCallChanged, onGroupCallChanged } from './events/onGroupCallChanged.ts';
import { knownHandlers } from './events/onKnownChanged.ts';
import { onPartChanged, partChanged } from './events/onPartChanged.ts';
import { onUserDeleted, userDeleted } from './events/onUserDeleted.ts';
import { endInvitations } from './jobs/endInvitations.ts';
import { eraseAged } from './jobs/eraseAged.ts';
import { removeSilent } from './jobs/removeSilent.ts';
import { sweepExpired } from './jobs/sweepExpired.ts';
import { createMetrics } from './metrics.ts';
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
import { canReadFile, listNamedFiles } from './rpc/files.ts';
import { groupHandlers } from './rpc/groupHandlers.ts';
import { markHandlers } from './rpc/markHandlers.ts';
import {
  addSystemMessage,
  deleteMessage,
  editMessage,
  exportMessages,
  getMessage,
  listMessages,
  sendMessage,
  sendMessages,
} from './rpc/messages.ts';
import { moveCursor, moveCursors, setTyping } from './rpc/receipts.ts';
import { createAlertStore } from './store/alerts.ts';
import { createBlockStore } from './store/blocks.ts';
import { createConversationStore } from './store/conversations.ts';
import { createFileStore } from './store/files.ts';
import { createGroupCallStore } from './store/groupCalls.ts';
import { createGroupStore } from './store/groups.ts';
import { createHeldStore } from './store/held.ts';
import { createInvitationStore } from './store/invitations.ts';
import { createKnownStore } from './store/known.ts';
import { createHidingStore } from './store/hiding.ts';
import { createMarkStore } from './store/marks.ts';
import { createMeetingMemberStore } from './store/meetingMembers.ts';
import { createMemberStore } from './store/members.ts';
import { createMessageStore } from './store/messages.ts';
import { createPreferenceStore } from './store/preferences.ts';
import { createRetentionStore } from './store/retention.ts';
import { createSettingsStore } from './store/settings.ts';
import { createTimerStore } from './store/timers.ts';
import { createTold } from './store/told.ts';

/** What operators set while the installation runs. */
function followSettings(service: Ground<ChatConfig>): Settings<SettingValues> {
  const identity = service.client(SettingServiceService, service.config.IDENTITY_ADDR);
  return createSettings(service, { list: () => identity.listCurrentSettings({}), read: readSettings });
}

interface RetentionOptions {
  installation: Settings<SettingValues>;
  wake: () => void;
  onErased: (count: number) => void;
}

/** What is kept for so many days. */
function enforceRetention(service: Ground<ChatConfig>, { installation, wake, onErased }: RetentionOptions): void {
  const { config, clock, db } = service;
  const retention = createRetentionStore(db);
  service.repeat(removeSilent({ retention, days: config.MEETING_CHATS_KEPT_DAYS, clock }));
  const { MESSAGES_KEPT_DAYS: configured } = config;
  const days = () => {
    const kept = installation.current().messagesKeptDays ?? configured;
    // What is erased cannot be had again: an operator may have it kept for longer by now.
    if (kept !== undefined && !installation.isKnown()) throw new Error('It is not known what operators set.');
    return kept || undefined;
  };
  service.repeat(eraseAged({ retention, days, clock, wake, onErased }));
}

export function createApp(options: ServiceOptions<ChatConfig>): App {
  return createService('chat', options, (service) => {
    const { config, log, clock, metrics, db, scrapeDb, redis, bus } = service;
    const delivery = createDelivery({ redis, bus, log });
    const { wake: tell, eventHandlers } = service.tell(createDispatch({ bus, delivery, resolve: createTold(db) }));
    const tasks: { disappearing?: Repeating } = {};
    /** After a commit that wrote to the outbox, which may have been of a message that disappears. */
    const wake = () => {
      tell();
      tasks.disappearing?.stir();
    };
    const files = service.client(SharedFileServiceService, config.FILES_ADDR);
    const admitOperator = operatorGuard(service.client(OperatorServiceService, config.IDENTITY_ADDR));

    const messages = createMessageStore(db);
    const members = createMemberStore(db);
    const preferences = createPreferenceStore(db);
    const blocks = createBlockStore(db);
    const announce: Announce = (announcement) => delivery.deliverLoosely(announcement);
    const sendQueue = createSendQueue(messages.append, () => clock.now(), bindTrace);
    const marks = createMarkStore(db);
    const hiding = createHidingStore(db);
    const timers = createTimerStore(db);
    const counters = createMetrics(metrics, {
      waiting: sendQueue.waiting,
      overdueSeconds: async () => {
        const now = clock.now();
        return (now.getTime() - ((await createTimerStore(scrapeDb).overdueSince(now)) ?? now).getTime()) / 1_000;
      },
    });
    const groups = createGroupStore(db);
    const groupCalls = createGroupCallStore(db);
    const held = createHeldStore(db);
    const meetingMembers = createMeetingMemberStore(db);
    const installation = followSettings(service);
    const dependencies: Dependencies = {
      clock,
      alerts: createAlertStore(db),
      groups,
      groupCalls,
      held,
      invitations: createInvitationStore(db),
      limiter: createLimiter({ redis, table: limitsOf(config) }),
      conversations: createConversationStore(db),
      meetingMembers,
      messages,
      members,
      files: createFileStore(db),
      attachable: createAttachableFiles(files),
      preferences,
      marks,
      hiding,
      settings: createSettingsStore(db),
      timers,
      admitOperator,
      mostMembers: () => Math.min(limits.groupMembersMax, installation.current().groupMembers ?? Infinity),
      sendQueue,
      cursorQueue: createCursorQueue(members.moveCursors, () => clock.now()),
      onStored: (type) => counters.messages.inc({ type }),
      onRefusedStranger: (reason) => counters.refusedStrangers.inc({ reason }),
      announce,
      wake,
    };

    const identity = service.client(EventLogServiceService, config.IDENTITY_ADDR);
    service.consume('identity', identity, {
      [blockChanged]: onBlockChanged({ blocks }),
      [userDeleted]: onUserDeleted({ ...dependencies, blocks }),
    });
    service.consume('identity', identity, knownHandlers({ known: createKnownStore(db), wake }), 'identity.known');
    const { onStored } = dependencies;
    service.consume('meetings', service.client(EventLogServiceService, config.MEETINGS_ADDR), {
      [groupCallChanged]: onGroupCallChanged({ messages, groupCalls, sendQueue, onStored, clock, wake }),
      [partChanged]: onPartChanged({ meetingMembers, clock, wake }),
    });

    const onErased = (lateSeconds: number) => counters.expiryLateness.observe(lateSeconds);
    tasks.disappearing = service.repeat(sweepExpired({ timers, clock, wake, onErased }));
    service.repeat(endInvitations(dependencies));
    enforceRetention(service, { installation, wake, onErased: (count) => counters.aged.inc(count) });

    return {
      services: [
        rpcService(PartServiceService, createPart(service, admitOperator)),
        rpcService(ChatServiceService, {
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
        rpcService(GroupServiceService, groupHandlers(dependencies)),
        rpcService(MarkServiceService, markHandlers(dependencies)),
        rpcService(AlertServiceService, {
          listAlerts: listAlerts(dependencies),
          countUnread: countUnread(dependencies),
        }),
        rpcService(EventLogServiceService, eventHandlers),
      ],
    };
  });
}

/** Demo mode relaxes what is counted per address, for everybody there is on one machine. */
function limitsOf({ NOLO_MODE }: ChatConfig): Record<RateLimitName, RateLimit> {
  return NOLO_MODE === 'demo' ? { ...rateLimits, ...demoRateLimits } : rateLimits;
}

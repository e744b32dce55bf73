/**
 * Former names of RPCs, events, and wake-ups. 0.3.0 sends them and accepts both names. This release sends and stores
 * the new names and accepts both. 0.5.0 deletes this file. Its migrations first convert the former subjects that 0.3.0
 * left in `events` and `parked_events`: replicas of 0.3.0 write them until the upgrade is complete.
 */

const renamedServices: Record<string, { from: string; methods: Record<string, string> }> = {
  'nolo.kit.v1.AdminService': {
    from: 'nolo.kit.v1.PartService',
    methods: {
      DescribeService: 'DescribePart',
      CountWork: 'CountWork',
      ListSetAside: 'ListSetAside',
      RetrySetAside: 'RetrySetAside',
      DiscardSetAside: 'DiscardSetAside',
    },
  },
  'nolo.identity.v1.AnnouncementService': {
    from: 'nolo.identity.v1.BulletinService',
    methods: {
      ListCurrentAnnouncements: 'ListCurrentBulletins',
      ListAnnouncements: 'ListBulletins',
      CreateAnnouncement: 'MakeBulletin',
      EndAnnouncement: 'EndBulletin',
    },
  },
  'nolo.identity.v1.OwnerMailService': {
    from: 'nolo.identity.v1.OwnerMailService',
    methods: { NotifyWebhookDisabled: 'TellWebhookDisabled' },
  },
  'nolo.chat.v1.MessageActionService': {
    from: 'nolo.chat.v1.MarkService',
    methods: {
      SetReaction: 'SetReaction',
      PinMessage: 'PinMessage',
      StarMessage: 'StarMessage',
      ListStarred: 'ListStarred',
      ListPinned: 'ListPinned',
      SetTimer: 'SetTimer',
      UpdateConversationSettings: 'UpdateConversationSettings',
      HideMessage: 'HideMessage',
      ClearConversation: 'ClearConversation',
    },
  },
  'nolo.chat.v1.GroupService': { from: 'nolo.chat.v1.GroupService', methods: { ListGroupAdmins: 'ListDeciders' } },
  'nolo.meetings.v1.RoomService': { from: 'nolo.meetings.v1.RoomService', methods: { GetPeerStats: 'GetQuality' } },
};

/** Former path of an RPC by its path. */
export const formerRpcPaths: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(renamedServices).flatMap(([service, { from, methods }]) =>
    Object.entries(methods).map(([method, former]) => [`/${service}/${method}`, `/${from}/${former}`]),
  ),
);

const formerSubjects: Readonly<Record<string, string>> = {
  'event.billing.notified': 'event.billing.told',
  'event.identity.privacy_changed': 'event.identity.who_may_changed',
  'event.meetings.call_ring_ended': 'event.meetings.call_stilled',
  'event.meetings.group_call_ring_ended': 'event.meetings.group_call_stilled',
  'event.meetings.lobby_waiting': 'event.meetings.lobby_knocked',
  'event.meetings.membership_changed': 'event.meetings.part_changed',
  'gateway.all.announcements': 'gateway.all.bulletins',
};

const currentSubjects = new Map(Object.entries(formerSubjects).map(([current, former]) => [former, current]));

/** Returns all forms of a subject that may arrive. */
export function acceptedSubjects(subject: string): string[] {
  const former = formerSubjects[subject];
  return former === undefined ? [subject] : [subject, former];
}

/** Returns the current form of a subject that arrived or was stored. */
export const currentSubject = (subject: string): string => currentSubjects.get(subject) ?? subject;

import type { ConversationSystemMessage } from '@nolo/rules';
import { listOfNames } from '../../i18n/locale.ts';
import type { Translate } from '../../i18n/texts.ts';
import type { notesTexts } from './notesTexts.ts';

export { isUnconfirmed } from './confirmation.ts';
export { notesTexts } from './notesTexts.ts';

/** Names in a system message, from the user's point of view. */
export interface SystemMessageNames {
  selfId: string;
  nameOf: (userId: string) => string;
  locale: string;
}

const seconds = { week: 604_800, day: 86_400, hour: 3_600, minute: 60, second: 1 } as const;

/** Formats a duration in the largest unit that divides it: "1 week", "5 minutes". */
export function formatLongDuration(total: number, locale: string): string {
  const [unit, size] = Object.entries(seconds).find(([, length]) => total % length === 0) ?? ['second', 1];
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(total / size);
}

/** Maximum names. The rest appears as a count. */
const namedPeople = 3;

/** Returns a list of names, the first of many. The user comes first. */
export function listPeople(
  userIds: readonly string[],
  { selfId, nameOf, locale }: SystemMessageNames,
  t: Translate<typeof notesTexts>,
): string {
  // Users look for themselves.
  const sorted = userIds.toSorted((a, b) => Number(b === selfId) - Number(a === selfId));
  const room = sorted.length > namedPeople ? namedPeople - 1 : namedPeople;
  const names = sorted.slice(0, room).map((id) => (id === selfId ? t('notes:youInList') : nameOf(id)));
  const rest = sorted.length - names.length;
  if (rest > 0) names.push(t('notes:others', { count: rest }));
  return listOfNames(locale, names);
}

/** Person of a sentence: an action by the user, on the user, or among others. */
type Voice = 'byYou' | 'ofYou' | 'other';

/** Returns the text of a system message. `actorId` is the message's sender. */
export function describeSystemMessage(
  systemMessage: ConversationSystemMessage,
  actorId: string,
  names: SystemMessageNames,
  t: Translate<typeof notesTexts>,
): string {
  const { selfId, nameOf } = names;
  const by = actorId === selfId ? 'byYou' : 'other';
  const actor = nameOf(actorId);
  const about = (userId: string): { voice: Voice; values: { actor: string; person: string } } => ({
    voice: by === 'other' && userId === selfId ? 'ofYou' : by,
    values: { actor, person: nameOf(userId) },
  });
  switch (systemMessage.kind) {
    case 'member_joined': {
      if (systemMessage.admittedBy === undefined) return t(`notes:member_joined.${by}`, { actor });
      // The sender is the new member, and the actor is the person who admitted them.
      const voice = systemMessage.admittedBy === selfId ? 'byYou' : actorId === selfId ? 'ofYou' : 'other';
      return t(`notes:member_admitted.${voice}`, { actor: nameOf(systemMessage.admittedBy), person: actor });
    }
    case 'member_added':
      return t(`notes:member_added.${by}`, { actor, people: listPeople(systemMessage.userIds, names, t) });
    case 'member_removed': {
      const { voice, values } = about(systemMessage.userId);
      return t(`notes:${systemMessage.banned ? 'member_banned' : 'member_removed'}.${voice}`, values);
    }
    case 'role_changed': {
      const { voice, values } = about(systemMessage.userId);
      return t(`notes:${systemMessage.role === 'member' ? 'admin_unmade' : 'admin_made'}.${voice}`, values);
    }
    case 'owner_changed': {
      const { voice, values } = about(systemMessage.userId);
      return t(`notes:owner_changed.${voice}`, values);
    }
    case 'name_changed':
      return t(`notes:name_changed.${by}`, { actor, name: systemMessage.name });
    case 'picture_changed':
      return t(`notes:${systemMessage.removed ? 'picture_removed' : 'picture_changed'}.${by}`, { actor });
    case 'settings_changed': {
      const { isPublic } = systemMessage.settings;
      if (isPublic === undefined) return t(`notes:settings_changed.${by}`, { actor });
      return t(`notes:${isPublic ? 'made_public' : 'made_private'}.${by}`, { actor });
    }
    case 'timer_changed':
      return systemMessage.seconds === null
        ? t(`notes:timer_off.${by}`, { actor })
        : t(`notes:timer_set.${by}`, { actor, time: formatLongDuration(systemMessage.seconds, names.locale) });
    case 'group_call': {
      if (systemMessage.durationSeconds === null) return t(`notes:group_call.${by}`, { actor });
      // Rounded up to minutes, because seconds do not matter afterwards.
      const minutes = Math.max(1, Math.ceil(systemMessage.durationSeconds / seconds.minute));
      const time = formatLongDuration(minutes * seconds.minute, names.locale);
      return t(`notes:group_call_over.${by}`, { actor, time });
    }
    case 'group_created':
    case 'member_left':
    case 'description_changed':
    case 'message_pinned':
      return t(`notes:${systemMessage.kind}.${by}`, { actor });
  }
}

import type { ConversationNote } from '@nolo/rules';
import type { TFunction } from 'i18next';
import { listOfNames } from '../../i18n/locale.ts';

export { enNotes } from './enNotes.ts';

/** Names in a system message, from the user's point of view. */
export interface NoteNames {
  selfId: string;
  nameOf: (userId: string) => string;
  locale: string;
}

const seconds = { week: 604_800, day: 86_400, hour: 3_600, minute: 60, second: 1 } as const;

/** Formats a duration in the largest unit that divides it: "1 week", "5 minutes". */
export function durationText(total: number, locale: string): string {
  const [unit, size] = Object.entries(seconds).find(([, length]) => total % length === 0) ?? ['second', 1];
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(total / size);
}

/** Maximum names. The rest appears as a count. */
const namedPeople = 3;

function listPeople(userIds: readonly string[], { selfId, nameOf, locale }: NoteNames, t: TFunction): string {
  // The user comes first, because they look for themselves.
  const sorted = userIds.toSorted((a, b) => Number(b === selfId) - Number(a === selfId));
  const room = sorted.length > namedPeople ? namedPeople - 1 : namedPeople;
  const names = sorted.slice(0, room).map((id) => (id === selfId ? t('notes.youInList') : nameOf(id)));
  const rest = sorted.length - names.length;
  if (rest > 0) names.push(t('notes.others', { count: rest }));
  return listOfNames(locale, names);
}

/** Person of a sentence: an action by the user, on the user, or among others. */
type Voice = 'byYou' | 'ofYou' | 'other';

/** Returns the text of a system message. `actorId` is the message's sender. */
export function noteText(note: ConversationNote, actorId: string, names: NoteNames, t: TFunction): string {
  const { selfId, nameOf } = names;
  const by = actorId === selfId ? 'byYou' : 'other';
  const actor = nameOf(actorId);
  const about = (userId: string): { voice: Voice; values: { actor: string; person: string } } => ({
    voice: by === 'other' && userId === selfId ? 'ofYou' : by,
    values: { actor, person: nameOf(userId) },
  });
  switch (note.kind) {
    case 'member_joined': {
      if (note.admittedBy === undefined) return t(`notes.member_joined.${by}`, { actor });
      // The sender is the new member, and the actor is the person who admitted them.
      const voice = note.admittedBy === selfId ? 'byYou' : actorId === selfId ? 'ofYou' : 'other';
      return t(`notes.member_admitted.${voice}`, { actor: nameOf(note.admittedBy), person: actor });
    }
    case 'member_added':
      return t(`notes.member_added.${by}`, { actor, people: listPeople(note.userIds, names, t) });
    case 'member_removed': {
      const { voice, values } = about(note.userId);
      return t(`notes.${note.banned ? 'member_banned' : 'member_removed'}.${voice}`, values);
    }
    case 'role_changed': {
      const { voice, values } = about(note.userId);
      return t(`notes.${note.role === 'member' ? 'admin_unmade' : 'admin_made'}.${voice}`, values);
    }
    case 'owner_changed': {
      const { voice, values } = about(note.userId);
      return t(`notes.owner_changed.${voice}`, values);
    }
    case 'name_changed':
      return t(`notes.name_changed.${by}`, { actor, name: note.name });
    case 'picture_changed':
      return t(`notes.${note.removed ? 'picture_removed' : 'picture_changed'}.${by}`, { actor });
    case 'settings_changed': {
      const { isPublic } = note.settings;
      if (isPublic === undefined) return t(`notes.settings_changed.${by}`, { actor });
      return t(`notes.${isPublic ? 'made_public' : 'made_private'}.${by}`, { actor });
    }
    case 'timer_changed':
      return note.seconds === null
        ? t(`notes.timer_off.${by}`, { actor })
        : t(`notes.timer_set.${by}`, { actor, time: durationText(note.seconds, names.locale) });
    case 'group_call': {
      if (note.durationSeconds === null) return t(`notes.group_call.${by}`, { actor });
      // Rounded up to minutes, because seconds do not matter afterwards.
      const minutes = Math.max(1, Math.ceil(note.durationSeconds / seconds.minute));
      const time = durationText(minutes * seconds.minute, names.locale);
      return t(`notes.group_call_over.${by}`, { actor, time });
    }
    case 'group_created':
    case 'member_left':
    case 'description_changed':
    case 'message_pinned':
      return t(`notes.${note.kind}.${by}`, { actor });
  }
}

import type { HeaderLine } from '@nolo/client/keys/conversations/types';
import type { Translate } from '../../i18n/texts.ts';
import {
  describeSystemMessage,
  listPeople,
  type notesTexts,
  type SystemMessageNames,
} from '../words/describeSystemMessage.ts';
import type { sealedRowsTexts } from './sealedRowsTexts.ts';
import type { TimelineLine } from './timelineLines.ts';

type T = Translate<typeof sealedRowsTexts | typeof notesTexts>;

const roles = ['member', 'admin', 'owner'] as const;

/** Additions of several people at once, which appear as one line. */
function peopleOf(line: HeaderLine, lines: readonly TimelineLine[]): readonly string[] {
  return lines.flatMap((one) =>
    'by' in one && one.by === line.by && one.epoch === line.epoch && one.change.kind === line.change.kind
      ? 'userId' in one.change
        ? [one.change.userId]
        : []
      : [],
  );
}

/** Returns true for the step down of an owner who hands the group over, which the line about the new owner says. */
const isPartOfHandingOver = (line: HeaderLine, lines: readonly TimelineLine[]): boolean =>
  line.change.kind === 'role' &&
  line.change.userId === line.by &&
  lines.some((one) => 'by' in one && one.epoch === line.epoch && one.change.kind === 'role' && one.change.role === 2);

/** Returns the people whom a line names, and who signed it. */
export const personIdsOf = (line: TimelineLine): readonly string[] =>
  'by' in line
    ? [...(line.by === null ? [] : [line.by]), ...('userId' in line.change ? [line.change.userId] : [])]
    : [];

/** Returns the sentence for what a member signed. */
function describeSigned({ change }: HeaderLine, by: string, names: SystemMessageNames, t: T): string | null {
  const { nameOf, selfId } = names;
  const as = by === selfId ? 'byYou' : 'other';
  const actor = nameOf(by);
  switch (change.kind) {
    case 'restarted':
    case 'renewed':
    case 'resolved':
      return t(`sealedRows:${change.kind}.${as}`, { actor });
    case 'admission':
      return t(`sealedRows:${change.isOpen ? 'opened' : 'closed'}.${as}`, { actor });
    case 'removed':
      return describeSystemMessage({ kind: 'member_removed', userId: change.userId, banned: false }, by, names, t);
    case 'role':
      return describeSystemMessage(
        change.role === 2
          ? { kind: 'owner_changed', userId: change.userId }
          : { kind: 'role_changed', userId: change.userId, role: roles[change.role] },
        by,
        names,
        t,
      );
    case 'timer':
      return describeSystemMessage({ kind: 'timer_changed', seconds: change.seconds || null }, by, names, t);
    default:
      return null;
  }
}

/** Returns the sentence for a line. Null if another line of the same place says it. */
function describeLine(
  line: HeaderLine,
  lines: readonly TimelineLine[],
  names: SystemMessageNames,
  t: T,
): string | null {
  const { by, change } = line;
  if (isPartOfHandingOver(line, lines)) return null;
  const people = peopleOf(line, lines);
  const isFirst = 'userId' in change && people[0] === change.userId;
  const person = (userId: string, key: 'serverRemoved' | 'newKeys' | 'deviceOut' | 'deviceBack'): string =>
    userId === names.selfId ? t(`sealedRows:${key}You`) : t(`sealedRows:${key}`, { person: names.nameOf(userId) });
  switch (change.kind) {
    case 'started':
      return null;
    case 'started_by_server_members':
      return t('sealedRows:serverMembers');
    case 'switched':
      return t('sealedRows:switched');
    case 'added':
      if (!isFirst) return null;
      if (by === null) return t('sealedRows:linkJoined', { people: listPeople(people, names, t) });
      return describeSystemMessage({ kind: 'member_added', userIds: people }, by, names, t);
    case 'joined':
      return isFirst ? t('sealedRows:codeJoined', { people: listPeople(people, names, t) }) : null;
    case 'left':
      return describeSystemMessage({ kind: 'member_left' }, change.userId, names, t);
    case 'identity_changed':
      return person(change.userId, 'newKeys');
    case 'device_left_out':
      return person(change.userId, 'deviceOut');
    case 'device_returned':
      return person(change.userId, 'deviceBack');
    case 'device_added':
      return t('sealedRows:deviceNew', { person: names.nameOf(change.userId) });
    default:
      if (by !== null) return describeSigned(line, by, names, t);
      return change.kind === 'removed' ? person(change.userId, 'serverRemoved') : null;
  }
}

/** Sentence of a line, and its time in milliseconds since 1970. */
export interface DescribedLine {
  readonly text: string;
  readonly at: number;
}

/** Returns the sentences for lines of headers that stand at one place. */
export function describeLines(lines: readonly TimelineLine[], names: SystemMessageNames, t: T): DescribedLine[] {
  return lines.flatMap((line) => {
    const text = 'epoch' in line ? describeLine(line, lines, names, t) : null;
    return text === null || !('at' in line) ? [] : [{ text, at: line.at }];
  });
}

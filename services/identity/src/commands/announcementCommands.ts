import { isId } from '@nolo/kit/ids';
import { announcementLimits } from '@nolo/rules';
import { parseAnnouncementDraft, type Announcement } from '../domain/announcements.ts';
import { commandLineActor, CommandRefusedError, parseSuspensionEnd, type Command } from './commandTools.ts';

const announcementLine = ({ id, severity, until, endedAt, texts }: Announcement): string => {
  const end = endedAt ? `ended ${endedAt.toISOString()}` : `until ${until.toISOString()}`;
  return [id, severity, end, JSON.stringify(texts)].join('  ');
};

/** Commands for announcements. */
export const announcementCommands: Record<string, Command> = {
  async 'announcements make'({ announcements, clock, print }, { account: en = '', de, severity = 'info', days = '1' }) {
    const now = clock.now();
    const until = parseSuspensionEnd({ days }, now) ?? undefined;
    const draft = parseAnnouncementDraft({ texts: { en, ...(de !== undefined && { de }) }, severity, until }, now);
    if (!draft) {
      const { length, days: maxDays } = announcementLimits;
      throw new CommandRefusedError(
        `announce "..." takes at most ${length} characters, --severity info or warning, and --days up to ${maxDays}.`,
      );
    }
    const made = await announcements.make(commandLineActor, draft, now);
    if (made.outcome !== 'made') throw new CommandRefusedError('Too many announcements at once. End one first.');
    print(announcementLine(made.announcement));
  },

  async 'announcements list'({ announcements, clock, print }) {
    const all = await announcements.list(commandLineActor, { before: undefined, limit: 100 }, clock.now());
    if (all.outcome === 'listed') for (const announcement of all.announcements) print(announcementLine(announcement));
  },

  async 'announcements end'({ announcements, clock, print }, { account: id = '' }) {
    const ended = isId(id) ? await announcements.end(commandLineActor, id, clock.now()) : undefined;
    if (ended?.outcome !== 'ended') throw new CommandRefusedError(`There is no current announcement ${id}.`);
    print(announcementLine(ended.announcement));
  },
};

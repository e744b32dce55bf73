import { isId } from '@nolo/kit/ids';
import { bulletinLimits } from '@nolo/rules';
import { readBulletin, type Bulletin } from '../domain/bulletins.ts';
import { acting, CommandRefused, endOf, type Command } from './commandTools.ts';

const announcementLine = ({ id, severity, until, endedAt, texts }: Bulletin): string => {
  const end = endedAt ? `ended ${endedAt.toISOString()}` : `until ${until.toISOString()}`;
  return [id, severity, end, JSON.stringify(texts)].join('  ');
};

/** Commands for announcements. */
export const announcementCommands: Record<string, Command> = {
  async 'announcements make'({ bulletins, clock, print }, { account: en = '', de, severity = 'info', days = '1' }) {
    const now = clock.now();
    const until = endOf({ days }, now) ?? undefined;
    const draft = readBulletin({ texts: { en, ...(de !== undefined && { de }) }, severity, until }, now);
    if (!draft) {
      const { length, days: most } = bulletinLimits;
      throw new CommandRefused(
        `announce "..." takes at most ${length} characters, --severity info or warning, and --days up to ${most}.`,
      );
    }
    const made = await bulletins.make(acting, draft, now);
    if (made.outcome !== 'made') throw new CommandRefused('Too many announcements at once. End one first.');
    print(announcementLine(made.bulletin));
  },

  async 'announcements list'({ bulletins, clock, print }) {
    const all = await bulletins.list(acting, { before: undefined, limit: 100 }, clock.now());
    if (all.outcome === 'listed') for (const bulletin of all.bulletins) print(announcementLine(bulletin));
  },

  async 'announcements end'({ bulletins, clock, print }, { account: id = '' }) {
    const ended = isId(id) ? await bulletins.end(acting, id, clock.now()) : undefined;
    if (ended?.outcome !== 'ended') throw new CommandRefused(`There is no current announcement ${id}.`);
    print(announcementLine(ended.bulletin));
  },
};

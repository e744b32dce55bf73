import { parseId } from '@nolo/kit/ids';
import { defineCursor, idField, pageSize, timeField } from '@nolo/kit/pages';
import type { RpcHandler, RpcHandlers } from '@nolo/kit/rpc';
import type { Bulletin as BulletinReply, BulletinServiceService } from '@nolo/proto/bulletins';
import { announcementLimits } from '@nolo/rules';
import { parseAnnouncementDraft, type Announcement, type AnnouncementStore } from '../domain/announcements.ts';
import { createIdentityError } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { readOperatorSession, admitOperator, requireAdmitted } from './operators.ts';

const defaultPageSize = 50;
const maxPageSize = 100;
/** ID that no announcement has. */
const nobodyId = '00000000-0000-0000-0000-000000000000';
const place = defineCursor<{ createdAt: Date; id: string }>({ createdAt: timeField, id: idField() });

const toReply = ({ endedAt, texts, ...announcement }: Announcement): BulletinReply => ({
  ...announcement,
  texts: { ...texts },
  endedAt: endedAt ?? undefined,
});

interface Needs extends Pick<Dependencies, 'clock' | 'isCommandLinePass' | 'metrics' | 'operators'> {
  readonly announcements: AnnouncementStore;
}
type Handler<Name extends keyof typeof BulletinServiceService> = RpcHandler<(typeof BulletinServiceService)[Name]>;

export function createAnnouncementHandlers(dependencies: Needs): RpcHandlers<typeof BulletinServiceService> {
  return {
    listCurrentBulletins: listCurrentBulletins(dependencies),
    listBulletins: listBulletins(dependencies),
    makeBulletin: makeBulletin(dependencies),
    endBulletin: endBulletin(dependencies),
  };
}

export function listCurrentBulletins({ announcements, clock }: Needs): Handler<'listCurrentBulletins'> {
  return async () => ({ bulletins: (await announcements.current(clock.now())).map(toReply) });
}

export function listBulletins({ announcements, clock }: Needs): Handler<'listBulletins'> {
  return async (request) => {
    const acting = readOperatorSession(request);
    const limit = pageSize(request.limit, defaultPageSize, maxPageSize);
    const page = { before: place.read(request.cursor), limit: limit + 1 };
    const { announcements: found } = requireAdmitted(await announcements.list(acting, page, clock.now()));
    const last = found.length > limit ? found[limit - 1] : undefined;
    return { bulletins: found.slice(0, limit).map(toReply), nextCursor: last && place.write(last) };
  };
}

export function makeBulletin(dependencies: Needs): Handler<'makeBulletin'> {
  const { announcements, clock, metrics } = dependencies;
  return async (request) => {
    const acting = readOperatorSession(request);
    const { texts, severity = '', until } = request;
    const now = clock.now();
    const draft = parseAnnouncementDraft({ texts, severity, until }, now);
    if (!draft) {
      // Checked first, so people who are not operators learn nothing about validation.
      await admitOperator(dependencies)(request);
      const { length, days } = announcementLimits;
      const what = `An announcement must have an English text of at most ${length} characters and end within ${days} days.`;
      throw createIdentityError('invalid', 'bulletin_invalid', what);
    }
    const made = requireAdmitted(await announcements.make(acting, draft, now));
    if (made.outcome === 'too_many') {
      throw createIdentityError('conflict', 'too_many_bulletins', 'Too many announcements at once. End one first.');
    }
    metrics.operatorActs.inc({ action: 'announced' });
    return toReply(made.announcement);
  };
}

export function endBulletin({ announcements, clock }: Needs): Handler<'endBulletin'> {
  return async (request) => {
    const id = parseId(request.bulletinId) ?? nobodyId;
    const ended = requireAdmitted(await announcements.end(readOperatorSession(request), id, clock.now()));
    if (ended.outcome === 'none') {
      throw createIdentityError('not_found', 'bulletin_not_found', 'This announcement has ended.');
    }
    return toReply(ended.announcement);
  };
}

import { parseId } from '@nolo/kit/ids';
import { defineCursor, idCursorField, clampPageSize, timeCursorField } from '@nolo/kit/pages';
import type { RpcHandler, RpcHandlers } from '@nolo/kit/rpc';
import type { Announcement as AnnouncementReply, AnnouncementServiceDefinition } from '@nolo/proto/announcements';
import { announcementLimits } from '@nolo/rules';
import { parseAnnouncementDraft, type Announcement, type AnnouncementStore } from '../domain/announcements.ts';
import { createIdentityError } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { readOperatorSession, createOperatorAdmission, requireAdmitted } from './operators.ts';

const defaultPageSize = 50;
const maxPageSize = 100;
/** ID that no announcement has. */
const nobodyId = '00000000-0000-0000-0000-000000000000';
const place = defineCursor<{ createdAt: Date; id: string }>({ createdAt: timeCursorField, id: idCursorField() });

const toReply = ({ endedAt, texts, ...announcement }: Announcement): AnnouncementReply => ({
  ...announcement,
  texts: { ...texts },
  endedAt: endedAt ?? undefined,
});

interface Needs extends Pick<Dependencies, 'clock' | 'isCommandLinePass' | 'metrics' | 'operators'> {
  readonly announcements: AnnouncementStore;
}
type Handler<Name extends keyof (typeof AnnouncementServiceDefinition)['methods']> = RpcHandler<
  (typeof AnnouncementServiceDefinition)['methods'][Name]
>;

export function createAnnouncementHandlers(dependencies: Needs): RpcHandlers<typeof AnnouncementServiceDefinition> {
  return {
    listCurrentAnnouncements: listCurrentAnnouncements(dependencies),
    listAnnouncements: listAnnouncements(dependencies),
    createAnnouncement: createAnnouncement(dependencies),
    endAnnouncement: endAnnouncement(dependencies),
  };
}

function listCurrentAnnouncements({ announcements, clock }: Needs): Handler<'listCurrentAnnouncements'> {
  return async () => ({ announcements: (await announcements.current(clock.now())).map(toReply) });
}

function listAnnouncements({ announcements, clock }: Needs): Handler<'listAnnouncements'> {
  return async (request) => {
    const acting = readOperatorSession(request);
    const limit = clampPageSize(request.limit, defaultPageSize, maxPageSize);
    const page = { before: place.read(request.cursor), limit: limit + 1 };
    const { announcements: found } = requireAdmitted(await announcements.list(acting, page, clock.now()));
    const last = found.length > limit ? found[limit - 1] : undefined;
    return { announcements: found.slice(0, limit).map(toReply), nextCursor: last && place.write(last) };
  };
}

function createAnnouncement(dependencies: Needs): Handler<'createAnnouncement'> {
  const { announcements, clock, metrics } = dependencies;
  return async (request) => {
    const acting = readOperatorSession(request);
    const { texts, severity = '', until } = request;
    const now = clock.now();
    const draft = parseAnnouncementDraft({ texts, severity, until }, now);
    if (!draft) {
      // Checked first, so people who are not operators learn nothing about validation.
      await createOperatorAdmission(dependencies)(request);
      const { length, days } = announcementLimits;
      const what = `An announcement must have an English text of at most ${length} characters and end within ${days} days.`;
      throw createIdentityError('invalid', 'announcement_invalid', what);
    }
    const made = requireAdmitted(await announcements.make(acting, draft, now));
    if (made.outcome === 'too_many') {
      throw createIdentityError('conflict', 'too_many_announcements', 'Too many announcements at once. End one first.');
    }
    metrics.operatorActs.inc({ action: 'announced' });
    return toReply(made.announcement);
  };
}

function endAnnouncement({ announcements, clock }: Needs): Handler<'endAnnouncement'> {
  return async (request) => {
    const id = parseId(request.announcementId) ?? nobodyId;
    const ended = requireAdmitted(await announcements.end(readOperatorSession(request), id, clock.now()));
    if (ended.outcome === 'none') {
      throw createIdentityError('not_found', 'announcement_not_found', 'This announcement has ended.');
    }
    return toReply(ended.announcement);
  };
}

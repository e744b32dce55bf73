import type { Announcement } from '@nolo/api';
import type { Announcement as AnnouncementRow } from '@nolo/proto/announcements';
import { toIsoTime } from './people.ts';

export const toAnnouncement = ({ id = '', texts, severity, until }: AnnouncementRow): Announcement => ({
  id,
  texts,
  severity: severity === 'warning' ? 'warning' : 'info',
  until: toIsoTime(until),
});

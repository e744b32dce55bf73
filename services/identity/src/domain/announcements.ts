import { announcementLimits, cleanNameWithin } from '@nolo/rules';
import type { OperatorActor, OperatorRefusal } from './operatorPorts.ts';

/** Operator announcement to everyone who is signed in. */
export interface Announcement {
  id: string;
  /** Texts by language. Always includes `en`. */
  texts: Readonly<Record<string, string>>;
  severity: 'info' | 'warning';
  createdAt: Date;
  until: Date;
  endedAt: Date | null;
}

export type AnnouncementDraft = Pick<Announcement, 'texts' | 'severity' | 'until'>;

export interface AnnouncementStore {
  /** Returns the announcements shown at this time, oldest first. */
  current(now: Date): Promise<Announcement[]>;
  /** Lists announcements, latest first. */
  list(
    acting: OperatorActor,
    page: { before: { createdAt: Date; id: string } | undefined; limit: number },
    now: Date,
  ): Promise<OperatorRefusal | { outcome: 'listed'; announcements: Announcement[] }>;
  make(
    acting: OperatorActor,
    draft: AnnouncementDraft,
    now: Date,
  ): Promise<OperatorRefusal | { outcome: 'too_many' } | { outcome: 'made'; announcement: Announcement }>;
  end(
    acting: OperatorActor,
    id: string,
    now: Date,
  ): Promise<OperatorRefusal | { outcome: 'none' } | { outcome: 'ended'; announcement: Announcement }>;
}

/** Validates and normalizes an announcement. Undefined if it cannot be shown to everyone. */
export function parseAnnouncementDraft(
  { texts, severity, until }: { texts: Readonly<Record<string, string>>; severity: string; until: Date | undefined },
  now: Date,
): AnnouncementDraft | undefined {
  const entries = Object.entries(texts).map(
    ([language, text]) => [language, cleanNameWithin(text, { min: 1, max: announcementLimits.length })] as const,
  );
  const isWhole = entries.every(([language, text]) => /^[a-z]{2}$/.test(language) && text !== undefined);
  const hasEnglish = entries.some(([language]) => language === 'en');
  const isAhead =
    until !== undefined && until > now && until.getTime() - now.getTime() <= announcementLimits.days * 86_400_000;
  if (!isWhole || !hasEnglish || entries.length > 10 || !isAhead) return undefined;
  if (severity !== 'info' && severity !== 'warning') return undefined;
  return { texts: Object.fromEntries(entries) as Record<string, string>, severity, until };
}

import { bulletinLimits, nameWithin } from '@nolo/rules';
import type { Acting, Refused } from './operatorPorts.ts';

/** Operator announcement to everyone who is signed in. */
export interface Bulletin {
  id: string;
  /** Texts by language. Always includes `en`. */
  texts: Readonly<Record<string, string>>;
  severity: 'info' | 'warning';
  createdAt: Date;
  until: Date;
  endedAt: Date | null;
}

export type BulletinDraft = Pick<Bulletin, 'texts' | 'severity' | 'until'>;

export interface Bulletins {
  /** Returns the announcements shown at this time, oldest first. */
  current(now: Date): Promise<Bulletin[]>;
  /** Lists announcements, latest first. */
  list(
    acting: Acting,
    page: { before: { createdAt: Date; id: string } | undefined; limit: number },
    now: Date,
  ): Promise<Refused | { outcome: 'listed'; bulletins: Bulletin[] }>;
  make(
    acting: Acting,
    draft: BulletinDraft,
    now: Date,
  ): Promise<Refused | { outcome: 'too_many' } | { outcome: 'made'; bulletin: Bulletin }>;
  end(
    acting: Acting,
    id: string,
    now: Date,
  ): Promise<Refused | { outcome: 'none' } | { outcome: 'ended'; bulletin: Bulletin }>;
}

/** Validates and normalizes an announcement. Undefined if it cannot be shown to everyone. */
export function readBulletin(
  { texts, severity, until }: { texts: Readonly<Record<string, string>>; severity: string; until: Date | undefined },
  now: Date,
): BulletinDraft | undefined {
  const entries = Object.entries(texts).map(
    ([language, text]) => [language, nameWithin(text, { min: 1, max: bulletinLimits.length })] as const,
  );
  const isWhole = entries.every(([language, text]) => /^[a-z]{2}$/.test(language) && text !== undefined);
  const hasEnglish = entries.some(([language]) => language === 'en');
  const isAhead =
    until !== undefined && until > now && until.getTime() - now.getTime() <= bulletinLimits.days * 86_400_000;
  if (!isWhole || !hasEnglish || entries.length > 10 || !isAhead) return undefined;
  if (severity !== 'info' && severity !== 'warning') return undefined;
  return { texts: Object.fromEntries(entries) as Record<string, string>, severity, until };
}

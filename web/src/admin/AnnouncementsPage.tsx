import { routes, type AdminAnnouncement } from '@nolo/api';
import { announcementLimits } from '@nolo/rules';
import { Megaphone } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { serverNow } from '../api/serverClock.ts';
import { usePages } from '../api/usePages.ts';
import { useLocale } from '../i18n/locale.ts';
import { useNow } from '../shell/useNow.ts';
import { Badge } from '../ui/Badge.tsx';
import { Button } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { Select } from '../ui/Select.tsx';
import { TextArea } from '../ui/TextArea.tsx';
import { useFormStateAcrossNavigation } from '../session/useFormStateAcrossNavigation.ts';
import { toast } from '../ui/toasts.ts';
import { useAction } from '../ui/useAction.ts';
import { adminKeys, useOperatorActionOptions } from './adminQueries.ts';
import { formatMoment } from './formatMoment.ts';
import { AdminRows } from './AdminRows.tsx';
import { useTexts } from '../i18n/texts.ts';
import { adminTexts } from './adminTexts.ts';

const severities = ['info', 'warning'] as const;
const spans = ['1', '24', '72', '168', '720'] as const;
const hourMs = 3_600_000;

/** Announcements of operators to all signed-in users: a new one, and the existing ones. */
export function AnnouncementsPage() {
  const { t } = useTexts(adminTexts);
  return (
    <>
      <p className="text-14 text-muted">{t('admin:announcementsText')}</p>
      <NewAnnouncement />
      <AdminRows
        list={usePages(routes.listAnnouncements, { queryKey: adminKeys.announcements })}
        empty={<EmptyState icon={<Megaphone />} title={t('admin:noAnnouncements')} />}
      >
        {(one) => <AnnouncementRow key={one.id} announcement={one} />}
      </AdminRows>
    </>
  );
}

function NewAnnouncement() {
  const { t } = useTexts(adminTexts);
  const make = useAction(routes.makeAnnouncement, useOperatorActionOptions(adminKeys.announcements));
  const [en, setEn] = useFormStateAcrossNavigation('announcement en', '');
  const [de, setDe] = useFormStateAcrossNavigation('announcement de', '');
  const [severity, setSeverity] = useState<(typeof severities)[number]>('info');
  const [hours, setHours] = useState<(typeof spans)[number]>('24');
  const [hasSubmitted, setHasSubmitted] = useState(false);
  const missing = en.trim() === '';

  const send = async (event: FormEvent) => {
    event.preventDefault();
    setHasSubmitted(true);
    if (missing) return;
    const texts = { en: en.trim(), ...(de.trim() !== '' && { de: de.trim() }) };
    const until = new Date(serverNow() + Number(hours) * hourMs).toISOString();
    if (!(await make.run({ body: { texts, severity, until } }))) return;
    toast({ kind: 'success', title: t('admin:announceDone') });
    setEn('');
    setDe('');
    setHasSubmitted(false);
  };

  return (
    <Card title={t('admin:announceTitle')}>
      <form className="flex flex-col gap-4" noValidate onSubmit={(event) => void send(event)}>
        <TextArea
          label={t('admin:inEnglish')}
          hint={t('admin:inEnglishHint')}
          error={hasSubmitted && missing ? t('admin:announceMissing') : null}
          lang="en"
          maxLength={announcementLimits.length}
          value={en}
          onChange={(event) => setEn(event.target.value)}
        />
        <TextArea
          label={t('admin:inGerman')}
          lang="de"
          maxLength={announcementLimits.length}
          value={de}
          onChange={(event) => setDe(event.target.value)}
        />
        <div className="grid gap-4 sm:grid-cols-2">
          <Select<(typeof severities)[number]>
            label={t('admin:severity')}
            value={severity}
            onValueChange={setSeverity}
            options={severities.map((value) => ({ value, label: t(`admin:severities.${value}`) }))}
          />
          <Select<(typeof spans)[number]>
            label={t('admin:until')}
            value={hours}
            onValueChange={setHours}
            options={spans.map((value) => ({
              value,
              label:
                Number(value) < 24
                  ? t('admin:forHours', { count: Number(value) })
                  : t('admin:untilDays', { count: Number(value) / 24 }),
            }))}
          />
        </div>
        <Button type="submit" className="self-start" icon={<Megaphone />} busy={make.busy}>
          {t('admin:announce')}
        </Button>
      </form>
    </Card>
  );
}

function AnnouncementRow({ announcement }: { announcement: AdminAnnouncement }) {
  const { t } = useTexts(adminTexts);
  const locale = useLocale();
  const nowMs = useNow();
  const end = useAction(routes.endAnnouncement, useOperatorActionOptions(adminKeys.announcements));
  const { id, texts, severity, until, createdAt, endedAt } = announcement;
  const isOver = endedAt !== null || Date.parse(until) <= nowMs;
  return (
    <li className="rounded-card border border-line bg-raised p-3 text-13">
      <div className="flex flex-wrap items-start gap-x-3 gap-y-1">
        <div className="min-w-40 flex-1">
          {Object.entries(texts).map(([language, text]) => (
            <p key={language} lang={language} dir="auto" className="text-14 wrap-anywhere select-text">
              {text}
            </p>
          ))}
        </div>
        <Badge tone={isOver ? 'neutral' : severity}>
          {isOver ? t('admin:isOver') : t(`admin:severities.${severity}`)}
        </Badge>
        {!isOver && (
          <Button kind="secondary" size="small" busy={end.busy} onClick={() => void end.run({ params: { id } })}>
            {t('admin:endAnnouncement')}
          </Button>
        )}
      </div>
      <p className="tabular mt-1 text-muted">
        {endedAt === null
          ? t('admin:shownFromTo', { from: formatMoment(createdAt, locale), to: formatMoment(until, locale) })
          : t('admin:endedAt', { date: formatMoment(endedAt, locale) })}
      </p>
    </li>
  );
}

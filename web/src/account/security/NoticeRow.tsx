import type { SecurityNotice } from '@nolo/api';
import { Fingerprint, KeyRound, LogIn, ShieldAlert, ShieldCheck, Smartphone } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatPlace } from '@nolo/rules';
import { useLocale } from '../../i18n/locale.ts';
import { Badge } from '../../ui/Badge.tsx';
import { IconRow } from '../IconRow.tsx';
import { useNoticeFormatter } from './useNoticeFormatter.ts';
import { useTexts } from '../../i18n/texts.ts';
import { securityTexts } from './securityTexts.ts';

/** Notices of events that made the account safer. */
const settled: readonly SecurityNotice['kind'][] = [
  'undone',
  'taken_back',
  'account_refused',
  'factor_added',
  'lock_on',
];

function iconOf(kind: SecurityNotice['kind']): ReactNode {
  if (kind === 'signed_in') return <LogIn className="rtl:-scale-x-100" />;
  if (settled.includes(kind)) return <ShieldCheck />;
  if (kind === 'account_asked' || kind === 'account_given') return <ShieldAlert />;
  if (kind.startsWith('passkey')) return <Fingerprint />;
  return kind.startsWith('phone') ? <Smartphone /> : <KeyRound />;
}

/** Single account event: what, on which device, and when. */
export function NoticeRow({ notice, action }: { notice: SecurityNotice; action?: ReactNode }) {
  const { t } = useTexts(securityTexts);
  const locale = useLocale();
  const { what, device, when } = useNoticeFormatter()(notice);
  const exact = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  const isUndone = notice.undoneAt !== null && notice.kind !== 'account_asked';
  return (
    <IconRow
      icon={iconOf(notice.kind)}
      title={
        <>
          {what} {isUndone && <Badge>{t('security:undoneMark')}</Badge>}
        </>
      }
      text={
        <>
          {device} · {notice.place && <bdi>{formatPlace(notice.place, locale)}</bdi>}
          {notice.place && ' · '}
          <time dateTime={notice.createdAt} title={exact.format(Date.parse(notice.createdAt))}>
            {when}
          </time>
        </>
      }
      action={action}
    />
  );
}

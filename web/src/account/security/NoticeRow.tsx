import type { SecurityNotice } from '@nolo/api';
import { Fingerprint, KeyRound, LogIn, ShieldAlert, ShieldCheck, Smartphone } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatPlace } from '@nolo/rules';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../i18n/locale.ts';
import { Badge } from '../../ui/Badge.tsx';
import { useNoticeFormatter } from './useNoticeFormatter.ts';

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
  const { t } = useTranslation();
  const locale = useLocale();
  const { what, device, when } = useNoticeFormatter()(notice);
  const exact = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <li className="flex min-h-13 flex-wrap items-center gap-x-3 gap-y-2 py-1">
      <span
        aria-hidden="true"
        className="flex size-10 shrink-0 items-center justify-center rounded-full bg-sunken text-muted [&_svg]:size-[18px]"
      >
        {iconOf(notice.kind)}
      </span>
      <span className="min-w-40 flex-1">
        <span className="block text-14 font-medium">
          {what}{' '}
          {notice.undoneAt !== null && notice.kind !== 'account_asked' && <Badge>{t('security.undoneMark')}</Badge>}
        </span>
        <span className="block text-13 text-muted">
          {device} · {notice.place && <bdi>{formatPlace(notice.place, locale)}</bdi>}
          {notice.place && ' · '}
          <time dateTime={notice.createdAt} title={exact.format(Date.parse(notice.createdAt))}>
            {when}
          </time>
        </span>
      </span>
      {/* Aligned to the end on its own line if it does not fit next to the text. */}
      {action && <span className="ms-auto">{action}</span>}
    </li>
  );
}

import type { AccessToken } from '@nolo/api';
import { Trash2 } from 'lucide-react';
import { getDateFormat } from '../i18n/dates.ts';
import { useLocale } from '../i18n/locale.ts';
import { formatTimeSince } from '../i18n/relativeTime.ts';
import { useNow } from '../shell/useNow.ts';
import { Badge } from '../ui/Badge.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { useDeveloperWords } from './useDeveloperWords.ts';

/** Token with its name, scopes, creation, last use, and expiry. */
export function TokenRow({ token, onRevoke }: { token: AccessToken; onRevoke: () => void }) {
  const { t } = useDeveloperWords();
  const locale = useLocale();
  const now = useNow();
  const date = (at: string) => getDateFormat(locale, { dateStyle: 'medium' }).format(Date.parse(at));
  const isOver = Date.parse(token.expiresAt) <= now;
  const used =
    token.lastUsedAt === null
      ? t('developer.neverUsed')
      : t('developer.used', { time: formatTimeSince(Date.parse(token.lastUsedAt), now, t, 'inSentence') });
  return (
    <li className="flex items-start gap-3 py-3 first:pt-1 last:pb-0">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-14 font-medium">
          <bdi className="min-w-0 break-words">{token.name}</bdi>
          {isOver && <Badge>{t('developer.expired')}</Badge>}
        </p>
        <p dir="ltr" className="mt-1 flex flex-wrap gap-1 rtl:justify-end">
          {token.scopes.map((scope) => (
            <code key={scope} className="rounded-control bg-sunken px-1.5 py-0.5 text-12 text-muted">
              {scope}
            </code>
          ))}
        </p>
        <p className="mt-1.5 text-13 text-muted">
          {[
            t('developer.created', { date: date(token.createdAt) }),
            used,
            t(isOver ? 'developer.expiredOn' : 'developer.expires', { date: date(token.expiresAt) }),
          ].join(' · ')}
        </p>
      </div>
      <IconButton label={t('developer.revoke', { name: token.name })} icon={<Trash2 />} onClick={onRevoke} />
    </li>
  );
}

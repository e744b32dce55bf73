import { formatClockTime, getDateFormat, formatExactTime } from '../../i18n/dates.ts';
import { useLocale } from '../../i18n/locale.ts';
import type { KnownPresence } from '../context/chatContext.ts';
import { useNow } from '../../shell/useNow.ts';
import { useTexts } from '../../i18n/texts.ts';
import { lastSeenTexts } from './lastSeenTexts.ts';

const dayMs = 86_400_000;
const midnight = (at: number) => new Date(at).setHours(0, 0, 0, 0);

type PresenceWordsProps = Pick<KnownPresence, 'presenceStatus' | 'lastSeenAt'> & {
  /** True if space is short. Then only the time is shown. */
  tight?: boolean;
};

/** Shows presence, or when the person was last seen, as far as the user may see it. Shows nothing if unknown. */
export function PresenceWords({ presenceStatus, lastSeenAt, tight = false }: PresenceWordsProps) {
  const { t } = useTexts(lastSeenTexts);
  const locale = useLocale();
  const now = useNow();
  const isThere = presenceStatus !== null && presenceStatus !== 'offline';
  if (isThere || lastSeenAt === undefined) return presenceStatus && t(`presence.${presenceStatus}`);
  const at = Date.parse(lastSeenAt);
  const days = Math.round((midnight(now) - midnight(at)) / dayMs);
  const time = formatClockTime(at, locale);
  const date = getDateFormat(locale, { day: 'numeric', month: 'short', ...(days > 300 && { year: 'numeric' }) }).format(
    at,
  );
  const whole =
    days <= 0
      ? t('lastSeen:today', { time })
      : days === 1
        ? t('lastSeen:yesterday', { time })
        : t('lastSeen:on', { date });
  return (
    <time dateTime={lastSeenAt} title={formatExactTime(at, locale)}>
      {tight ? (
        <>
          <span className="@max-[13rem]:hidden">{whole}</span>
          <span className="hidden @max-[13rem]:inline">{t('lastSeen:short', { at: days <= 0 ? time : date })}</span>
        </>
      ) : (
        whole
      )}
    </time>
  );
}

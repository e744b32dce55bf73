import { getDateFormat } from '../i18n/dates.ts';
import { useLocale } from '../i18n/locale.ts';
import type { ComposeForm } from './model/composeForm.ts';
import { resolveWallTime } from './model/resolveWallTime.ts';
import { useSocialWords } from './useSocialWords.ts';

/** Explains a time on a day of a clock change. */
export function ClockChangeHint({
  form: { date, time, timeZone },
}: {
  form: Pick<ComposeForm, 'date' | 'time' | 'timeZone'>;
}) {
  const { t } = useSocialWords();
  const locale = useLocale();
  const chosen = date === '' || time === '' ? null : resolveWallTime(`${date}T${time}`, timeZone);
  if (!chosen || chosen.shift === 'none') return null;
  const goesOut = getDateFormat(locale, { hour: 'numeric', minute: '2-digit', timeZone }).format(chosen.at);
  return (
    <p role="status" className="mt-1.5 text-13 text-warning-text">
      {t(`social.${chosen.shift}`, { time: goesOut })}
    </p>
  );
}

import type { SocialPlatformState } from '@nolo/api';
import { socialTextCounters } from '@nolo/rules';
import { CalendarClock, Zap } from 'lucide-react';
import { useNow } from '../shell/useNow.ts';
import { classNames } from '../ui/classNames.ts';
import { Segmented } from '../ui/Segmented.tsx';
import { TextArea } from '../ui/TextArea.tsx';
import { TextField } from '../ui/TextField.tsx';
import { getDateFormat } from '../i18n/dates.ts';
import { useLocale } from '../i18n/locale.ts';
import { toPostTimeInputs, type ComposeForm } from './model/composeForm.ts';
import { PlatformIcon } from './PlatformIcon.tsx';
import { PlatformPreview } from './PlatformPreview.tsx';
import { useSocialWords } from './useSocialWords.ts';
import { resolveWallTime } from './model/resolveWallTime.ts';

/** Explains a time on a day of a clock change. */
function ClockChangeHint({
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

interface ComposeFieldProps {
  form: ComposeForm;
  onChange: (patch: Partial<ComposeForm>) => void;
}

/** Remaining characters on each chosen platform, each of which may have its own text. */
export function PlatformTexts({
  form,
  platforms,
  onChange,
}: ComposeFieldProps & { platforms: readonly SocialPlatformState[] }) {
  const { t } = useSocialWords();
  const set = (id: SocialPlatformState['id'], text: string | undefined) => {
    const { [id]: _, ...others } = form.texts;
    onChange({ texts: text === undefined ? others : { ...others, [id]: text } });
  };
  return platforms.map((platform) => {
    const { id, name, limits } = platform;
    const own = form.texts[id];
    const shown = own ?? form.content;
    const used = socialTextCounters[id](shown);
    return (
      <section
        key={id}
        aria-label={t('social.compose.previewOf', { platform: name })}
        className="flex flex-col gap-2 rounded-card border border-line p-3"
      >
        <header className="flex items-center gap-2">
          <PlatformIcon platform={id} size="small" />
          <span className="min-w-0 flex-1 truncate text-14 font-medium">{name}</span>
          <span
            className={classNames(
              'tabular text-13',
              used > limits.text ? 'font-semibold text-danger-text' : 'text-muted',
            )}
          >
            <span aria-hidden="true">{t('social.compose.count', { used, limit: limits.text })}</span>
            <span className="sr-only">{t('social.compose.countOf', { platform: name, used, limit: limits.text })}</span>
          </span>
        </header>
        <label className="flex min-h-8 items-center gap-2 text-13">
          <input
            type="checkbox"
            className="size-4 accent-accent"
            checked={own !== undefined}
            onChange={(event) => set(id, event.target.checked ? form.content : undefined)}
          />
          {t('social.compose.own', { platform: name })}
        </label>
        {own !== undefined && (
          <TextArea
            hideLabel
            dir="auto"
            label={t('social.compose.ownOf', { platform: name })}
            value={own}
            onChange={(event) => set(id, event.target.value)}
          />
        )}
        {(shown !== '' || form.media.length > 0) && (
          <PlatformPreview platform={platform} text={shown} media={form.media} />
        )}
      </section>
    );
  });
}

/** Time of publication: immediately, or at a date and time in a named time zone. */
export function PostTimeFields({ form, mayBeNow, onChange }: ComposeFieldProps & { mayBeNow: boolean }) {
  const { t } = useSocialWords();
  const today = toPostTimeInputs(new Date(useNow())).date;
  return (
    <div className="flex flex-col gap-3">
      {mayBeNow && (
        <Segmented
          label={t('social.compose.when')}
          value={form.later ? 'later' : 'now'}
          onValueChange={(value) => onChange({ later: value === 'later' })}
          options={[
            { value: 'now', label: t('social.compose.now'), icon: <Zap aria-hidden="true" /> },
            { value: 'later', label: t('social.compose.later'), icon: <CalendarClock aria-hidden="true" /> },
          ]}
        />
      )}
      {form.later && (
        <div>
          <div className="grid grid-cols-2 gap-3">
            <TextField
              type="date"
              min={today}
              label={t('social.compose.date')}
              value={form.date}
              onChange={(event) => onChange({ date: event.target.value })}
            />
            <TextField
              type="time"
              label={t('social.compose.time')}
              value={form.time}
              onChange={(event) => onChange({ time: event.target.value })}
            />
          </div>
          <ClockChangeHint form={form} />
          <p className="mt-1.5 text-13 text-muted">{t('social.zone', { zone: form.timeZone.replaceAll('_', ' ') })}</p>
        </div>
      )}
    </div>
  );
}

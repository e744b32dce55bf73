import { meetingRecurrences } from '@nolo/rules';
import { useId } from 'react';
import { useLocale } from '../i18n/locale.ts';
import { Select } from '../ui/Select.tsx';
import { DateTimeFields, NowOrLater } from '../shell/DateTimeFields.tsx';
import { durations, type MeetingForm } from './meetingForm.ts';
import { formatDuration } from './meetingTimes.ts';
import { useTexts } from '../i18n/texts.ts';
import { meetingsTexts } from './meetingsTexts.ts';

export interface MeetingTimeFieldsProps {
  form: MeetingForm;
  /** True if the meeting may also start immediately. */
  mayBeNow: boolean;
  error: string | undefined;
  onChange: (patch: Partial<MeetingForm>) => void;
}

/** Start: immediately, or at a date and time in the browser's time zone. Also sets duration and recurrence. */
export function MeetingTimeFields({ form, mayBeNow, error, onChange }: MeetingTimeFieldsProps) {
  const { t } = useTexts(meetingsTexts);
  const locale = useLocale();
  const messageId = useId();
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const lengths = durations.includes(form.duration) ? durations : [...durations, form.duration].sort((a, b) => a - b);
  const described = { 'aria-invalid': error ? true : undefined, 'aria-describedby': messageId } as const;
  return (
    <div className="flex flex-col gap-4">
      {mayBeNow && (
        <NowOrLater
          words={{
            label: t('meetings:form.when'),
            now: t('meetings:form.now'),
            later: t('meetings:form.later'),
          }}
          later={form.planned}
          onChange={(planned) => onChange({ planned })}
        />
      )}
      {form.planned && (
        <>
          <div>
            <DateTimeFields
              {...described}
              words={{ date: t('meetings:form.date'), time: t('meetings:form.time') }}
              date={form.date}
              time={form.time}
              onChange={onChange}
            />
            <p
              id={messageId}
              {...(error ? { role: 'alert' } : { 'aria-live': 'polite' })}
              className={error ? 'mt-1.5 text-13 text-danger-text' : 'mt-1.5 text-13 text-muted'}
            >
              {error ?? t('meetings:form.timeZone', { zone: timeZone.replaceAll('_', ' ') })}
            </p>
          </div>
          <div className="grid grid-cols-2 gap-3">
            <Select
              label={t('meetings:form.duration')}
              value={String(form.duration)}
              onValueChange={(value) => onChange({ duration: Number(value) })}
              options={[
                ...lengths
                  .filter((minutes) => minutes > 0)
                  .map((minutes) => ({ value: String(minutes), label: formatDuration(minutes, locale) })),
                { value: '0', label: t('meetings:form.noDuration') },
              ]}
            />
            <Select
              label={t('meetings:form.recurrence')}
              value={form.recurrence}
              onValueChange={(recurrence) => onChange({ recurrence })}
              options={meetingRecurrences.map((value) => ({ value, label: t(`meetings:form.recurrences.${value}`) }))}
            />
          </div>
        </>
      )}
    </div>
  );
}

import { meetingRecurrences } from '@nolo/rules';
import { CalendarClock, Zap } from 'lucide-react';
import { useId } from 'react';
import { useLocale } from '../i18n/locale.ts';
import { Segmented } from '../ui/Segmented.tsx';
import { Select } from '../ui/Select.tsx';
import { TextField } from '../ui/TextField.tsx';
import { toDateTimeInputs } from '../shell/dateTimeInputs.ts';
import { durations, type MeetingForm } from './meetingForm.ts';
import { formatDuration } from './meetingTimes.ts';
import { useNow } from '../shell/useNow.ts';
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
  const today = toDateTimeInputs(new Date(useNow())).date;
  const messageId = useId();
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const lengths = durations.includes(form.duration) ? durations : [...durations, form.duration].sort((a, b) => a - b);
  const described = { 'aria-invalid': error ? true : undefined, 'aria-describedby': messageId } as const;
  return (
    <div className="flex flex-col gap-4">
      {mayBeNow && (
        <Segmented
          label={t('meetings:form.when')}
          value={form.planned ? 'later' : 'now'}
          onValueChange={(value) => onChange({ planned: value === 'later' })}
          options={[
            { value: 'now', label: t('meetings:form.now'), icon: <Zap aria-hidden="true" /> },
            { value: 'later', label: t('meetings:form.later'), icon: <CalendarClock aria-hidden="true" /> },
          ]}
        />
      )}
      {form.planned && (
        <>
          <div>
            <div className="grid grid-cols-2 gap-3">
              <TextField
                {...described}
                type="date"
                min={today}
                label={t('meetings:form.date')}
                value={form.date}
                onChange={(event) => onChange({ date: event.target.value })}
              />
              <TextField
                {...described}
                type="time"
                label={t('meetings:form.time')}
                value={form.time}
                onChange={(event) => onChange({ time: event.target.value })}
              />
            </div>
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

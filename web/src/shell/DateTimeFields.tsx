import { CalendarClock, Zap } from 'lucide-react';
import { Segmented } from '../ui/Segmented.tsx';
import { TextField, type TextFieldProps } from '../ui/TextField.tsx';
import { toDateTimeInputs } from './dateTimeInputs.ts';
import { useNow } from './useNow.ts';

interface NowOrLaterProps {
  words: { label: string; now: string; later: string };
  later: boolean;
  onChange: (later: boolean) => void;
}

/** Choice between now and a date, which `DateTimeFields` then ask for. */
export function NowOrLater({ words, later, onChange }: NowOrLaterProps) {
  return (
    <Segmented
      label={words.label}
      value={later ? 'later' : 'now'}
      onValueChange={(value) => onChange(value === 'later')}
      options={[
        { value: 'now', label: words.now, icon: <Zap aria-hidden="true" /> },
        { value: 'later', label: words.later, icon: <CalendarClock aria-hidden="true" /> },
      ]}
    />
  );
}

interface DateTimeFieldsProps extends Pick<TextFieldProps, 'aria-invalid' | 'aria-describedby'> {
  words: { date: string; time: string };
  date: string;
  time: string;
  onChange: (patch: { date: string } | { time: string }) => void;
}

/** Date from today on, and time. */
export function DateTimeFields({ words, date, time, onChange, ...described }: DateTimeFieldsProps) {
  const today = toDateTimeInputs(new Date(useNow())).date;
  return (
    <div className="grid grid-cols-2 gap-3">
      <TextField
        {...described}
        type="date"
        min={today}
        label={words.date}
        value={date}
        onChange={(event) => onChange({ date: event.target.value })}
      />
      <TextField
        {...described}
        type="time"
        label={words.time}
        value={time}
        onChange={(event) => onChange({ time: event.target.value })}
      />
    </div>
  );
}

import { limits } from '@nolo/rules';
import { ChevronDown } from 'lucide-react';
import { useId } from 'react';
import { classNames } from '../ui/classNames.ts';
import { Switch } from '../ui/Switch.tsx';
import { TextArea } from '../ui/TextArea.tsx';
import { TextField } from '../ui/TextField.tsx';
import { getDefaultMaxParticipants, type MeetingForm } from './meetingForm.ts';
import { useTexts } from '../i18n/texts.ts';
import { meetingsTexts } from './meetingsTexts.ts';

const switches = ['waitingRoom', 'allowGuests', 'allowScreenShare', 'allowRecording', 'muteOnEntry'] as const;
const wordsOf = {
  waitingRoom: 'waitingRoom',
  allowGuests: 'allowGuests',
  allowScreenShare: 'screenShare',
  allowRecording: 'recording',
  muteOnEntry: 'muteOnEntry',
} as const;

export interface MeetingOptionsProps {
  form: MeetingForm;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Maximum participants, and whether the plan sets the limit. */
  capacity: { maxPeople: number; byPlan: boolean };
  maxError: string | undefined;
  onChange: (patch: Partial<MeetingForm>) => void;
}

/** Options that most meetings leave unchanged. */
export function MeetingOptions({ form, open, onOpenChange, capacity, maxError, onChange }: MeetingOptionsProps) {
  const { t } = useTexts(meetingsTexts);
  const panel = useId();
  const settings = useId();
  return (
    <div>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={panel}
        onClick={() => onOpenChange(!open)}
        className="tap -mx-2 flex min-h-9 items-center gap-1.5 rounded-control px-2 text-14 font-medium text-accent-text hover:bg-hover"
      >
        <ChevronDown
          aria-hidden="true"
          className={classNames('size-4 transition-transform duration-150', open && 'rotate-180')}
        />
        {t('meetings:form.options')}
      </button>
      <div id={panel} hidden={!open} className={open ? 'mt-3 flex flex-col gap-5' : undefined}>
        <TextArea
          dir="auto"
          maxLength={limits.meetingDescriptionLength}
          label={t('meetings:form.descriptionOptional')}
          value={form.description}
          onChange={(event) => onChange({ description: event.target.value })}
        />
        <TextField
          type="number"
          inputMode="numeric"
          min={limits.meetingParticipantsMin}
          max={capacity.maxPeople}
          step={1}
          className="max-w-48"
          label={t('meetings:form.maxParticipants')}
          hint={t(capacity.byPlan ? 'meetings:form.maxPlanHint' : 'meetings:form.maxHint', {
            min: limits.meetingParticipantsMin,
            max: capacity.maxPeople,
          })}
          error={maxError}
          value={form.maxParticipants ?? getDefaultMaxParticipants(capacity.maxPeople)}
          onChange={(event) => onChange({ maxParticipants: event.target.value })}
        />
        <div role="group" aria-labelledby={settings}>
          <p id={settings} className="mb-1 text-13 font-medium">
            {t('meetings:form.settings')}
          </p>
          {switches.map((name) => (
            <Switch
              key={name}
              label={t(`meetings:form.${wordsOf[name]}`)}
              hint={t(`meetings:form.${wordsOf[name]}Hint`)}
              checked={form[name]}
              onCheckedChange={(checked) => onChange({ [name]: checked })}
            />
          ))}
        </div>
      </div>
    </div>
  );
}

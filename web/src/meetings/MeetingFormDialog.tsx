import type { Meeting } from '@nolo/api';
import { serverNow } from '../api/serverClock.ts';
import { ApiError } from '../api/httpClient.ts';
import { limits } from '@nolo/rules';
import { useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { exactTime } from '../i18n/dates.ts';
import { useLocale } from '../i18n/locale.ts';
import { useMeetingSeats } from '../session/plan.ts';
import { showFailure } from '../ui/failures.ts';
import { toast } from '../ui/toasts.ts';
import { FormDialog } from '../ui/FormDialog.tsx';
import { TextField } from '../ui/TextField.tsx';
import { useFailureWords } from '../i18n/useFailureWords.ts';
import { meetingPath } from '../shell/meetingPath.ts';
import type { MeetingEntry } from './meetingEntry.ts';
import { MeetingOptions } from './MeetingOptions.tsx';
import { MeetingWhen } from './MeetingWhen.tsx';
import type { FormField, FormProblem, MeetingForm } from './meetingForm.ts';
import { changeOf, creationOf, formOf, newForm, problemsOf } from './meetingForm.ts';
import { useMeetingChanges } from './useMeetingChanges.ts';
import { useMeetingsWords } from './useMeetingsWords.ts';

export interface MeetingFormDialogProps {
  entry: MeetingEntry;
  /** Meeting to edit. Absent: creates a new one. */
  meeting?: Meeting;
  onClose: () => void;
  /** Called after a future meeting was created, so that it can be shared. */
  onPlanned: (meeting: Meeting) => void;
}

/** Returns the field that a server rejection is about. */
function fieldOf(error: unknown): FormField | null {
  const field = error instanceof ApiError && error.code === 'meeting_invalid' ? error.details['field'] : undefined;
  if (field === 'name' || field === 'maxParticipants') return field;
  return field === 'scheduledAt' || field === 'timeZone' || field === 'duration' ? 'when' : null;
}

/** Returns the texts of problems for the dialog's entry point. */
function useProblemText(entry: MeetingEntry, most: number): (problem: FormProblem) => string {
  const { t } = useMeetingsWords();
  return (problem) => {
    const range = { min: limits.meetingParticipantsMin, max: most };
    switch (problem) {
      case 'nameMissing':
        return entry === 'screen'
          ? t('common.titled', { title: t('meetings.problem.nameTitle'), text: t('meetings.problem.nameText') })
          : t('meetings.problem.name');
      case 'maxParticipants':
        return t('meetings.problem.maxParticipants', range);
      case 'whenMissing':
        return t('meetings.problem.whenMissing');
      case 'whenPast':
        return t('meetings.problem.whenPast');
    }
  };
}

/** Confirms a new meeting, then opens the room or the share dialog. */
function useMade({ onClose, onPlanned }: Pick<MeetingFormDialogProps, 'onClose' | 'onPlanned'>) {
  const { t } = useMeetingsWords();
  const locale = useLocale();
  const navigate = useNavigate();
  return (created: Meeting, asked: number | undefined) => {
    const limited = asked !== undefined && created.maxParticipants < asked;
    const { scheduledAt, name } = created;
    const notes = [
      ...(scheduledAt === null
        ? []
        : [t('meetings.scheduledFor', { name, time: exactTime(Date.parse(scheduledAt), locale) })]),
      ...(limited ? [t('meetings.planLimit', { count: created.maxParticipants })] : []),
    ];
    toast({
      kind: 'success',
      title: t('meetings.created'),
      ...(notes.length > 0 && { description: notes.join(' ') }),
    });
    onClose();
    if (scheduledAt === null) void navigate(meetingPath(created.roomCode));
    else onPlanned(created);
  };
}

/** Creates or edits a meeting. The texts depend on the entry point (decision 14). */
export function MeetingFormDialog({ entry, meeting, onClose, onPlanned }: MeetingFormDialogProps) {
  const { t } = useMeetingsWords();
  const words = useFailureWords();
  const { create, update, refresh } = useMeetingChanges();
  const nameField = useRef<HTMLInputElement>(null);
  const [before] = useState(() => (meeting ? formOf(meeting, new Date(serverNow())) : newForm(new Date(serverNow()))));
  const [form, setForm] = useState<MeetingForm>(before);
  const [errors, setErrors] = useState<Partial<Record<FormField, string>>>({});
  const [optionsOpen, setOptionsOpen] = useState(meeting !== undefined || entry === 'sidebar');

  const set = (part: Partial<MeetingForm>, field?: FormField) => {
    setForm((known) => ({ ...known, ...part }));
    if (field) setErrors((known) => ({ ...known, [field]: undefined }));
  };
  const allowed = useMeetingSeats();
  // The creator may have a larger plan than a host who edits the meeting.
  const present = meeting?.maxParticipants ?? 0;
  const seats = { most: Math.max(allowed.most, present), byPlan: allowed.byPlan && allowed.most >= present };
  const text = useProblemText(entry, seats.most);
  const made = useMade({ onClose, onPlanned });

  /** Shows the problems at their fields. */
  const refuse = (problems: Partial<Record<FormField, FormProblem>>) => {
    const found = Object.entries(problems).map(([field, problem]) => [field, text(problem)] as const);
    setErrors(Object.fromEntries(found));
    if (problems.maxParticipants) setOptionsOpen(true);
    if (problems.name) nameField.current?.focus();
  };

  const submit = async () => {
    const problems = problemsOf(form, { now: new Date(serverNow()), most: seats.most, unchanged: meeting && before });
    if (Object.keys(problems).length > 0) {
      refuse(problems);
      return;
    }
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    const change = meeting && changeOf(before, form, timeZone);
    if (change === null) {
      onClose();
      return;
    }
    try {
      if (meeting && change) {
        const { maxParticipants } = await update(meeting, change);
        const limited = change.maxParticipants !== undefined && maxParticipants < change.maxParticipants;
        toast({
          kind: 'success',
          title: t('meetings.saved'),
          ...(limited && { description: t('meetings.planLimit', { count: maxParticipants }) }),
        });
        onClose();
      } else {
        const body = creationOf(form, timeZone);
        made(await create(body), body.maxParticipants);
      }
      refresh();
    } catch (failure) {
      const message = words(failure, meeting ? t('meetings.saveFailed') : t('meetings.createFailed'));
      const field = fieldOf(failure);
      if (field) setErrors({ [field]: message });
      else showFailure({ title: message });
    }
  };

  const submitLabel = meeting
    ? t('common.save')
    : t(form.planned ? 'meetings.form.submitScheduled' : 'meetings.form.submit');
  const busyLabel = t(meeting ? 'meetings.form.saving' : 'meetings.form.creating');

  return (
    <FormDialog
      initialFocus={() => nameField.current}
      title={meeting ? t('meetings.form.editTitle') : t('meetings.form.createTitle')}
      submitLabel={submitLabel}
      dirty={JSON.stringify(form) !== JSON.stringify(before)}
      busyLabel={busyLabel}
      onClose={onClose}
      onSubmit={submit}
    >
      <TextField
        ref={nameField}
        dir="auto"
        autoComplete="off"
        maxLength={limits.meetingNameLength}
        label={t('meetings.form.name')}
        placeholder={t('meetings.form.namePlaceholder')}
        error={errors.name}
        value={form.name}
        onChange={(event) => set({ name: event.target.value }, 'name')}
      />
      {meeting?.status !== 'live' && (
        <MeetingWhen
          form={form}
          // A date can be moved, but not removed.
          mayBeNow={meeting === undefined || !before.planned}
          error={errors.when}
          onChange={(part) => set(part, 'when')}
        />
      )}
      <MeetingOptions
        form={form}
        open={optionsOpen}
        onOpenChange={setOptionsOpen}
        seats={seats}
        maxError={errors.maxParticipants}
        onChange={(part) => set(part, part.maxParticipants === undefined ? undefined : 'maxParticipants')}
      />
    </FormDialog>
  );
}

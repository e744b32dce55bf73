import { routes, type Meeting } from '@nolo/api';
import { serverNow } from '../api/serverClock.ts';
import { ApiError } from '../api/httpClient.ts';
import { limits } from '@nolo/rules';
import { useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { formatExactTime } from '../i18n/dates.ts';
import { useLocale } from '../i18n/locale.ts';
import { useMeetingCapacity } from '../session/plan.ts';
import { toast } from '../ui/toasts.ts';
import { FormDialog } from '../ui/FormDialog.tsx';
import { TextField } from '../ui/TextField.tsx';
import { useExplainFailure } from '../i18n/useExplainFailure.ts';
import { meetingPath } from '../shell/meetingPath.ts';
import {
  toUpdateMeetingRequest,
  toCreateMeetingRequest,
  toMeetingForm,
  createMeetingForm,
  findFormProblems,
  type MeetingDialogOrigin,
  type FormField,
  type FormProblem,
  type MeetingForm,
} from './meetingForm.ts';
import { MeetingOptions } from './MeetingOptions.tsx';
import { MeetingTimeFields } from './MeetingTimeFields.tsx';
import { useAction } from '../ui/useAction.ts';
import { meetingsQueryKey } from './meetingQueries.ts';
import { useTexts } from '../i18n/texts.ts';
import { meetingsTexts } from './meetingsTexts.ts';

export interface MeetingFormDialogProps {
  entry: MeetingDialogOrigin;
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
function useProblemText(entry: MeetingDialogOrigin, maxPeople: number): (problem: FormProblem) => string {
  const { t } = useTexts(meetingsTexts);
  return (problem) => {
    const range = { min: limits.meetingParticipantsMin, max: maxPeople };
    switch (problem) {
      case 'nameMissing':
        return entry === 'screen'
          ? t('common.titled', { title: t('meetings:problem.nameTitle'), text: t('meetings:problem.nameText') })
          : t('meetings:problem.name');
      case 'maxParticipants':
        return t('meetings:problem.maxParticipants', range);
      case 'whenMissing':
        return t('meetings:problem.whenMissing');
      case 'whenPast':
        return t('meetings:problem.whenPast');
    }
  };
}

/** Confirms a new meeting, then opens the room or the share dialog. */
function useMade({ onClose, onPlanned }: Pick<MeetingFormDialogProps, 'onClose' | 'onPlanned'>) {
  const { t } = useTexts(meetingsTexts);
  const locale = useLocale();
  const navigate = useNavigate();
  return (created: Meeting, requestedPeople: number | undefined) => {
    const limited = requestedPeople !== undefined && created.maxParticipants < requestedPeople;
    const { scheduledAt, name } = created;
    const sentences = [
      ...(scheduledAt === null
        ? []
        : [t('meetings:scheduledFor', { name, time: formatExactTime(Date.parse(scheduledAt), locale) })]),
      ...(limited ? [t('meetings:planLimit', { count: created.maxParticipants })] : []),
    ];
    toast({
      kind: 'success',
      title: t('meetings:created'),
      ...(sentences.length > 0 && { description: sentences.join(' ') }),
    });
    onClose();
    if (scheduledAt === null) void navigate(meetingPath(created.roomCode));
    else onPlanned(created);
  };
}

/** Creates or edits a meeting. The texts depend on the entry point (decision 14). */
export function MeetingFormDialog({ entry, meeting, onClose, onPlanned }: MeetingFormDialogProps) {
  const { t } = useTexts(meetingsTexts);
  const words = useExplainFailure();
  const nameField = useRef<HTMLInputElement>(null);
  const [before] = useState(() =>
    meeting ? toMeetingForm(meeting, new Date(serverNow())) : createMeetingForm(new Date(serverNow())),
  );
  const [form, setForm] = useState<MeetingForm>(before);
  const [errors, setErrors] = useState<Partial<Record<FormField, string>>>({});
  const [optionsOpen, setOptionsOpen] = useState(meeting !== undefined || entry === 'sidebar');

  const set = (patch: Partial<MeetingForm>, field?: FormField) => {
    setForm((known) => ({ ...known, ...patch }));
    if (field) setErrors((known) => ({ ...known, [field]: undefined }));
  };
  const allowed = useMeetingCapacity();
  // The creator may have a larger plan than a host who edits the meeting.
  const present = meeting?.maxParticipants ?? 0;
  const capacity = {
    maxPeople: Math.max(allowed.maxPeople, present),
    byPlan: allowed.byPlan && allowed.maxPeople >= present,
  };
  const text = useProblemText(entry, capacity.maxPeople);
  const made = useMade({ onClose, onPlanned });

  /** Shows the problems at their fields. */
  const refuse = (problems: Partial<Record<FormField, FormProblem>>) => {
    const found = Object.entries(problems).map(([field, problem]) => [field, text(problem)] as const);
    setErrors(Object.fromEntries(found));
    if (problems.maxParticipants) setOptionsOpen(true);
    if (problems.name) nameField.current?.focus();
  };

  const refusal = (otherwise: string) => ({
    invalidates: [meetingsQueryKey],
    failure: (error: unknown) => {
      const title = words(error, otherwise);
      const field = fieldOf(error);
      if (field === null) return { title };
      setErrors({ [field]: title });
      return undefined;
    },
  });
  const create = useAction(routes.createMeeting, {
    ...refusal(t('meetings:createFailed')),
    onDone: (created, { body }) => made(created, body?.maxParticipants),
  });
  const update = useAction(routes.updateMeeting, {
    ...refusal(t('meetings:saveFailed')),
    onDone: ({ maxParticipants }, { body }) => {
      const limited = body?.maxParticipants !== undefined && maxParticipants < body.maxParticipants;
      toast({
        kind: 'success',
        title: t('meetings:saved'),
        ...(limited && { description: t('meetings:planLimit', { count: maxParticipants }) }),
      });
      onClose();
    },
  });

  const submit = async () => {
    const problems = findFormProblems(form, {
      now: new Date(serverNow()),
      maxPeople: capacity.maxPeople,
      unchanged: meeting && before,
    });
    if (Object.keys(problems).length > 0) {
      refuse(problems);
      return;
    }
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    if (!meeting) {
      await create.run({ body: toCreateMeetingRequest(form, timeZone) });
      return;
    }
    const body = toUpdateMeetingRequest(before, form, timeZone);
    if (body === null) onClose();
    else await update.run({ params: { roomCode: meeting.roomCode }, body });
  };

  const submitLabel = meeting
    ? t('common.save')
    : t(form.planned ? 'meetings:form.submitScheduled' : 'meetings:form.submit');
  const busyLabel = t(meeting ? 'meetings:form.saving' : 'meetings:form.creating');

  return (
    <FormDialog
      initialFocus={() => nameField.current}
      title={meeting ? t('meetings:form.editTitle') : t('meetings:form.createTitle')}
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
        label={t('meetings:form.name')}
        placeholder={t('meetings:form.namePlaceholder')}
        error={errors.name}
        value={form.name}
        onChange={(event) => set({ name: event.target.value }, 'name')}
      />
      {meeting?.status !== 'live' && (
        <MeetingTimeFields
          form={form}
          // A date can be moved, but not removed.
          mayBeNow={meeting === undefined || !before.planned}
          error={errors.when}
          onChange={(patch) => set(patch, 'when')}
        />
      )}
      <MeetingOptions
        form={form}
        open={optionsOpen}
        onOpenChange={setOptionsOpen}
        capacity={capacity}
        maxError={errors.maxParticipants}
        onChange={(patch) => set(patch, patch.maxParticipants === undefined ? undefined : 'maxParticipants')}
      />
    </FormDialog>
  );
}

import type { RouteBodyInput, Meeting, routes } from '@nolo/api';
import { cleanName, limits, type MeetingRecurrence } from '@nolo/rules';
import { toDateTimeInputs, toNextHourInputs } from '../shell/dateTimeInputs.ts';

export interface MeetingForm {
  name: string;
  description: string;
  /** Maximum participants as typed. Null and empty stand for the default, within the plan's limit. */
  maxParticipants: string | null;
  /** True if the meeting starts later instead of immediately. */
  planned: boolean;
  date: string;
  time: string;
  /** Minutes. 0 means open-ended. */
  duration: number;
  recurrence: MeetingRecurrence;
  waitingRoom: boolean;
  allowGuests: boolean;
  allowScreenShare: boolean;
  allowRecording: boolean;
  muteOnEntry: boolean;
}

export const durations: readonly number[] = [15, 30, 45, 60, 90, 120, 180, 240];

export type FormProblem = 'nameMissing' | 'maxParticipants' | 'whenMissing' | 'whenPast';
export type FormField = 'name' | 'maxParticipants' | 'when';

/** Returns the moment in the inputs, or null if they are incomplete or invalid. */
export function parseDateTimeInputs({ date, time }: Pick<MeetingForm, 'date' | 'time'>): Date | null {
  if (date === '' || time === '') return null;
  const at = new Date(`${date}T${time}`);
  return Number.isNaN(at.getTime()) ? null : at;
}

/** Returns the form of a new meeting. If it gets planned, the next full hour is suggested. */
export function createMeetingForm(now: Date): MeetingForm {
  return {
    name: '',
    description: '',
    maxParticipants: null,
    planned: false,
    ...toNextHourInputs(now),
    duration: 60,
    recurrence: 'none',
    waitingRoom: false,
    allowGuests: false,
    allowScreenShare: true,
    allowRecording: false,
    muteOnEntry: false,
  };
}

export function toMeetingForm(meeting: Meeting, now: Date): MeetingForm {
  const { settings, scheduledAt } = meeting;
  return {
    ...createMeetingForm(now),
    name: meeting.name,
    description: meeting.description,
    maxParticipants: String(meeting.maxParticipants),
    planned: scheduledAt !== null,
    ...(scheduledAt !== null && { ...toDateTimeInputs(new Date(scheduledAt)), duration: meeting.duration ?? 0 }),
    recurrence: meeting.recurrence,
    waitingRoom: settings.waitingRoom,
    allowGuests: !settings.requireAuth,
    allowScreenShare: settings.allowScreenShare,
    allowRecording: settings.allowRecording,
    muteOnEntry: settings.muteOnEntry,
  };
}

export const getDefaultMaxParticipants = (maxPeople: number): number =>
  Math.min(limits.meetingParticipantsDefault, maxPeople);

function wantedPeople(form: MeetingForm, maxPeople: number): number | null {
  const typed = form.maxParticipants?.trim() ?? '';
  // A later, larger plan then admits more people without an edit.
  if (typed === '') return limits.meetingParticipantsDefault;
  const people = Number(typed);
  return Number.isInteger(people) && people >= limits.meetingParticipantsMin && people <= maxPeople ? people : null;
}

const settingsOf = (form: MeetingForm, maxParticipants: number) => ({
  requireAuth: !form.allowGuests,
  waitingRoom: form.waitingRoom,
  allowScreenShare: form.allowScreenShare,
  allowRecording: form.allowRecording,
  muteOnEntry: form.muteOnEntry,
  maxParticipants,
});

interface Circumstances {
  now: Date;
  maxPeople: number;
  /** Form before any edits. Undefined for a new meeting. */
  unchanged?: MeetingForm | undefined;
}

/** Returns the problems (spec section 5). An unchanged date is valid even if it has passed. */
export function findFormProblems(
  form: MeetingForm,
  { now, maxPeople, unchanged }: Circumstances,
): Partial<Record<FormField, FormProblem>> {
  const problems: Partial<Record<FormField, FormProblem>> = {};
  if (cleanName(form.name) === '') problems.name = 'nameMissing';
  if (wantedPeople(form, maxPeople) === null) problems.maxParticipants = 'maxParticipants';
  if (form.planned) {
    const at = parseDateTimeInputs(form);
    const moved = !unchanged?.planned || form.date !== unchanged.date || form.time !== unchanged.time;
    if (at === null) problems.when = 'whenMissing';
    else if (moved && at.getTime() <= now.getTime()) problems.when = 'whenPast';
  }
  return problems;
}

type Creation = RouteBodyInput<(typeof routes)['createMeeting']>;
type Change = RouteBodyInput<(typeof routes)['updateMeeting']>;

export function toCreateMeetingRequest(form: MeetingForm, timeZone: string): Creation {
  const maxParticipants = wantedPeople(form, limits.meetingParticipantsMax) ?? limits.meetingParticipantsDefault;
  return {
    name: cleanName(form.name),
    description: form.description.trim(),
    maxParticipants,
    isRecording: form.allowRecording,
    settings: settingsOf(form, maxParticipants),
    ...(form.planned && {
      scheduledAt: parseDateTimeInputs(form)?.toISOString() ?? null,
      duration: form.duration,
      recurrence: form.recurrence,
      timeZone,
    }),
  };
}

/** Returns the changes to a meeting, or null if nothing changes. */
export function toUpdateMeetingRequest(before: MeetingForm, form: MeetingForm, timeZone: string): Change | null {
  const change: Change = {};
  if (cleanName(form.name) !== before.name) change.name = cleanName(form.name);
  if (form.description.trim() !== before.description) change.description = form.description.trim();
  // The input is already validated.
  const people = wantedPeople(form, limits.meetingParticipantsMax);
  if (people !== null && people !== wantedPeople(before, limits.meetingParticipantsMax))
    change.maxParticipants = people;
  const settings = { ...settingsOf(form, 0), maxParticipants: undefined };
  const known = { ...settingsOf(before, 0), maxParticipants: undefined };
  if (JSON.stringify(settings) !== JSON.stringify(known)) change.settings = settings;
  if (form.planned) {
    const moved = !before.planned || form.date !== before.date || form.time !== before.time;
    const at = parseDateTimeInputs(form);
    if (moved && at) change.scheduledAt = at.toISOString();
    if (form.duration !== before.duration || !before.planned) change.duration = form.duration;
    if (form.recurrence !== before.recurrence) change.recurrence = form.recurrence;
    // A date keeps the time zone in which it was chosen.
    if (change.scheduledAt !== undefined || change.recurrence !== undefined) change.timeZone = timeZone;
  }
  return Object.keys(change).length === 0 ? null : change;
}

/** Origin of a dialog: the meetings screen, or the sidebar and the welcome panel (decision 14). */
export type MeetingDialogOrigin = 'screen' | 'sidebar';

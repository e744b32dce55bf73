import { cleanName, limits, type MeetingRecurrence, meetingRecurrences, cleanNameWithin } from '@nolo/rules';
import { createMeetingsError, meetingInvalid } from '../errors.ts';
import { isTimeZone } from './recurrence.ts';

/** Maximum number of days ahead for planning a meeting. */
const maxDaysAhead = 5 * 366;
/** Tolerance for "now" on clocks that are slightly behind. */
const graceMs = 5 * 60_000;

export function parseMeetingName(name: string): string {
  const clean = cleanName(name);
  // Wording from spec section 5.
  if (clean === '') throw meetingInvalid('name', 'Meeting name is required');
  if ([...clean].length > limits.meetingNameLength) {
    throw meetingInvalid('name', `A meeting name can have at most ${limits.meetingNameLength} characters.`);
  }
  return clean;
}

export function parseMeetingDescription(description: string): string {
  if ([...description].length > limits.meetingDescriptionLength) {
    throw meetingInvalid(
      'description',
      `A description can have at most ${limits.meetingDescriptionLength} characters.`,
    );
  }
  return description;
}

/**
 * Returns the requested number of participants, or the default. The host's plan limits how many can join (decision 21),
 * and the reply states that number.
 */
export function parseMaxParticipants(requested: number | undefined): number {
  if (!requested) return limits.meetingParticipantsDefault;
  if (requested < limits.meetingParticipantsMin || requested > limits.meetingParticipantsMax) {
    throw meetingInvalid(
      'maxParticipants',
      `Max participants must be between ${limits.meetingParticipantsMin} and ${limits.meetingParticipantsMax}`,
    );
  }
  return requested;
}

export function parseScheduledAt(scheduledAt: Date | undefined, now: Date): Date | null {
  if (!scheduledAt) return null;
  const ahead = scheduledAt.getTime() - now.getTime();
  if (ahead < -graceMs) throw meetingInvalid('scheduledAt', 'A meeting cannot be scheduled in the past.');
  if (ahead > maxDaysAhead * 86_400_000) throw meetingInvalid('scheduledAt', 'The time is too far in the future.');
  return scheduledAt;
}

/** Returns when a limited room code expires. Null if it is unlimited. */
export function parseCodeExpiry(expiresAt: Date | undefined, now: Date): Date | null {
  if (!expiresAt) return null;
  if (!(expiresAt > now)) throw meetingInvalid('expiresAt', 'The time must be in the future.');
  return expiresAt;
}

export function parseMeetingMinutes(minutes: number): number {
  if (minutes < 0 || minutes > limits.meetingMinutesMax) {
    throw meetingInvalid('duration', `A meeting can last at most ${limits.meetingMinutesMax} minutes.`);
  }
  return minutes;
}

export function parseRecurrence(
  recurrence: string | undefined,
  timeZone: string,
  scheduledAt: Date | null,
): { recurrence: MeetingRecurrence; timeZone: string } {
  const known = meetingRecurrences.find((one) => one === (recurrence || 'none'));
  if (!known) throw meetingInvalid('recurrence', 'Unknown recurrence.');
  if (timeZone !== '' && !isTimeZone(timeZone)) throw meetingInvalid('timeZone', 'Unknown time zone.');
  if (known !== 'none' && scheduledAt === null) {
    throw meetingInvalid('scheduledAt', 'A recurring meeting needs a date.');
  }
  if (known !== 'none' && timeZone === '') throw meetingInvalid('timeZone', 'A recurring meeting needs a time zone.');
  return { recurrence: known, timeZone };
}

/** Parses a guest's name and removes brackets, which show roles next to names, as in "Amara (Host)". */
export function parseGuestName(name: string): string {
  const clean = cleanNameWithin(name.replace(/[()[\]{}（）［］｛｝]/gu, ' '), { min: 1, max: limits.guestNameLength });
  if (clean === undefined) {
    throw createMeetingsError(
      'invalid',
      'name_invalid',
      `Enter a name of at most ${limits.guestNameLength} characters.`,
    );
  }
  return clean;
}

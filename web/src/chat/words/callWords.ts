import type { CallSystemMessage } from '@nolo/rules';
import type { Translate } from '../../i18n/texts.ts';
import type { callTexts } from './callTexts.ts';

/** Formats a duration as 4:05, or as 1:02:09 from an hour on. */
export function formatCallDuration(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const [hours, minutes, rest] = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (value: number) => String(value).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

type CallResult = Pick<CallSystemMessage, 'callType' | 'outcome' | 'durationSeconds'>;

/** Returns true for a missed call, which is highlighted and worth calling back. */
export function isMissedCall({ outcome }: Pick<CallResult, 'outcome'>, own: boolean): boolean {
  return !own && outcome !== 'completed' && outcome !== 'declined' && outcome !== 'failed';
}

/** Returns true if a call now would be a callback: the other person called, and the two did not talk. */
export function shouldOfferCallback({ outcome }: Pick<CallResult, 'outcome'>, own: boolean): boolean {
  return !own && outcome !== 'completed';
}

/** Describes the outcome of a call in one line. `own` is true for the caller. */
export function describeCallOutcome(
  { callType, outcome, durationSeconds }: CallResult,
  own: boolean,
  t: Translate<typeof callTexts>,
): string {
  const video = callType === 'video';
  switch (outcome) {
    case 'completed': {
      const name = video ? t('call:video') : t('call:voice');
      return durationSeconds > 0 ? `${name}, ${formatCallDuration(durationSeconds)}` : name;
    }
    case 'declined':
      return video ? t('call:declinedVideo') : t('call:declined');
    case 'failed':
      return video ? t('call:failedVideo') : t('call:failed');
    case 'missed':
    case 'busy':
    case 'cancelled':
      if (own) return video ? t('call:noAnswerVideo') : t('call:noAnswer');
      return video ? t('call:missedVideo') : t('call:missed');
  }
}

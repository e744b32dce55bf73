import type { CallEnding, LiveCall } from './model/callPhase.ts';
import type { CallMediaState } from './media/callMediaState.ts';
import { useTexts } from '../i18n/texts.ts';
import { callsTexts } from './callsTexts.ts';

const endings = {
  hungUp: 'calls:disconnected',
  disconnected: 'calls:disconnected',
  declined: 'calls:declined',
  busy: 'calls:busy',
  noAnswer: 'calls:noAnswer',
  failed: 'calls:failed',
} as const satisfies Record<CallEnding, string>;

/** Returns the text of a call's state; null if the timer shows it. */
export function useCallStatusText(live: LiveCall | null, link: CallMediaState['link'] | undefined): string | null {
  const { t } = useTexts(callsTexts);
  if (!live) return null;
  if (link === 'preparing' && live.phase !== 'ended') return t('calls:preparing');
  if (link === 'noPath' && live.phase !== 'ended') return t('calls:noPath');
  switch (live.phase) {
    case 'starting':
      return t('calls:starting');
    case 'outgoing':
      return t('calls:ringing');
    case 'incoming':
      return t(live.type === 'video' ? 'calls:incomingVideo' : 'calls:incomingAudio');
    case 'connecting':
      return t('calls:connecting');
    case 'connected':
      return link === 'reconnecting' || link === 'connecting' ? t('calls:reconnecting') : null;
    case 'ended':
      // A call with conversation time was connected.
      if (live.ending === 'failed' && live.talkingSince !== null) return t('calls:lost');
      return t(endings[live.ending ?? 'disconnected']);
  }
}

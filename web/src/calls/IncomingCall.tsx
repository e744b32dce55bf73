import type { LiveCall } from './model/callPhase.ts';
import { RingingPanel, type RingingPanelProps } from './RingingPanel.tsx';
import { useCallPeer } from './useCallPeer.ts';
import { useTexts } from '../i18n/texts.ts';
import { callsTexts } from './callsTexts.ts';

export interface IncomingCallProps extends Pick<RingingPanelProps, 'onAnswer' | 'onDecline' | 'onMinimise'> {
  live: LiveCall;
}

export function IncomingCall({ live, ...actions }: IncomingCallProps) {
  const { t } = useTexts(callsTexts);
  const peer = useCallPeer(live);
  const video = live.type === 'video';
  return (
    <RingingPanel
      name={peer.name}
      imageUrl={peer.imageUrl}
      spoken={t('calls:isCalling', { name: peer.name })}
      kind={t(peer.several ? 'calls:invites' : video ? 'calls:incomingVideo' : 'calls:incomingAudio')}
      video={video}
      answering={live.answering ? (live.withCamera ? 'video' : 'audio') : null}
      {...actions}
    />
  );
}

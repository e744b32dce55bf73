import type { LiveCall } from './model/callPhase.ts';
import { RingingPanel, type RingingPanelProps } from './RingingPanel.tsx';
import { useCallTexts } from './useCallTexts.ts';
import { useCallPeer } from './useCallPeer.ts';

export interface IncomingCallProps extends Pick<RingingPanelProps, 'onAnswer' | 'onDecline' | 'onMinimise'> {
  live: LiveCall;
}

export function IncomingCall({ live, ...actions }: IncomingCallProps) {
  const { t } = useCallTexts();
  const peer = useCallPeer(live);
  const video = live.type === 'video';
  return (
    <RingingPanel
      name={peer.name}
      imageUrl={peer.imageUrl}
      spoken={t('calls.isCalling', { name: peer.name })}
      kind={t(peer.several ? 'calls.invites' : video ? 'calls.incomingVideo' : 'calls.incomingAudio')}
      video={video}
      answering={live.answering ? (live.withCamera ? 'video' : 'audio') : null}
      {...actions}
    />
  );
}

import type { CallType } from '@nolo/rules';
import { Phone, Video } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { useChatState } from '../../chat/context/chatContext.ts';
import { callRequests, requestCall, type CallTarget } from './callRequests.ts';
import { classNames } from '../../ui/classNames.ts';
import { PlainIconButton } from '../../ui/PlainIconButton.tsx';
import { useCallsExist } from './useCallsExist.ts';

const types: readonly CallType[] = ['audio', 'video'];

/** Why nobody can be called right now; undefined where one can. */
export function useCallHindrance(): string | undefined {
  const { t } = useTranslation();
  const busy = useStore(callRequests, (state) => state.busy);
  const connected = useChatState((state) => state.connection === 'open');
  if (!connected) return t('call.offline');
  return busy ? t('call.inCall') : undefined;
}

export interface CallButtonsProps {
  target: CallTarget;
  /** Whose buttons they are, for those who hear them one by one. */
  name: string;
  /** A button each in a list would be too many stops of the Tab key: there the keys of the row lead to them. */
  tabIndex?: number;
  size?: 'small' | 'medium';
  className?: string;
}

/** Calls somebody by voice or by video. Disabled buttons stay in place and say why. */
export function CallButtons({ target, name, tabIndex, size = 'medium', className }: CallButtonsProps) {
  const { t } = useTranslation();
  const exist = useCallsExist();
  const hindrance = useCallHindrance();
  if (!exist) return null;
  return (
    <span className={classNames('flex shrink-0 items-center', className)}>
      {types.map((type) => (
        <PlainIconButton
          key={type}
          label={t(type === 'video' ? 'call.videoWith' : 'call.voiceWith', { name })}
          title={hindrance ?? t(type === 'video' ? 'call.video' : 'call.voice')}
          icon={type === 'video' ? <Video /> : <Phone />}
          size={size}
          tabIndex={tabIndex}
          aria-disabled={hindrance !== undefined || undefined}
          className="aria-disabled:opacity-45"
          onClick={() => {
            if (hindrance === undefined) requestCall(target, type);
          }}
        />
      ))}
    </span>
  );
}

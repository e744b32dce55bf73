import type { CallType } from '@nolo/rules';
import { Phone, Video } from 'lucide-react';
import { useStore } from 'zustand';
import { useChatState } from '../context/chatContext.ts';
import {
  callRequestStore,
  requestCall,
  requestCallSoon,
  cancelCallRequest,
  cancelWindowMs,
  type CallTarget,
} from './callRequests.ts';
import { classNames } from '../../ui/classNames.ts';
import { toast, toasts } from '../../ui/toasts.ts';
import { PlainIconButton } from '../../ui/PlainIconButton.tsx';
import { useAreCallsAvailable } from './useAreCallsAvailable.ts';
import { useTexts } from '../../i18n/texts.ts';
import { callTexts } from '../words/callTexts.ts';

const types: readonly CallType[] = ['audio', 'video'];

/** Returns why calls are not possible now; undefined if they are. */
export function useCallUnavailableReason(): string | undefined {
  const { t } = useTexts(callTexts);
  const busy = useStore(callRequestStore, (state) => state.busy);
  const connected = useChatState((state) => state.connection === 'open');
  if (!connected) return t('call:offline');
  return busy ? t('call:inCall') : undefined;
}

const calling = {
  audio: { named: 'call:voiceWith', short: 'call:voice' },
  video: { named: 'call:videoWith', short: 'call:video' },
} as const;
const joining = {
  audio: { named: 'call:joinVoiceOf', short: 'call:joinVoice' },
  video: { named: 'call:joinVideoOf', short: 'call:joinVideo' },
} as const;

export interface CallButtonsProps {
  target: CallTarget;
  /** Name of the person, for screen readers that read each button alone. */
  name: string;
  /** Keeps buttons in lists out of the Tab order, where they would be too many stops: the row's keys lead to them. */
  tabIndex?: number;
  size?: 'small' | 'medium';
  /**
   * True in lists, where a wrong press is likely: the call can be canceled before it rings, there or by a second press.
   */
  canTakeBack?: boolean;
  /** True if the group has an ongoing call, which the buttons join. */
  joins?: boolean;
  className?: string;
}

/** Buttons for a voice or video call. Disabled buttons stay in place and explain why. */
export function CallButtons(props: CallButtonsProps) {
  const { target, name, tabIndex, size = 'medium', canTakeBack = false, joins = false, className } = props;
  const { t } = useTexts(callTexts);
  const exist = useAreCallsAvailable();
  const hindrance = useCallUnavailableReason();
  if (!exist) return null;
  const keys = joins ? joining : calling;
  const callSoon = (type: CallType): void => {
    if (cancelCallRequest(target, type)) return toasts.getState().dismiss();
    const id = toast({
      title: t(type === 'video' ? 'call:soonVideo' : 'call:soon', { name }),
      // Ends with the ringing, however long the pointer rests on it.
      durationMs: cancelWindowMs * 2,
      action: { label: t('common.cancel'), onSelect: () => cancelCallRequest(target, type) },
    });
    requestCallSoon(target, type, () => toasts.getState().dismiss(id));
  };
  return (
    <span className={classNames('flex shrink-0 items-center', className)}>
      {types.map((type) => (
        <PlainIconButton
          key={type}
          label={t(keys[type].named, { name })}
          title={hindrance ?? t(keys[type].short)}
          icon={type === 'video' ? <Video /> : <Phone />}
          size={size}
          tabIndex={tabIndex}
          aria-disabled={hindrance !== undefined || undefined}
          className={classNames('aria-disabled:opacity-45', joins && 'text-accent-text!')}
          onClick={() => {
            if (hindrance !== undefined) return;
            if (canTakeBack && !joins) callSoon(type);
            else requestCall(target, type);
          }}
        />
      ))}
    </span>
  );
}

import { Pause, Play, X } from 'lucide-react';
import { useStore } from 'zustand';
import { limits } from '@nolo/rules';
import { useChat } from '../context/chatContext.ts';
import { uploadStore } from '@nolo/client/uploads/uploadStore';
import { classNames } from '../../ui/classNames.ts';
import { useLocale } from '../../i18n/locale.ts';
import { sizeText } from '../../i18n/sizeText.ts';
import { useTexts } from '../../i18n/texts.ts';
import { mediaTexts } from './mediaTexts.ts';

const radius = 19;
const round = 2 * Math.PI * radius;

export interface UploadRingProps {
  conversationId: string;
  /** Client id of the pending message. */
  clientMessageId: string;
  name: string;
  /** True on a picture, where the ring needs its own background. */
  over?: boolean;
}

/** Upload progress of a message's files, with a cancel button, and a pause button for large ones. */
export function UploadRing({ conversationId, clientMessageId, name, over = false }: UploadRingProps) {
  const { t } = useTexts(mediaTexts);
  const { engine } = useChat();
  const progress = useStore(uploadStore, (state) => state.uploads[clientMessageId]);
  const { pause, resume } = uploadStore.getState();
  const { phase, sent, total } = progress ?? { phase: 'waiting' as const, sent: 0, total: 1 };
  // The total may be unknown.
  const share = total === null ? null : Math.min(1, sent / total);
  const mayPause = (total ?? sent) > limits.singleUploadBytes && phase !== 'waiting';
  const progressText = useProgressText(clientMessageId);
  const button =
    'inline-flex size-11 items-center justify-center rounded-full outline-offset-[-3px] focus-visible:outline-2 focus-visible:outline-focus [&_svg]:size-5';
  return (
    <span
      className={classNames(
        'inline-flex shrink-0 items-center rounded-full',
        over ? 'bg-[rgb(0_0_0/0.6)] text-[#fff]' : 'bg-sunken text-ink',
      )}
    >
      <span className="relative inline-flex">
        <svg
          viewBox="0 0 44 44"
          role="progressbar"
          aria-label={t('media:progress.label', { name })}
          aria-valuemin={0}
          aria-valuemax={100}
          {...(share !== null && { 'aria-valuenow': Math.round(share * 100) })}
          aria-valuetext={progressText}
          className={classNames(
            'pointer-events-none absolute inset-0 size-11',
            phase === 'waiting' && 'animate-pulse',
            share === null && phase === 'uploading' && 'animate-spin motion-reduce:animate-pulse',
          )}
        >
          <circle cx="22" cy="22" r={radius} fill="none" stroke="currentColor" strokeOpacity="0.25" strokeWidth="3" />
          <circle
            cx="22"
            cy="22"
            r={radius}
            fill="none"
            stroke="currentColor"
            strokeWidth="3"
            strokeLinecap="round"
            strokeDasharray={round}
            strokeDashoffset={round * (1 - Math.max(share ?? 0.25, 0.02))}
            transform="rotate(-90 22 22)"
            className="transition-[stroke-dashoffset] duration-300"
          />
        </svg>
        <button
          type="button"
          title={progressText}
          aria-label={t('media:progress.cancel', { name })}
          onClick={() => engine.discard(conversationId, clientMessageId)}
          className={button}
        >
          <X aria-hidden="true" />
        </button>
      </span>
      {mayPause && (
        <button
          type="button"
          aria-label={t(phase === 'paused' ? 'media:progress.resume' : 'media:progress.pause')}
          onClick={() => (phase === 'paused' ? resume : pause)(clientMessageId)}
          className={button}
        >
          {phase === 'paused' ? <Play aria-hidden="true" /> : <Pause aria-hidden="true" />}
        </button>
      )}
    </span>
  );
}

/** Returns the upload progress of a message's files as text. */
export function useProgressText(clientMessageId: string): string {
  const { t } = useTexts(mediaTexts);
  const locale = useLocale();
  const { phase, sent, total } = useStore(uploadStore, (state) => state.uploads[clientMessageId]) ?? {
    phase: 'waiting' as const,
    sent: 0,
    total: null,
  };
  if (phase !== 'uploading') return t(`media:progress.${phase}`);
  if (total === null) return t('media:progress.soFar', { sent: sizeText(sent, locale) });
  return t('media:progress.of', { sent: sizeText(sent, locale), total: sizeText(total, locale) });
}

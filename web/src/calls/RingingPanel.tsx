import { ChevronDown, Phone, PhoneOff, Video } from 'lucide-react';
import { useEffect, useId, useRef, type ReactNode } from 'react';
import { listen } from '../device/listen.ts';
import { isTyping } from '../shell/isTyping.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { classNames } from '../ui/classNames.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { Spinner } from '../ui/Spinner.tsx';
import { useTexts } from '../i18n/texts.ts';
import { callsTexts } from './callsTexts.ts';

export interface RingingPanelProps {
  name: string;
  imageUrl: string | null;
  /** Complete sentence for screen readers. */
  spoken: string;
  /** Kind of call, or the caller. */
  kind: string;
  video: boolean;
  answering: 'audio' | 'video' | null;
  onAnswer: (withCamera: boolean) => void;
  onDecline: () => void;
  onMinimise: () => void;
}

/** Focuses the ringing call, unless the user is typing, and restores the focus afterwards. */
function useGentleFocus() {
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    // Keys meant for a message must not answer a call.
    if (isTyping(before)) return undefined;
    const own = panel.current;
    own?.focus({ preventScroll: true });
    return () => {
      const stillHere = own?.contains(document.activeElement) || document.activeElement === document.body;
      if (stillHere && before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, []);
  return panel;
}

/** Ringing call: over everything on phones, a card at the top on larger screens. */
export function RingingPanel(props: RingingPanelProps) {
  const { name, imageUrl, spoken, kind, video, answering, onAnswer, onDecline, onMinimise } = props;
  const { t } = useTexts(callsTexts);
  const id = useId();
  const panel = useGentleFocus();
  useEffect(
    () =>
      listen(window, ['keydown'], (event: KeyboardEvent) => {
        if (event.key !== 'Escape' || event.defaultPrevented || isTyping(document.activeElement)) return;
        event.preventDefault();
        onMinimise();
      }),
    [onMinimise],
  );

  return (
    <div
      ref={panel}
      role="alertdialog"
      aria-labelledby={`${id}-name`}
      aria-describedby={`${id}-kind`}
      tabIndex={-1}
      className="fixed inset-0 z-50 flex animate-fade-in flex-col items-center bg-page px-6 pt-[calc(env(safe-area-inset-top)+4rem)] pb-[calc(env(safe-area-inset-bottom)+3rem)] text-ink outline-none [color-scheme:dark] sm:inset-auto sm:top-4 sm:left-1/2 sm:w-96 sm:-translate-x-1/2 sm:animate-pop-in sm:rounded-card sm:border sm:border-line sm:bg-overlay sm:p-5 sm:shadow-overlay"
    >
      <IconButton
        plain
        label={t('calls:minimise')}
        icon={<ChevronDown />}
        className="absolute! end-3 top-[calc(env(safe-area-inset-top)+0.75rem)] sm:top-3"
        onClick={onMinimise}
      />
      <div className="flex flex-col items-center gap-4 text-center sm:w-full sm:flex-row sm:gap-3 sm:pe-10 sm:text-start">
        <span className="relative inline-flex">
          <span
            aria-hidden="true"
            className="absolute inset-0 animate-pulse rounded-full ring-8 ring-accent/20 sm:ring-4"
          />
          <span className="hidden sm:inline-flex">
            <Avatar name={name} imageUrl={imageUrl} size={56} />
          </span>
          <span className="inline-flex sm:hidden">
            <Avatar name={name} imageUrl={imageUrl} size={96} />
          </span>
        </span>
        <div className="min-w-0 sm:flex-1">
          <h2 id={`${id}-name`} dir="auto" className="text-24 font-semibold wrap-anywhere sm:truncate sm:text-16">
            <span className="sr-only">{spoken}</span>
            <span aria-hidden="true">{name}</span>
          </h2>
          <p id={`${id}-kind`} dir="auto" className="mt-1 text-14 text-muted sm:mt-0">
            {kind}
          </p>
        </div>
      </div>
      <div className="mt-auto flex w-full items-start justify-around gap-2 sm:mt-5 sm:gap-2">
        <Choice label={t('calls:decline')} icon={<PhoneOff />} tone="danger" onClick={onDecline} />
        {video && (
          <Choice
            label={t('calls:answerAudio')}
            icon={<Phone />}
            tone="quiet"
            busy={answering === 'audio'}
            onClick={() => onAnswer(false)}
          />
        )}
        <Choice
          label={t(answering !== null ? 'calls:answering' : video ? 'calls:answerVideo' : 'calls:answer')}
          icon={video ? <Video /> : <Phone />}
          tone="accent"
          busy={answering !== null}
          onClick={() => onAnswer(video)}
        />
      </div>
    </div>
  );
}

const tones = {
  danger: 'bg-danger text-on-danger group-hover/choice:bg-danger-hover',
  accent: 'bg-accent text-on-accent group-hover/choice:bg-accent-hover',
  quiet: 'bg-raised text-ink border border-line group-hover/choice:bg-pressed',
};

interface ChoiceProps {
  label: string;
  icon: ReactNode;
  tone: keyof typeof tones;
  busy?: boolean;
  onClick: () => void;
}

function Choice({ label, icon, tone, busy = false, onClick }: ChoiceProps) {
  return (
    <button
      type="button"
      aria-disabled={busy || undefined}
      onClick={() => {
        if (!busy) onClick();
      }}
      className="group/choice flex w-24 flex-col items-center gap-2 rounded-card text-13 font-medium text-balance text-muted sm:w-auto sm:min-w-0 sm:flex-1"
    >
      <span
        aria-hidden="true"
        className={classNames(
          'flex size-16 items-center justify-center rounded-full transition-colors duration-150 sm:h-11 sm:w-full sm:rounded-control [&_svg]:size-7 sm:[&_svg]:size-5',
          tones[tone],
        )}
      >
        {busy ? <Spinner /> : icon}
      </span>
      {label}
    </button>
  );
}

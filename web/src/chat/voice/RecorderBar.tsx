import { Mic, Pause, SendHorizontal, Trash2 } from 'lucide-react';
import { useCallback, useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useStore } from 'zustand';
import { useChat } from '../context/chatContext.ts';
import { featureStore } from '../../session/features.ts';
import type { MessageExtras, UnsentMedia } from '@nolo/client/chat/ports';
import { sessionStore } from '../../session/session.ts';
import { toast } from '../../ui/toasts.ts';
import { useLocale } from '../../i18n/locale.ts';
import { classNames } from '../../ui/classNames.ts';
import { PlainIconButton } from '../../ui/PlainIconButton.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { rememberLocalMedia } from '../media/localMedia.ts';
import { browserRecorderPorts } from './browserRecorderPorts.ts';
import { getVoicePlayer } from '../media/player.ts';
import type { RecordPress } from './recordPress.ts';
import { createRecorder, type VoiceRecorder, type Recording } from './recorder.ts';
import { RecordingPreview } from './RecordingPreview.tsx';
import { routes, type RouteReply } from '@nolo/api';
import { limits } from '@nolo/rules';
import { request } from '../../api/request.ts';
import { writeMediaInfo } from '@nolo/client/chat/mediaInfo';
import { toWaveform } from './waveform.ts';
import { useTexts } from '../../i18n/texts.ts';
import { voiceTexts } from '../media/voiceTexts.ts';

export interface RecorderBarProps {
  conversationId: string;
  /** Press that started the recording. Releasing a held press sends it. */
  press: RecordPress;
  /** Extras of the message, such as what it replies to. */
  extras: MessageExtras;
  onSent: () => void;
  onEnd: () => void;
}

/** Maximum bars of the meter, a tenth of a second each, as many as fit a wide screen. The rest is cut off. */
const shownLevels = 120;

/** Formats a duration during recording in tenths of a second: 0:07.3, or 0:07,3 in German. */
function tenths(milliseconds: number, locale: string): string {
  const [minutes, rest] = [Math.floor(milliseconds / 60_000), Math.floor((milliseconds % 60_000) / 100) / 10];
  const digits = { minimumIntegerDigits: 2, minimumFractionDigits: 1, maximumFractionDigits: 1 };
  return `${minutes.toLocaleString(locale)}:${rest.toLocaleString(locale, digits)}`;
}

/** Ends the recording and sends it, with a transcript if enabled. Runs once, however often it is called. */
function useSendVoiceNote(
  recorder: VoiceRecorder,
  { conversationId, extras, onSent, onEnd }: Omit<RecorderBarProps, 'press'>,
) {
  const { t } = useTexts(voiceTexts);
  const { engine } = useChat();
  const [processing, setProcessing] = useState(false);
  const ended = useRef(false);
  const finish = useCallback(async () => {
    if (ended.current) return;
    ended.current = true;
    const recording = await recorder.stop();
    if (!recording) {
      // Released before anything was recorded.
      recorder.discard();
      return onEnd();
    }
    const { user } = sessionStore.getState();
    const wanted = featureStore.getState().features['transcription'] === true && user?.transcribeVoiceNotes === true;
    let words = '';
    let missed = false;
    // Offline, the note waits like any other message and cannot be transcribed now.
    if (wanted && engine.store.getState().connection === 'open') {
      setProcessing(true);
      try {
        words = await transcribe(recording.file);
      } catch {
        missed = true;
      }
    }
    try {
      const files = { file: recording.file };
      const id = crypto.randomUUID();
      rememberLocalMedia(id, files);
      engine.send(conversationId, '', { ...extras, media: toVoiceMedia(recording, words) }, files, id);
      if (missed) {
        toast({ kind: 'info', title: t('voice:transcription.title'), description: t('voice:transcription.text') });
      }
      onSent();
    } catch {
      toast({ kind: 'error', title: t('errors.sendVoiceMessage') });
      onEnd();
    }
  }, [recorder, engine, conversationId, extras, t, onSent, onEnd]);

  const abandon = useCallback(() => {
    if (!ended.current) recorder.discard();
  }, [recorder]);
  return { finish, abandon, processing };
}

/** Handles a held press: releasing near the button sends, and sliding away discards. */
function useHoldToRecord(press: RecordPress, cancel: () => void, finish: () => Promise<void>) {
  const [away, setAway] = useState(0);
  const [isHeldDown, setIsHeldDown] = useState(press.isHeldDown);
  const actions = useRef({ cancel, finish });
  useLayoutEffect(() => {
    actions.current = { cancel, finish };
  });
  useEffect(
    () =>
      press.follow({
        onMove: setAway,
        onCancel: () => actions.current.cancel(),
        onLoose: () => setIsHeldDown(false),
        onRelease: () => void actions.current.finish(),
      }),
    [press],
  );
  return { away, held: isHeldDown };
}

/** Replaces the composer during a recording: duration, level, and buttons to pause, play, discard, and send. */
export function RecorderBar({ conversationId, press, extras, onSent, onEnd }: RecorderBarProps) {
  const { t } = useTexts(voiceTexts);
  const [recorder] = useState(() => createRecorder(browserRecorderPorts));
  const phase = useStore(recorder.store, (state) => state.phase);
  const pauseButton = useRef<HTMLButtonElement>(null);

  const fail = useCallback(() => {
    toast({ kind: 'error', title: t('voice:microphone.title'), description: t('voice:microphone.text') });
    onEnd();
  }, [t, onEnd]);
  const cancel = useCallback(() => {
    recorder.discard();
    onEnd();
  }, [recorder, onEnd]);

  const { finish, abandon, processing } = useSendVoiceNote(recorder, { conversationId, extras, onSent, onEnd });
  useEffect(() => {
    getVoicePlayer().pause();
    recorder.start();
    // Focuses neither the discard nor the send button: a key that is still held down must do no harm.
    pauseButton.current?.focus();
    // Leaving the conversation discards the recording, as the button does.
    return abandon;
  }, [recorder, abandon]);
  useEffect(() => {
    if (phase === 'failed') fail();
  }, [phase, fail]);

  const { away, held: isHeldDown } = useHoldToRecord(press, cancel, finish);

  if (processing) {
    return (
      <Frame label={t('voice:bar')}>
        <span role="status" className="flex min-h-11 flex-1 items-center justify-center gap-2.5 text-14 text-muted">
          <Spinner />
          {t('voice:processing')}
        </span>
      </Frame>
    );
  }
  const ready = phase === 'recording' || phase === 'paused' || phase === 'stopped';
  const paused = phase === 'paused';
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    cancel();
  };
  return (
    <Frame label={t('voice:bar')}>
      <PlainIconButton
        kind="danger"
        label={t('voice:cancel')}
        icon={<Trash2 />}
        className="size-11 rounded-full"
        onClick={cancel}
        onKeyDown={onKeyDown}
      />
      {paused ? (
        <RecordingPreview recorder={recorder} />
      ) : phase !== 'starting' ? (
        <Levels recorder={recorder} />
      ) : (
        <span role="status" className="flex-1 text-14 text-muted">
          {t('voice:starting')}
        </span>
      )}
      {paused && (
        <span role="status" className="sr-only">
          {t('voice:paused')}
        </span>
      )}
      {phase !== 'stopped' && (
        <PlainIconButton
          ref={pauseButton}
          label={t(paused ? 'voice:goOn' : 'voice:hold')}
          icon={paused ? <Mic className="text-danger-text" /> : <Pause />}
          className={classNames('size-11 rounded-full', isHeldDown && 'sr-only')}
          aria-disabled={!ready}
          onClick={paused ? recorder.resume : recorder.pause}
          onKeyDown={onKeyDown}
        />
      )}
      {isHeldDown && <SlideHint away={away} text={t('voice:slide')} />}
      <button
        type="button"
        aria-label={t('voice:send')}
        disabled={!ready}
        onClick={() => void finish()}
        onKeyDown={onKeyDown}
        className={classNames(
          'inline-flex size-11 shrink-0 items-center justify-center rounded-full bg-accent text-on-accent transition-transform duration-150 hover:bg-accent-hover disabled:opacity-45 [&_svg]:size-5',
          isHeldDown && ready && 'scale-115',
        )}
      >
        <SendHorizontal aria-hidden="true" className="rtl:-scale-x-100" />
      </button>
    </Frame>
  );
}

function Frame({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div role="group" aria-label={label} className="flex min-h-11 flex-1 animate-fade-in items-center gap-2">
      {children}
    </div>
  );
}

/** Separate from the bar, because it renders ten times a second. */
function Levels({ recorder }: { recorder: VoiceRecorder }) {
  const { t } = useTexts(voiceTexts);
  const locale = useLocale();
  const { elapsed, levels, phase } = useStore(recorder.store);
  const latest = levels.slice(-shownLevels);
  const bars = [...Array.from({ length: shownLevels - latest.length }, () => 0), ...latest];
  const level = Math.round((levels.at(-1) ?? 0) * 100);
  return (
    <>
      <span
        aria-hidden="true"
        className={classNames('size-2.5 shrink-0 rounded-full bg-danger', phase === 'recording' && 'animate-pulse')}
      />
      <span
        role="timer"
        aria-label={t('voice:recording')}
        dir="ltr"
        className="tabular w-14 shrink-0 text-14 font-medium"
      >
        {tenths(elapsed, locale)}
      </span>
      <span
        role="meter"
        aria-label={t('voice:level')}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={level}
        className="flex h-8 min-w-0 flex-1 items-center justify-end gap-[2px] overflow-hidden"
      >
        {bars.map((height, index) => (
          <span
            key={index}
            className="w-[3px] shrink-0 rounded-full bg-accent"
            style={{ height: `${Math.max(8, height * 100)}%` }}
          />
        ))}
      </span>
      {phase === 'stopped' && (
        <span role="status" className="sr-only">
          {t('voice:longest')}
        </span>
      )}
    </>
  );
}

/** Shows where to slide while the button is held. */
function SlideHint({ away, text }: { away: number; text: string }) {
  return (
    <span
      className="hidden shrink-0 text-13 text-muted pointer-coarse:inline"
      style={{ opacity: Math.max(0, 1 - away), translate: `calc(${-40 * away}px * var(--nolo-inline-sign)) 0` }}
    >
      ‹ {text}
    </span>
  );
}

function toVoiceMedia({ file, duration, levels }: Recording, transcription: string): UnsentMedia {
  return {
    messageType: 'voice',
    name: null,
    size: file.size,
    info: writeMediaInfo({ type: file.type, duration, waveform: toWaveform(levels) }),
    duration,
    ...(transcription !== '' && { transcription }),
    fields: null,
  };
}

/** Timeout in milliseconds: the server's work limit plus the transfer. */
const timeoutMs = (limits.transcriptionWorkSeconds + 30) * 1_000;

/** Transcribes a recording. Rejects on failure, but the note is sent nevertheless. */
async function transcribe(recording: Blob): Promise<string> {
  const form = new FormData();
  form.append('audio', recording, recording.type.endsWith('mp4') ? 'voice.mp4' : 'voice.webm');
  const { path, method } = routes.transcribeVoice;
  const reply = await request(path, { method, body: form }, { timeoutMs });
  const { transcription } = (await reply.json()) as RouteReply<typeof routes.transcribeVoice>;
  return transcription.trim();
}

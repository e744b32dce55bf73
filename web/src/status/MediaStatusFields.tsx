import { limits } from '@nolo/rules';
import { ImagePlus } from 'lucide-react';
import { useRef, useState, type ChangeEvent, type DragEvent, useEffect, useId } from 'react';
import { Button } from '../ui/Button.tsx';
import { Spinner } from '../ui/Spinner.tsx';
import { TextArea } from '../ui/TextArea.tsx';
import { TextField } from '../ui/TextField.tsx';
import { prepareStatusMedia, type StatusMedia, type StatusMediaProblem } from './prepareStatus.ts';
import { CharactersLeft, type StatusFieldsProps } from './TextStatusFields.tsx';
import { useLocalUrl } from './useLocalUrl.ts';
import type { VideoTrim } from './trimVideo.ts';
import { useTexts } from '../i18n/texts.ts';
import { statusTexts } from './statusTexts.ts';

export interface MediaStatusFieldsProps extends StatusFieldsProps {
  /** Called with true while a file is being inspected or trimmed, when posting is impossible. */
  onWorking: (working: boolean) => void;
}

const accepted = 'image/*,video/*';

/** Picture or video, chosen or dropped. Videos that are too long are trimmed here. */
export function MediaStatusFields({ form, onForm, onWorking, error }: MediaStatusFieldsProps) {
  const { t } = useTexts(statusTexts);
  const input = useRef<HTMLInputElement>(null);
  const latest = useRef(0);
  const [state, setState] = useState<'idle' | 'preparing' | StatusMediaProblem>('idle');
  const [long, setLong] = useState<{ file: File; seconds: number } | null>(null);
  const seconds = limits.statusVideoSeconds;

  const take = async (file: File | undefined) => {
    if (!file) return;
    latest.current += 1;
    const turn = latest.current;
    setState('preparing');
    setLong(null);
    onWorking(true);
    onForm({ ...form, media: null });
    const made = await prepareStatusMedia(file).catch((): StatusMediaProblem => 'notMedia');
    if (turn !== latest.current) return;
    if (typeof made === 'string') {
      setState(made);
      return onWorking(false);
    }
    setState('idle');
    // A trimmed video may be longer by less than a frame.
    if (made.duration !== undefined && made.duration > seconds + 0.5) setLong({ file, seconds: made.duration });
    else {
      onWorking(false);
      onForm({ ...form, media: made });
    }
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    void take(event.dataTransfer.files[0]);
  };
  const problem = state === 'notMedia' || state === 'tooLarge' ? t(`status:create.${state}`) : error;
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        tabIndex={-1}
        accept={accepted}
        onChange={(event: ChangeEvent<HTMLInputElement>) => {
          void take(event.target.files?.[0]);
          event.target.value = '';
        }}
      />
      <div onDragOver={(event) => event.preventDefault()} onDrop={onDrop}>
        {long ? (
          <VideoTrimmer
            file={long.file}
            seconds={long.seconds}
            onTrimmed={(file) => void take(file)}
            onCancel={() => {
              setLong(null);
              onWorking(false);
            }}
          />
        ) : form.media ? (
          <Preview media={form.media} alt={form.alt} />
        ) : (
          <button
            type="button"
            onClick={() => input.current?.click()}
            className="flex aspect-4/3 w-full flex-col items-center justify-center gap-2 rounded-card border border-dashed border-line-strong px-6 text-center hover:bg-hover"
          >
            {state === 'preparing' ? (
              <Spinner className="size-7" />
            ) : (
              <ImagePlus aria-hidden="true" className="size-7" />
            )}
            <span className="text-15 font-medium">
              {t(state === 'preparing' ? 'status:create.preparing' : 'status:create.choose')}
            </span>
            <span className="text-13 text-muted">{t('status:create.chooseHint', { seconds })}</span>
          </button>
        )}
        <p role="alert" className="mt-1.5 text-13 text-danger-text empty:hidden">
          {problem}
        </p>
      </div>
      {form.media && (
        <>
          <Button kind="secondary" size="small" className="self-start" onClick={() => input.current?.click()}>
            {t('status:create.replace')}
          </Button>
          <div>
            <TextArea
              label={t('status:create.caption')}
              value={form.caption}
              rows={2}
              dir="auto"
              onChange={(event) => onForm({ ...form, caption: event.target.value })}
            />
            <CharactersLeft text={form.caption} />
          </div>
          <TextField
            label={t('status:create.alt')}
            value={form.alt}
            maxLength={500}
            dir="auto"
            onChange={(event) => onForm({ ...form, alt: event.target.value })}
          />
        </>
      )}
    </>
  );
}

function Preview({ media, alt }: { media: StatusMedia; alt: string }) {
  const { t } = useTexts(statusTexts);
  const url = useLocalUrl(media.files.file);
  const mediaClasses = 'aspect-4/3 w-full rounded-card bg-[#0b0a09] object-contain';
  if (url === undefined) return <span className={`block ${mediaClasses}`} />;
  const label = alt || t('status:create.preview');
  if (media.mediaType === 'image') return <img src={url} alt={label} className={mediaClasses} />;
  // oxlint-disable-next-line jsx-a11y/media-has-caption -- people's own videos have none
  return <video src={url} controls playsInline aria-label={label} className={mediaClasses} />;
}

interface VideoTrimmerProps {
  file: File;
  seconds: number;
  onTrimmed: (file: File) => void;
  onCancel: () => void;
}

const clock = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;

/** Chooses the part of a long video to post, and trims it. */
function VideoTrimmer({ file, seconds, onTrimmed, onCancel }: VideoTrimmerProps) {
  const { t } = useTexts(statusTexts);
  const label = useId();
  const url = useLocalUrl(file);
  const player = useRef<HTMLVideoElement>(null);
  const trimming = useRef<VideoTrim>(null);
  const [from, setFrom] = useState(0);
  const [share, setShare] = useState<number | null>(null);
  const [failed, setFailed] = useState(false);
  const length = limits.statusVideoSeconds;
  const to = Math.min(seconds, from + length);
  useEffect(() => () => trimming.current?.cancel(), []);

  const trim = async () => {
    setFailed(false);
    setShare(0);
    try {
      const { trimVideo } = await import('./trimVideo.ts');
      trimming.current = trimVideo(file, { from, to }, setShare);
      onTrimmed(await trimming.current.done);
    } catch {
      setFailed(true);
      setShare(null);
    }
  };
  return (
    <div className="flex flex-col gap-3">
      {url !== undefined && (
        // oxlint-disable-next-line jsx-a11y/media-has-caption -- people's own videos have none
        <video
          ref={player}
          src={url}
          controls
          playsInline
          aria-labelledby={label}
          className="aspect-4/3 w-full rounded-card bg-[#0b0a09] object-contain"
        />
      )}
      <p id={label} className="text-14 font-medium">
        {t('status:trim.title', { seconds: length })}
      </p>
      <label className="flex flex-col gap-1 text-13">
        {t('status:trim.start')}
        <input
          type="range"
          min={0}
          max={Math.max(0, Math.ceil(seconds - length))}
          step={1}
          value={from}
          disabled={share !== null}
          aria-valuetext={t('status:trim.range', { from: clock(from), to: clock(to) })}
          onChange={(event) => {
            const next = Number(event.target.value);
            setFrom(next);
            if (player.current) player.current.currentTime = next;
          }}
          className="accent-accent"
        />
        <span className="tabular text-muted">{t('status:trim.range', { from: clock(from), to: clock(to) })}</span>
      </label>
      <p role="alert" className="text-13 text-danger-text empty:hidden">
        {failed && t('status:trim.failed', { seconds: length })}
      </p>
      <div className="flex flex-wrap items-center gap-2">
        <Button kind="secondary" onClick={onCancel}>
          {t('common.cancel')}
        </Button>
        <Button busy={share !== null} onClick={() => void trim()}>
          {t('status:trim.apply')}
        </Button>
        {share !== null && (
          <span role="status" className="tabular text-13 text-muted">
            {t('status:trim.working', { percent: Math.round(share * 100) })}
          </span>
        )}
      </div>
    </div>
  );
}

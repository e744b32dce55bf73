import { limits } from '@nolo/rules';
import { ImagePlus } from 'lucide-react';
import { useRef, useState, type ChangeEvent, type DragEvent } from 'react';
import { Button } from '../ui/Button.tsx';
import { Spinner } from '../ui/Spinner.tsx';
import { TextArea } from '../ui/TextArea.tsx';
import { TextField } from '../ui/TextField.tsx';
import { prepareStatusMedia, type StatusMedia, type StatusMediaProblem } from './prepareStatus.ts';
import { CharactersLeft, type StatusFieldsProps } from './TextStatusFields.tsx';
import { VideoTrimmer } from './VideoTrimmer.tsx';
import { useLocalUrl } from './useLocalUrl.ts';
import { useStatusWords } from './useStatusWords.ts';

export interface MediaStatusFieldsProps extends StatusFieldsProps {
  /** Called with true while a file is being inspected or trimmed, when posting is impossible. */
  onWorking: (working: boolean) => void;
}

const accepted = 'image/*,video/*';

/** Picture or video, chosen or dropped. Videos that are too long are trimmed here. */
export function MediaStatusFields({ form, onForm, onWorking, error }: MediaStatusFieldsProps) {
  const { t } = useStatusWords();
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
  const problem = state === 'notMedia' || state === 'tooLarge' ? t(`status.create.${state}`) : error;
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
              {t(state === 'preparing' ? 'status.create.preparing' : 'status.create.choose')}
            </span>
            <span className="text-13 text-muted">{t('status.create.chooseHint', { seconds })}</span>
          </button>
        )}
        <p role="alert" className="mt-1.5 text-13 text-danger-text empty:hidden">
          {problem}
        </p>
      </div>
      {form.media && (
        <>
          <Button kind="secondary" size="small" className="self-start" onClick={() => input.current?.click()}>
            {t('status.create.replace')}
          </Button>
          <div>
            <TextArea
              label={t('status.create.caption')}
              value={form.caption}
              rows={2}
              dir="auto"
              onChange={(event) => onForm({ ...form, caption: event.target.value })}
            />
            <CharactersLeft text={form.caption} />
          </div>
          <TextField
            label={t('status.create.alt')}
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
  const { t } = useStatusWords();
  const url = useLocalUrl(media.files.file);
  const mediaClasses = 'aspect-4/3 w-full rounded-card bg-[#0b0a09] object-contain';
  if (url === undefined) return <span className={`block ${mediaClasses}`} />;
  const label = alt || t('status.create.preview');
  if (media.mediaType === 'image') return <img src={url} alt={label} className={mediaClasses} />;
  // oxlint-disable-next-line jsx-a11y/media-has-caption -- people's own videos have none
  return <video src={url} controls playsInline aria-label={label} className={mediaClasses} />;
}

import { socialLimits } from '@nolo/rules';
import { ImagePlus, X } from 'lucide-react';
import { useId, useRef } from 'react';
import { showFailure } from '../ui/failures.ts';
import { Button } from '../ui/Button.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { TextField } from '../ui/TextField.tsx';
import type { ComposedMedia } from './model/composeForm.ts';
import type { MediaUpload, MediaUploads } from './useMediaUploads.ts';
import { useTexts } from '../i18n/texts.ts';
import { socialTexts } from './socialTexts.ts';

const isVideo = ({ type }: { type: string }): boolean => type.startsWith('video/');

export interface MediaFieldProps {
  media: readonly ComposedMedia[];
  uploads: MediaUploads;
  onDescribe: (url: string, altText: string) => void;
  onRemove: (url: string) => void;
}

/** Pictures or one video of the post, each with its alternative text. */
export function MediaField({ media, uploads, onDescribe, onRemove }: MediaFieldProps) {
  const { t } = useTexts(socialTexts);
  const picker = useRef<HTMLInputElement>(null);

  const add = (files: File[]): void => {
    const wanted = files.filter(({ type }) => /^(image|video)\//.test(type));
    const problem =
      wanted.length < files.length
        ? t('social:problems.notMedia')
        : [...media, ...wanted].filter(isVideo).length > 1
          ? t('social:problems.oneVideo')
          : null;
    if (problem !== null) {
      showFailure({ title: problem });
      return;
    }
    uploads.add(wanted.slice(0, socialLimits.socialMediaPerPost - media.length - uploads.uploads.length));
  };

  return (
    <div className="flex flex-col gap-3">
      <input
        ref={picker}
        type="file"
        hidden
        multiple
        accept="image/*,video/*"
        onChange={(event) => {
          add([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
      <Button
        kind="secondary"
        size="small"
        className="self-start"
        icon={<ImagePlus aria-hidden="true" />}
        onClick={() => picker.current?.click()}
      >
        {t('social:compose.addMedia')}
      </Button>
      {media.map(({ url, name, type, altText }) => (
        <div key={url} className="flex items-end gap-3">
          {isVideo({ type }) ? (
            <video
              src={url}
              muted
              preload="metadata"
              className="size-16 shrink-0 rounded-control bg-sunken object-cover"
            />
          ) : (
            <img src={url} alt={altText} className="size-16 shrink-0 rounded-control bg-sunken object-cover" />
          )}
          <TextField
            className="min-w-0 flex-1"
            label={t('social:compose.alt', { name })}
            maxLength={socialLimits.socialAltTextLength}
            value={altText}
            onChange={(event) => onDescribe(url, event.target.value)}
          />
          <IconButton
            label={t('social:compose.removeMedia', { name })}
            icon={<X aria-hidden="true" />}
            onClick={() => onRemove(url)}
          />
        </div>
      ))}
      {uploads.uploads.map((upload) => (
        <UploadRow
          key={upload.id}
          upload={upload}
          onCancel={() => uploads.cancel(upload.id)}
          onRetry={() => uploads.retry(upload.id)}
        />
      ))}
    </div>
  );
}

interface UploadRowProps {
  upload: MediaUpload;
  onCancel: () => void;
  onRetry: () => void;
}

function UploadRow({ upload: { name, percent, waiting, failure }, onCancel, onRetry }: UploadRowProps) {
  const { t } = useTexts(socialTexts);
  const nameId = useId();
  return (
    <div className="flex items-center gap-3">
      <div className="min-w-0 flex-1">
        <p id={nameId} dir="auto" className="truncate text-13">
          {name}
        </p>
        {failure === null ? (
          <>
            <progress
              aria-labelledby={nameId}
              max={100}
              {...(percent !== null && { value: percent })}
              className="mt-1 block h-1.5 w-full accent-accent"
            />
            {waiting && <p className="mt-1 text-12 text-muted">{t('social:compose.waiting')}</p>}
          </>
        ) : (
          <p role="alert" className="mt-0.5 text-13 text-danger-text">
            {t('social:failed.upload')}. {failure}
          </p>
        )}
      </div>
      {failure !== null && (
        <Button kind="secondary" size="small" onClick={onRetry}>
          {t('common.retry')}
        </Button>
      )}
      <IconButton
        label={t('social:compose.removeMedia', { name })}
        icon={<X aria-hidden="true" />}
        onClick={onCancel}
      />
    </div>
  );
}

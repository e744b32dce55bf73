import { ImageOff } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import type { PictureUpload } from './usePictureUpload.ts';

export interface PictureUploadDialogProps {
  file: File;
  /** Object URL of the file. */
  url: string;
  title: string;
  upload: PictureUpload;
  onClose: () => void;
}

/** Shows the chosen picture as it will be cropped, and then the upload progress. */
export function PictureUploadDialog({ file, url, title, upload, onClose }: PictureUploadDialogProps) {
  const { t } = useTranslation();
  const [broken, setBroken] = useState(false);

  const { progress } = upload;
  const leave = () => {
    upload.cancel();
    onClose();
  };
  const save = async () => {
    if (await upload.save(file)) onClose();
  };

  return (
    <Dialog
      open
      size="small"
      onOpenChange={(open) => {
        if (!open) leave();
      }}
      title={title}
      description={t('profile.pictureText')}
      footer={
        <>
          <Button kind="secondary" onClick={leave}>
            {t('common.cancel')}
          </Button>
          <Button disabled={broken} busy={progress !== null} onClick={() => void save()}>
            {progress === null ? t('profile.usePicture') : t('profile.uploading')}
          </Button>
        </>
      }
    >
      <div className="flex flex-col items-center gap-4 py-2">
        <div className="flex size-48 items-center justify-center overflow-hidden rounded-full border border-line bg-sunken text-muted">
          {broken ? (
            <ImageOff aria-hidden="true" className="size-10" />
          ) : (
            <img
              src={url}
              alt={t('profile.picturePreview')}
              className="size-full object-cover"
              onError={() => setBroken(true)}
            />
          )}
        </div>
        {broken && (
          <p role="alert" className="text-center text-13 text-danger-text">
            {t('profile.pictureProblems.notImage')}
          </p>
        )}
        <progress
          aria-label={t('profile.uploading')}
          max={1}
          value={progress ?? 0}
          className={progress === null ? 'invisible h-1.5 w-full' : progressClasses}
        />
      </div>
    </Dialog>
  );
}

const progressClasses =
  'h-1.5 w-full appearance-none overflow-hidden rounded-full bg-sunken [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:rounded-full [&::-webkit-progress-value]:bg-accent [&::-webkit-progress-value]:transition-[width]';

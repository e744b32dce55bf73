import { routes } from '@nolo/api';
import { Camera, ImageOff, ImageUp, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { ApiError, call } from '../../api/httpClient.ts';
import { requestAddressAndUpload } from '../../api/uploadBytes.ts';
import { explainServerError } from '../../i18n/explainFailure.ts';
import { showFailure } from '../../ui/failures.ts';
import { toast } from '../../ui/toasts.ts';
import { useAction } from '../../ui/useAction.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { DropdownMenu, MenuItem } from '../../ui/DropdownMenu.tsx';
import { PlainIconButton } from '../../ui/PlainIconButton.tsx';
import { findPictureProblem, pictureTypes } from './pictureRules.ts';
import { useTexts } from '../../i18n/texts.ts';
import { profileTexts } from './profileTexts.ts';

/** Owner of the picture: the user or a group. */
interface PictureTarget {
  purpose: 'profile_image' | 'group_picture';
  put: (uploadURL: string, signal: AbortSignal) => Promise<void>;
  remove: () => Promise<void>;
  done: string;
  failed: string;
}

interface PictureEditorProps {
  /** Name whose initial is shown while there is no picture. */
  name: string;
  imageUrl: string | null;
  target: PictureTarget;
  changeLabel: string;
  title: string;
}

/** Picture with the camera button that changes it. */
export function PictureEditor({ name, imageUrl, target, changeLabel, title }: PictureEditorProps) {
  const { t } = useTexts(profileTexts);
  const upload = usePictureUpload(target);
  const input = useRef<HTMLInputElement>(null);
  const [chosen, setChosen] = useState<{ file: File; url: string } | null>(null);

  const choose = (list: FileList | null) => {
    const files = [...(list ?? [])];
    const [file] = files;
    if (file === undefined) return;
    const problem = findPictureProblem(files);
    if (problem === null) {
      setChosen({ file, url: URL.createObjectURL(file) });
      return;
    }
    showFailure({
      title: t('profile:pictureErrors.uploadAddress.title'),
      description: t(`profile:pictureProblems.${problem}`),
    });
  };

  const button = (
    <PlainIconButton
      label={changeLabel}
      icon={<Camera />}
      kind="solid"
      size="small"
      // Larger touch target around the button, so that the letters of the name stay visible.
      className="relative min-h-0! min-w-0! rounded-full! ring-3 ring-raised after:absolute after:-inset-1.5"
      {...(imageUrl === null && { onClick: () => input.current?.click() })}
    />
  );
  return (
    <div className="relative inline-flex">
      <Avatar name={name} imageUrl={imageUrl} size={96} />
      <div className="absolute -end-1 -bottom-1">
        {imageUrl === null ? (
          button
        ) : (
          <DropdownMenu align="start" trigger={button}>
            <MenuItem icon={<ImageUp />} onSelect={() => input.current?.click()}>
              {t('profile:choosePicture')}
            </MenuItem>
            <MenuItem danger icon={<Trash2 />} onSelect={() => upload.remove()}>
              {t('profile:removePicture')}
            </MenuItem>
          </DropdownMenu>
        )}
      </div>
      <input
        ref={input}
        type="file"
        accept={pictureTypes.join(',')}
        className="hidden"
        aria-hidden="true"
        tabIndex={-1}
        data-testid="picture-input"
        onChange={(event) => {
          choose(event.target.files);
          // Lets the user choose the same file again.
          event.target.value = '';
        }}
      />
      {chosen !== null && (
        <PictureUploadDialog
          {...chosen}
          title={title}
          upload={upload}
          onClose={() => {
            URL.revokeObjectURL(chosen.url);
            setChosen(null);
          }}
        />
      )}
    </div>
  );
}

interface PictureUpload {
  /** Progress from 0 to 1 during an upload, otherwise null. */
  progress: number | null;
  /** Resolves to true once the picture is set. */
  save: (file: File) => Promise<boolean>;
  cancel: () => void;
  remove: () => void;
}

/** Sets a picture: requests an upload address, sends the bytes, and then confirms. */
function usePictureUpload({ purpose, put, remove, done, failed }: PictureTarget): PictureUpload {
  const { t, i18n } = useTexts(profileTexts);
  const [progress, setProgress] = useState<number | null>(null);
  const running = useRef<AbortController>(null);

  const toUpdateFailure = (error: unknown) => {
    const words = error instanceof ApiError && !error.passing ? explainServerError(i18n, error) : '';
    return { title: t('profile:pictureErrors.update.title'), description: words || failed };
  };
  const toAddressFailure = (error: unknown) => {
    const limited = error instanceof ApiError && error.status === 429 ? explainServerError(i18n, error) : '';
    return {
      title: t('profile:pictureErrors.uploadAddress.title'),
      description: limited || t('profile:pictureErrors.uploadAddress.text'),
    };
  };
  const onDone = () => toast({ kind: 'success', title: done });
  const removal = useAction(remove, { failure: toUpdateFailure, onDone });

  const upload = async (file: File, signal: AbortSignal): Promise<boolean> => {
    let hasAddress = false;
    const newAddress = async (): Promise<string> => {
      hasAddress = false;
      const { uploadURL } = await call(routes.createUpload, { body: { purpose }, signal });
      hasAddress = true;
      return uploadURL;
    };
    try {
      const { removeLocationForUpload } = await import('../../chat/media/removeLocationForUpload.ts');
      const bytes = await removeLocationForUpload(file);
      if (!bytes || signal.aborted) return false;
      await put(await requestAddressAndUpload(newAddress, bytes, { signal, onProgress: setProgress }), signal);
      onDone();
      return true;
    } catch (error) {
      if (!signal.aborted) showFailure((hasAddress ? toUpdateFailure : toAddressFailure)(error));
      return false;
    }
  };

  return {
    progress,
    async save(file) {
      const abort = new AbortController();
      running.current = abort;
      setProgress(0);
      try {
        return await upload(file, abort.signal);
      } finally {
        setProgress(null);
        running.current = null;
      }
    },
    cancel: () => running.current?.abort(),
    remove: () => void removal.run(),
  };
}

interface PictureUploadDialogProps {
  file: File;
  url: string;
  title: string;
  upload: PictureUpload;
  onClose: () => void;
}

/** Shows the chosen picture as it will be cropped, and then the upload progress. */
function PictureUploadDialog({ file, url, title, upload, onClose }: PictureUploadDialogProps) {
  const { t } = useTexts(profileTexts);
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
      onOpenChange={(open) => open || leave()}
      title={title}
      description={t('profile:pictureText')}
      footer={
        <>
          <Button kind="secondary" onClick={leave}>
            {t('common.cancel')}
          </Button>
          <Button disabled={broken} busy={progress !== null} onClick={() => void save()}>
            {progress === null ? t('profile:usePicture') : t('profile:uploading')}
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
              alt={t('profile:picturePreview')}
              className="size-full object-cover"
              onError={() => setBroken(true)}
            />
          )}
        </div>
        {broken && (
          <p role="alert" className="text-center text-13 text-danger-text">
            {t('profile:pictureProblems.notImage')}
          </p>
        )}
        <progress
          aria-label={t('profile:uploading')}
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

import { routes } from '@nolo/api';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, call } from '../../api/httpClient.ts';
import { requestAddressAndUpload } from '../../api/uploadBytes.ts';
import { explainServerError } from '../../i18n/explainFailure.ts';
import { showFailure } from '../../ui/failures.ts';
import { toast } from '../../ui/toasts.ts';

export interface PictureUpload {
  /** Progress from 0 to 1 during an upload, otherwise null. */
  progress: number | null;
  /** Resolves to true once the picture is set. */
  save: (file: File) => Promise<boolean>;
  cancel: () => void;
  remove: () => Promise<void>;
}

/** Owner of the picture: the user or a group. */
export interface PictureTarget {
  purpose: 'profile_image' | 'group_picture';
  /** Sets the uploaded file as the picture. */
  put: (uploadURL: string, signal: AbortSignal) => Promise<void>;
  remove: () => Promise<void>;
  done: string;
  failed: string;
}

/** Sets a picture: requests an upload address, sends the bytes, and then confirms. */
export function usePictureUpload({ purpose, put, remove, done, failed }: PictureTarget): PictureUpload {
  const { t, i18n } = useTranslation();
  const [progress, setProgress] = useState<number | null>(null);
  const running = useRef<AbortController>(null);

  const updateFailed = (error: unknown) => {
    const words = error instanceof ApiError && !error.passing ? explainServerError(i18n, error) : '';
    showFailure({ title: t('profile.pictureErrors.update.title'), description: words || failed });
  };

  const addressFailed = (error: unknown) => {
    const limited = error instanceof ApiError && error.status === 429 ? explainServerError(i18n, error) : '';
    showFailure({
      title: t('profile.pictureErrors.uploadAddress.title'),
      description: limited || t('profile.pictureErrors.uploadAddress.text'),
    });
  };

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
      toast({ kind: 'success', title: done });
      return true;
    } catch (error) {
      if (!signal.aborted) (hasAddress ? updateFailed : addressFailed)(error);
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
    async remove() {
      try {
        await remove();
        toast({ kind: 'success', title: done });
      } catch (error) {
        updateFailed(error);
      }
    },
  };
}

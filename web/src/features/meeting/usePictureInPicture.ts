import type { RefObject } from 'react';
import { useCallback } from 'react';

export interface PictureInPicture {
  possible: boolean;
  open: () => void;
}

/**
 * The largest picture in a small window above all others. The browser's own window for a video is used everywhere: the
 * one for whole documents exists in one family of browsers only and shows the same.
 */
export function usePictureInPicture(room: RefObject<HTMLElement | null>): PictureInPicture {
  const open = useCallback(() => {
    if (document.pictureInPictureElement) {
      void document.exitPictureInPicture().catch(() => undefined);
      return;
    }
    const videos = [...(room.current?.querySelectorAll<HTMLVideoElement>('main video') ?? [])];
    // Somebody else rather than oneself, and the one that is largest here.
    const area = (video: HTMLVideoElement) => video.clientWidth * video.clientHeight;
    const others = videos.filter((video) => video.closest('[data-self="true"]') === null);
    const [video] = (others.length > 0 ? others : videos).toSorted((a, b) => area(b) - area(a));
    // One that shows nothing yet is refused.
    void video?.requestPictureInPicture?.().catch(() => undefined);
  }, [room]);
  return { possible: document.pictureInPictureEnabled === true, open };
}

import { useCallback, useEffect, useState, type RefObject } from 'react';
import { listen } from '../../device/listen.ts';

export interface PictureInPicture {
  possible: boolean;
  open: () => void;
  /** Small window to render in. Null while closed, and if the browser supports picture-in-picture for videos only. */
  small: Window | null;
}

interface DocumentPictureInPicture {
  requestWindow(options: { width: number; height: number }): Promise<Window>;
}

function documentWindows(): DocumentPictureInPicture | undefined {
  return (globalThis as { documentPictureInPicture?: DocumentPictureInPicture }).documentPictureInPicture;
}

/** Gives the small window this page's look: style sheets, language, direction, and colors. */
function dress(small: Window, title: string): void {
  const { documentElement: root, head, body } = small.document;
  for (const link of document.querySelectorAll('link[rel=stylesheet]')) head.append(link.cloneNode());
  root.lang = document.documentElement.lang;
  root.dir = document.documentElement.dir;
  small.document.title = title;
  // The room is always dark, unlike the app.
  root.dataset.theme = 'dark';
  body.className = 'bg-sunken text-ink';
}

/** Shows the browser's own video window, for the largest video here, preferably of another person. */
function showVideo(room: HTMLElement | null): void {
  if (document.pictureInPictureElement) {
    void document.exitPictureInPicture().catch(() => undefined);
    return;
  }
  const videos = [...(room?.querySelectorAll<HTMLVideoElement>('main video') ?? [])];
  const area = (video: HTMLVideoElement) => video.clientWidth * video.clientHeight;
  const others = videos.filter((video) => video.closest('[data-self="true"]') === null);
  const [video] = (others.length > 0 ? others : videos).toSorted((a, b) => area(b) - area(a));
  // The browser refuses a video without a picture.
  void video?.requestPictureInPicture?.().catch(() => undefined);
}

/**
 * Shows the room in a small window above all others: with its controls if the browser lets a page render there,
 * otherwise as a video.
 */
export function usePictureInPicture(room: RefObject<HTMLElement | null>, title: string): PictureInPicture {
  const [small, setSmall] = useState<Window | null>(null);
  useEffect(() => {
    if (!small) return undefined;
    const stop = listen(small, ['pagehide'], () => setSmall(null));
    return () => {
      stop();
      small.close();
    };
  }, [small]);
  const open = useCallback(() => {
    if (small) {
      setSmall(null);
      return;
    }
    const windows = documentWindows();
    if (!windows) {
      showVideo(room.current);
      return;
    }
    windows.requestWindow({ width: 360, height: 260 }).then(
      (opened) => {
        dress(opened, title);
        setSmall(opened);
      },
      // The browser refuses this in an embedded page, but may allow the video alone.
      () => showVideo(room.current),
    );
  }, [room, small, title]);
  const possible = documentWindows() !== undefined || document.pictureInPictureEnabled === true;
  return { possible, open, small };
}

import type { RefObject } from 'react';
import { useCallback, useEffect, useState } from 'react';

export interface PictureInPicture {
  possible: boolean;
  open: () => void;
  /** A small window of our own to draw in; null while there is none, and where browsers have only one for a video. */
  small: Window | null;
}

interface DocumentPictureInPicture {
  requestWindow(options: { width: number; height: number }): Promise<Window>;
}

function documentWindows(): DocumentPictureInPicture | undefined {
  return (globalThis as { documentPictureInPicture?: DocumentPictureInPicture }).documentPictureInPicture;
}

/** Gives the small window the looks of this page: its style sheets, language, direction and colours. */
function dress(small: Window, title: string): void {
  const { documentElement: root, head, body } = small.document;
  for (const link of document.querySelectorAll('link[rel=stylesheet]')) head.append(link.cloneNode());
  root.lang = document.documentElement.lang;
  root.dir = document.documentElement.dir;
  small.document.title = title;
  // The room is dark whatever the app is.
  root.dataset.theme = 'dark';
  body.className = 'bg-sunken text-ink';
}

/** The browser's own window for a video: the largest here, and of somebody else rather than oneself. */
function showVideo(room: HTMLElement | null): void {
  if (document.pictureInPictureElement) {
    void document.exitPictureInPicture().catch(() => undefined);
    return;
  }
  const videos = [...(room?.querySelectorAll<HTMLVideoElement>('main video') ?? [])];
  const area = (video: HTMLVideoElement) => video.clientWidth * video.clientHeight;
  const others = videos.filter((video) => video.closest('[data-self="true"]') === null);
  const [video] = (others.length > 0 ? others : videos).toSorted((a, b) => area(b) - area(a));
  // One that shows nothing yet is refused.
  void video?.requestPictureInPicture?.().catch(() => undefined);
}

/** The room in a small window above all others: with its controls where browsers let a page draw there, else a video. */
export function usePictureInPicture(room: RefObject<HTMLElement | null>, title: string): PictureInPicture {
  const [small, setSmall] = useState<Window | null>(null);
  useEffect(() => {
    if (!small) return undefined;
    const closed = () => setSmall(null);
    small.addEventListener('pagehide', closed);
    return () => {
      small.removeEventListener('pagehide', closed);
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
      // Refused where a page is shown inside another: the video alone may be allowed there.
      () => showVideo(room.current),
    );
  }, [room, small, title]);
  const possible = documentWindows() !== undefined || document.pictureInPictureEnabled === true;
  return { possible, open, small };
}

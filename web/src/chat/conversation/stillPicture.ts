import { createContext } from 'react';

/** No list takes longer to stand where it was told to go. */
const maxMs = 2_500;

/**
 * Keeps a picture of a list of messages over its place while the list goes somewhere else, because a list that scrolls far
 * at once, or that another one replaces, is empty until its rows are measured.
 */
export interface StillPicture {
  /** Takes the element that holds the list; null when it goes. */
  hold(place: HTMLElement | null): void;
  /** Shows what the list shows now, until `drop`. A picture that is there already stays. */
  keep(list: HTMLElement): void;
  drop(): void;
}

export function createStillPicture(): StillPicture {
  let place: HTMLElement | null = null;
  let picture: HTMLElement | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const drop = (): void => {
    clearTimeout(timer);
    picture?.remove();
    picture = undefined;
  };
  return {
    hold(element) {
      place = element;
    },
    keep(list) {
      if (picture !== undefined || place === null) return;
      picture = list.cloneNode(true) as HTMLElement;
      picture.inert = true;
      picture.ariaHidden = 'true';
      Object.assign(picture.style, { position: 'absolute', inset: '0' });
      place.append(picture);
      picture.scrollTop = list.scrollTop;
      timer = setTimeout(drop, maxMs);
    },
    drop,
  };
}

export const StillPictureContext = createContext<StillPicture>(createStillPicture());

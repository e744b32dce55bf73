import { createContext } from 'react';

/** Maximum time until a list reaches its target position. */
const maxMs = 2_500;

/**
 * Covers a message list with a snapshot while the list moves elsewhere. A list that scrolls far at once, or that
 * another one replaces, is empty until its rows are measured.
 */
export function createMessageListSnapshot() {
  let place: HTMLElement | null = null;
  let picture: HTMLElement | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const drop = (): void => {
    clearTimeout(timer);
    picture?.remove();
    picture = undefined;
  };
  return {
    /** Sets the element that contains the list, or null when it unmounts. */
    hold(element: HTMLElement | null) {
      place = element;
    },
    /** Shows the list's current content until `drop`. An existing snapshot stays. */
    keep(list: HTMLElement) {
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

export const MessageListSnapshotContext = createContext(createMessageListSnapshot());

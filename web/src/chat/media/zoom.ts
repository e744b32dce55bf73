/** Where a picture stands that is looked at closely. */
export interface Zoom {
  /** 1 fits the window. */
  readonly scale: number;
  /** Pixels from the middle of the window to the middle of the picture. */
  readonly x: number;
  readonly y: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export const fitting: Zoom = { scale: 1, x: 0, y: 0 };
export const mostZoom = 8;
/** What a double press goes to, and one press of a key or button. */
export const pressZoom = 2.5;
export const zoomStep = 1.5;

function within(value: number, most: number): number {
  return Math.min(most, Math.max(-most, value));
}

/** Never so far to a side that there would be nothing of it where something could be. */
export function held({ scale, x, y }: Zoom, picture: Size, window: Size): Zoom {
  const size = Math.min(mostZoom, Math.max(1, scale));
  const room = (length: number, around: number) => Math.max(0, (length * size - around) / 2);
  return {
    scale: size,
    x: within(x, room(picture.width, window.width)),
    y: within(y, room(picture.height, window.height)),
  };
}

/** Closer or further by a factor, so that what is under a place stays there; places from the middle of the window. */
export function zoomedAt(zoom: Zoom, factor: number, at: { x: number; y: number }): Zoom {
  const scale = Math.min(mostZoom, Math.max(1, zoom.scale * factor));
  const ratio = scale / zoom.scale;
  return { scale, x: at.x - (at.x - zoom.x) * ratio, y: at.y - (at.y - zoom.y) * ratio };
}

/** As large as a picture is in a window that it fits, never larger than it is. */
export function fittedSize(picture: Size, window: Size): Size {
  const scale = Math.min(1, window.width / picture.width, window.height / picture.height);
  return { width: picture.width * scale, height: picture.height * scale };
}

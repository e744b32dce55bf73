/** Scale and position of a zoomed picture. */
export interface ZoomState {
  /** Scale, where 1 fits the window. */
  readonly scale: number;
  /** Pixels from the middle of the window to the middle of the picture. */
  readonly x: number;
  readonly y: number;
}

export interface ZoomSize {
  readonly width: number;
  readonly height: number;
}

export const fittingZoom: ZoomState = { scale: 1, x: 0, y: 0 };
export const maxZoom = 8;
/** Zoom factors of a double press, and of one key or button press. */
export const doublePressZoom = 2.5;
export const zoomStep = 1.5;

const within = (value: number, max: number): number => Math.min(max, Math.max(-max, value));

/** Limits the position, so that no empty space shows where the picture could be. */
export function clampZoom({ scale, x, y }: ZoomState, picture: ZoomSize, window: ZoomSize): ZoomState {
  const size = Math.min(maxZoom, Math.max(1, scale));
  const room = (length: number, around: number) => Math.max(0, (length * size - around) / 2);
  return {
    scale: size,
    x: within(x, room(picture.width, window.width)),
    y: within(y, room(picture.height, window.height)),
  };
}

/** Zooms by a factor around a point, which stays in place. Points are relative to the middle of the window. */
export function zoomAt(zoom: ZoomState, factor: number, at: { x: number; y: number }): ZoomState {
  const scale = Math.min(maxZoom, Math.max(1, zoom.scale * factor));
  const ratio = scale / zoom.scale;
  return { scale, x: at.x - (at.x - zoom.x) * ratio, y: at.y - (at.y - zoom.y) * ratio };
}

/** Returns the size at which a picture fits a window, never larger than its own. */
export function fitSize(picture: ZoomSize, window: ZoomSize): ZoomSize {
  const scale = Math.min(1, window.width / picture.width, window.height / picture.height);
  return { width: picture.width * scale, height: picture.height * scale };
}

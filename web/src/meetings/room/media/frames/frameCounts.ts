/** Source of the frames that a transform receives. */
export interface FramePlace {
  side: 'sent' | 'received';
  kind: 'audio' | 'video';
}

/** Frames processed since the page was opened. */
export interface FrameCounts {
  sent: Record<FramePlace['kind'], number>;
  received: Record<FramePlace['kind'], number>;
}

export const noFrames = (): FrameCounts => ({ sent: { audio: 0, video: 0 }, received: { audio: 0, video: 0 } });
